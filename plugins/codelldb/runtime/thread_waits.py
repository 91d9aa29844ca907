"""What the thread of an expression waits for, from frames, registers and memory.

`waits` has the words, the functions and the layout of locks. Calls nothing.
"""

import os
import re
import time

import lldb

import waits
from aggregates import Language
from waits import LIBRARIES

INVALID = (0, lldb.LLDB_INVALID_ADDRESS)
# Parameters behind the name of a function of C++.
PARAMETERS = re.compile(r"\([^()]*(?:\([^()]*\)[^()]*)*\)(?: const)?$")


def text():
    """The words for the thread of the current expression; an error if nothing is known: CodeLLDB
    cannot display an empty text.
    """
    thread = lldb.thread
    found = ThreadReader(thread.GetProcess(), time.monotonic() + waits.SECONDS).text(thread)
    if not found:
        raise LookupError("the thread does not wait")
    return found


class Memory:
    """A value for `Search`; the target of a pointer is read only if it is looked at."""

    def __init__(self, value):
        self.value, self.type_name = value, value.GetTypeName() or ""
        address = value.GetLoadAddress()
        self.address = None if address in INVALID else address
        self.size = value.GetByteSize()

    def members(self):
        type = self.value.GetType().GetCanonicalType()
        bases = type.GetNumberOfDirectBaseClasses()
        for n in range(bases + type.GetNumberOfFields()):
            member = self.value.GetChildAtIndex(n)
            yield None if n < bases else member.GetName(), Memory(member)

    def target(self):
        type = self.value.GetType().GetCanonicalType()
        if not type.IsPointerType() and not type.IsReferenceType():
            return None
        end = type.GetPointeeType() if type.IsPointerType() else type.GetDereferencedType()
        if not end.GetCanonicalType().IsAggregateType():
            return None
        found = Memory(self.value.Dereference().GetNonSyntheticValue())
        return found if found.address else None


class ThreadReader(waits.Reader):
    """Reads until a time."""

    def __init__(self, process, until):
        self.process, self.until = process, until

    def threads(self):
        for n in range(min(self.process.GetNumThreads(), waits.THREADS)):
            yield self.process.GetThreadAtIndex(n)

    def thread_of(self, id):
        found = self.process.GetThreadByID(id) if id else None
        return found if found is not None and found.IsValid() else None

    def id_of(self, thread):
        return thread.GetThreadID()

    def title_of(self, thread):
        name, id = thread.GetName(), thread.GetThreadID()
        return "%s (%d)" % (name, id) if name else "thread %d" % id

    def frames_of(self, thread):
        for n in range(waits.DEPTH):
            if time.monotonic() > self.until:
                raise TimeoutError
            frame = thread.GetFrameAtIndex(n)
            if not frame.IsValid():
                return
            yield frame

    def function_name(self, frame):
        return PARAMETERS.sub("", frame.GetFunctionName() or "").removeprefix("::")

    def line_of(self, frame):
        return frame.GetLineEntry().GetLine()

    def is_user_code(self, frame):
        path = frame.GetLineEntry().GetFileSpec().fullpath
        return bool(path) and not LIBRARIES.search(path) and os.path.isfile(path)

    def is_rust(self, frame):
        return Language.is_rust

    def variables_of(self, frame):
        found = {
            value.GetName(): Memory(value.GetNonSyntheticValue())
            for value in frame.GetVariables(True, True, False, True)
        }
        return list(found.items())

    def own_object(self, frame):
        value = frame.FindVariable("self").GetNonSyntheticValue()
        return Memory(value) if value.IsValid() else None

    def machine(self, frame):
        return self.process.GetTarget().GetTriple().partition("-")[0]

    def code_before(self, frame):
        return self.process.ReadMemory(frame.GetPC() - 4, 4, lldb.SBError()) or b""

    def register(self, frame, name):
        return int(frame.FindRegister(name).GetNonSyntheticValue().GetValue(), 0)

    def word(self, address):
        error = lldb.SBError()
        found = self.process.ReadUnsignedFromMemory(address, 4, error)
        if error.Fail():
            raise ValueError(error.GetCString())
        return found

    def global_at(self, address):
        target = self.process.GetTarget()
        symbol = target.ResolveLoadAddress(address).GetSymbol()
        if not symbol.IsValid() or symbol.GetType() != lldb.eSymbolTypeData:
            return None
        name = symbol.GetName()
        return name, [
            (name, Memory(one.GetNonSyntheticValue()))
            for one in target.FindGlobalVariables(name, 4)
        ]
