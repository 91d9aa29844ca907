"""Runs debugpy's launcher, and reads the program's stdout and stderr in the order in which they
were written.

debugpy's launcher reads each with a thread of its own, so their order is lost. Here one thread
reads both, and a third pipe on which the program says to which of the two it writes how many bytes:
before it writes, and of further bytes to the same stream before it writes to the other
(`output.py`). What is written without such a record (by C code, by a child process) is passed on
when no record is left. Before it stops, the program asks on that pipe, and gets the answer on a
fourth when all that it has written is passed on: output and stops take different ways. Messages of
log breakpoints come on the third pipe, each after the records of what was written before it, also
when the program has redirected both streams. The adapter confirms what it has passed on
(`adapter.py`): else it would store what its client does not take.

The environment variable DAPDOCK_DEBUGPY names the directory with the package `debugpy`.
"""

import codecs
import os
import select
import struct
import sys
import threading
import time

STREAMS = {1: "stdout", 2: "stderr"}
RECORD = struct.Struct("=bq")  # stream, bytes; negative: so many fewer were written than announced
NUMBER = struct.Struct("=q")
WRITTEN = 2  # added to the stream of bytes that have been written already
QUESTION = 0  # in place of a stream: the number of a question
LOG, LOG_PART = 5, 6  # in place of a stream: the bytes of a message, or of a part of it, follow
MOST_LOGS = 500  # in an event
# Seconds between two reads: each is a message to the adapter.
PACE = 0.002
MOST = 1 << 16  # bytes of a read, and of a full pipe
# The program writes on meanwhile; it and the adapter would wait in turn for a part of a pipe.
# Bytes of the pipes for output, where they can be set. By them the program tells its own pipes
# apart, from each other too (`output.py`).
CAPACITIES = {1: 1 << 19, 2: 1 << 18}
MOST_AHEAD = 1 << 20  # characters that the adapter has not confirmed
CONFIRM = "dapdock_passed"  # as in adapter.py
LATE = 0.1  # seconds without progress after which announced bytes are no longer awaited


class Merged:
    """The bytes of both streams so far that have not been passed on, and the records for them."""

    def __init__(self, emit):
        self.emit = emit
        self.bytes = {stream: b"" for stream in STREAMS}
        self.ahead = dict.fromkeys(STREAMS, 0)  # bytes that were passed on without a record
        self.owed = dict.fromkeys(STREAMS, 0)  # bytes of records that are no longer awaited
        self.records = []  # [stream, bytes]
        self.partial = b""
        self.log = b""  # parts of a message
        self.passed = 0  # bytes
        self.questions = []  # questions behind whose records no bytes are missing

    def add_records(self, data):
        data = self.partial + data
        begin = 0
        while len(data) - begin >= RECORD.size:
            stream, count = RECORD.unpack_from(data, begin)
            end = begin + RECORD.size
            if stream in (LOG, LOG_PART):
                if len(data) - end < count:
                    break
                end += count
                self.add_log(stream, data[end - count : end])
            elif stream == QUESTION:
                self.records.append([QUESTION, count])
            else:
                self.add_record(stream, count)
            begin = end
        self.partial = data[begin:]

    def add_log(self, kind, part):
        self.log += part
        if kind == LOG:
            self.records.append([LOG, self.log])
            self.log = b""

    def add_record(self, stream, count):
        if stream > WRITTEN:
            stream -= WRITTEN
            count -= min(count, self.ahead[stream])
            self.ahead[stream] = 0
        if count < 0:
            self.withdraw(stream, -count)
        elif self.records and self.records[-1][0] == stream:
            self.records[-1][1] += count
        else:
            self.records.append([stream, count])

    def withdraw(self, stream, count):
        for record in reversed(self.records):
            if record[0] == stream:
                taken = min(count, record[1])
                record[1] -= taken
                count -= taken
        self.owed[stream] -= min(count, self.owed[stream])

    def pass_on(self):
        """Passes on what is in order; whether records are left whose bytes are missing."""
        while self.records:
            stream, count = self.records[0]
            if stream == QUESTION:
                self.questions.append(count)
                del self.records[0]
                continue
            if stream == LOG:
                self.pass_on_logs()
                continue
            ready = self.bytes[stream][:count]
            if ready:
                self.passed += len(ready)
                self.emit(stream, ready)
                self.bytes[stream] = self.bytes[stream][count:]
            if len(ready) < count:
                self.records[0][1] -= len(ready)
                return True
            del self.records[0]
        for stream, rest in self.bytes.items():
            if rest:
                late = min(len(rest), self.owed[stream])
                self.owed[stream] -= late
                self.ahead[stream] += len(rest) - late
                self.emit(stream, rest)
                self.bytes[stream] = b""
        return False

    def pass_on_logs(self):
        """The log messages before the next record of another kind."""
        logs = []
        for stream, message in self.records[:MOST_LOGS]:
            if stream != LOG:
                break
            logs.append(message)
        del self.records[: len(logs)]
        self.passed += sum(map(len, logs))
        self.emit(LOG, logs)

    def give_up(self):
        """The first record's bytes do not come in time."""
        is_missing = True
        while is_missing:
            for stream, count in self.records[:1]:
                self.owed[stream] += count
            del self.records[:1]
            is_missing = self.pass_on()


