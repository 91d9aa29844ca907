import asyncio
from decimal import Decimal

from .models import Line, Order

PRICES = {"Atlas": Decimal("48.50"), "Heft": Decimal("2.35"), "Globus": Decimal("119.00")}


class Store:
    def __init__(self):
        self.orders = {}
        self.lock = asyncio.Lock()
        for number in range(1, 31):
            lines = [
                Line(article=article, price=price, quantity=number % 7 + index + 1)
                for index, (article, price) in enumerate(PRICES.items())
            ]
            self.orders[number] = Order(number=number, customer=f"c{number}", lines=lines)

    async def find(self, number):
        async with self.lock:
            await asyncio.sleep(0)
            return self.orders[number]

    async def rebook(self, source, target):
        async with self.lock:
            order = await self.find(source)
            order.customer = target
            return order
