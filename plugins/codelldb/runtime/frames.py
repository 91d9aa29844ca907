"""Frames of requests. LLDB runs `script` in the selected frame (ScriptInterpreterPython.cpp,
`EnterSession`), whatever frame a request names; the adapter runs `/py` in the latter.

Knows the adapter's numbers of frames; does not know what is read in one.
"""

import lldb

# The frames of the current stop by the adapter's numbers.
_stop, _frames = None, {}


def store(number):
    """In `/py`: stores the frame of the request."""
    global _stop, _frames
    stop = lldb.process.GetStopID()
    if stop != _stop:
        _stop, _frames = stop, {}
    _frames[number] = lldb.frame
    return True


def enter(number):
    """In `script`: the rest of the command runs in the stored frame."""
    lldb.frame = _frames[number]
    lldb.thread = lldb.frame.GetThread()
