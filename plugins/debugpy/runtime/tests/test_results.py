"""Tests of results.py: what an expression returns or raises is passed on without its code."""

import unittest
from unittest import mock

import results


class Proxied:
    """Counts the reads of `__class__` and of attributes."""

    count = 0
    __slots__ = ("_Proxied__own",)

    def __init__(self):
        self.__own = 3

    @property
    def __class__(self):
        Proxied.count += 1
        return int

    def __getattr__(self, name):
        Proxied.count += 1
        return 1


class Results(unittest.TestCase):
    def test_what_an_expression_returns_is_not_read(self):
        value = Proxied()
        error = type("ExceptionOnEvaluate", (), {})
        with mock.patch.object(results.pydevd_vars, "ExceptionOnEvaluate", error, create=True):
            wrapped = results.eval_in_context(lambda: value)
            self.assertIs(type(wrapped), results.Wrapped)
            self.assertIs(results.evaluate_expression(lambda: wrapped), value)
            failed = error()
            self.assertIs(results.eval_in_context(lambda: failed), failed)
        self.assertFalse(results.isinstance_checked(None, value, int))
        self.assertEqual(Proxied.count, 0)

    def test_mangled_names_are_found_as_they_are_stored(self):
        value = Proxied()
        self.assertTrue(results.has_attribute(value, "__own"))
        self.assertEqual(results.get_attribute(value, "__own"), 3)
        with self.assertRaises(StopIteration):
            results.get_attribute(value, "other")
        self.assertEqual(Proxied.count, 0)

    def test_the_text_of_an_error_reads_no_argument(self):
        made = results.readable(KeyError(Proxied()))
        self.assertEqual(str(made), "Proxied{_Proxied__own: 3}")
        self.assertEqual(Proxied.count, 0)
        plain = ValueError("no")
        self.assertIs(results.readable(plain), plain)


if __name__ == "__main__":
    unittest.main()
