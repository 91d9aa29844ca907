"""Tests of output.py and launcher.py: the order of two streams is that of their writes."""

import os
import select
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

import launcher
import output
from tests import RUNTIME

ALTERNATING = """
import os, sys
for number in range(1000):
    print("out", number)
    sys.stderr.write(f"err {number}\\n")
os.write(1, b"unannounced\\n")
"""

REPEATING = """
import os, sys
for number in range(300):
    for _ in range(number % 4):
        print("out", number)
    for _ in range(number % 3):
        print("err", number, file=sys.stderr)
if os.fork() == 0:
    print("child out")
    print("child err", file=sys.stderr)
    print("child out")
    os._exit(0)
os.wait()
print("out last")
print("err last", file=sys.stderr)
"""

CAPTURING = """
import os, sys, threading
mine, kept = os.pipe(), os.dup(1)
os.dup2(mine[1], 1)
found = []
def read():
    while not found or found[-1][-1:] != b"!":
        found.append(os.read(mine[0], 1 << 16))
        sys.stderr.buffer.write(b"")  # takes the lock
reader = threading.Thread(target=read)
reader.start()
sys.stdout.write("x" * 300000 + "!")
sys.stdout.flush()
reader.join()
os.dup2(kept, 1)
print("read", sum(map(len, found)))
"""
REUSING = """
import os, sys
os.closerange(3, 256)
files = [open("f%d" % number, "wb") for number in range(8)]
print("hello")
print(sum(os.fstat(file.fileno()).st_size for file in files))
"""

LOGGING = """
import os, output, sys
for number in range(400):
    for _ in range(number % 3):
        print("out", number)
    assert output.questions.write_log(b"1,1,a%d" % number)
    if number % 2:
        print("err", number, file=sys.stderr)
assert output.questions.write_log(("2,1,\u00e4" + "x" * 9000).encode())
print("end")
os.closerange(3, 100)
assert not output.questions.write_log(b"1,1,anone")
"""

REDIRECTING = """
import os, output
file = os.open(os.devnull, os.O_WRONLY)
os.dup2(file, 1)
os.dup2(file, 2)
for number in range(500):
    assert output.questions.write_log(b"1,1,a%d" % number + b"x" * 1000)
assert output.questions.ask(60)
if os.fork() == 0:
    os.read(lives, 1)
    os._exit(0)
"""

ASKING = """
import os, output, sys
for number in range(200):
    print("out", number)
    os.write(2, b"native %d\\n" % number)
    assert output.questions.ask(60)
    os.write(done, b"%d\\n" % number)
os.close(answers)
assert not output.questions.ask(60)
"""


class Received:
    def __init__(self):
        self.parts = []

    def emit(self, stream, data):
        self.parts.append((stream, data))


