"""Tests of children.py: how children of a printer are counted and reached."""

import itertools
import unittest

from . import part_of_script

children = part_of_script("children.py")


class Printer:
    def __init__(self, text, listed, hint=None):
        self.text, self.listed, self.read = text, listed, 0
        if hint:
            self.display_hint = lambda: hint

    def to_string(self):
        return self.text

    def children(self):
        for number, one in enumerate(self.listed):
            self.read += 1
            yield "[%d]" % number, one


class Counts(unittest.TestCase):
    def test_number_in_the_printers_text_is_the_count(self):
        for text, hint, count in (
            ("std::vector of length 1000000, capacity 1048576", "array", 1_000_000),
            ("std::map with 100000 elements", "map", 200_000),
            ("std::unordered_map with 1 element", "map", 2),
            ("std::set with 3 elements", None, 3),
        ):
            printer = Printer(text, itertools.count(), hint)
            self.assertEqual((children.Listed(printer).count(), printer.read), (count, 0), text)

    def test_others_are_counted_up_to_a_bound(self):
        few = children.Listed(Printer("std::list", range(5)))
        self.assertEqual((few.count(), few.cut), (5, False))
        many = children.Listed(Printer("std::list", itertools.count()))
        self.assertEqual((many.count(), many.cut), (children.MOST, True))
        # A type of the program may be described like one of the library.
        own = children.Listed(Printer("shop::Cart with 7 items", range(2)))
        self.assertEqual(own.count(), 2)

    def test_negative_length_is_an_error(self):
        printer = Printer("std::vector of length -8, capacity 3", itertools.count(), "array")
        with self.assertRaisesRegex(ValueError, "-8 is no length"):
            children.Listed(printer).count()

    def test_only_what_is_wanted_is_read(self):
        printer = Printer("std::map with 100000 elements", itertools.count(), "map")
        listed = children.Listed(printer)
        self.assertEqual(listed.at(3), ("[3]", 3))
        self.assertEqual(printer.read, 4)

    def test_interrupted_printer_is_read_anew(self):
        printer = Printer("std::map with 9 elements", range(9), "map")
        listed = children.Listed(printer)

        def interrupted():
            raise KeyboardInterrupt
            yield

        listed.rest = interrupted()
        with self.assertRaises(KeyboardInterrupt):
            listed.at(2)
        self.assertEqual(listed.at(2), ("[2]", 2))


if __name__ == "__main__":
    unittest.main()
