"""Which blocks of the C library's heap are free.

Knows the lists of free blocks that glibc has for the main thread, one for each size (malloc.c,
`tcache_perthread_struct`): the last ones of up to 1 KiB that it has freed. Knows no debugger.
"""

# The size of the structure's own block, the first of the heap, and its number of lists: since 2.32,
# and since 2.42.
LISTS = {0x290: 64, 0x300: 76}
# Blocks of one list that are looked at.
LONGEST_LIST = 64
SMALLEST = 0x20


def is_free_block(address, heap, read):
    """Whether the block at the address is in a list; `heap` is where the heap starts, and `read`
    reads eight bytes at an address.
    """
    count = LISTS.get(read(heap + 8) & ~7)
    number = ((read(address - 8) & ~7) - SMALLEST + 15) // 16
    if count is None or address % 16 or not 0 <= number < count:
        return False
    block = read(heap + 16 + 2 * count + 8 * number)
    for _ in range(LONGEST_LIST):
        if block in (0, address):
            break
        block = (block >> 12) ^ read(block)
    return block == address
