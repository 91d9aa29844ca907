"""Internal breakpoints, for a thread that should stop later than where LLDB would stop it.

Each one is enabled from the request until the thread arrives, and stops no other thread. Knows
threads and conditions; does not know whose breakpoints they stand for.
"""

import codelldb
import lldb

# Hits that each module has reported, by its name.
_reported = {}
# Breakpoints by module and file address.
_breakpoints = {}
# Conditions of pending stops, by breakpoint id and thread id.
_pending = {}
# Conditions of armed stops (kept until `disarm`), by the same key.
_armed = {}
# The stop at which a thread last passed each breakpoint, by breakpoint id and thread id.
_passed = {}
# Conditions of breakpoints that stop every thread, None for one without, by breakpoint id and the
# module that wants it.
_always = {}


def report_hits(target, module, hits):
    """Reports which breakpoints count as hit for a stop at one, as lists of ids by id. An empty
    list means that the stop is the end of a step.
    """
    _reported[module] = hits
    reported = {}
    for found in _reported.values():
        for id, ids in found.items():
            reported.setdefault(id, []).extend(ids)
    # A message, because the formatters of the program's language would change a value.
    codelldb.interface.send_message(target.GetDebugger().GetID(), {"hits": reported})


def owners_are_deleted(target, id):
    """Does the breakpoint stand for others, which are all deleted meanwhile?"""
    owners = [one for hits in _reported.values() for one in hits.get(id, ())]
    return bool(owners) and not any(target.FindBreakpointByID(one).IsValid() for one in owners)


def at(target, address):
    """Returns the internal breakpoint there; it is disabled until a stop is requested."""
    key = str(address.GetModule().GetFileSpec()), address.GetFileAddress()
    if key not in _breakpoints:
        breakpoint = _breakpoints[key] = target.BreakpointCreateBySBAddress(address)
        # LLDB itself knows only the modules that it imported itself.
        breakpoint.SetScriptCallbackBody(
            "import internal_breakpoints; return internal_breakpoints.hit(frame, bp_loc)"
        )
        breakpoint.SetEnabled(False)
    return _breakpoints[key]


def stop_once(breakpoint, thread, condition=None):
    """Stops the thread there once, if the condition holds or another pending one does."""
    _pending.setdefault((breakpoint.GetID(), thread.GetThreadID()), []).append(condition)
    breakpoint.SetEnabled(True)


def arm(breakpoint, thread, condition):
    """Stops the thread there at the first pass for which the condition holds, until `disarm`."""
    _armed[breakpoint.GetID(), thread.GetThreadID()] = condition
    breakpoint.SetEnabled(True)


def disarm():
    _armed.clear()


def always(breakpoint, module, condition):
    """Stops every thread there for which the condition holds, until `release`."""
    _always.setdefault(breakpoint.GetID(), {})[module] = condition
    breakpoint.SetEnabled(True)


def release(breakpoint, module):
    wanted = _always.get(breakpoint.GetID(), {})
    wanted.pop(module, None)
    if not wanted and not any(id == breakpoint.GetID() for id, _ in (*_pending, *_armed)):
        breakpoint.SetEnabled(False)


def hit(frame, location):
    """Callback of the breakpoint: does the thread stop?

    The breakpoint is disabled by the next pass, not by this one: LLDB does not report a stop at a
    breakpoint that is disabled meanwhile.
    """
    stops, thread = _stops(frame, location), frame.GetThread()
    if not stops:
        key = location.GetBreakpoint().GetID(), thread.GetThreadID()
        _passed[key] = thread.GetProcess().GetStopID()
    return stops


def has_passed(thread, id):
    """Has the thread passed this breakpoint at the current stop?"""
    return _passed.get((id, thread.GetThreadID())) == thread.GetProcess().GetStopID()


def _stops(frame, location):
    breakpoint, thread = location.GetBreakpoint(), frame.GetThread()
    here = breakpoint.GetID(), thread.GetThreadID()
    conditions = _pending.pop(here, []) + [
        condition for at, condition in _armed.items() if at == here
    ]
    conditions += _always.get(breakpoint.GetID(), {}).values()
    if not conditions:
        if not any(id == breakpoint.GetID() for id, _ in (*_pending, *_armed)):
            breakpoint.SetEnabled(False)
        return False
    lldb.frame, lldb.thread = frame, thread
    lldb.process = thread.GetProcess()
    lldb.target = lldb.process.GetTarget()
    return any([condition is None or condition() for condition in conditions])
