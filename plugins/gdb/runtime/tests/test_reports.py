"""Tests of reports.py: which hits are sent together."""

import threading
import unittest

from . import part_of_script


class Reported(unittest.TestCase):
    def setUp(self):
        self.script = part_of_script("reports.py", threading=threading)
        self.events, self.waiting = [], 0
        self.script.put("report_hits", self.events.append)
        self.script.put("waiting_events", lambda: self.waiting)
        self.reports = self.script.reports

    def test_texts_are_sent_together_and_in_order(self):
        for n in range(3):
            self.reports.add_text(n % 2 + 1, "main", "n=%d" % n)
        self.assertEqual(self.events, [])
        self.reports.send()
        self.reports.send()
        texts = [
            {"breakpoint": 1, "thread": "main", "text": "n=0"},
            {"breakpoint": 2, "thread": "main", "text": "n=1"},
            {"breakpoint": 1, "thread": "main", "text": "n=2"},
        ]
        self.assertEqual(self.events, [{"breakpoint": 1, "texts": texts}])

    def test_event_has_bounds_and_is_sent_at_once_when_full(self):
        for n in range(2 * self.script.MOST_TEXTS + 1):
            self.reports.add_text(1, "main", str(n))
        sizes = [len(event["texts"]) for event in self.events]
        self.assertEqual(sizes, [self.script.MOST_TEXTS] * 2)
        self.reports.send()
        self.assertEqual(len(self.events[2]["texts"]), 1)

    def test_long_text_is_cut(self):
        self.reports.add_text(1, "main", "x" * 5_000)
        self.reports.send()
        text = self.events[0]["texts"][0]["text"]
        self.assertEqual(text, "x" * self.script.MOST_TEXT + "…")

    def test_texts_that_the_writer_cannot_take_are_counted(self):
        self.waiting = self.script.MOST_EVENTS
        for _ in range(7):
            self.reports.add_text(1, "main", "lost")
        self.waiting = 0
        self.reports.add_text(1, "main", "sent")
        self.reports.send()
        unlogged, texts = self.events
        self.assertEqual([entry["text"] for entry in texts["texts"]], ["sent"])
        self.assertEqual(unlogged, {"breakpoint": 1, "hits": 7, "unlogged": True})

    def test_stop_waits_for_texts_that_another_thread_sends(self):
        sends, sent = threading.Event(), threading.Event()
        order = []

        def report_hits(data):
            sends.set()
            sent.wait(5)
            order.append("text")

        def stop():
            self.reports.send()
            order.append("stop")

        self.script.put("report_hits", report_hits)
        self.reports.add_text(1, "main", "x")
        threads = [threading.Thread(target=one) for one in (self.reports.send, stop)]
        threads[0].start()
        sends.wait(5)
        threads[1].start()
        threads[1].join(0.1)
        sent.set()
        for thread in threads:
            thread.join(5)
        self.assertEqual(order, ["text", "stop"])

    def test_lost_texts_wake_the_watching_thread_once(self):
        self.waiting, woken = self.script.MOST_EVENTS, []
        self.reports.changed.notify = lambda: woken.append(True)
        for _ in range(7):
            self.reports.add_text(1, "main", "lost")
        self.assertEqual(woken, [True])

    def test_hits_without_a_text_are_counted(self):
        for number in (4, 5, 4):
            self.reports.add_hit(number)
        self.reports.send()
        self.assertEqual(
            self.events, [{"breakpoint": 4, "hits": 2}, {"breakpoint": 5, "hits": 1}]
        )


if __name__ == "__main__":
    unittest.main()
