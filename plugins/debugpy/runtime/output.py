"""Announces writes to stdout and stderr to the launcher, which reads both and passes on what was
written in the order of these records (`launcher.py`). Of several writes to one stream in a row the
first is announced, and the others when the other stream is written to. Log messages are passed on
among them.

Runs before the program. Replaces the streams by ones that write in the same way; knows nothing of
pydevd.
"""

import fcntl
import io
import os
import select
import struct
import sys
import threading
import time

# As in launcher.py.
RECORD, NUMBER = struct.Struct("=bq"), struct.Struct("=q")
WRITTEN, QUESTION, LOG, LOG_PART = 2, 0, 5, 6
PART = getattr(select, "PIPE_BUF", 512) - 2 * RECORD.size  # bytes that no other write divides
poll, clock = select.poll, time.monotonic  # programs replace them
USUAL = 1 << 16  # bytes that a pipe holds
# Named by the module since Python 3.10.
CAPACITY = 1032 if sys.platform == "linux" else None
questions = None
lock = threading.RLock()  # a signal handler may write during a write
latest = None  # the stream whose further writes are announced later
is_forked = False
has_written = False  # since the last question


def use_in_child():
    """A forked child writes to the same pipes: it announces each write before it."""
    global is_forked, latest, lock
    is_forked, latest, lock = True, None, threading.RLock()


class Stream(io.FileIO):
    """A stream's file; announces what it writes as long as it is the pipe of the launcher."""

    def __init__(self, number, announce):
        super().__init__(number, "wb", closefd=False)
        self.number, self.announce = number, announce
        self.pipe, self.records = identity(number), identity(announce)
        self.capacity = capacity(number)
        self.unannounced = 0  # bytes that were written since the last record

    def write(self, data):
        global has_written
        # The lock is not held for a pipe that the program itself reads.
        if not self.is_pipe():
            return super().write(data)
        has_written = True
        with lock:
            if latest is self:
                written = super().write(data)
                self.unannounced += written or 0
                return written
            return self.write_first(data)

    def is_pipe(self):
        """Whether the descriptor is still that of the launcher's pipe. Its capacity, which the
        launcher has set and which takes a fraction of the time of `fstat`, tells it from others,
        and from the pipe of the other stream."""
        if self.capacity is not None and capacity(self.number) == self.capacity:
            return True
        return identity(self.number) == self.pipe

    def write_first(self, data):
        """Writes after another stream."""
        global latest
        count = memoryview(data).nbytes
        announced = self.announce_bytes(count, written_before())
        latest = None if is_forked else self
        written = 0
        try:
            written = super().write(data)
            return written
        finally:
            if announced and written != count:
                self.announce_bytes((written or 0) - count)

    def announce_bytes(self, count, before=b""):
        return send(self.announce, self.records, before + RECORD.pack(self.number, count))


def send(announce, records, data):
    """Writes records to the pipe for them."""
    if identity(announce) != records:  # the program has closed it
        return False
    try:
        os.write(announce, data)
    except OSError:  # the launcher has ended
        return False
    return True


class Questions:
    """Asks the launcher whether it has passed on what was written."""

    def __init__(self, announce, answers):
        self.announce, self.answers = announce, answers
        self.pipes = identity(announce), identity(answers)
        self.lock = threading.RLock()
        self.number = 0

    def write_log(self, data):
        """Has the launcher pass on a log message after what was written: whether it gets it."""
        global has_written
        if is_forked:
            return False
        with lock:
            has_written = True
            before = written_before()
            for begin in range(0, len(data), PART):
                part = data[begin : begin + PART]
                kind = LOG if begin + PART >= len(data) else LOG_PART
                record = before + RECORD.pack(kind, len(part)) + part
                if not send(self.announce, self.pipes[0], record):
                    return False
                before = b""
        return True

    def ask(self, seconds):
        """Waits until it has, at most for this time: whether it has. None: it cannot be asked."""
        if is_forked or (identity(self.announce), identity(self.answers)) != self.pipes:
            return None
        end = clock() + seconds
        if not self.lock.acquire(timeout=seconds):
            return False
        try:
            return self.send_question(end) and self.await_answer(end)
        finally:
            self.lock.release()

    def send_question(self, end):
        global has_written
        # A thread that writes to a full pipe has the lock of the streams.
        if not lock.acquire(timeout=max(0, end - clock())):
            return False
        try:
            self.number += 1
            has_written = False
            question = written_before() + RECORD.pack(QUESTION, self.number)
            return send(self.announce, self.pipes[0], question)
        finally:
            lock.release()

    def await_answer(self, end):
        ready = poll()
        ready.register(self.answers, select.POLLIN)
        data = b""
        while not data.endswith(NUMBER.pack(self.number)):
            if not ready.poll(max(0, end - clock()) * 1000):
                return False
            read = os.read(self.answers, 1024)
            if not read:  # the launcher has ended
                return True
            data += read
        return True


def written_before():
    """The record of what the latest stream has written without one."""
    if latest is None or not latest.unannounced:
        return b""
    record = RECORD.pack(latest.number + WRITTEN, latest.unannounced)
    latest.unannounced = 0
    return record


def announce_before_fork():
    """Else the records of the child would come before those of earlier bytes."""
    global latest
    with lock:
        if latest is not None:
            latest.announce_bytes(0, written_before())
            latest = None


def capacity(descriptor):
    """Of a pipe that holds more than others; none for those, and where none can be read."""
    try:
        found = fcntl.fcntl(descriptor, CAPACITY) if CAPACITY is not None else 0
    except OSError:
        return None
    return found if found > USUAL else None


def identity(descriptor):
    try:
        found = os.fstat(descriptor)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def announced(stream, number, announce):
    """A text stream like this one."""
    file = Stream(number, announce)
    file.name = stream.name
    buffer = file if isinstance(stream.buffer, io.RawIOBase) else io.BufferedWriter(file)
    made = io.TextIOWrapper(
        buffer,
        stream.encoding,
        stream.errors,
        newline="\n",
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
    made.mode = stream.mode
    return made


def announce_output(announce, answers=None):
    """`announce`, `answers`: descriptors of the pipes for records and for answers."""
    global questions
    os.set_inheritable(announce, False)
    if answers is not None:
        os.set_inheritable(answers, False)
        questions = Questions(announce, answers)
    for number, name in ((1, "stdout"), (2, "stderr")):
        stream = getattr(sys, name)
        if stream is not None and stream.fileno() == number:
            made = announced(stream, number, announce)
            setattr(sys, name, made)
            setattr(sys, "__%s__" % name, made)
    os.register_at_fork(before=announce_before_fork, after_in_child=use_in_child)
