"""The exception of a stop with its causes, as JSON in the form of DAP's `exceptionInfo`: a C++
exception at its throw or after it was not caught, the error of a Rust `unwrap`, a signal.

Reads memory and calls no function of the program. Knows LLDB's frames and values; itanium.py reads
C++ exceptions. A Rust error is a value behind a `dyn Error`, or of a type whose name ends in
`Error` or for which the compiler made a table of `Error`'s functions. Its message is the text or
the fields of the value: `Display` cannot be called.
"""

import json
import os
import re

import lldb

import ends
import itanium
from cpp_exception import arguments, demangled, _members, _value, thread_of
from wrappers import short_text

# LLDB's words for a signal without an address (`SI_KERNEL`).
NO_ADDRESS = "invalid address (fault address=0x0)"
LONGEST = 600
FRAMES = 64
# Values inside one another; the causes are bounded by their number.
DEPTH = 200
DYN_ERROR = re.compile(r"dyn (core|std)::error::Error\b")
TABLE = "<%s as core::error::Error>::{vtable}"
TABLE_NAME = re.compile(r"^<(.*) as core::error::Error>::\{vtable\}$")
# `core::result::Result<T,E>::unwrap`, `expect`, without and with the types.
UNWRAPS = re.compile(r"^core::result::Result<.*>::(unwrap|expect)\b")
NAMED_ERROR = re.compile(r"^[\w:]*Error$")
IO_ERROR = "std::io::error::Error"
ANYHOW = "anyhow::Error"
# The types of anyhow that hold a context or a message.
WRAPPER = re.compile(r"^anyhow::(error|wrapper)::.*$", re.S)
TEXTS = ("alloc::string::String", "&str")
NESTED = re.compile(r"^std::_Nested_exception<(.*)>$")


