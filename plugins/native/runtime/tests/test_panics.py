"""Tests of panics.py with payloads as Rust's library has them in memory."""

import struct
import unittest

import panics


def memory(blocks):
    def read(address, size):
        for start, data in blocks.items():
            if start <= address and address + size <= start + len(data):
                return data[address - start : address - start + size]
        raise ValueError("cannot read 0x%x" % address)

    return read


def table(size):
    return struct.pack("<4Q", 0, size, 8, 0)


class Messages(unittest.TestCase):
    def check(self, size, payload, expected):
        text = "grüße".encode()
        read = memory({0x100: table(size), 0x200: struct.pack("<4Q", *payload), 0x300: text})
        self.assertEqual(panics.panic_text(read, 0x200, 0x100), expected)

    def test_literal(self):
        self.check(16, (0x300, 7, 0, 0), "grüße")

    def test_formatted_text(self):
        self.check(32, (12, 0x300, 7, 0), "grüße")

    def test_text_that_is_not_made_yet(self):
        self.check(32, (1 << 63, 0x300, 7, 0), None)

    def test_other_payloads(self):
        self.check(8, (0x300, 7, 0, 0), None)
        self.check(16, (0x300, 2**60, 0, 0), None)
        self.check(16, (0x300, 3, 0, 0), None)


if __name__ == "__main__":
    unittest.main()
