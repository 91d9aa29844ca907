"""Tests of rust_formatters.py: whose functions a step passes."""

import re
import unittest

import rust_formatters


class Library(unittest.TestCase):
    def test_trait_of_the_program_for_a_type_of_a_library_is_the_programs(self):
        for name, is_library in (
            ("alloc::vec::Vec<T>::push", True),
            ("<alloc::vec::Vec<u32>>::push", True),
            ("<alloc::vec::Vec<T, A> as core::ops::deref::Deref>::deref", True),
            ("<alloc::vec::Vec<T, A>>::push", True),
            ("<alloc::vec::Vec<u32> as cart::Total>::total", False),
            ("<core::option::Option<T> as cart::Total>::total", False),
            ("<cart::Point as core::fmt::Display>::fmt", False),
            ("cart::main", False),
        ):
            found = re.search(rust_formatters.LIBRARY, name)
            self.assertEqual(found is not None, is_library, name)


if __name__ == "__main__":
    unittest.main()
