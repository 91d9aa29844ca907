"""The message of a Rust panic, in the payload that `rust_panic` is called with.

Knows the payloads of Rust's library (std/src/panicking.rs: `StaticStrPayload`, and
`FormatStringPayload` with the text that its hook has made of it); knows no debugger.
"""

PAYLOAD_WORD = 8
# Bytes of a message.
LONGEST_PANIC = 1 << 16
# The capacities of a String; above are the variants of an Option of one.
LARGEST_CAPACITY = 1 << 63


def panic_text(read, payload, table):
    """The message, by the addresses of the payload and of its table of functions; None: the payload
    is no text. `read` returns the bytes at an address, so many.
    """
    size = payload_words(read, table + PAYLOAD_WORD, 1)[0]
    if size == 2 * PAYLOAD_WORD:
        return payload_text(read, *payload_words(read, payload, 2))
    if size != 4 * PAYLOAD_WORD:
        return None
    capacity, address, length = payload_words(read, payload, 3)
    if capacity >= LARGEST_CAPACITY or length > capacity:
        return None
    return payload_text(read, address, length)


def payload_words(read, address, count):
    found = read(address, count * PAYLOAD_WORD)
    starts = range(0, count * PAYLOAD_WORD, PAYLOAD_WORD)
    return [int.from_bytes(found[at : at + PAYLOAD_WORD], "little") for at in starts]


def payload_text(read, address, length):
    if not 0 < length <= LONGEST_PANIC:
        return None
    try:
        return bytes(read(address, length)).decode()
    except UnicodeDecodeError:
        return None
