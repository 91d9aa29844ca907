import { makeCart } from "../src/cart";

describe("carts", () => {
  it.each([
    [1, "48.5"],
    [2, "104.05"],
    [7, "1429.30"],
  ])("cart %i costs %s", (number, expected) => {
    const total = makeCart(number).total();
    console.log(`cart ${number}: ${total}`);
    expect(total.toString()).toBe(expected);
  });

  it("is empty for a number that 4 divides", () => {
    expect(makeCart(8).lines).toHaveLength(0);
  });
});
