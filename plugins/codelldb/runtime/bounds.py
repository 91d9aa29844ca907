"""Bounds for summaries: how deep, how many values, how long. Names a value that is inside itself.

LLDB makes the summary of a part by calling the same functions again, so only this module knows
what is under way. Does not know what a summary says.
"""

import threading
import time

import lldb

# Values inside one another, values in one summary, and seconds for one: of the processor, which a
# busy machine does not shorten, and of the clock.
DEPTH, VALUES, SECONDS, CLOCK_SECONDS = 9, 120, 0.2, 1.0
# Seconds for the summaries of one request, which come without a longer pause between them; when
# they are used up, each has a tenth of its time.
REQUEST, PAUSE = 1.0, 0.25
# What time cuts is marked as CodeLLDB marks it: the rest may be shorter or longer at another stop.
CUT, LATE, CYCLE = "…", "...", "<cycle>"
# For a value whose members contradict each other. LLDB would display Python's None as a text.
INVALID = "<not valid>"


class Work:
    """The summaries under way, and what is left for them."""

    def __init__(self, clock=time.monotonic, processor=time.thread_time):
        self.clock, self.processor = clock, processor
        self.open = []
        self.left = 0
        self.until = self.processor_until = self.ended = 0.0
        self.used = 0.0
        # Whose time of the processor is measured.
        self.thread = None

    def refusal(self, key):
        """The text in place of the summary of this value; None: it is made."""
        if not self.open:
            return None
        self.left -= 1
        if key is not None and key in self.open:
            return CYCLE
        if self.left < 0 or len(self.open) >= DEPTH:
            return CUT
        return LATE if self.is_late() else None

    def is_late(self):
        is_of_this_thread = self.thread == threading.get_ident()
        return self.clock() > self.until or (
            is_of_this_thread and self.processor() > self.processor_until
        )

    def begin(self, key):
        if not self.open:
            now = self.clock()
            if now - self.ended > PAUSE:
                self.used = 0.0
            self.left, self.began = VALUES, now
            part = 1 if self.used < REQUEST else 0.1
            self.until = now + CLOCK_SECONDS * part
            self.thread = threading.get_ident()
            self.processor_until = self.processor() + SECONDS * part
        self.open.append(key)

    def end(self):
        self.open.pop()
        if not self.open:
            self.ended = self.clock()
            self.used += self.ended - self.began


work = Work()


def bounded(summary):
    """The summary function within the bounds."""

    def bounded_summary(value, _dict):
        key = _key(value)
        refusal = work.refusal(key)
        if refusal is not None:
            return refusal
        work.begin(key)
        try:
            text = summary(value, _dict)
        finally:
            work.end()
        return INVALID if text is None else text

    return bounded_summary


def is_innermost(value):
    """Whether the summary of this value is the last one that has begun."""
    key = _key(value)
    return key is not None and work.open[-1:] == [key]


def is_open(value):
    """Whether the summary of this value has begun and not ended."""
    key = _key(value)
    return key is not None and key in work.open


def is_spent():
    """Whether parts of the value under way must be left out."""
    return work.left < 0 or work.is_late()


def mark():
    """What stands for the parts that are left out now."""
    return LATE if work.is_late() else CUT


def _key(value):
    """The value's place and type. A part at the start of a value has another type."""
    address = value.GetLoadAddress()
    if address in (0, lldb.LLDB_INVALID_ADDRESS):
        return None
    return address, value.GetTypeName()
