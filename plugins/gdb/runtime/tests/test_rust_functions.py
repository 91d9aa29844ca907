"""Tests of rust_functions.py: which functions a name means."""

import types
import unittest

from . import part_of_script

NAMES = (
    "cart::run",
    "cart::deep::run",
    "cart::rerun",
    "std::thread::run::<u32>",
    "cart::run<(u8, alloc::vec::Vec<u8, alloc::alloc::Global>)>",
    "cart::Stack<T>::push",
    "<cart::Stack<u8>>::push",
    "<cart::Stack<u8> as cart::Grow>::push",
    "<cart::Item as cart::shop::Price>::price",
    "cart::other::<impl cart::shop::Price for u8>::price",
    "cart::other::<impl cart::Item>::push",
    "cart::main",
    "cart::deep::main",
)


class Names(unittest.TestCase):
    def setUp(self):
        self.script = part_of_script("rust_functions.py", settings={"libraries": ["/rustc/"]})

    def test_names_mean_functions(self):
        run = ["cart::run", "cart::deep::run", NAMES[3], NAMES[4]]
        for wanted, expected in (
            ("run", run),
            ("run::<u32>", run),
            ("deep::run", ["cart::deep::run"]),
            ("crate::run", ["cart::run", NAMES[4]]),
            ("crate::deep::run", ["cart::deep::run"]),
            ("Stack::push", list(NAMES[5:8])),
            ("Stack::<u8>::push", list(NAMES[5:8])),
            ("Grow::push", [NAMES[7]]),
            ("Item::push", [NAMES[10]]),
            ("Price::price", [NAMES[8], NAMES[9]]),
            ("u8::price", [NAMES[9]]),
            ("<u8 as Price>::price", [NAMES[9]]),
            ("<cart::Item as shop::Price>::price", [NAMES[8]]),
            ("cart::Item::price", [NAMES[8]]),
            ("main", ["cart::main"]),
            ("un", []),
            ("art::run", []),
        ):
            found = [name for name in NAMES if self.script.is_named(name, wanted)]
            self.assertEqual(found, expected, wanted)

    def test_functions_of_the_user_come_first(self):
        listed = [
            {"fullname": "/rustc/1/vec.rs", "symbols": [{"name": "alloc::vec::Vec<u8>::push"}]},
            {"fullname": "/w/a.rs", "symbols": [{"name": "a::{impl#0}::push"}, {"name": "push"}]},
        ]
        gdb = self.script.gdb
        gdb.execute_mi = lambda *words: {"symbols": {"debug": listed}}
        symbol = types.SimpleNamespace(linkage_name="_ZN4push")
        gdb.lookup_static_symbols = lambda name: [symbol]
        gdb.execute = lambda text, to_string: "<a::Stack as a::Grow>::push\n"
        self.assertEqual(self.script.functions_named("push"), ["a::{impl#0}::push"])
        self.assertEqual(self.script.functions_named("Grow::push"), ["a::{impl#0}::push"])
        self.assertEqual(self.script.functions_named("Vec::push"), ["alloc::vec::Vec<u8>::push"])
        for wanted in ("operator +", "<Cart::total", "::", "", "<>", "<<a>::b", "a::<impl "):
            self.assertEqual(self.script.functions_named(wanted), [], wanted)


if __name__ == "__main__":
    unittest.main()
