"""Tests of rust.py: names of variants without their enum."""

import unittest

from . import part_of_script

rust = part_of_script("rust.py", settings={"rust": None})


class Variants(unittest.TestCase):
    def test_variants_of_the_library_lose_their_enum(self):
        for text, plain in [
            ("core::option::Option<i32>::Some(5)", "Some(5)"),
            ("{a: core::option::Option<alloc::vec::Vec<u8>>::None, b: 1}", "{a: None, b: 1}"),
            ("core::result::Result<core::option::Option<i32>, &str>::Err(\"x\")", "Err(\"x\")"),
            ("core::option::Option<fn(i32) -> i32>::None", "None"),
            (
                "core::option::Option<i32>::Some(core::option::Option<i32>::None)",
                "Some(None)",
            ),
            ("shop::Option<i32>::Some(5)", "shop::Option<i32>::Some(5)"),
            ("Cell<core::option::Option<i32>>", "Cell<core::option::Option<i32>>"),
            ("core::option::Option<", "core::option::Option<"),
        ]:
            self.assertEqual(rust.with_plain_variants(text), plain)


if __name__ == "__main__":
    unittest.main()
