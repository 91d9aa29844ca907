// A shop's checkout. The total comes out too low: why?
//
// Ten or more of one item earn a tenth off that item.

function checkout(items) {
  let total = 0;
  for (const item of items) {
    total += item.price * item.quantity;
    if (item.quantity >= 10) {
      total = Math.floor((total * 90) / 100); // [stop: discount]
    }
    console.log(`${item.quantity} x ${item.name} ${(total / 100).toFixed(2)}`);
  }
  return total;
}

function main() {
  const items = [
    { name: "Füller", price: 1990, quantity: 2 }, // cents
    { name: "Atlas", price: 4900, quantity: 1 },
    { name: "Heft", price: 250, quantity: 12 },
    { name: "Tinte", price: 480, quantity: 3 },
  ];
  const expected = 3980 + 4900 + 2700 + 1440;
  const total = checkout(items);
  console.log(`total ${(total / 100).toFixed(2)}, expected ${(expected / 100).toFixed(2)}`);
  return total === expected ? 0 : 1;
}

process.exitCode = main();