class Reader:
    def __init__(self, debugger, thread_id, most):
        self.debugger, self.left = debugger, most
        self.target = debugger.GetSelectedTarget()
        self.process = self.target.GetProcess()
        self.thread = thread_of(self.process, thread_id)
        self.tables = None
        # DAP's break mode: `always` if the program may still handle it.
        self.mode = ""

    def memory(self, address, size):
        error = lldb.SBError()
        found = self.process.ReadMemory(address, size, error)
        if error.Fail():
            raise ValueError(error.GetCString())
        return found

    def word(self, address):
        return self.process.ReadPointerFromMemory(address, lldb.SBError())

    def details(self):
        frame = self.thread.GetFrameAtIndex(0)
        self.mode = "always"
        if frame.GetFunctionName() == "__cxa_throw":
            return self.cpp(*arguments(frame))
        if (frame.GetFunctionName() or "").endswith("rust_panic"):
            return self.rust()
        found = self.not_caught(frame)
        self.mode = "unhandled" if found else self.mode_of_signal()
        return self.cpp(*found) if found else self.signal()

    def frames(self):
        return [self.thread.GetFrameAtIndex(n) for n in range(min(len(self.thread), FRAMES))]

    def signal(self):
        words = self.thread.GetStopDescription(200) or ""
        match = re.match(r"signal (SIG\w+)(?:: (.*))?", words)
        if match is None:
            return None
        words = (match[2] or "").replace(NO_ADDRESS, "invalid address, not given by the processor")
        words = words.replace(" to object", "").replace("fault address=", "")
        return {"typeName": match[1], "message": words}

    def mode_of_signal(self):
        """DAP's break mode of the signal. Empty unless LLDB's own server traces the process: the
        number of a core file's process, or of one behind another server, is here that of another
        process, if of any.
        """
        if self.thread.GetStopReason() != lldb.eStopReasonSignal:
            return ""
        number = self.thread.GetStopReasonDataAtIndex(0)
        try:
            status = ends.process_status(self.process.GetProcessID())
            if ends.process_status(status["TracerPid"])["PPid"] != str(os.getpid()):
                return ""
        except OSError:
            return ""
        return ends.break_mode_of_signal(number, status)

    # C++

    def not_caught(self, top):
        """The exception for which the C++ runtime ended the program."""
        names = [frame.GetFunctionName() or "" for frame in self.frames()]
        if not ends.is_terminated(names):
            return None
        throws = [n for n, name in enumerate(names) if name in ("__cxa_throw", "__cxa_rethrow")]
        last = self.thread.GetFrameAtIndex(throws[0] + 1 if throws else len(names) - 1)
        return itanium.exception_near(self.memory, top.GetSP(), last.GetSP())

    def cpp(self, exception, info):
        described = []
        for mangled, text, address in itanium.exception_chain(
            self.memory, exception, info, self.left + 1
        ):
            name = demangled(self.debugger, mangled)
            if text is None:
                value = _value(self.target, name, address)
                text = _members(value) if value else None
            match = NESTED.match(name)
            described.append({"typeName": match[1] if match else name, "message": text})
        for outer, inner in zip(described, described[1:]):
            outer["innerException"] = [inner]
        bases = itanium.exception_bases(self.memory, exception, info)
        described[0]["baseTypes"] = [demangled(self.debugger, base) for base in bases]
        return described[0]

    # Rust

    def rust(self):
        for frame in self.frames():
            if UNWRAPS.match(frame.GetFunctionName() or ""):
                error = frame.FindVariable("e")
                return self.rust_error(error, 0) if error.IsValid() else None
        return None

    def table_of(self, address):
        if self.tables is None:
            pattern = r" as core::error::Error>::\{vtable\}$"
            found = self.target.FindGlobalVariables(pattern, 10_000, lldb.eMatchTypeRegex)
            self.tables = {one.GetLoadAddress(): one.GetName() for one in found}
        return self.tables.get(address)

    def is_error(self, name):
        self.table_of(0)
        return bool(NAMED_ERROR.match(name)) or TABLE % name in self.tables.values()

    def behind(self, value):
        """The value that a `Box`, a reference or an `Option` of a `dyn Error` points to; None for any
        other type.
        """
        name = value.GetTypeName() or ""
        if not DYN_ERROR.search(name):
            return None
        value = value.GetNonSyntheticValue()
        if value.GetType().IsReferenceType() or value.GetType().IsPointerType():
            return self.behind(value.Dereference())
        if value.GetByteSize() != 16:
            return None
        address = value.GetLoadAddress()
        data, table = self.word(address), self.word(address + 8)
        match = TABLE_NAME.match(self.table_of(table) or "")
        if not data or match is None:
            return lldb.SBValue()
        kind = self.target.FindFirstType(match[1])
        if not kind.IsValid():
            return lldb.SBValue()
        return self.target.CreateValueFromAddress(
            match[1], lldb.SBAddress(data, self.target), kind
        )

    def in_anyhow(self, error):
        """The value in an `anyhow::Error`. Its type is that of a variable of the first function in
        the table of its type (anyhow/src/error.rs, `object_drop`); None without debug information.
        """
        data = self.word(error.GetNonSyntheticValue().GetLoadAddress())
        drop = self.target.ResolveLoadAddress(self.word(self.word(data)))
        for variable in variables(drop.GetFunction().GetBlock(), self.target):
            kind = variable.GetType()
            while kind.GetNumberOfFields() and not kind.IsPointerType():
                kind = kind.GetFieldAtIndex(0).GetType()
            kind = kind.GetPointeeType()
            if re.match(r"anyhow::error::ErrorImpl<(?!void|\(\))", kind.GetName() or ""):
                place = lldb.SBAddress(data, self.target)
                whole = self.target.CreateValueFromAddress("error", place, kind)
                return whole.GetChildMemberWithName("_object")
        return None

    def unknown(self, value):
        """An error of a type without debug information; None for `Option::None`."""
        return {"typeName": "dyn Error"} if self.word(value.GetLoadAddress()) else None

    def rust_error(self, value, depth):
        inner = self.behind(value)
        if inner is not None:
            if inner.IsValid() and depth < DEPTH:
                return self.rust_error(inner, depth + 1)
            return None if depth == 0 else self.unknown(value)
        name = value.GetTypeName() or ""
        if name == ANYHOW and depth < DEPTH:
            inner = self.in_anyhow(value)
            if inner is not None:
                return self.rust_error(inner, depth + 1)
        value.SetPreferSyntheticValue(True)
        if name in TEXTS or not value.GetNumChildren():
            message = value.GetSummary() or value.GetValue() or ""
            return {"typeName": name, "message": message.strip('"')[:LONGEST]}
        causes, fields, texts = [], [], []
        for n in range(min(value.GetNumChildren(), 32)):
            field = value.GetChildAtIndex(n)
            kind = field.GetTypeName() or ""
            if DYN_ERROR.search(kind) or self.is_error(kind):
                if self.left > 0 and depth < DEPTH:
                    self.left -= 1
                    causes.append(self.rust_error(field, depth + 1))
                continue
            is_text = kind in TEXTS
            text = is_text and field.GetSummary() or short_text(field)
            if is_text:
                texts.append(text)
            fields.append("%s: %s" % (field.GetName(), text))
        if name == IO_ERROR:
            data = value.GetNonSyntheticValue().GetData()
            fields = [ends.io_error(data.GetUnsignedInt64(lldb.SBError(), 0))]
        message = texts[0].strip('"') if len(texts) == 1 == len(fields) else ", ".join(fields)
        return {
            "typeName": WRAPPER.sub(ANYHOW, re.sub(r"^.*::(StringError)$", r"\1", name)),
            "message": (message or ("" if causes else value.GetSummary()) or "")[:LONGEST],
            "innerException": [cause for cause in causes if cause],
        }


def variables(block, target):
    """The variables of a block and of the blocks in it."""
    while block.IsValid():
        yield from block.GetVariables(target, False, True, False)
        yield from variables(block.GetFirstChild(), target)
        block = block.GetSibling()


def report(thread_id, most):
    reader, details = None, None
    try:
        reader = Reader(lldb.debugger, thread_id, most)
        details = reader.details()
    except Exception:
        pass  # The stop describes itself.
    body = {"exceptionId": "", "details": details, "breakMode": reader.mode if reader else ""}
    print(json.dumps(body, ensure_ascii=False))
