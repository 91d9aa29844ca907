"""Tests of exit_status.py with packets as LLDB lists them."""

import sys
import types
import unittest

provider = types.SimpleNamespace(
    AbstractListSynthProvider=types.SimpleNamespace(),
    StdUnorderedMapSynthProvider=types.SimpleNamespace(),
)
for name in ("codelldb", "lldb.formatters", "lldb.formatters.cpp"):
    sys.modules.setdefault(name, types.ModuleType(name))
sys.modules["lldb.formatters.cpp"].gnu_libstdcpp = provider

import exit_status

STOP = ("read", "$T05thread:p2.4;name:a;#00")
RUN = ("send", "$vCont;c:p2.2;c:p2.3;C0b:p2.4#5a")


class ExitStatus(unittest.TestCase):
    def test_the_last_reply_has_the_code_or_the_signal(self):
        for reply, expected in (("$W03#0a", 3), ("$X0b#0a", -11), ("$W00;process:2#00", 0)):
            found = next(exit_status.ends([STOP, RUN, ("read", reply)]))
            self.assertEqual(found, expected, reply)

    def test_a_refused_resumption_was_ended_by_its_signal(self):
        self.assertEqual(exit_status.refused_signal([STOP, RUN, ("read", "$E1e#db")]), -11)
        alone = [("send", "$C06#00"), ("read", "$E1e#db")]
        self.assertEqual(exit_status.refused_signal(alone), -6)
        same = [("send", "$vCont;C0b:p2.2;S0b:p2.3#00"), ("read", "$E1e#db")]
        self.assertEqual(exit_status.refused_signal(same), -11)

    def test_an_end_without_a_single_signal_is_unknown(self):
        refused = ("read", "$E1e#db")
        for packets in (
            [],
            [STOP, RUN],
            [STOP, RUN, ("read", "$T0bthread:p2.4;#00")],
            [RUN, STOP, ("send", "$vCont;c:p2.2#00"), refused],
            [("send", "$vCont;C0b:p2.2;C06:p2.3#00"), refused],
            [RUN, STOP, ("send", "$x7ff,200#00"), refused],
        ):
            self.assertIsNone(exit_status.refused_signal(packets), packets)

    def test_the_kernel_comes_before_the_signal_of_a_resumption(self):
        codes = exit_status.exit_codes
        self.addCleanup(setattr, codes, "exit_code", codes.exit_code)
        codes.exit_code = lambda: -6
        self.assertEqual(list(exit_status.ends([RUN, ("read", "$E1e#db")])), [None, -6, -11])

    def test_packets_are_read_from_the_lines_of_the_history(self):
        text = (
            "history[5] tid=0x7a5a <  76> send packet: $vCont;c:p1.2;C0b:p1.3#5a\n"
            "history[6] tid=0x7a5a <   7> read packet: $E1e#db\n"
            "history[7] tid=0x7a5a < 516> read packet: $\n"
        )
        expected = [("send", "$vCont;c:p1.2;C0b:p1.3#5a"), ("read", "$E1e#db"), ("read", "$")]
        self.assertEqual(exit_status.PACKET.findall(text), expected)


if __name__ == "__main__":
    unittest.main()
