"""Which addresses are those of blocks that the program has freed.

Knows how LLDB lists memory; `heap` knows the lists of free blocks.
"""

import lldb

from heap import is_free_block


class Regions:
    """The regions of memory that were looked at during a stop, as address, end and whether it is
    the heap of the main thread.
    """

    def __init__(self):
        self.stop, self.found = None, []

    def heap_at(self, process, address):
        """Where the heap starts that has the address; None: it is elsewhere."""
        stop = process.GetUniqueID(), process.GetStopID()
        if stop != self.stop:
            self.stop, self.found = stop, []
        for start, end, is_heap in self.found:
            if start <= address < end:
                return start if is_heap else None
        region = lldb.SBMemoryRegionInfo()
        if process.GetMemoryRegionInfo(address, region).Fail():
            return None
        start, is_heap = region.GetRegionBase(), region.GetName() == "[heap]"
        self.found.append((start, region.GetRegionEnd(), is_heap))
        return start if is_heap else None


_regions = Regions()


def has(process, address):
    if address in (0, lldb.LLDB_INVALID_ADDRESS):
        return False
    start = _regions.heap_at(process, address)
    if start is None:
        return False

    def read(at):
        error = lldb.SBError()
        found = process.ReadUnsignedFromMemory(at, 8, error)
        if error.Fail():
            raise ValueError(error.GetCString())
        return found

    try:
        return is_free_block(address, start, read)
    except ValueError:
        return False
