"""What the thread of an expression waits for, from frames, registers and memory.

`waits` has the words, the functions and the layout of locks. Calls nothing.
"""

import os
import re
import time

import lldb

import waits
from aggregates import Language
from waits import LIBRARIES, LOCKS, Search, Wait

INVALID = (0, lldb.LLDB_INVALID_ADDRESS)
# Parameters behind the name of a function of C++.
PARAMETERS = re.compile(r"\([^()]*(?:\([^()]*\)[^()]*)*\)(?: const)?$")


def text():
    """The words for the thread of the current expression; an error if nothing is known: CodeLLDB
    cannot display an empty text.
    """
    thread = lldb.thread
    found = Reader(thread.GetProcess(), time.monotonic() + waits.SECONDS).text(thread)
    if not found:
        raise LookupError("the thread does not wait")
    return found


def is_user_code(frame):
    path = frame.GetLineEntry().GetFileSpec().fullpath
    return bool(path) and not LIBRARIES.search(path) and os.path.isfile(path)


def function_name(frame):
    return PARAMETERS.sub("", frame.GetFunctionName() or "").removeprefix("::")


def frames_of(thread):
    for n in range(waits.DEPTH):
        frame = thread.GetFrameAtIndex(n)
        if not frame.IsValid():
            return
        yield frame


def stack(thread):
    """The frames from the innermost to the first one in the user's code, and that one; without one,
    all frames and None.
    """
    found = []
    for frame in frames_of(thread):
        found.append(frame)
        if is_user_code(frame):
            return found, frame
    return found, None


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


def variables_of(frame):
    """The variables of a frame as pairs of a name and a value."""
    found = {
        value.GetName(): Memory(value.GetNonSyntheticValue())
        for value in frame.GetVariables(True, True, False, True)
    }
    return list(found.items())


class Reader:
    """Reads waits until a time."""

    def __init__(self, process, until):
        self.process, self.until = process, until

    def check_time(self):
        if time.monotonic() > self.until:
            raise TimeoutError

    def text(self, thread):
        wait = self.wait_of(thread)
        if wait is None:
            return ""
        other, place = self.thread_of(wait.on), None
        if other is None:
            return waits.words(wait, None, None, False)
        user = stack(other)[1]
        if user is not None and wait.kind != "end":
            place = function_name(user), user.GetLineEntry().GetLine()
        id = other.GetThreadID()
        holder = "%s (%d)" % (other.GetName(), id) if other.GetName() else "thread %d" % id
        return waits.words(wait, holder, place, self.is_deadlock(thread, wait))

    def thread_of(self, id):
        found = self.process.GetThreadByID(id) if id else None
        return found if found is not None and found.IsValid() else None

    def is_deadlock(self, thread, wait):
        """Whether the thread that it waits for waits for this thread in the end."""
        for _ in range(waits.CHAIN):
            other = self.thread_of(wait.on) if wait is not None else None
            if other is None or other.GetThreadID() == thread.GetThreadID():
                return other is not None
            wait = self.wait_of(other)
        return False

    def wait_of(self, thread):
        """What the thread waits for; None: for nothing that is known."""
        self.check_time()
        frames, user = stack(thread)
        names = [function_name(frame) for frame in frames]
        if not waits.is_waiting(self.machine(), self.code_before(frames[0]), names):
            return None
        kind = next(filter(None, map(waits.kind_of, names[: waits.INNERMOST])), None)
        if kind is not None:
            found = waits.wait_at(kind, self.first_argument(frames[0]), self.word)
        else:
            found = rust_wait(frames, names)
        if found is None and user is not None and len(names) > 1 and names[-2]:
            found = Wait("call")
            found.name = names[-2]
        elif found is not None and found.address is not None:
            found.name = self.name_of_lock(found.address, user)
        if found is not None and found.kind in LOCKS and not found.on:
            found.on = self.owner_of_guard(found.address)
        return found

    def machine(self):
        return self.process.GetTarget().GetTriple().partition("-")[0]

    def code_before(self, frame):
        return self.process.ReadMemory(frame.GetPC() - 4, 4, lldb.SBError()) or b""

    def first_argument(self, frame):
        """Of the system call in which the thread is."""
        register = frame.FindRegister(waits.REGISTERS[self.machine()])
        return int(register.GetNonSyntheticValue().GetValue(), 0)

    def word(self, address):
        error = lldb.SBError()
        found = self.process.ReadUnsignedFromMemory(address, 4, error)
        if error.Fail():
            raise ValueError(error.GetCString())
        return found

    def name_of_lock(self, address, user):
        """The name of a lock: of a variable of the program, else by the variables of the frame."""
        target = self.process.GetTarget()
        symbol = target.ResolveLoadAddress(address).GetSymbol()
        if symbol.IsValid() and symbol.GetType() == lldb.eSymbolTypeData:
            name = symbol.GetName()
            globals = [
                (name, Memory(one.GetNonSyntheticValue()))
                for one in target.FindGlobalVariables(name, 4)
            ]
            return Search(address, Language.is_rust).name(globals) or name
        return Search(address, Language.is_rust).name(variables_of(user)) if user is not None else None

    def owner_of_guard(self, address):
        """The id of the thread with a guard of the lock among its variables."""
        for n in range(min(self.process.GetNumThreads(), waits.THREADS)):
            thread = self.process.GetThreadAtIndex(n)
            for frame in filter(is_user_code, frames_of(thread)):
                self.check_time()
                if any(waits.is_guard_of(address, value) for _, value in variables_of(frame)):
                    return thread.GetThreadID()
        return None


def rust_wait(frames, names):
    for frame, name in zip(frames, names):
        kind = waits.rust_kind_of(name)
        if kind is not None:
            value = frame.FindVariable("self").GetNonSyntheticValue()
            lock = Memory(value).target() if value.IsValid() else None
            return Wait(kind, lock.address) if lock is not None else None
    return None
