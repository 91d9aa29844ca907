"""Messages of log points, written by the condition of their breakpoint, which stops only if the
condition of the log point fails.

They are reported as messages of Python. CodeLLDB holds 100 of these and drops more (python.rs,
`new_session`), and a stop or an exit may overtake them (debug_session.rs, `select!`): so frequent
hits share a message, each says how many hits there were in all, and `fence` reports that nothing
before it is left. Knows what breakpoints of one line and prologues need; does not know how a value
is displayed.
"""

import threading
import time

import codelldb
import lldb

import breakpoint_locations
import condition_results
import displays
import internal_breakpoints
import operators
import prologues
import session_line
from operands import Unable, here

# Characters of a text.
LONGEST = 2000
# Messages that may be sent at once, and the seconds after which one more may be.
BURST, INTERVAL = 20, 0.025


class Reports:
    """Texts that are to be sent, and the numbers of hits by the breakpoint."""

    def __init__(self, clock=time.monotonic):
        self.clock, self.lock = clock, threading.Lock()
        self.texts, self.hits = [], {}
        self.left, self.since = BURST, clock()
        self.wanted, self.sender = threading.Event(), None
        self.debugger = None

    def add(self, debugger, number, thread, text):
        with self.lock:
            self.debugger = debugger
            self.texts.append({"breakpoint": number, "thread": thread, "text": text})
            self.hits[number] = self.hits.get(number, 0) + 1
            if self._may_send():
                self._send()
            else:
                self._send_later()

    def send(self):
        with self.lock:
            self._send()

    def _may_send(self):
        now = self.clock()
        more = int((now - self.since) / INTERVAL)
        self.left, self.since = min(BURST, self.left + more), self.since + more * INTERVAL
        self.left -= self.left > 0
        return self.left > 0

    def _send(self):
        if self.texts:
            message = {"texts": self.texts, "hits_of": self.hits}
            self.texts = []
            codelldb.interface.send_message(self.debugger, message)

    def _send_later(self):
        if self.sender is None:
            self.sender = threading.Thread(target=self._run, daemon=True)
            self.sender.start()
        self.wanted.set()

    def _run(self):
        """Sends the texts of each interval together."""
        while True:
            self.wanted.wait()
            self.wanted.clear()
            time.sleep(INTERVAL)
            self.send()


reports = Reports()


def passed(number, pieces, condition=None):
    """Condition of a log point: does it stop? `pieces` are literal texts, and expressions as pairs
    of a function and a format.
    """
    operators.here()
    thread, target = here.thread, here.target
    breakpoint_locations.narrow(target)

    def again():
        return passed(number, pieces, condition)

    condition_results.remember(here.frame, again)
    end = prologues.prologue_end(here.frame)
    if end is not None:
        internal_breakpoints.stop_once(internal_breakpoints.at(target, end), thread, again)
        condition_results.record(thread, False)
        return False
    holds = condition is None or condition()
    if holds:
        reports.add(target.GetDebugger().GetID(), number, *_text(pieces))
    return condition_results.record(thread, holds is None)


def fence(thread):
    """Reports that all is sent before the stop of this thread, and whether a pause has caused it."""
    message = {"logged": True, "paused": condition_results.end_pause(thread)}
    reports.send()
    codelldb.interface.send_message(session_line.debugger.GetID(), message)


def _text(pieces):
    """The name of the thread, and the text."""
    thread = here.thread
    name = thread.GetName() or "%d: tid=%d" % (thread.GetIndexID(), thread.GetThreadID())
    text = "".join(piece if isinstance(piece, str) else _value(*piece) for piece in pieces)
    return name, text if len(text) <= LONGEST else text[:LONGEST] + "…"


def _value(expression, format):
    try:
        return displays.text(expression(), format)
    except Unable as why:
        return "<error: %s>" % why
    except Exception as why:
        return "<error: %s>" % (str(why).partition("\n")[0] or type(why).__name__)
