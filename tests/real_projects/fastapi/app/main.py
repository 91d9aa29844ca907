import logging
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI, Request

from .models import Order
from .store import Store

log = logging.getLogger("uvicorn.error")


@asynccontextmanager
async def lifespan(app):
    app.state.store = Store()
    yield


app = FastAPI(lifespan=lifespan)


async def store(request: Request) -> Store:
    return request.app.state.store


@app.get("/orders/{number}")
async def read_order(number: int, store: Store = Depends(store)) -> Order:
    order = await store.find(number)
    total = order.total()
    log.info("order %s costs %s", number, total)
    return order


@app.get("/statistics")
def statistics(request: Request, above: float = 0):
    orders = request.app.state.store.orders.values()
    totals = [order.total() for order in orders if order.total() > above]
    amount = sum(totals)
    return {"orders": len(totals), "sum": str(amount)}


@app.get("/average")
async def average(above: float, store: Store = Depends(store)):
    totals = [order.total() for order in store.orders.values() if order.total() > above]
    mean = sum(totals) / len(totals)
    return {"average": str(mean)}


@app.get("/rebook/{number}")
async def rebook(number: int, customer: str = "c1", store: Store = Depends(store)) -> Order:
    return await store.rebook(number, customer)
