"""Tests of aggregates.py: bytes as text."""

import unittest

import aggregates


class Quoted(unittest.TestCase):
    def test_bytes_are_a_string_literal(self):
        for data, text in (
            (b"Cem", '"Cem"'),
            ("h\u00e9".encode(), '"h\u00e9"'),
            (b'GET "/a b" \\ end', r'"GET \"/a b\" \\ end"'),
            (b"ab\0cd\n", r'"ab\0cd\n"'),
            (b"\xff\xfea", r'"\xff\xfea"'),
            (b"", '""'),
        ):
            self.assertEqual(aggregates.quoted(data), text)

class Arrays(unittest.TestCase):
    def test_text_ends_at_its_zero(self):
        for data, text in (
            (b"short\0\0\0", '"short"'),
            (b"abcd", '"abcd"'),
            (b"a longer text\0left of an earlier one", '"a longer text"'),
            (b"\0\0\0", '""'),
            (b"", '""'),
        ):
            self.assertEqual(aggregates.text_in(data, 1, False), text)
        self.assertEqual(aggregates.text_in(b"cut", 1, True), '"cut"\u2026')

    def test_bytes_behind_a_zero_are_displayed(self):
        for data, text in (
            (b"\0\x01\xffA\0B", r'"\0\x01\xffA\0B"'),
            (b"a\0b\0\0", r'"a\0b"'),
            (b"\0" + b"x" * 200, r'"\0' + "x" * 119 + '"\u2026'),
        ):
            self.assertEqual(aggregates.text_in(data, 1, False), text)

    def test_wide_characters_are_text(self):
        for code, width in (("utf-16-le", 2), ("utf-32-le", 4)):
            data = "w\u00edde\U0001f600\0".encode(code)
            self.assertEqual(aggregates.text_in(data, width, False), '"w\u00edde\U0001f600"')


if __name__ == "__main__":
    unittest.main()