def read_all(streams, order, emit, answers=None, confirm=lambda: None, ended=None):
    """Reads until both streams are at their end, and the records too or the program has ended: a
    child process may have a copy of their pipe for as long as it runs. `streams`: descriptor ->
    number of the stream; `order`, `answers`: descriptors of the pipes for records and for answers;
    `confirm` returns when all that was emitted is passed on; `ended`: a descriptor that can be read
    when the program has ended."""
    merged, open_streams = Merged(emit), dict(streams)
    poll = select.poll()
    for descriptor in (*open_streams, order, ended):
        if descriptor is not None:
            poll.register(descriptor, select.POLLIN)
    has_ended = False
    os.set_blocking(order, False)
    late = None  # when announced bytes are no longer awaited
    next_read = 0
    read_for = []  # questions since which all was read that the pipes had: others may fill them
    while open_streams or order is not None and not has_ended:
        wait = None if late is None else max(0, late - time.monotonic()) * 1000
        ready = poll.poll(0 if merged.questions else wait)
        is_empty = not any(descriptor in open_streams for descriptor, _ in ready)
        if merged.questions and (is_empty or merged.questions == read_for):
            confirm()
            answer(answers, merged)
            continue
        read_for = list(merged.questions)
        time.sleep(max(0, next_read - time.monotonic()))
        next_read = time.monotonic() + PACE
        for descriptor, _ in ready:
            if descriptor in open_streams and read_stream(merged, descriptor, open_streams, poll):
                next_read = 0
            elif descriptor == ended:
                poll.unregister(ended)
                has_ended = True
        # Records are read after the bytes: then no byte that was read lacks its record.
        order = add_new_records(merged, order, poll)
        passed = merged.passed
        if not merged.pass_on():
            late = None
        elif late is None or merged.passed > passed:
            late = time.monotonic() + LATE
        elif time.monotonic() >= late:
            merged.give_up()
            late = None
    while merged.pass_on():
        merged.give_up()
    if order is not None:
        os.close(order)


def read_stream(merged, descriptor, open_streams, poll):
    """Reads once; whether the stream may have more. One that has ended is closed."""
    data = os.read(descriptor, MOST)
    if data:
        merged.bytes[open_streams[descriptor]] += data
    else:
        poll.unregister(descriptor)
        os.close(descriptor)
        del open_streams[descriptor]
    return len(data) == MOST


def answer(answers, merged):
    """Everything is passed on that was written before these questions."""
    try:
        os.write(answers, b"".join(map(NUMBER.pack, merged.questions)))
    except OSError:  # the program has ended, or reads no answers
        pass
    merged.questions.clear()


