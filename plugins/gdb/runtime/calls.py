# Calls of the program's functions by expressions, and how they are aborted.

from contextlib import nullcontext as HiddenCalls  # Until `calls` has its own.


@part
def calls():
    """Functions that an expression calls belong to its evaluation: they pass breakpoints, and a
    call that is interrupted is undone. gdb reports a call as a continue and a stop or, for a call
    with a string argument, which is two calls, as a continue alone (events.py,
    `_on_inferior_call`).
    """
    global HiddenCalls
    from gdb.dap import breakpoint, evaluate, events, frames, scopes, varref
    from gdb.dap.server import _commands, send_gdb_with_response
    from gdb.dap.startup import DAPException

    quiet("unwindonsignal on")
    gdb.events.inferior_call.disconnect(events._on_inferior_call)
    # Listeners that invalidate what is cached of the stop.
    caches = (frames._clear_frame_ids, varref.clear_vars, scopes.clear_scopes)
    listeners = (*caches, events._cont)
    plain = evaluate._evaluate
    hidden = None  # Stops of calls, while they are hidden.

    def hide_stops(name):
        send = getattr(events, name)

        def sent(event, body=None):
            if hidden is None or event != "stopped":
                return send(event, body)
            hidden.append((event, body))

        setattr(events, name, sent)

    for name in ("send_event", "send_event_maybe_later"):
        if hasattr(events, name):
            hide_stops(name)

    def undo_call():
        """Undoes an interrupted call; false if there is none on the stack."""
        frame = gdb.newest_frame()
        while frame is not None and frame.older() is not None:
            if frame.older().type() == gdb.DUMMY_FRAME:
                frame.select()
                gdb.execute("return", to_string=True)
                return True
            frame = frame.older()
        return False

    def call(expression, *more):
        try:
            return plain(expression, *more)
        except DAPException as error:
            why = str(error)
            if "a function called from GDB" in why and (INTACT in why or undo_call()):
                hidden.clear()
                raise DAPException(abort_message(why)) from error
            raise

    class HiddenCalls:
        """Hides continues and stops while it is active."""

        def __enter__(self):
            nonlocal hidden
            self.breakpoints, self.off = [point for point in gdb.breakpoints() if point.enabled], []
            try:
                for listener in listeners:
                    gdb.events.cont.disconnect(listener)
                    self.off.append(listener)
                self.enable(False)
            except BaseException:
                self.restore()
                raise
            hidden = []

        def __exit__(self, failed, *_):
            nonlocal hidden
            rest, hidden = hidden if failed else (), None
            self.restore()
            events.inferior_running = False  # A started thread would leave it set.
            # If the call could not be undone, the program is at another place now.
            for listener in caches if rest else ():
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
                for point in self.breakpoints:
                    if point.is_valid():
                        point.enabled = enabled

    def evaluate_hidden(expression, *more):
        if not gdb.parameter("may-call-functions"):
            return plain(expression, *more)
        with HiddenCalls():
            return call(expression, *more)

    evaluate._evaluate = evaluate_hidden

    def with_hidden_calls(handler):
        """An assigned string is put into the program by a call of its `malloc`."""

        def request(**args):
            calls, failed = HiddenCalls(), True
            send_gdb_with_response(calls.__enter__)
            try:
                result = handler(**args)
                failed = False
                return result
            finally:
                send_gdb_with_response(lambda: calls.__exit__(failed))

        return request

    for name in ("setExpression", "setVariable"):
        _commands[name] = with_hidden_calls(_commands[name])


INTACT = "GDB has restored the context"


def abort_message(why):
    """gdb's paragraph about a call that did not end, as a line."""
    function = re.search(r"\((\w[^()]*)(?:\([^()]*\))?\)", why)
    signal_name = re.search(r"signal (SIG\w+)", why)
    cause = signal_name[1] + " in" if signal_name else "something stopped"
    return "%s %s: the call is undone" % (cause, function[1] if function else "the function")
