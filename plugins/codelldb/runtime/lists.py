"""Elements of libstdc++'s lists, which LLDB 20 reads as its own values, after a search for a loop: a
list of 60,000 blocks it for more than ten seconds.

Here links are read as words of memory, as far as an element is wanted, and the list's own count is
its length. Patches LLDB's provider, does not replace it.
"""

import lldb
from lldb.formatters.cpp import gnu_libstdcpp

# Elements counted one by one where a list has no count.
LISTED = 1_000


class Nodes:
    """The addresses of a list's nodes, as far as they are read."""

    def __init__(self, read, first, end):
        self.read, self.next, self.end, self.found = read, first, end, []

    def at(self, index):
        """The address of a node; None: the list is shorter."""
        while len(self.found) <= index and self.next not in (0, None, self.end):
            self.found.append(self.next)
            self.next = self.read(self.next)
        return self.found[index] if index < len(self.found) else None


def _nodes(provider):
    process = provider.valobj.GetProcess()

    def read(address):
        error = lldb.SBError()
        found = process.ReadPointerFromMemory(address, error)
        return None if error.Fail() else found

    # Both kinds of lists begin with the link to the first node.
    return Nodes(read, provider.next.GetValueAsUnsigned(), provider.get_end_of_list_address())


def num_children(provider):
    if provider.count is None:
        size = provider.node.GetChildMemberWithName("_M_size")
        if not size.IsValid():
            size = provider.node.GetChildMemberWithName("_M_data")
        provider.nodes = _nodes(provider)
        provider.nodes.at(LISTED if not size.IsValid() else 0)
        known = size.GetValueAsUnsigned() if size.IsValid() else len(provider.nodes.found)
        provider.count = known if provider.nodes.found else 0
    return provider.count


def get_child_at_index(provider, index):
    if not 0 <= index < num_children(provider):
        return None
    node = provider.nodes.at(index)
    if node is None:
        return None
    word = provider.valobj.GetProcess().GetAddressByteSize()
    offset = (2 if provider.has_prev else 1) * word
    align = provider.data_type.GetByteAlign() or 1
    place = node + (offset + align - 1) // align * align
    return provider.valobj.CreateValueFromAddress("[%d]" % index, place, provider.data_type)


gnu_libstdcpp.AbstractListSynthProvider.num_children = num_children
gnu_libstdcpp.AbstractListSynthProvider.get_child_at_index = get_child_at_index
