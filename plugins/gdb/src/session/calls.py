# Calls of the program's functions, and what is given up.


@part
def calls():
    """Functions that an expression calls are a part of its evaluation: they pass breakpoints, and what interrupts them
    is undone. gdb tells of a call as of a run and a stop, or, of a call with a text as argument, which is two, of a
    run without an end (events.py, `_on_inferior_call`)."""
    from gdb.dap import breakpoint, evaluate, events, frames, scopes, varref
    from gdb.dap.server import _commands, send_gdb_with_response
    from gdb.dap.startup import DAPException

    quiet("unwindonsignal on")
    gdb.events.inferior_call.disconnect(events._on_inferior_call)
    # To them what they know of the stop is out of date.
    forget = (frames._clear_frame_ids, varref.clear_vars, scopes.clear_scopes)
    moves = (*forget, events._cont)
    plain = evaluate._evaluate
    kept = None  # Stops of calls, while there may be any.

    def gate(name):
        send = getattr(events, name)

        def sent(event, body=None):
            if kept is None or event != "stopped":
                return send(event, body)
            kept.append((event, body))

        setattr(events, name, sent)

    for name in ("send_event", "send_event_maybe_later"):
        if hasattr(events, name):
            gate(name)

    def undone():
        """Takes an interrupted call back; false where there is none to be seen."""
        frame = gdb.newest_frame()
        while frame is not None and frame.older() is not None:
            if frame.older().type() == gdb.DUMMY_FRAME:
                frame.select()
                gdb.execute("return", to_string=True)
                return True
            frame = frame.older()
        return False

    def carry_out(expression, *more):
        try:
            return plain(expression, *more)
        except DAPException as error:
            why = str(error)
            if "a function called from GDB" in why and (INTACT in why or undone()):
                kept.clear()
                raise DAPException(cut_short(why)) from error
            raise

    class Unseen:
        """While it lasts nobody is told of runs and stops."""

        def __enter__(self):
            nonlocal kept
            self.passed, self.off = [point for point in gdb.breakpoints() if point.enabled], []
            try:
                for listener in moves:
                    gdb.events.cont.disconnect(listener)
                    self.off.append(listener)
                self.enable(False)
            except BaseException:
                self.restore()
                raise
            kept = []

        def __exit__(self, failed, *_):
            nonlocal kept
            rest, kept = kept if failed else (), None
            self.restore()
            events.inferior_running = False  # A thread that was started would leave it set.
            # What could not be undone: it stands elsewhere now.
            for listener in forget if rest else ():
                listener(None)
            for event, body in rest:
                events.send_event(event, body)

        def restore(self):
            try:
                self.enable(True)
            finally:
                while self.off:
                    gdb.events.cont.connect(self.off.pop(0))

        def enable(self, enabled):
            with breakpoint.suppress_new_breakpoint_event():
                for point in self.passed:
                    if point.is_valid():
                        point.enabled = enabled

    def evaluated(expression, *more):
        if not gdb.parameter("may-call-functions"):
            return plain(expression, *more)
        with Unseen():
            return carry_out(expression, *more)

    evaluate._evaluate = evaluated

    def in_one(ask):
        """A text that is assigned is put into the program by a call of its `malloc`."""

        def request(**args):
            unseen, failed = Unseen(), True
            send_gdb_with_response(unseen.__enter__)
            try:
                told = ask(**args)
                failed = False
                return told
            finally:
                send_gdb_with_response(lambda: unseen.__exit__(failed))

        return request

    for name in ("setExpression", "setVariable"):
        _commands[name] = in_one(_commands[name])


INTACT = "GDB has restored the context"


def cut_short(why):
    """gdb's paragraph about a call that did not end, as a line."""
    function = re.search(r"\((\w[^()]*)(?:\([^()]*\))?\)", why)
    raised = re.search(r"signal (SIG\w+)", why)
    cause = raised[1] + " in" if raised else "something stopped"
    return "%s %s: the call is undone" % (cause, function[1] if function else "the function")
