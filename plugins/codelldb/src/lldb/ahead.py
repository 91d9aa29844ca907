"""Breakpoints further on, where a thread stops that is not to stop where it was due.

Each is open from then on until the thread is there, and stops no other. Knows threads and conditions; refuses to know
whose breakpoints they stand for.
"""

import codelldb
import lldb

# What each script has told, by its name.
_told = {}
# By module and file address.
_places = {}
# The conditions of those that wait, by a place's id and the thread's.
_waiting = {}
# That of the one which waits until it holds, or the thread stops elsewhere, by the same.
_staying = {}


def tell(target, teller, hits):
    """Which breakpoints a stop at one is a stop at, as ids by id; none: it has stepped there."""
    _told[teller] = hits
    told = {id: ids for hits in _told.values() for id, ids in hits.items()}
    # As a value it would be shown as the formatters of the program's language show it.
    codelldb.interface.send_message(target.GetDebugger().GetID(), {"hits": told})


def at(target, address):
    """The breakpoint there, closed until someone waits for it."""
    key = str(address.GetModule().GetFileSpec()), address.GetFileAddress()
    if key not in _places:
        place = _places[key] = target.BreakpointCreateBySBAddress(address)
        # LLDB itself knows only the modules that it was told to import.
        place.SetScriptCallbackBody("import ahead; return ahead.reached(frame, bp_loc)")
        place.SetEnabled(False)
    return _places[key]


def wait(place, thread, condition=None):
    """Stops the thread there where the condition holds, or another that waits for the same."""
    _waiting.setdefault((place.GetID(), thread.GetThreadID()), []).append(condition)
    place.SetEnabled(True)


def stay(place, thread, condition):
    """Stops the thread there at the first pass for which the condition holds, until `leave`."""
    _staying[place.GetID(), thread.GetThreadID()] = condition
    place.SetEnabled(True)


def leave():
    _staying.clear()


def reached(frame, location):
    """Closed by the next pass: one that closes while it stops is not told of by LLDB."""
    place, thread = location.GetBreakpoint(), frame.GetThread()
    here = place.GetID(), thread.GetThreadID()
    conditions = _waiting.pop(here, []) + [condition for at, condition in _staying.items() if at == here]
    if not conditions:
        if not any(waited == place.GetID() for waited, _ in (*_waiting, *_staying)):
            place.SetEnabled(False)
        return False
    lldb.frame, lldb.thread = frame, thread
    lldb.process = thread.GetProcess()
    lldb.target = lldb.process.GetTarget()
    return any([condition is None or condition() for condition in conditions])
