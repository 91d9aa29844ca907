"""Tests of characters.py: how much of an array of characters is listed."""

import unittest

from . import part_of_script

characters = part_of_script("characters.py", ENCODINGS={1: "utf-8", 4: "utf-32"})


class Extent(unittest.TestCase):
    def check(self, data, size, most, listed):
        self.assertEqual(characters.extent(data, size, most), listed, (data, size, most))

    def test_zeros_at_the_end_are_not_listed(self):
        self.check(b"ann".ljust(32, b"\0"), 1, 600, (3, True))
        self.check(bytes(8), 1, 600, (0, True))
        self.check("wz".encode("utf-32-le") + bytes(8), 4, 600, (2, True))

    def test_bytes_behind_a_zero_are_listed(self):
        self.check(b"\0\1\xffA\0B", 1, 600, (6, True))
        self.check("w\0z".encode("utf-16-le"), 2, 600, (3, True))

    def test_long_rest_behind_a_zero_is_cut(self):
        data = b"text\0".ljust(4096, b"\xee")
        self.check(data, 1, 600, (4 + characters.BEHIND_ZERO, False))
        self.check(data, 1, 0, (4096, True))
        self.check(b"x" * 900, 1, 600, (600, False))

    def test_zero_inside_wide_characters_is_no_zero(self):
        # The bytes `0 1` and `0 2`: a zero of two bytes begins at an odd place.
        self.assertEqual(characters.first_zero(b"\1\0\0\1\0\0", 2), 2)


class End(unittest.TestCase):
    def check(self, data, expected, size=1):
        self.assertEqual(characters.ends_at_zero(data, size, "le"), expected, data[:20])

    def test_text_ends_before_zeros_alone(self):
        self.check(b"ann".ljust(32, b"\0"), True)
        self.check(b"x" * 900, True)
        self.check(bytes(8), True)

    def test_bytes_that_a_line_lists_have_no_end(self):
        self.check(b"A\0B\0C", False)
        self.check(b"\0\1\xffA\0B", False)

    def test_text_before_other_bytes_has_an_end(self):
        rest = b"\0\xee\1" * 300
        self.check(("é 日\n" * 300).encode() + rest, True)
        self.check(b"caf\xe9" + rest, True)
        self.check("é 日".encode("utf-32-le") + bytes(4) + rest, True, 4)
        self.check(rest, False)
        self.check(b"\1\2" + rest, False)


if __name__ == "__main__":
    unittest.main()
