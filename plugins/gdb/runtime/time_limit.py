# A time limit for what gdb's main thread reads: gdb answers nothing else meanwhile.


class Limit:
    """Interrupts gdb like control-c. Its main thread is the only one that reads."""

    def __init__(self):
        self.changed = threading.Condition()
        self.until = None
        self.wakes = None  # When the watching thread looks again; None: when it is notified.
        self.interrupted = False

    def watch(self):
        with self.changed:
            while True:
                self.wakes = self.until
                left = None if self.until is None else self.until - time.monotonic()
                if left is None or left > 0:
                    self.changed.wait(left)
                else:
                    self.until, self.interrupted = None, True
                    gdb.interrupt()

    def call(self, seconds, read):
        """What `read` returns; a KeyboardInterrupt after so many seconds, which a printer may take
        for an error of its own.
        """
        with self.changed:
            self.until, self.interrupted = time.monotonic() + seconds, False
            if self.wakes is None or self.wakes > self.until:
                self.changed.notify()
        try:
            return read()
        except Exception as error:
            if self.interrupted:
                raise KeyboardInterrupt from error
            raise
        finally:
            with self.changed:
                self.until = None
            if self.interrupted:
                self.discard()

    def discard(self):
        """Takes an interrupt that has come too late: any access to memory raises it."""
        try:
            frame = gdb.newest_frame()
            gdb.selected_inferior().read_memory(frame.read_register("sp"), 1)
        except (KeyboardInterrupt, gdb.error):
            pass


limit = Limit()


@part
def time_limit():
    from gdb.dap.startup import start_thread

    start_thread("time limit", limit.watch)
