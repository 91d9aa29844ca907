"""Summaries of structs, unions and arrays: `{name:"ann", price:{cents:5}, …}`.

Without one, CodeLLDB lists the members that have a text of their own and is silent about the rest
(variables.rs, `get_container_summary`). Everything left out here is marked. Types of libraries with
formatters have theirs.
"""

import re

import lldb

import bounds
import free_blocks
import line_tables
import pieces
import trait_objects
import unsized
import variable_arrays

# Members, characters of the whole text and of one inside another, and elements of a container.
MEMBERS, LONGEST, INNER, ELEMENTS = 12, 120, 60, 5
BIT_FIELD = re.compile(r":\d+$")
STRUCTURES = lldb.eTypeClassStruct | lldb.eTypeClassClass | lldb.eTypeClassUnion
# In the name of a pointer to a member function, and its text for a virtual one.
MEMBER, VIRTUAL = "::*)", "<virtual function %d>"
FREED, OPTIMIZED_OUT = "<freed>", "<optimized out>"
# LLDB's basic type of `char` is that of `signed char`.
BYTES = ("unsigned char", "signed char")
# The prefix of a literal by the type of its characters, and their encoding by their size.
WIDE = {"wchar_t": "L", "char16_t": "u", "char32_t": "U"}
ENCODINGS = {2: "utf-16-le", 4: "utf-32-le"}
KEYED = ("std::map<", "std::unordered_map<", "std::multimap<", "std::unordered_multimap<")
RUST_KEYED = ("std::collections::hash::map::HashMap<", "hashbrown::map::HashMap<")
TREE = "alloc::collections::btree::map::BTreeMap<"


class Language:
    """How a program's language writes what these texts need."""

    null = "NULL"
    is_rust = False


def applies(type, _dict):
    """Recognizes C's and C++'s own structures and arrays."""
    if Language.is_rust:
        return False
    kind = type.GetCanonicalType()
    if kind.IsArrayType():
        return True
    if not kind.GetTypeClass() & STRUCTURES:
        return False
    return not (kind.GetName() or "").startswith(("std::", "__gnu_cxx::"))


def applies_to_rust(type, _dict):
    """Recognizes Rust's structs, tuples and arrays; not its enums, whose formatters know the
    variant.
    """
    kind = type.GetCanonicalType()
    if kind.IsArrayType():
        return True
    first = kind.GetFieldAtIndex(0).GetName() or "" if kind.GetNumberOfFields() else ""
    return bool(kind.GetTypeClass() & STRUCTURES) and not first.startswith(("$variants$", "<<v"))


def summary(value, _dict):
    kind = value.GetType().GetCanonicalType()
    if kind.IsArrayType() and not Language.is_rust:
        value = variable_arrays.resized(value)
        if value is None:
            return "{%s}" % bounds.CUT
        if value.GetError().Fail():
            return failed(value.GetError())
    if kind.IsArrayType() and _is_text(value, value.GetType().GetArrayElementType()):
        return characters(value)
    if trait_objects.is_one(value):
        return trait_objects.text(value)
    if free_blocks.has(value.GetProcess(), value.GetLoadAddress()):
        return FREED
    if has_no_length(kind):
        return "{%s}" % bounds.CUT
    return listed(value, LONGEST if len(bounds.work.open) <= 1 else INNER)


def _is_text(value, of):
    """Are the elements characters? Rust has none of one byte; texts of Python become arrays."""
    name = of.GetCanonicalType().GetUnqualifiedType().GetName()
    if name == "char" and value.GetValueType() == lldb.eValueTypeConstResult:
        return True
    return not Language.is_rust and (name == "char" or bool(wide_prefix(of)))


def wide_prefix(of):
    """The prefix of a literal of wide characters; "": the type is none. In C they are typedefs."""
    return WIDE.get(of.GetUnqualifiedType().GetName(), "")


def listed(value, longest):
    """The members or elements in braces; those that do not fit are named."""
    value.SetPreferSyntheticValue(True)
    count, texts, used = value.GetNumChildren(), [], 0
    lost = pieces.Lost(value)
    lost = lost.names() if lost else ()
    for number, (name, child) in enumerate(_members(value)):
        if number >= MEMBERS:
            texts.append(bounds.CUT)
            break
        text = bounds.mark() if bounds.is_spent() else part(child)
        text = OPTIMIZED_OUT if name in lost else text
        is_named = name and not name.startswith("[") and not name.strip("_").isdigit()
        if used + len(text) > longest and texts:
            if not is_named or used > longest:
                texts.append(bounds.CUT)
                break
            text = bounds.CUT
        texts.append("%s:%s" % (name, text) if is_named else text)
        used += len(texts[-1]) + 2
    return braces(value, texts or ([bounds.CUT] if count else []))