class Orders(unittest.TestCase):
    def merged(self):
        received = Received()
        return launcher.Merged(received.emit), received.parts

    def records(self, *pairs):
        return b"".join(launcher.RECORD.pack(*pair) for pair in pairs)

    def test_records_decide(self):
        merged, parts = self.merged()
        merged.bytes = {1: b"aaccc", 2: b"b"}
        merged.add_records(self.records((1, 2), (2, 1), (1, 3)))
        self.assertFalse(merged.pass_on())
        self.assertEqual(parts, [(1, b"aa"), (2, b"b"), (1, b"ccc")])

    def test_record_before_its_bytes(self):
        merged, parts = self.merged()
        first, rest = self.records((1, 2))[:3], self.records((1, 2))[3:]
        merged.add_records(first)
        merged.add_records(rest + self.records((2, 1)))
        merged.bytes[2] = b"b"
        self.assertTrue(merged.pass_on())
        self.assertEqual(parts, [])
        merged.bytes[1] = b"aa"
        self.assertFalse(merged.pass_on())
        self.assertEqual(parts, [(1, b"aa"), (2, b"b")])

    def test_bytes_without_a_record_come_last(self):
        merged, parts = self.merged()
        merged.bytes = {1: b"ab", 2: b"c"}
        merged.add_records(self.records((1, 1)))
        self.assertFalse(merged.pass_on())
        self.assertEqual(parts, [(1, b"a"), (1, b"b"), (2, b"c")])

    def test_bytes_that_are_announced_later(self):
        merged, parts = self.merged()
        merged.bytes[1] = b"aa"
        self.assertFalse(merged.pass_on())
        merged.bytes = {1: b"a", 2: b"b"}
        merged.add_records(self.records((1 + launcher.WRITTEN, 3), (2, 1)))
        self.assertFalse(merged.pass_on())
        # Those of C code are not counted as later ones of the program.
        merged.bytes[1] = b"native"
        self.assertFalse(merged.pass_on())
        merged.bytes = {1: b"", 2: b"b"}
        merged.add_records(self.records((1 + launcher.WRITTEN, 1), (1 + launcher.WRITTEN, 1)))
        merged.add_records(self.records((2, 1)))
        self.assertTrue(merged.pass_on())
        expect = [(1, b"aa"), (1, b"a"), (2, b"b"), (1, b"native")]
        self.assertEqual(parts, expect)

    def test_announced_bytes_that_do_not_come(self):
        merged, parts = self.merged()
        merged.bytes[2] = b"b"
        merged.add_records(self.records((1, 5), (2, 1)))
        self.assertTrue(merged.pass_on())
        merged.add_records(self.records((1, -5)))
        self.assertFalse(merged.pass_on())
        merged.add_records(self.records((1, 5)))
        self.assertTrue(merged.pass_on())
        merged.give_up()
        self.assertEqual(parts, [(2, b"b")])


    def test_bytes_that_come_late(self):
        merged, parts = self.merged()
        merged.add_records(self.records((1, 3)))
        self.assertTrue(merged.pass_on())
        merged.give_up()
        merged.bytes[1] = b"lat"
        self.assertFalse(merged.pass_on())
        merged.bytes = {1: b"rest", 2: b"b"}
        merged.add_records(self.records((1 + launcher.WRITTEN, 4), (2, 1)))
        self.assertFalse(merged.pass_on())
        self.assertEqual(parts, [(1, b"lat"), (1, b"rest"), (2, b"b")])
        # Fewer were written than announced.
        merged.add_records(self.records((1, 3)))
        merged.give_up()
        merged.add_records(self.records((1, -3)))
        self.assertEqual(merged.owed[1], 0)


