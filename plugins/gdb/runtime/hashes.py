# Hashes of libstdc++ for numbers and texts: they lead to the bucket of a key.

MASK = 2**64 - 1
SEED, FACTOR, SHIFT = 0xC70F6907, 0xC6A4A7935BD1E995, 47


def text_hash(data):
    """`std::_Hash_bytes` for 64 bits, which is MurmurHash64A."""
    found = SEED ^ len(data) * FACTOR & MASK
    whole = len(data) // 8 * 8
    for at in range(0, whole, 8):
        word = int.from_bytes(data[at : at + 8], "little") * FACTOR & MASK
        word = (word ^ word >> SHIFT) * FACTOR & MASK
        found = (found ^ word) * FACTOR & MASK
    if whole < len(data):
        found = (found ^ int.from_bytes(data[whole:], "little")) * FACTOR & MASK
    found = (found ^ found >> SHIFT) * FACTOR & MASK
    return found ^ found >> SHIFT


def key_hash(key):
    """The hash of a key that is a number or the bytes of a text; None: it is of another kind."""
    if isinstance(key, bytes):
        return text_hash(key)
    return key & MASK if isinstance(key, int) else None
