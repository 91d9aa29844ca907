"""A terminal for a program: its lines arrive when they are written, apart from the debugger's.

Knows no debugger.
"""

import os
import select
import threading


def readable(file):
    """A poll for what can be read. The system first takes over what waits in the terminal
    (drivers/tty/n_tty.c, `n_tty_poll`), so that none is missed.
    """
    poll = select.poll()
    poll.register(file, select.POLLIN)
    return poll


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
        # Held while read bytes have not been received. `receive` may take other locks, so nobody
        # may hold one of these and drain the terminal.
        self.reading = threading.Lock()
        self.unread = readable(self.master)

    def listen(self, receive):
        """Calls `receive` with the bytes that the program writes, for ever."""
        unread = readable(self.master)
        while True:
            unread.poll()
            with self.reading:
                self.read(receive)

    def read(self, receive):
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

    def drain_written(self, seconds=1.0):
        """Drains it unless all has been received: a drain wakes two threads."""
        if not self.reading.acquire(timeout=seconds):
            return
        try:
            is_received = not self.rest and not self.unread.poll(0)
        finally:
            self.reading.release()
        if not is_received:
            self.drain(seconds)
