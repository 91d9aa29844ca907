"""Adds prices, then reads how many of them to buy."""


def total_of(prices):
    total = 0
    for price in prices:
        # A gift costs nothing.
        total += price
    return total


def main():
    total = total_of([10, 20, 30])
    print(total, flush=True)
    count = int(input())
    print(total * count)


main()
