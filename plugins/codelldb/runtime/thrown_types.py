"""The condition of a breakpoint for C++ exceptions of certain types."""

import lldb

import itanium
from cpp_exception import arguments


def matches(*names):
    """Is the exception that the current thread throws of one of these classes?"""
    frame, process = lldb.frame, lldb.process
    if frame.GetFunctionName() != "__cxa_throw":
        return False  # Another throw of an exception that has stopped before.

    def memory(address, size):
        error = lldb.SBError()
        found = process.ReadMemory(address, size, error)
        if error.Fail():
            raise ValueError(error.GetCString())
        return found

    return itanium.is_of_type(memory, *arguments(frame), names)
