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


if __name__ == "__main__":
    unittest.main()
