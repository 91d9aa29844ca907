"""Tests of spans.py: where a text ends, and which of its bytes are read."""

import unittest

import spans


class Memory:
    """Bytes from an address on; none behind them can be read."""

    def __init__(self, start, data):
        self.start, self.data = start, data

    def read(self, address, count):
        at = address - self.start
        if at < 0 or at + count > len(self.data):
            raise spans.Unreadable("Cannot access memory")
        return self.data[at : at + count]


class Spans(unittest.TestCase):
    def test_text_without_a_length_ends_at_its_zero(self):
        memory = Memory(spans.PAGE - 10, b"ab\xc3\xa9".ljust(5000, b"x") + b"\0".ljust(3202, b"y"))
        span = spans.Span(spans.PAGE - 10, 1, None, True)
        data, count = span.read(memory.read, spans.LONGEST)
        self.assertEqual((len(data), count), (5000, 5000))
        self.assertEqual(span.decoded(data[:4], "le"), "abé")

    def test_memory_may_end_with_the_zero(self):
        for size, encoding in spans.ENCODINGS.items():
            encoding += "-le" if size > 1 else ""
            memory = Memory(0x1000, ("x" * 5_000 + "yz\0").encode(encoding))
            span = spans.Span(0x1000 + size, size, None, True)
            self.assertEqual(span.text(memory.read, "le"), ("x" * 4_999 + "yz", None), size)

    def test_stored_length_counts_zeros(self):
        memory = Memory(0x1000, b"a\0b\0c")
        self.assertEqual(spans.Span(0x1000, 1, 5, False).read(memory.read, spans.LONGEST), (b"a\0b\0c", 5))
        self.assertEqual(spans.Span(0x1000, 1, 5, True).read(memory.read, spans.LONGEST), (b"a", 1))

    def test_zero_of_a_wide_text_is_a_whole_character(self):
        memory = Memory(0x1000, "a\u0100b\0c".encode("utf-16-le"))
        span = spans.Span(0x1000, 2, 10, True)
        data, count = span.read(memory.read, spans.LONGEST)
        self.assertEqual((span.decoded(data, "le"), count), ("a\u0100b", 6))

    def test_part_is_read_alone(self):
        memory = Memory(0x1000 + (1 << 30) - 8, b"uvwxyz!!")
        span = spans.Span(0x1000, 1, 1 << 30, True)
        self.assertEqual(span.part(memory.read, (1 << 30) - 7, (1 << 30) - 4), b"vwx")

    def test_of_a_very_long_text_the_beginning_is_read(self):
        memory = Memory(0, b"x" * (spans.WHOLE + 1))
        span = spans.Span(0, 1, spans.WHOLE + 1, False)
        self.assertEqual(span.text(memory.read, "le"), ("x" * spans.PAGE, spans.WHOLE + 1))
        self.assertEqual(span.text(memory.read, "le", (spans.WHOLE, spans.WHOLE + 1)), ("x", None))

    def test_end_is_sought_within_a_bound(self):
        memory = Memory(0, b"x" * (3 * spans.WHOLE) + b"\0".ljust(spans.PAGE))
        array = spans.Span(0, 1, 3 * spans.WHOLE + 1, True)
        self.assertEqual(array.text(memory.read, "le")[1], 3 * spans.WHOLE + 1)
        pointer = spans.Span(0, 1, None, True)
        self.assertEqual(pointer.text(memory.read, "le")[1], 3 * spans.WHOLE)
        with self.assertRaisesRegex(spans.Unreadable, "does not end within 2097152 bytes"):
            pointer.text(memory.read, "le", None, 2 * spans.WHOLE)

    def test_unreadable_memory_is_an_error(self):
        with self.assertRaises(spans.Unreadable):
            spans.Span(0x1000, 1, None, True).read(Memory(0x1000, b"no end").read, spans.LONGEST)


if __name__ == "__main__":
    unittest.main()
