"""The C++ exception at the stop in `__cxa_throw`, as JSON: its type as `exceptionId`, its text as
`description`; or the message of the panic at the stop in `rust_panic`.

Knows LLDB's frames and values; itanium.py reads the memory.
"""

import json
import re

import lldb

from itanium import exception_text, exception_type
from panics import panic_text

TYPEINFO = "typeinfo for "


def demangled(debugger, name):
    result = lldb.SBCommandReturnObject()
    debugger.GetCommandInterpreter().HandleCommand(
        "language cplusplus demangle _ZTI" + name, result
    )
    return (result.GetOutput() or "").rpartition(TYPEINFO)[2].strip()


def _plain(value):
    return value.GetSummary() or value.GetValue() or "{…}"


def _members(value):
    """The members of the type itself, or the whole value if it has none."""
    bases = value.GetType().GetNumberOfDirectBaseClasses()
    named = {value.GetType().GetDirectBaseClassAtIndex(number).GetName() for number in range(bases)}
    is_class = value.GetType().GetTypeClass() & (lldb.eTypeClassStruct | lldb.eTypeClassClass)
    own = [one for one in value if one.GetName() not in named]
    is_text = (value.GetSummary() or "").startswith('"')
    if not is_class or is_text or value.IsSynthetic() or not own:
        return _plain(value)
    return ", ".join("%s=%s" % (one.GetName(), _plain(one)) for one in own)


def _value(target, name, address):
    # Compilers write "> >" where the demangler has ">>".
    names = (name, re.sub(">(?=>)", "> ", name))
    kind = next(filter(None, map(target.FindFirstType, names)), lldb.SBType())
    return (
        target.CreateValueFromAddress("thrown", lldb.SBAddress(address, target), kind)
        if kind.IsValid()
        else None
    )


def thread_of(process, thread_id):
    thread = process.GetThreadByID(thread_id)
    return thread if thread.IsValid() else process.GetSelectedThread()


def arguments(frame):
    """The first two arguments at the entry of a function. A value with formatters of Rust has a
    number of its own.
    """
    found = (frame.FindRegister(name).GetNonSyntheticValue() for name in ("arg1", "arg2"))
    return tuple(register.GetValueAsUnsigned() for register in found)


def _exception_info(debugger, thread_id):
    target = debugger.GetSelectedTarget()
    process = target.GetProcess()
    frame = thread_of(process, thread_id).GetFrameAtIndex(0)
    name = frame.GetFunctionName() or ""
    if name != "__cxa_throw" and not name.endswith("rust_panic"):
        return {"exceptionId": ""}

    def memory(address, size):
        error = lldb.SBError()
        found = process.ReadMemory(address, size, error)
        if error.Fail():
            raise ValueError(error.GetCString())
        return found

    thrown, info = arguments(frame)
    if name != "__cxa_throw":
        return {"exceptionId": "", "description": panic_text(memory, thrown, info)}
    name = demangled(debugger, exception_type(memory, info))
    text = exception_text(memory, thrown, info)
    value = _value(target, name, thrown) if text is None else None
    return {"exceptionId": name, "description": _members(value) if value else text}


def report(thread_id):
    try:
        body = _exception_info(lldb.debugger, thread_id)
    except Exception:
        body = {"exceptionId": ""}  # The stop describes itself.
    print(json.dumps(body, ensure_ascii=False))
