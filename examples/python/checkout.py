"""A shop's checkout. The total comes out too low: why?

Ten or more of one item earn a tenth off that item.
"""

import sys
from dataclasses import dataclass


@dataclass
class Item:
    name: str
    price: int  # cents
    quantity: int


def checkout(items):
    total = 0
    for item in items:
        total += item.price * item.quantity
        if item.quantity >= 10:
            total = total * 90 // 100  # [stop: discount]
        print(f"{item.quantity:3} x {item.name:10} {total / 100:8.2f}", flush=True)
    return total


def main():
    items = [
        Item("Füller", 1990, 2),
        Item("Atlas", 4900, 1),
        Item("Heft", 250, 12),
        Item("Tinte", 480, 3),
    ]
    expected = 3980 + 4900 + 2700 + 1440
    total = checkout(items)
    print(f"total {total / 100:.2f}, expected {expected / 100:.2f}", flush=True)
    return 0 if total == expected else 1


if __name__ == "__main__":
    sys.exit(main())
