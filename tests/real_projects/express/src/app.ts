import express, { type Express, type NextFunction, type Request, type Response } from "express";

import { Store } from "./store.js";

export function makeApp(store: Store): Express {
  const app = express();

  app.use((request: Request, response: Response, next: NextFunction) => {
    response.setHeader("X-Path", request.path);
    next();
  });

  app.get("/orders/:number", async (request, response) => {
    const number = Number(request.params.number);
    const order = await store.find(number);
    const total = order.total();
    const customer = order.customer;
    response.json({ customer, total });
  });

  app.get("/orders/:number/first", async (request, response) => {
    const order = await store.find(Number(request.params.number));
    const article = order.first().article;
    response.json({ article });
  });

  app.get("/orders/:number/steps", async (request, response) => {
    const order = await store.find(Number(request.params.number));
    response.json({ steps: store.halve(order) });
  });

  app.use((error: Error, request: Request, response: Response, next: NextFunction) => {
    console.error(`failed: ${error.message}`);
    response.status(500).json({ error: error.message });
  });
  return app;
}
