import { Store } from "./store.js";

const store = new Store();
for (let number = 1; number <= 40; number++) {
  const order = await store.find(number);
  const total = order.total();
  console.log(`order ${number}: ${total}`);
}
