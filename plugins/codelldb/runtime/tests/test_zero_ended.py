"""Tests of zero_ended.py: where a text ends, and which pieces are read."""

import unittest

import zero_ended


class Process:
    """A process with these bytes from an address on, and none behind them."""

    def __init__(self, data):
        self.data, self.failed = data, False

    def ReadMemory(self, address, size, error):
        error.failed = address + size > len(self.data)
        return None if error.failed else self.data[address : address + size]


class Error:
    failed = False

    def Clear(self):
        self.failed = False


class Texts(unittest.TestCase):
    def check(self, data, longest, text, fails=False):
        error = Error()
        self.assertEqual(zero_ended.read(Process(data), 0, longest, error), text)
        self.assertEqual(error.failed, fails)

    def test_text_has_the_bytes_before_its_zero(self):
        self.check(b"caf\xe9\0more", 100, b"caf\xe9")
        self.check(b"\0", 100, b"")
        long = b"x" * 20_000
        self.check(long + b"\0", 100_000, long)
        self.check(long, 1_000, long[:1_000])

    def test_text_without_a_zero_fails(self):
        self.check(b"", 100, b"", True)
        self.check(b"no end", 100, b"no end", True)


if __name__ == "__main__":
    unittest.main()
