"""Announces writes to stdout and stderr to the launcher, which reads both and passes on what was
written in the order of these records (`launcher.py`). Of several writes to one stream in a row the
first is announced, and the others when the other stream is written to.

Runs before the program. Replaces the streams by ones that write in the same way; knows nothing of
pydevd.
"""

import io
import os
import struct
import sys
import threading

RECORD = struct.Struct("=bq")  # as in launcher.py
WRITTEN = 2  # as in launcher.py
lock = threading.RLock()  # a signal handler may write during a write
latest = None  # the stream whose further writes are announced later
is_forked = False


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
        self.unannounced = 0  # bytes that were written since the last record

    def write(self, data):
        # The lock is not held for a pipe that the program itself reads.
        if identity(self.number) != self.pipe:
            return super().write(data)
        with lock:
            if latest is self:
                written = super().write(data)
                self.unannounced += written or 0
                return written
            return self.write_first(data)

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
        if identity(self.announce) != self.records:  # the program has closed it
            return False
        try:
            os.write(self.announce, before + RECORD.pack(self.number, count))
        except OSError:  # the launcher has ended
            return False
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


def announce_output(announce):
    os.set_inheritable(announce, False)
    for number, name in ((1, "stdout"), (2, "stderr")):
        stream = getattr(sys, name)
        if stream is not None and stream.fileno() == number:
            made = announced(stream, number, announce)
            setattr(sys, name, made)
            setattr(sys, "__%s__" % name, made)
    os.register_at_fork(before=announce_before_fork, after_in_child=use_in_child)