def add_new_records(merged, order, poll):
    """The descriptor of the records, or none if all its writers have ended."""
    while order is not None:
        try:
            data = os.read(order, MOST)
        except BlockingIOError:
            break
        if not data:
            poll.unregister(order)
            os.close(order)
            return None
        merged.add_records(data)
    return order


class Output:
    """Sends the program's output to the adapter."""

    def __init__(self, channel):
        self.channel = channel
        self.ahead = 0  # characters that the adapter has not confirmed
        decoder = codecs.getincrementaldecoder("utf-8")
        self.decoders = {stream: decoder(errors="surrogateescape") for stream in STREAMS}

    def emit(self, stream, data, final=False):
        if stream == LOG:
            return self.send(*logged(data))
        text = self.decoders[stream].decode(data, final).replace("\r\n", "\n")
        if text:
            self.send({"category": STREAMS[stream], "output": text}, len(text))

    def send(self, body, size):
        try:
            self.channel.send_event("output", body)
        except Exception:
            return  # the adapter has ended
        self.ahead += size
        if self.ahead >= MOST_AHEAD:
            self.confirm()

    def confirm(self):
        """Waits until the adapter has passed on what was sent: it answers in turn."""
        if self.ahead == 0:
            return
        self.ahead = 0
        try:
            self.channel.request(CONFIRM)
        except Exception:
            pass  # the adapter has ended

    def read(self, streams, order, answers, ended):
        read_all(streams, order, self.emit, answers, self.confirm, ended)
        for stream in STREAMS:
            self.emit(stream, b"", final=True)


def logged(messages):
    """The body of an `output` event with these messages of log breakpoints (`breakpoints.py`), and
    how many characters they have."""
    texts = []
    for message in messages:
        number, size, rest = message.decode().split(",", 2)
        thread, text = rest[: int(size)], rest[int(size) :]
        texts.append({"breakpoint": int(number), "thread": thread, "text": text})
    data = {"breakpoint": texts[0]["breakpoint"], "texts": texts}
    body = {"category": "stdout", "output": "", "data": data}
    return body, sum(map(len, messages))


def enlarge(pipe, stream):
    if sys.platform == "linux":
        import fcntl

        try:
            fcntl.fcntl(pipe, 1031, CAPACITIES[stream])  # F_SETPIPE_SZ, named since Python 3.10
        except OSError:  # the pipes of this user hold enough
            pass


def replace_capture(launcher, debuggee, output):
    """Has debugpy's launcher read with one thread; and give the program the pipes for records and
    for answers."""
    records, announce = os.pipe()
    answered, answers = os.pipe()
    ended, end = os.pipe()
    os.set_blocking(answers, False)
    streams = {}
    spawn = debuggee.subprocess.Popen

    def popen(*args, env, **options):
        env = {**env, "DAPDOCK_OUTPUT": "%d,%d" % (announce, answered)}
        try:
            return spawn(*args, env=env, pass_fds=[announce, answered], **options)
        finally:
            os.close(announce)
            os.close(answered)

    def capture(whose, category, descriptor, stream):
        number = next(number for number in STREAMS if STREAMS[number] == category)
        enlarge(descriptor, number)
        streams[descriptor] = number
        if len(streams) == len(STREAMS):
            reader.start()

    def read():
        Output(launcher.channel).read(streams, records, answers, ended)

    def wait():
        """Runs when the program has ended."""
        os.close(end)
        if reader.is_alive():
            reader.join()

    reader = threading.Thread(target=read, name="output")
    debuggee.subprocess.Popen = popen
    output.CaptureOutput = capture
    output.wait_for_remaining_output = wait


def main():
    sys.path[0] = os.environ.pop("DAPDOCK_DEBUGPY")
    from debugpy import launcher
    from debugpy.launcher import __main__, debuggee, output

    del sys.path[0]
    if sys.platform != "win32":
        replace_capture(launcher, debuggee, output)
    __main__.main()


if __name__ == "__main__":
    main()
