from decimal import Decimal

from pydantic import BaseModel, Field, computed_field


class Line(BaseModel):
    article: str
    price: Decimal
    quantity: int = Field(gt=0)

    @computed_field
    @property
    def amount(self) -> Decimal:
        return self.price * self.quantity


class Order(BaseModel):
    number: int
    customer: str
    lines: list[Line]
    note: str | None = None

    def total(self) -> Decimal:
        return sum((line.amount for line in self.lines), Decimal(0))
