"""A terminal for a program: its lines arrive when they are written, apart from the debugger's.

Knows no debugger.
"""

import os
import threading


def has_children(pid):
    """Whether a thread of the process has a child; also if that is not known."""
    try:
        for thread in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/children" % (pid, thread)) as children:
                if children.read(1):
                    return True
    except OSError:
        return True
    return False


class Terminal:
    """Its input is at the end of file. What was written before a stop or the exit is received
    before it: a mark is written to the terminal, and all output before the mark is older.
    """

    def __init__(self):
        import termios

        self.master, self.slave = os.openpty()
        modes = termios.tcgetattr(self.slave)
        modes[0] = 0
        modes[1] = 0
        modes[3] = termios.ICANON
        termios.tcsetattr(self.slave, termios.TCSANOW, modes)
        for end in (self.master, self.slave):
            os.set_inheritable(end, False)
        os.write(self.master, b"\x04" * 64)
        self.name = os.ttyname(self.slave)
        self.mark = b"\0" + os.urandom(8).hex().encode() + b"\0"
        self.rest = b""
        self.arrived = threading.Event()
        # The file in which the system counts what a process writes, and its pid.
        self.counter = None
        self.drained = None  # What it had counted at the last drain.

    def listen(self, receive):
        """Calls `receive` with the bytes that the program writes, for ever."""
        while True:
            data = self.rest + os.read(self.master, 1 << 16)
            before, mark, after = data.partition(self.mark)
            # A mark may arrive in two parts.
            partial = (
                0
                if mark
                else next(
                    (n for n in range(len(self.mark) - 1, 0, -1) if data.endswith(self.mark[:n])), 0
                )
            )
            self.rest = after if mark else data[len(data) - partial :]
            written = before if mark else data[: len(data) - partial]
            if written:
                receive(written)
            if mark:
                self.arrived.set()

    def drain(self, seconds=1.0):
        self.arrived.clear()
        try:
            os.write(self.slave, self.mark)
        except OSError:
            return
        self.arrived.wait(seconds)

    def drain_written(self, pid):
        """Drains it unless the process has written nothing since: a drain wakes two threads. What
        its children write is not counted.
        """
        written = self.written_by(pid)
        if written is None or written != self.drained or has_children(pid):
            self.drain()
            self.drained = written

    def written_by(self, pid):
        """The number of characters that the process has written to any file; None: not known."""
        try:
            if self.counter is None or self.counter[1] != pid:
                self.counter = open("/proc/%d/io" % pid, "rb", 0), pid
            counts = os.pread(self.counter[0].fileno(), 256, 0)
            return int(counts.split(b"wchar:", 1)[1].split(None, 1)[0])
        except (OSError, IndexError, ValueError):
            return None