@unittest.skipIf(sys.platform == "win32", "the launcher is debugpy's own there")
class Streams(unittest.TestCase):
    def lines_of(self, program, is_large=True):
        """Runs the program, and returns the lines of both streams."""
        (out, out_end), (err, err_end), (records, announce) = os.pipe(), os.pipe(), os.pipe()
        for number, pipe in ((1, out), (2, err)) if is_large else ():
            launcher.enlarge(pipe, number)
        code = f"import sys; sys.path.insert(0, {RUNTIME!r}); import output;"
        code += f"output.announce_output({announce})\n" + program
        with tempfile.TemporaryDirectory() as directory:
            running = subprocess.Popen(
                [sys.executable, "-u", "-c", code],
                stdout=out_end,
                stderr=err_end,
                pass_fds=[announce],
                cwd=directory,
            )
            for descriptor in (out_end, err_end, announce):
                os.close(descriptor)
            received = Received()
            launcher.read_all({out: 1, err: 2}, records, received.emit)
            self.assertEqual(running.wait(), 0)
        self.reads = len(received.parts)
        return b"".join(data for _, data in received.parts).decode().splitlines()

    def test_alternating_lines_come_in_order(self):
        lines = [f"{name} {number}" for number in range(1000) for name in ("out", "err")]
        for is_large in (True, False):
            self.assertEqual(self.lines_of(ALTERNATING, is_large), [*lines, "unannounced"])

    def test_repeated_lines_come_in_order(self):
        lines = []
        for number in range(300):
            lines += [f"out {number}"] * (number % 4) + [f"err {number}"] * (number % 3)
        lines += ["child out", "child err", "child out", "out last", "err last"]
        self.assertEqual(self.lines_of(REPEATING), lines)

    def test_few_reads_of_many_small_writes(self):
        count = 20000
        written = "import sys\nfor _ in range(%d): sys.stdout.write('.')" % count
        began = time.monotonic()
        self.assertEqual(self.lines_of(written), ["." * count])
        most = (time.monotonic() - began) / launcher.PACE + 5
        self.assertLess(self.reads, min(most, count / 2))

    def test_program_that_reads_its_own_output_goes_on(self):
        for is_large in (True, False):
            self.assertEqual(self.lines_of(CAPTURING, is_large), ["read 300001"])

    @unittest.skipUnless(sys.platform == "linux", "capacities can be read there")
    def test_large_pipe_is_known_by_its_capacity(self):
        pipe, second, (other, other_end) = os.pipe(), os.pipe(), os.pipe()
        launcher.enlarge(pipe[0], 1)
        launcher.enlarge(second[0], 2)
        stream = output.Stream(pipe[1], other_end)
        self.assertEqual(stream.capacity, launcher.CAPACITIES[1])
        with mock.patch.object(output, "identity", lambda descriptor: self.fail("read")):
            self.assertTrue(stream.is_pipe())
        for end in (second[1], other_end):
            os.dup2(end, pipe[1])
            self.assertFalse(stream.is_pipe())
        self.assertIsNone(output.Stream(other_end, other_end).capacity)
        for descriptor in (*pipe, *second, other, other_end):
            os.close(descriptor)

    def test_descriptor_that_the_program_reuses_gets_no_records(self):
        self.assertEqual(self.lines_of(REUSING), ["hello", "0"])

    def test_answer_comes_after_what_was_written(self):
        (out, out_end), (err, err_end), (records, announce) = os.pipe(), os.pipe(), os.pipe()
        (answered, answers), (done, done_end) = os.pipe(), os.pipe()
        code = f"import sys; sys.path.insert(0, {RUNTIME!r}); import output;"
        code += f"output.announce_output({announce}, {answered})\n"
        code += f"done, answers = {done_end}, {answered}\n" + ASKING
        theirs = out_end, err_end, announce, answered, done_end
        running = subprocess.Popen(
            [sys.executable, "-u", "-c", code],
            stdout=out_end,
            stderr=err_end,
            pass_fds=theirs[2:],
        )
        for descriptor in theirs:
            os.close(descriptor)
        received = Received()
        arguments = {out: 1, err: 2}, records, received.emit, answers
        reader = threading.Thread(target=launcher.read_all, args=arguments)
        reader.start()
        with open(done) as numbers:
            for number in numbers:
                passed = b"".join(data for _, data in received.parts)
                self.assertTrue(b"out %d\n" % int(number) in passed, number)
                self.assertTrue(b"native %d\n" % int(number) in passed, number)
        reader.join()
        self.assertEqual((running.wait(), int(number)), (0, 199))
        os.close(answers)

    def test_log_messages_come_in_order(self):
        (out, out_end), (err, err_end), (records, announce) = os.pipe(), os.pipe(), os.pipe()
        answered, answers = os.pipe()
        code = f"import sys; sys.path.insert(0, {RUNTIME!r}); import output;"
        code += f"output.announce_output({announce}, {answered})\n" + LOGGING
        theirs = out_end, err_end, announce, answered
        running = subprocess.Popen(
            [sys.executable, "-u", "-c", code],
            stdout=out_end,
            stderr=err_end,
            pass_fds=theirs[2:],
        )
        for descriptor in theirs:
            os.close(descriptor)
        channel = Channel()
        output = launcher.Output(channel)
        launcher.read_all({out: 1, err: 2}, records, output.emit, answers)
        self.assertEqual(running.wait(), 0)
        os.close(answers)
        text = ""
        for body in channel.bodies:
            logged = body.get("data", {}).get("texts", ())
            text += body["output"] + "".join(one["text"] + "\n" for one in logged)
        expect = []
        for number in range(400):
            expect += [f"out {number}"] * (number % 3) + [str(number)]
            expect += [f"err {number}"] * (number % 2)
        self.assertTrue(text.splitlines() == [*expect, "x" * 9000, "end"])
        last = [body for body in channel.bodies if "data" in body][-1]["data"]["texts"][-1]
        self.assertEqual((last["breakpoint"], last["thread"]), (2, "\u00e4"))

    def test_log_messages_come_when_both_streams_are_redirected(self):
        (out, out_end), (err, err_end), (records, announce) = os.pipe(), os.pipe(), os.pipe()
        (answered, answers), (ended, end), (lives, die) = os.pipe(), os.pipe(), os.pipe()
        code = f"import sys; sys.path.insert(0, {RUNTIME!r}); import output;"
        code += f"output.announce_output({announce}, {answered}); lives = {lives}\n" + REDIRECTING
        theirs = out_end, err_end, announce, answered
        running = subprocess.Popen(
            [sys.executable, "-c", code],
            stdout=out_end,
            stderr=err_end,
            pass_fds=(*theirs[2:], lives),
        )
        for descriptor in theirs:
            os.close(descriptor)
        channel = Channel()
        sent = launcher.Output(channel)
        arguments = {out: 1, err: 2}, records, sent.emit, answers, sent.confirm, ended
        reader = threading.Thread(target=launcher.read_all, args=arguments)
        reader.start()
        try:
            self.assertEqual(running.wait(20), 0)
        finally:
            running.kill()
            running.wait()
            os.close(end)
            # The child that still runs has the pipe for records.
            reader.join(20)
            is_reading = reader.is_alive()
            os.close(die)
            reader.join()
        self.assertFalse(is_reading)
        logged = [one["text"] for body in channel.bodies for one in body["data"]["texts"]]
        self.assertEqual(logged, ["%d%s" % (number, "x" * 1000) for number in range(500)])
        for descriptor in (answers, ended, lives):
            os.close(descriptor)

    def test_lost_bytes_of_one_stream_do_not_hold_up_the_other(self):
        (out, out_end), (err, err_end), (records, announce) = os.pipe(), os.pipe(), os.pipe()
        # These bytes are never written.
        os.write(announce, launcher.RECORD.pack(1, 5))
        os.close(announce)
        received = Received()
        passed_on = threading.Event()

        def emit(stream, data):
            received.emit(stream, data)
            passed_on.set()

        arguments = {out: 1, err: 2}, records, emit
        reader = threading.Thread(target=launcher.read_all, args=arguments)
        reader.start()
        while not passed_on.is_set():
            os.write(err_end, b"more\n")
            passed_on.wait(0.01)
        for descriptor in (out_end, err_end):
            os.close(descriptor)
        reader.join()
        self.assertTrue(received.parts[0][1].startswith(b"more"))

    def test_answer_does_not_wait_for_the_end_of_other_output(self):
        (out, out_end), (records, announce), (answered, answers) = os.pipe(), os.pipe(), os.pipe()
        endless = os.open("/dev/zero", os.O_RDONLY)
        parts, confirmed, ended = [], [], threading.Event()

        def emit(stream, data):
            if ended.is_set():
                raise SystemExit
            parts.append((stream, data[:10]))

        arguments = {out: 1, endless: 2}, records, emit, answers, lambda: confirmed.append(1)
        reader = threading.Thread(target=launcher.read_all, args=arguments)
        os.write(out_end, b"before\n")
        os.write(announce, launcher.RECORD.pack(launcher.QUESTION, 7))
        reader.start()
        try:
            self.assertTrue(select.select([answered], [], [], 20)[0])
            self.assertEqual(os.read(answered, 100), launcher.NUMBER.pack(7))
            self.assertIn((1, b"before\n"), parts)
            self.assertEqual(confirmed, [1])
        finally:
            ended.set()
            reader.join()
            for descriptor in (out, out_end, records, announce, answered, answers, endless):
                os.close(descriptor)


class Channel:
    """Stands for the connection to the adapter."""

    def __init__(self):
        self.ahead, self.most, self.bodies = 0, 0, []

    def send_event(self, name, body):
        self.bodies.append(body)
        self.ahead += len(body["output"])
        self.most = max(self.most, self.ahead)

    def request(self, command):
        self.ahead = 0


class Confirmations(unittest.TestCase):
    def test_adapter_confirms_what_it_has_passed_on(self):
        channel = Channel()
        output = launcher.Output(channel)
        part = b"x" * launcher.MOST
        for _ in range(20):
            output.emit(1, part)
        self.assertLess(channel.most, launcher.MOST_AHEAD + launcher.MOST + 1)
        output.emit(1, b"last")
        output.confirm()
        self.assertEqual(channel.ahead, 0)


if __name__ == "__main__":
    unittest.main()
