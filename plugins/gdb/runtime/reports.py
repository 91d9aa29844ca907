# Reports of breakpoint hits that do not stop the program, as `output` events whose data is a
# `BreakpointOutput`. Hits are sent together: an event for each would take as long as the hit.
#
# Knows nothing of gdb's breakpoints.

INTERVAL = 0.05  # Seconds that a hit may wait for others.
MOST_TEXTS = 500  # Of an event.
MOST_TEXT = 2_000  # Characters of a text.
EVENT_CHARACTERS = 2**20
# Events that wait for gdb's writer. The texts of further hits are not sent, only counted.
MOST_EVENTS = 20


class Reports:
    """The hits that wait to be sent. All threads of gdb use it."""

    def __init__(self):
        self.changed = threading.Condition()
        self.texts, self.characters = [], 0
        self.hits = {}  # Number of a breakpoint -> its hits without a text.
        self.unlogged = {}  # The same for hits whose text is not sent.

    def add_text(self, number, thread, text):
        with self.changed:
            self.wake()
            if self.is_full():
                self.unlogged[number] = self.unlogged.get(number, 0) + 1
                return
            if self.unlogged:
                self.send_all()  # The client numbers hits as they arrive.
            entry = {"breakpoint": number, "thread": cut(thread), "text": cut(text)}
            self.texts.append(entry)
            self.characters += len(entry["thread"]) + len(entry["text"])
            if len(self.texts) >= MOST_TEXTS or self.characters >= EVENT_CHARACTERS:
                self.send_all()

    def add_hit(self, number):
        with self.changed:
            self.wake()
            self.hits[number] = self.hits.get(number, 0) + 1

    def wake(self):
        """Wakes the watching thread before the first hit that waits."""
        if not self.has_any():
            self.changed.notify()

    def is_full(self):
        return waiting_events() >= MOST_EVENTS

    def has_any(self):
        return bool(self.texts or self.hits or self.unlogged)

    def send(self):
        """Sends what waits, after what another thread is sending."""
        with self.changed:
            self.send_all()

    def send_all(self):
        texts, self.texts, self.characters = self.texts, [], 0
        hits, self.hits = self.hits, {}
        unlogged, self.unlogged = self.unlogged, {}
        if texts:
            report_hits({"breakpoint": texts[0]["breakpoint"], "texts": texts})
        for number, count in hits.items():
            report_hits({"breakpoint": number, "hits": count})
        for number, count in unlogged.items():
            report_hits({"breakpoint": number, "hits": count, "unlogged": True})

    def watch(self):
        """Sends hits after which no event comes that sends them."""
        while True:
            with self.changed:
                self.changed.wait_for(self.has_any)
                self.changed.wait(INTERVAL)
            self.send()


reports = Reports()


def cut(text):
    return text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + "…"


def waiting_events():
    from gdb.dap.server import _server

    return private(_server, "write_queue").qsize()


def report_hits(data):
    report("output", Amended({"category": "console", "output": "", "data": data}))


@part
def hit_reports():
    from gdb.dap.startup import start_thread

    start_thread("breakpoint hits", reports.watch)
