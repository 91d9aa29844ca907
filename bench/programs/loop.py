# The bench sets a log breakpoint on the marked line of this loop.


def count(rounds):
    total = 0  # [stop: before]
    for i in range(rounds):
        total += i  # [log: hit]
    return total  # [stop: after]


print(count(2000))
