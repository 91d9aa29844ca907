import { makeApp } from "./app.js";
import { Store } from "./store.js";

const port = Number(process.argv[2] ?? 0);
const server = makeApp(new Store()).listen(port, "127.0.0.1", () => {
  const address = server.address();
  console.log(`listening on ${typeof address === "object" ? address?.port : address}`);
});
