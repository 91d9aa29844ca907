"""Entries of Rust's HashMap and HashSet, as far as they are wanted. rustc's provider reads the state
of every bucket as a value of LLDB's: a map of a million entries blocks it for a minute.

Knows hashbrown's table (hashbrown/src/raw.rs): a byte for each bucket, whose highest bit is set if
the bucket has no entry. Patches rustc's provider, does not replace it.
"""

import lldb

CHUNK = 4096


class Buckets:
    """The numbers of the buckets that have an entry, in order."""

    def __init__(self, read, count):
        self.read, self.count = read, count
        self.found, self.done = [], 0

    def __getitem__(self, index):
        while len(self.found) <= index and self.done < self.count:
            size = min(CHUNK, self.count - self.done)
            states = self.read(self.done, size)
            if not states:
                break
            self.found += [self.done + at for at, state in enumerate(states) if state < 128]
            self.done += size
        return self.found[index]


def _buckets(control, count):
    process, start = control.GetProcess(), control.GetValueAsUnsigned()
    return Buckets(lambda at, size: process.ReadMemory(start + at, size, lldb.SBError()), count)


def find(process, control, count, size, pattern, is_late):
    """The address of the entry with the key that a pattern finds, or None; and how many buckets were
    looked at if it was late. Entries are before the control bytes, the last one first.
    """
    for done in range(0, count, CHUNK):
        if is_late():
            return None, done
        here = min(CHUNK, count - done)
        start = control - (done + here) * size
        states = process.ReadMemory(control + done, here, lldb.SBError()) or b""
        data = process.ReadMemory(start, here * size, lldb.SBError()) or b""
        for at in pattern.places(data, size):
            bucket = here - 1 - at // size
            if bucket < len(states) and states[bucket] < 128:
                return start + at, None
    return None, None


def lazy(update):
    """The provider's `update`, which leaves the buckets unread. Tables of other layouts are left to
    its own.
    """

    def update_lazily(provider):
        table = provider.table()
        inner = table.GetChildMemberWithName("table")
        entry = table.GetType().GetTemplateArgumentType(0)
        if not entry.IsValid() or inner.GetChildMemberWithName("data").IsValid():
            return update(provider)
        entry = entry.GetTypedefedType() if entry.IsTypedefType() else entry
        control = inner.GetChildMemberWithName("ctrl").GetChildAtIndex(0)
        count = inner.GetChildMemberWithName("bucket_mask").GetValueAsUnsigned() + 1
        provider.size = inner.GetChildMemberWithName("items").GetValueAsUnsigned()
        provider.pair_type, provider.pair_type_size = entry, entry.GetByteSize()
        provider.new_layout, provider.data_ptr = True, control.Cast(entry.GetPointerType())
        provider.valid_indices = _buckets(control, count)
        provider.table_place = (
            control.GetProcess(), control.GetValueAsUnsigned(), count, entry.GetByteSize()
        )
        return False

    return update_lazily
