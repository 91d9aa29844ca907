"""Adds taxes to orders."""

RATE = 19


def tax(cents):
    return cents * RATE // 100


def main():
    orders = [("pen", 200), ("book", 1000)]
    total = 0
    for name, cents in orders:
        total += cents + tax(cents)
    print("total", total)


main()
