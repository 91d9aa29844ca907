import { Decimal } from "decimal.js";

export interface Line {
  article: string;
  price: string;
  quantity: number;
}

const ARTICLES: [string, string][] = [
  ["Atlas", "48.50"],
  ["Heft", "2.35"],
  ["Globus", "119.00"],
];

export class Cart {
  readonly lines: Line[] = [];

  constructor(
    readonly number: number,
    readonly customer: string,
  ) {}

  total(): Decimal {
    let total = new Decimal(0);
    for (const line of this.lines) {
      const amount = new Decimal(line.price).times(line.quantity);
      total = total.plus(amount);
    }
    return total;
  }
}

/** A cart has as many lines as its number leaves over when 4 divides it. */
export function makeCart(number: number): Cart {
  const cart = new Cart(number, `customer ${number}`);
  ARTICLES.slice(0, number % 4).forEach(([article, price], index) => {
    cart.lines.push({ article, price, quantity: number + index });
  });
  return cart;
}
