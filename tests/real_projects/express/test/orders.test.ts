import { describe, expect, it, test } from "vitest";

import { Order, allOrders, discountOf } from "../src/orders.js";
import { Store } from "../src/store.js";

describe("orders", () => {
  it.each([
    [1, 4365],
    [2, 10405],
    [7, 140274],
  ])("order %i costs %i", (number, expected) => {
    const total = allOrders().get(number)!.total();
    expect(total).toBe(expected);
  });

  it("has a first line", () => {
    const order = new Order(1, "nobody");
    order.lines.push({ article: "Heft", cents: 235, quantity: 1 });
    const article = order.first().article;
    expect(article).toBe("Heft");
  });
});

test("an unknown order is an error", async () => {
  await expect(new Store().find(99)).rejects.toThrow("there is no order 99");
});

test("nothing is taken off without a discount", () => {
  expect(discountOf(100)).toBe(0);
});