def braces(value, texts):
    """`{…}`; a struct of Rust with members by number is `Name(…)`."""
    first = value.GetChildAtIndex(0).GetName() if value.GetNumChildren() else None
    if Language.is_rust and first in ("0", "__0"):
        name = value.GetTypeName() or ""
        name = "" if name.startswith("(") else name.partition("<")[0].rpartition("::")[2]
        return "%s(%s)" % (name, ", ".join(texts))
    return "{%s}" % ", ".join(texts)


def _members(value, depth=0):
    """Names and values of the members, those of base classes and of anonymous members among
    them."""
    bases = _bases(value)
    for number in range(min(value.GetNumChildren(), MEMBERS + 1)):
        child = value.GetChildAtIndex(number)
        name = child.GetName() or ""
        is_inline = (not name or name in bases) and depth < 4 and child.GetNumChildren()
        if is_inline and not name.startswith("["):
            yield from _members(child, depth + 1)
        elif not _is_padding(name, child):
            yield name, child


def _is_padding(name, child):
    """A bit field without a name, which LLDB adds itself."""
    return not name and BIT_FIELD.search(child.GetTypeName() or "") is not None


def _bases(value):
    kind = value.GetType().GetCanonicalType()
    count = kind.GetNumberOfDirectBaseClasses()
    return {kind.GetDirectBaseClassAtIndex(number).GetName() for number in range(count)}


def part(value):
    """The text of a value inside another one."""
    value.SetPreferSyntheticValue(True)
    kind = value.GetType().GetCanonicalType()
    if kind.IsReferenceType():
        return target(value)
    if Language.is_rust and kind.GetBasicType() == lldb.eBasicTypeVoid:
        return "()"
    error = value.GetError()
    if error.Fail():
        return failed(error)
    if kind.IsPointerType() and value.GetValueAsUnsigned() == 0:
        return Language.null
    if kind.IsPointerType() and kind.GetPointeeType().IsFunctionType():
        return function(value, None)
    name = kind.GetUnqualifiedType().GetName()
    if name in BYTES or (name == "char" and Language.is_rust):
        return str((value.GetValueAsUnsigned if name == BYTES[0] else value.GetValueAsSigned)())
    text = value.GetSummary()
    if text and text.startswith("size="):
        return text.partition(" ")[2] or elements(value)
    if not text and kind.IsPointerType() and Language.is_rust:
        return _pointee(value)
    text = text or value.GetValue()
    if text:
        return text
    if trait_objects.is_one(value):
        return trait_objects.text(value)
    if value.GetNumChildren():
        return listed(value, INNER)
    return "{%s}" % bounds.CUT if has_no_length(kind) else "{}"


def has_no_length(kind):
    """A flexible array member: its type does not say how many elements it has."""
    return kind.IsArrayType() and (kind.GetName() or "").endswith("[]")


def failed(error):
    """The text of a value that has none."""
    words = error.GetCString() or ""
    return OPTIMIZED_OUT if words.startswith(line_tables.WITHOUT_PLACE) else "<%s>" % words


def _pointee(pointer):
    """What a reference or a Box of Rust stands for."""
    if pointer.Dereference().GetByteSize() == 0:
        return pointer.GetValue()  # The data of a trait object, whose type is not known.
    return target(pointer)


def target(pointer):
    """The text of what a pointer points to."""
    found = pointer.Dereference()
    if bounds.is_open(found):
        return bounds.CYCLE
    if found.IsValid() and not found.GetError().Fail():
        return part(found)
    pointee = pointer.GetType().GetCanonicalType().GetPointeeType()
    if unsized.is_one(pointee):
        return unsized.summary(pointer, None)
    return unreadable(pointer)


def unreadable(pointer):
    """The text of a pointer to memory that cannot be read."""
    return "<not readable: 0x%x>" % pointer.GetValueAsUnsigned()


def elements(value):
    """The first elements of a container, with their keys if it has them."""
    count, name = value.GetNumChildren(), value.GetType().GetCanonicalType().GetName() or ""
    keyed, texts = name.startswith((*KEYED, *RUST_KEYED, TREE)), []
    for number in range(min(count, ELEMENTS)):
        if texts and bounds.is_spent():
            break
        child = value.GetChildAtIndex(number)
        if not child.IsValid():
            break  # A map that contradicts its count.
        texts.append("%s: %s" % (child.GetName()[1:-1], part(child)) if keyed else part(child))
    texts += [bounds.mark()] if count > len(texts) else []
    return ("{%s}" if keyed else "[%s]") % ", ".join(texts)


