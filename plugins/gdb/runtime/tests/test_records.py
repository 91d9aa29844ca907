"""Tests of records.py: words of gdb/MI commands, and records as gdb/MI writes them."""

import unittest

from . import part_of_script

records = part_of_script("records.py")


class Words(unittest.TestCase):
    def test_words_are_split_as_gdb_does(self):
        for line, words in (
            ("-break-insert main", ["-break-insert", "main"]),
            ('-break-insert "a file.c:7"', ["-break-insert", "a file.c:7"]),
            (r'-var-create - * "\"a\" \n"', ["-var-create", "-", "*", '"a" \n']),
            ("", []),
        ):
            self.assertEqual(records.arguments_of(line), words, line)

    def test_all_values_are_texts(self):
        value = {"level": 0, "args": [{"name": "n", "value": 7}], "func": "main"}
        texts = {"level": "0", "args": [{"name": "n", "value": "7"}], "func": "main"}
        self.assertEqual(records.strings(value), texts)


class Stops(unittest.TestCase):
    def test_stop_has_the_heading_that_gdb_prints(self):
        watched = {"wpt": {"number": "2", "exp": "n"}, "value": {"old": "1", "new": "2"}}
        for facts, text in (
            ({"reason": "breakpoint-hit", "bkptno": "1"}, "\nBreakpoint 1, "),
            (
                {"reason": "breakpoint-hit", "bkptno": "1", "disp": "del"},
                "\nTemporary breakpoint 1, ",
            ),
            (
                {"reason": "signal-received", "signal-name": "SIGSEGV", "signal-meaning": "Fault"},
                "\nProgram received signal SIGSEGV, Fault.\n",
            ),
            (
                {"reason": "watchpoint-trigger", **watched},
                "\nHardware watchpoint 2: n\n\nOld value = 1\nNew value = 2\n",
            ),
            ({"reason": "end-stepping-range"}, ""),
            ({}, ""),
        ):
            self.assertEqual(records.heading(facts), text, facts)

    def test_place_is_a_line_or_an_address(self):
        for frame, text in (
            ({"func": "f", "file": "a.c", "line": "7"}, "f () at a.c:7\n"),
            ({"func": "f", "addr": "0x1", "from": "/lib/c.so"}, "0x1 in f () from /lib/c.so\n"),
            ({"addr": "0x1"}, "0x1 in ?? ()\n"),
            ({}, ""),
        ):
            self.assertEqual(records.brief_location({"frame": frame}), text, frame)

    def test_list_of_breakpoints_is_a_table(self):
        table = records.with_table({"BreakpointTable": [{"number": "1"}]})["BreakpointTable"]
        self.assertEqual((table["nr_rows"], table["nr_cols"]), (1, 6))
        self.assertEqual([column["col_name"] for column in table["hdr"]][-1], "what")
        self.assertEqual(table["body"], [{"number": "1"}])
        self.assertEqual(records.with_table({"frame": {}}), {"frame": {}})


if __name__ == "__main__":
    unittest.main()
