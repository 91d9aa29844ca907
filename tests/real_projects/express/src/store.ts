import { allOrders, type Order } from "./orders.js";

export class Store {
  #orders = allOrders();

  async find(number: number): Promise<Order> {
    await new Promise((resolve) => setImmediate(resolve));
    const order = this.#orders.get(number);
    if (order === undefined) {
      throw new RangeError(`there is no order ${number}`);
    }
    return order;
  }

  /** Does not end for an order whose sum is odd. */
  halve(order: Order): number {
    let steps = 0;
    for (let sum = order.sum; sum !== 1; steps++) {
      sum = sum % 2 === 0 ? sum / 2 : sum;
    }
    return steps;
  }
}
