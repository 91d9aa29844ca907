"""What iterators of C++'s containers point to: their summaries, `*it` and `it->`.

LLDB lists their members. Knows where libstdc++ has the element of a node; calls nothing.
"""

import lldb

import aggregates
import bounds
import library_texts

END = "<end>"
# Iterators that are a pointer, by the member that is it.
POINTERS = {
    "__gnu_cxx::__normal_iterator<": "_M_current",
    "std::_Deque_iterator<": "_M_cur",
}
# Iterators that point to a node, by the member with its address, and the bytes before the element.
NODES = {
    "std::_List_iterator<": ("_M_node", 16),
    "std::_List_const_iterator<": ("_M_node", 16),
    "std::_Fwd_list_iterator<": ("_M_node", 8),
    "std::_Fwd_list_const_iterator<": ("_M_node", 8),
    "std::_Rb_tree_iterator<": ("_M_node", 32),
    "std::_Rb_tree_const_iterator<": ("_M_node", 32),
    "std::__detail::_Node_iterator<": ("_M_cur", 8),
    "std::__detail::_Node_const_iterator<": ("_M_cur", 8),
}
BIT = "std::_Bit_reference"


def is_one(value):
    name = value.GetType().GetCanonicalType().GetName() or ""
    return name.startswith((*POINTERS, *NODES))


def target(value):
    """What the iterator points to; None: it is at the end, as far as that can be seen."""
    plain = value.GetNonSyntheticValue()
    type = plain.GetType().GetCanonicalType()
    start = (type.GetName() or "").partition("<")[0] + "<"
    if start in POINTERS:
        pointer = plain.GetChildMemberWithName(POINTERS[start])
        return pointer.Dereference() if pointer.GetValueAsUnsigned() else None
    name, before = NODES[start]
    node = plain.GetChildMemberWithName(name).GetValueAsUnsigned()
    element = _element(plain.GetTarget(), type)
    if not node or (before == 32 and _is_header(plain.GetProcess(), node)):
        return None
    align = max(element.GetByteAlign(), 1)
    place = node + (before + align - 1) // align * align
    return plain.CreateValueFromAddress("*", place, element)


def _element(target, type):
    """The iterator's first argument, which LLDB does not know of every class."""
    found = type.GetTemplateArgumentType(0)
    if found.IsValid():
        return found
    start, _, rest = type.GetName().partition("<")
    arguments = library_texts.arguments_of_template(type.GetName(), start + "<")
    return target.FindFirstType(arguments[0] if arguments else rest)


def _is_header(process, node):
    """The end of a tree is its header, which is red, and the parent of its parent."""
    error = lldb.SBError()
    colour = process.ReadUnsignedFromMemory(node, 4, error)
    parent = process.ReadPointerFromMemory(node + 8, error)
    if error.Fail() or colour != 0:
        return False
    return parent == 0 or process.ReadPointerFromMemory(parent + 8, error) == node


def summary(value, _dict):
    found = target(value)
    return END if found is None else aggregates.part(found)


def bit(value, _dict):
    """The bit of a `vector<bool>` that a reference stands for."""
    plain = value.GetNonSyntheticValue()
    word = plain.GetChildMemberWithName("_M_p").Dereference()
    mask = plain.GetChildMemberWithName("_M_mask").GetValueAsUnsigned()
    return "true" if word.GetValueAsUnsigned() & mask else "false"


summary, bit = bounds.bounded(summary), bounds.bounded(bit)


def __lldb_init_module(debugger, _dict):
    for start in (*POINTERS, *NODES):
        debugger.HandleCommand(
            "type summary add -p -F iterators.summary -x '^%s.+>$'" % start
        )
    debugger.HandleCommand("type summary add -p -F iterators.bit '%s'" % BIT)
