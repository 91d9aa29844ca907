"""Tests of key_patterns.py: keys in memory that is a string of bytes."""

import unittest
from unittest import mock

import key_patterns


def memory(data):
    return lambda address, size: data[address : address + size]


class Reads(unittest.TestCase):
    def test_pages_are_read_once(self):
        data, sizes = bytes(range(256)) * 64, []

        class Process:
            def ReadMemory(self, address, size, error):
                sizes.append(size)
                return data[address : address + size]

        error = mock.Mock(**{"Fail.return_value": False})
        with mock.patch.object(key_patterns.lldb, "SBError", lambda: error):
            reads = key_patterns._reader(Process())
            found = [reads(5000, 4), reads(5004, 2), reads(8190, 4), reads(5, 0)]
        self.assertEqual(found, [data[5000:5004], data[5004:5006], data[8190:8194], b""])
        self.assertEqual(sizes, [4096, 4, 4096])


class Numbers(unittest.TestCase):
    def pattern(self, wanted, data, size=4, offset=0):
        return key_patterns.NumberPattern(memory(data), wanted, offset, size, True)

    def test_keys_are_in_the_order_of_numbers(self):
        data = b"".join(one.to_bytes(4, "little", signed=True) for one in (-1, 0, 300))
        pattern = self.pattern(0, data)
        self.assertEqual([pattern.order(at) for at in (0, 4, 8)], [-1, 0, 1])

    def test_hash_is_the_number_itself(self):
        data = (-1).to_bytes(4, "little", signed=True)
        pattern = self.pattern(7, data)
        self.assertEqual((pattern.code(0), pattern.wanted_code()), (2**64 - 1, 7))

    def test_bytes_between_keys_are_no_key(self):
        data = bytes([0, 7, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0])
        pattern = self.pattern(7, data)
        self.assertEqual(list(pattern.places(data, 8)), [8])
        self.assertEqual(list(self.pattern(7, data, offset=4).places(data, 8)), [8])
        self.assertEqual(list(self.pattern(1 << 40, data).places(data, 8)), [])


class Texts(unittest.TestCase):
    TEXT = b"nutbolt"

    def stored(self, *places):
        words = (word for place in places for word in place)
        return self.TEXT + b"".join(word.to_bytes(8, "little") for word in words)

    def test_texts_are_compared_by_their_bytes(self):
        data = self.stored((0, 3), (3, 4))
        pattern = key_patterns.TextPattern(memory(data), b"nut", 0, 8)
        self.assertEqual([pattern.order(at) for at in (7, 23)], [0, -1])
        self.assertEqual(list(pattern.places(data[7:], 16)), [0])
        longer = key_patterns.TextPattern(memory(data), b"nuts", 0, 8)
        self.assertEqual((longer.order(7), list(longer.places(data[7:], 16))), (-1, []))

    def test_hash_is_that_of_the_library(self):
        # std::hash<std::string> of libstdc++ on x86-64.
        for text, code in HASHES.items():
            self.assertEqual(key_patterns.hash_of(text), code, text)


HASHES = {
    b"": 0x553E93901E462A6E,
    b"a": 0x454DDEE488C1ED6B,
    b"nut bolt": 0xEDF886107C39ABBD,
    b"a longer text of words": 0xF6E8FB297F58300A,
}


if __name__ == "__main__":
    unittest.main()
