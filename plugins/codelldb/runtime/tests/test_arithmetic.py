"""Tests of arithmetic.py: numbers are computed as the language of the frame does."""

import math
import unittest
from unittest import mock

import arithmetic
import operands
from operands import Number, Unable

C, RUST = False, True
I8, U8, I32, U32, I64, U64 = (1, True), (1, False), (4, True), (4, False), (8, True), (8, False)
LITERAL = (None, True)


def number(value, shape):
    kind = "float" if isinstance(value, float) else "int"
    return Number(value, kind, *shape)


class Languages(unittest.TestCase):
    def language(self, rust):
        for module in (arithmetic, operands):
            patch = mock.patch.object(module, "is_rust", lambda: rust)
            patch.start()
            self.addCleanup(patch.stop)

    def check(self, rust, sign, left, right, expected):
        with self.subTest(rust=rust, sign=sign, left=left, right=right):
            self.language(rust)
            try:
                found = arithmetic.compute(sign, number(*left), number(*right))
            except Unable as error:
                self.assertEqual(str(error), expected)
            else:
                self.assertEqual((found.value, found.size, found.signed), expected)

    def test_results_have_the_type_of_the_language(self):
        for row in (
            # C promotes small types to int, Rust does not.
            (C, "+", (200, U8), (100, U8), (300, 4, True)),
            (RUST, "+", (200, U8), (100, U8), "300 overflows u8"),
            (RUST, "+", (1, U8), (2, U8), (3, 1, False)),
            # A literal of Rust takes the type of the other operand, and has to fit.
            (RUST, "*", (2, LITERAL), (7, U8), (14, 1, False)),
            (RUST, "-", (2, U8), (300, LITERAL), "300 overflows u8"),
            # Unsigned numbers of C wrap; signed ones would be undefined.
            (C, "-", (1, U32), (2, U32), (2**32 - 1, 4, False)),
            (C, "+", (2**31 - 1, I32), (1, LITERAL), "2147483648 overflows int"),
            (C, "+", (-1, I32), (1, U64), (0, 8, False)),
            (RUST, "-", (1, U32), (2, U32), "-1 overflows u32"),
            (RUST, "-", (1, U64), (2, U64), "-1 overflows u64"),
            (C, "+", (2**63 - 1, I64), (1, I64), "9223372036854775808 overflows long"),
        ):
            self.check(*row)

    def test_division_truncates_as_machines_do(self):
        for row in (
            (C, "/", (-7, I32), (2, I32), (-3, 4, True)),
            (C, "%", (-7, I32), (2, I32), (-1, 4, True)),
            (RUST, "%", (7, I32), (-2, I32), (1, 4, True)),
            (RUST, "/", (-128, I8), (-1, I8), "128 overflows i8"),
            (C, "/", (1, I32), (0, I32), "division by zero"),
            (RUST, "%", (1, I32), (0, I32), "division by zero"),
        ):
            self.check(*row)

    def test_shifts_stay_inside_the_type(self):
        for row in (
            (C, "<<", (1, I32), (31, I32), "2147483648 overflows int"),
            (C, "<<", (1, U32), (31, I32), (2**31, 4, False)),
            (C, "<<", (1, U32), (32, I32), "shift by 32 of 32 bits"),
            (RUST, "<<", (1, I8), (7, I32), (-128, 1, True)),
            (C, ">>", (-8, I32), (1, I32), (-4, 4, True)),
        ):
            self.check(*row)

    def test_floats(self):
        self.language(C)
        for sign, left, right, expected in (
            ("/", 1.0, 0.0, math.inf),
            ("/", -1.0, 0.0, -math.inf),
            ("%", 7.5, 2.0, 1.5),
        ):
            found = arithmetic.compute(sign, number(left, (8, True)), number(right, (8, True)))
            self.assertEqual((found.value, found.kind), (expected, "float"))
        nothing = arithmetic.compute("/", number(0.0, (8, True)), number(0.0, (8, True)))
        self.assertTrue(math.isnan(nothing.value))
        with self.assertRaises(Unable):
            arithmetic.compute("&", number(1.0, (8, True)), number(1, I32))

    def test_single_precision_is_rounded(self):
        self.language(C)
        third = arithmetic.compute("/", number(1.0, (4, True)), number(3.0, (4, True)))
        self.assertEqual(third.value, 0.3333333432674408)

    def test_minus_and_bits(self):
        self.language(RUST)
        with self.assertRaisesRegex(Unable, "128 overflows i8"):
            arithmetic.minus(number(-128, I8))
        self.assertEqual(arithmetic.flipped(number(0, U8)).value, 255)
        self.language(C)
        self.assertEqual(arithmetic.flipped(number(0, U8)).value, -1)
        self.assertIs(arithmetic.inverted(number(0, I32)), True)


if __name__ == "__main__":
    unittest.main()
