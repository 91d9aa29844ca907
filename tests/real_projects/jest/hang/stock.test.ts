import { makeCart } from "../src/cart";

/** Does not end: nothing fills the shelf. */
function waitForStock(wanted: number): number {
  let looks = 0;
  for (let shelf = wanted - 1; shelf < wanted; looks++) {
    shelf = Math.min(shelf, wanted - 1);
  }
  return looks;
}

test("an order waits for its articles", () => {
  const cart = makeCart(3);
  process.stderr.write(`waiting for ${cart.lines.length} lines\n`);
  expect(waitForStock(cart.lines.length)).toBe(1);
});