def entry_text(entry):
    """`key: value` of an entry of a map."""
    halves = []
    for names in (("first", "__0", "0"), ("second", "__1", "1")):
        found = (entry.GetNonSyntheticValue().GetChildMemberWithName(name) for name in names)
        halves.append(next((part(half) for half in found if half.IsValid()), bounds.CUT))
    return ": ".join(halves)


def function(value, _dict):
    """The function that a pointer points to."""
    number = value.GetValueAsUnsigned()
    if MEMBER in (value.GetType().GetCanonicalType().GetName() or ""):
        # Two words, which LLDB reads as no number: the function, or an odd place in a table of
        # virtual functions; and what is added to `this`.
        number = value.GetData().GetUnsignedInt64(lldb.SBError(), 0)
        if number & 1:
            return VIRTUAL % (number // value.GetTarget().GetAddressByteSize())
    if number == 0:
        return Language.null
    address = lldb.SBAddress(number, value.GetTarget())
    return address.GetFunction().GetName() or address.GetSymbol().GetName() or value.GetValue()


ESCAPES = {code: "\\x%02x" % code for code in [*range(32), 127]}
ESCAPES.update({0: "\\0", 9: "\\t", 10: "\\n", 13: "\\r", 27: "\\e", 34: '\\"', 92: "\\\\"})


def quoted(data):
    """Bytes as a string literal."""
    try:
        return '"%s"' % data.decode("utf8").translate(ESCAPES)
    except UnicodeDecodeError:
        plain = (chr(one).translate(ESCAPES) if one < 127 else "\\x%02x" % one for one in data)
        return '"%s"' % "".join(plain)


# Characters of an array that are a text as a whole, zeros among them.
SHORT = 8
# As many bytes of an array as LLDB reads of a string (`target.max-string-summary-length`).
LONGEST_TEXT = 128 * 1024


def characters(value):
    """The text in an array, up to its zero: what is behind that is usually left of an earlier text.
    Bytes that begin with a zero, and a few, are displayed as a whole.
    """
    data, size = _beginning(value), value.GetByteSize()
    of = value.GetType().GetArrayElementType()
    return wide_prefix(of) + text_in(data, of.GetByteSize(), size > len(data))


def text_in(data, width, is_cut):
    """The text in the bytes of an array, of characters of a width."""
    if width > 1:
        data = data.decode(ENCODINGS[width], "replace").encode("utf8", "surrogatepass")
    text, zero, rest = data.partition(b"\0")
    whole = data.rstrip(b"\0")
    if not rest.strip(b"\0"):
        return quoted(text) + (bounds.CUT if is_cut and not zero else "")
    if text and len(whole) > SHORT:
        return quoted(text)
    return quoted(whole[:LONGEST]) + (bounds.CUT if len(whole) > LONGEST else "")


def _beginning(value):
    """The first bytes of an array: LLDB's own data are all of it."""
    size, error = value.GetByteSize(), lldb.SBError()
    address = value.GetLoadAddress() if size > LONGEST_TEXT else lldb.LLDB_INVALID_ADDRESS
    if address != lldb.LLDB_INVALID_ADDRESS:
        return value.GetProcess().ReadMemory(address, LONGEST_TEXT, error) or b""
    return bytes(value.GetData().ReadRawData(error, 0, size) or b"") if size else b""


bounded_summary = bounds.bounded(summary)
REGISTER = "type summary add -w %s -e -r -F aggregates.%s --recognizer-function aggregates.%s"


def register(debugger, category, recognizer, summary="bounded_summary -p"):
    debugger.HandleCommand(REGISTER % (category, summary, recognizer))


def is_function(type, _dict):
    """Recognizes pointers to functions of C and C++."""
    kind = type.GetCanonicalType()
    return not Language.is_rust and kind.IsPointerType() and kind.GetPointeeType().IsFunctionType()


def __lldb_init_module(debugger, _dict):
    register(debugger, "default", "applies")
    register(debugger, "default", "is_function", "function")
    # Bytes are numbers; LLDB takes them for characters.
    debugger.HandleCommand("type format add -w default -f u 'unsigned char'")
    debugger.HandleCommand("type format add -w default -f d 'signed char'")
