"""Tests of library_texts.py."""

import unittest

import library_texts


class Times(unittest.TestCase):
    def test_duration_has_the_unit_of_its_ratio(self):
        for count, ratio, text in (
            (1500, (1, 1000), "1500ms"),
            (2.5, (1, 1), "2.5s"),
            (3, (3600, 1), "3h"),
            (-4, (1, 30), "-4[1/30]s"),
            (5, (7, 1), "5[7]s"),
        ):
            self.assertEqual(library_texts.span_of_time(count, ratio), text)

    def test_moment_is_a_date(self):
        nano = (1, 10**9)
        for count, ratio, text in (
            (1700000000, (1, 1), "2023-11-14 22:13:20 UTC"),
            (1500000001, nano, "1970-01-01 00:00:01.500000001 UTC"),
            (-1, (1, 1), "1969-12-31 23:59:59 UTC"),
            (10**30, (1, 1), "1000000000000000000000000000000s"),
        ):
            self.assertEqual(library_texts.moment(count, ratio), text)


class Names(unittest.TestCase):
    def test_target_of_a_function_is_its_second_argument(self):
        for name, target in (
            ("std::_Function_handler<int (int, int), int (*)(int, int)>::_M_invoke(x)",
             "int (*)(int, int)"),
            ("std::_Function_handler<int(int), f()::<lambda(int)> >::_M_invoke(x)",
             "f()::<lambda(int)>"),
            ("std::_Function_handler<std::map<int, int> (), A::operator->>::_M_invoke(x)",
             "A::operator->"),
            ("other", None),
        ):
            self.assertEqual(library_texts.handled(name), target)

    def test_manager_of_an_any_has_the_type(self):
        for name, found in (
            ("std::any::_Manager_internal<int>::_S_manage(x)", ("int", True)),
            ("std::any::_Manager_external<std::pair<int, A> >::_S_manage(x)",
             ("std::pair<int, A>", False)),
            ("main", None),
        ):
            self.assertEqual(library_texts.owned(name), found)


if __name__ == "__main__":
    unittest.main()
