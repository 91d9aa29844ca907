export interface Line {
  article: string;
  cents: number;
  quantity: number;
}

export type Discount =
  | { kind: "percent"; percent: number }
  | { kind: "above"; limit: number; percent: number };

export class Order {
  readonly lines: Line[] = [];
  #notes = new Map<string, string>();

  constructor(
    readonly number: number,
    readonly customer: string,
    readonly discount?: Discount,
  ) {}

  note(key: string, text: string): this {
    this.#notes.set(key, text);
    return this;
  }

  get sum(): number {
    let sum = 0;
    for (const line of this.lines) {
      sum += line.cents * line.quantity;
    }
    return sum;
  }

  total(): number {
    const sum = this.sum;
    const off = discountOf(sum, this.discount);
    return sum - off;
  }

  first(): Line {
    return this.lines.find((line) => line.quantity > 1)!;
  }
}

export function discountOf(sum: number, discount?: Discount): number {
  switch (discount?.kind) {
    case "percent":
      return Math.floor((sum * discount.percent) / 100);
    case "above":
      return sum > discount.limit
        ? Math.floor(((sum - discount.limit) * discount.percent) / 100)
        : 0;
    default:
      return 0;
  }
}

const ARTICLES: [string, number][] = [
  ["Atlas", 4850],
  ["Heft", 235],
  ["Globus", 11900],
];

export function allOrders(): Map<number, Order> {
  const orders = new Map<number, Order>();
  for (let number = 1; number <= 40; number++) {
    const discount: Discount | undefined =
      number % 3 === 1
        ? { kind: "percent", percent: 10 }
        : number % 3 === 2
          ? { kind: "above", limit: 100_000, percent: 5 }
          : undefined;
    const order = new Order(number, `customer ${number}`, discount).note("made", "today");
    ARTICLES.slice(0, number % 4).forEach(([article, cents], index) => {
      order.lines.push({ article, cents, quantity: number + index });
    });
    orders.set(number, order);
  }
  return orders;
}
