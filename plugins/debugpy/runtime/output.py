"""Announces each write to stdout and stderr to the launcher, which reads both and passes on what
was written in the order of these records (`launcher.py`).

Runs before the program. Replaces the streams by ones that write in the same way; knows nothing of
pydevd.
"""

import io
import os
import struct
import sys
import threading

RECORD = struct.Struct("=bi")  # as in launcher.py
MOST = 2**31 - 1  # bytes of a record
lock = threading.RLock()  # a signal handler may write during a write


def renew_lock():
    global lock
    lock = threading.RLock()


class Stream(io.FileIO):
    """A stream's file; announces what it writes as long as it is the pipe of the launcher."""

    def __init__(self, number, announce):
        super().__init__(number, "wb", closefd=False)
        self.number, self.announce = number, announce
        self.pipe, self.records = identity(number), identity(announce)

    def write(self, data):
        count = memoryview(data).nbytes
        # The lock is not held for a pipe that the program itself reads.
        if count > MOST or identity(self.number) != self.pipe:
            return super().write(data)
        with lock:
            announced = self.say(count)
            written = 0
            try:
                written = super().write(data)
                return written
            finally:
                if announced and written != count:
                    self.say((written or 0) - count)

    def say(self, count):
        if identity(self.announce) != self.records:  # the program has closed it
            return False
        try:
            os.write(self.announce, RECORD.pack(self.number, count))
        except OSError:  # the launcher has ended
            return False
        return True


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
    os.register_at_fork(after_in_child=renew_lock)
