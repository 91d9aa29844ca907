import { makeCart } from "../src/cart";
import { Shop } from "../src/shop";

test("the heaviest article of an order is weighed", async () => {
  const grams = await new Shop().order(makeCart(3));
  expect(grams).toBe(2400);
});

test("an empty order weighs nothing", async () => {
  const grams = await new Shop().order(makeCart(4));
  expect(grams).toBe(0);
});
