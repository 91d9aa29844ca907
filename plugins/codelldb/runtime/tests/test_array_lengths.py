"""Tests of array_lengths.py with the debug information of a small unit."""

import types
import unittest
import unittest.mock

import array_lengths
from array_lengths import Unit


def leb(number):
    found = bytearray()
    while True:
        found.append(number & 127 | (128 if number > 127 else 0))
        number >>= 7
        if not number:
            return bytes(found)


# Code: tag, whether there are entries inside, attributes as name and form.
ABBREVIATIONS = {
    1: (0x11, 1, [(0x03, 0x08)]),
    2: (0x17, 1, [(0x0B, 0x0B)]),
    3: (0x0D, 0, [(0x03, 0x08), (0x49, 0x13)]),
    4: (0x01, 1, [(0x49, 0x13)]),
    5: (0x21, 0, [(0x2F, 0x0B)]),
    6: (0x21, 0, [(0x2F, 0x18)]),
    7: (0x16, 0, [(0x03, 0x0E), (0x49, 0x13)]),
    8: (0x2E, 1, [(0x11, 0x01), (0x12, 0x07), (0x40, 0x18)]),
    9: (0x34, 0, [(0x03, 0x08), (0x49, 0x13)]),
    10: (0x0B, 1, []),
}


def abbreviations():
    found = b""
    for code, (tag, inside, pairs) in ABBREVIATIONS.items():
        forms = b"".join(leb(name) + leb(form) for name, form in [*pairs, (0, 0)])
        found += leb(code) + leb(tag) + bytes([inside]) + forms
    return found + b"\0"


class Debugged:
    """A unit with `union { int words[3]; int one; }` and a function with `int list[n]`."""

    def __init__(self, version=5):
        self.version, self.body = version, b""
        header = 12 if version == 5 else 11
        self.start = header
        end = b"\0"
        # The references are known before what refers to them.
        self.add(1, b"a.c\0")
        base = self.add(7, (4).to_bytes(4, "little"), bytes(4))
        words = self.add(4, base.to_bytes(4, "little"))
        self.add(5, b"\x02")
        self.body += end
        wrapped = self.add(7, bytes(4), words.to_bytes(4, "little"))
        self.add(2, b"\x0c")
        self.add(3, b"words\0", wrapped.to_bytes(4, "little"))
        self.add(3, b"one\0", base.to_bytes(4, "little"))
        self.body += end
        listed = self.add(4, base.to_bytes(4, "little"))
        self.add(6, b"\x04\x91\xb0\x7f\x06")
        self.add(5, b"\x01")
        self.body += end
        frame = (0x1000).to_bytes(8, "little") + (0x20).to_bytes(8, "little")
        self.add(8, frame, b"\x01\x9c")
        self.add(10)
        self.add(9, b"list\0", listed.to_bytes(4, "little"))
        self.add(9, b"words\0", words.to_bytes(4, "little"))
        self.body += end * 3

    def add(self, code, *parts):
        offset = self.start + len(self.body)
        self.body += leb(code) + b"".join(parts)
        return offset

    def section(self, name, offset, size):
        whole = {
            ".debug_info": self.unit(),
            ".debug_abbrev": abbreviations(),
            ".debug_str": b"\0int\0word_t\0",
        }
        return whole[name][offset : offset + size]

    def unit(self):
        rest = self.version.to_bytes(2, "little")
        rest += b"\x01\x08" + bytes(4) if self.version == 5 else bytes(4) + b"\x08"
        rest += self.body
        return len(rest).to_bytes(4, "little") + rest


class Frame:
    def __init__(self, thread, number, address):
        self.GetThread, self.GetFrameID = lambda: thread, lambda: number
        self.IsInlined, self.IsValid = lambda: False, lambda: True
        self.GetPCAddress = lambda: types.SimpleNamespace(GetFileAddress=lambda: address)


class Lengths(unittest.TestCase):
    def test_arrays_of_unions_have_the_length_of_their_type(self):
        for version in (4, 5):
            unit = Unit(Debugged(version).section, 0)
            with self.unit(unit):
                members = ["words", "one"]
                found = array_lengths.of_union(None, "mix_t", 12, members)
                self.assertEqual(found, {"words": 3})
                self.assertEqual(array_lengths.of_union(None, "mix_t", 16, members), {})
                self.assertEqual(array_lengths.of_union(None, "mix_t", 12, ["other"]), {})

    def test_variable_length_is_an_expression(self):
        unit = Unit(Debugged().section, 0)
        function = next(one for one in unit.entries.values() if one.tag == 0x2E)
        variables = {
            unit.name(one): unit.bounds(one)
            for one in array_lengths._below(function)
            if one.tag == 0x34
        }
        self.assertEqual(variables, {"list": [b"\x91\xb0\x7f\x06", 2], "words": [3]})

    def test_length_is_one_more_than_the_last_index(self):
        words = {1000 - 80: 39, 1000 - 8: (1 << 64) - 1, 1000 - 16: 1 << 40}
        place = array_lengths.locations.Place(
            {0: 7}.get, 1000, lambda address, size: words.get(address), None
        )
        for expression, expected in (
            (b"\x91\xb0\x7f\x06", 40),
            (b"\x91\x78\x06", 0),
            # Not believable: the declaration has not run.
            (b"\x91\x70\x06", None),
            (b"\x91\x68\x06", None),
            # A register, one that is not known, and a word that is computed with.
            (b"\x70\x00", 8),
            (b"\x71\x00", None),
            (b"\x91\xb0\x7f\x06\x31\x1c", 39),
            (b"\xff", None),
            (6, 6),
            (None, None),
        ):
            found = array_lengths.length(expression, None, place)
            self.assertEqual(found, expected, expression)
        place.cfa = None
        self.assertEqual(array_lengths.length(b"\x91\x78\x06", None, place), None)

    def test_length_is_that_of_a_variable_without_a_name(self):
        place = array_lengths._Place({5: 4}.get, 0, None, None, base=0x1000, address=0x1010)
        unit = unittest.mock.Mock(version=5)
        unit.section = lambda name, offset, size: {9: b"\x04\x08\x20\x02\x75\x01\x00"}[offset]
        variables = [{0x1C: 3}, {0x02: 9}, {0x02: b"\x3b\x9f"}, {}]
        unit.entries = {
            at: array_lengths.Entry(0x34, one) for at, one in enumerate(variables)
        }
        bound = array_lengths.Entry(0x21, {0x2F: array_lengths.Reference(2)})
        self.assertIs(array_lengths._length(bound), bound.get(0x2F))
        for at, expected in ((0, 4), (2, 12), (3, None), (4, None)):
            bound = array_lengths.Reference(at)
            self.assertEqual(array_lengths.length(bound, unit, place), expected, at)
        # The list describes where the number is.
        place.read = lambda address, size: {5: 10}.get(address)
        self.assertEqual(array_lengths.length(array_lengths.Reference(1), unit, place), 11)
        place.address = 0x1020
        self.assertEqual(array_lengths.length(array_lengths.Reference(1), unit, place), None)

    def test_number_is_passed_through_few_callers(self):
        """Each caller passes the number that it has got, and the last one passes 9."""
        entry, at_entry = array_lengths.Entry, b"\xa3\x01\x55"
        unit = unittest.mock.Mock(entries={0: entry(0x11, {})})
        for start, passed in ((0x1000, at_entry), (0x2000, b"\x39")):
            function = entry(0x2E, {0x11: start, 0x12: 0x20})
            call = entry(0x48, {0x7D: start + 0x10})
            call.inside = [entry(0x49, {0x02: b"\x55", 0x7E: passed})]
            function.inside, unit.entries[start] = [call], function
        for callers, expected in ((2000, None), (1, 9), (8, 9), (9, None)):
            thread = unittest.mock.Mock()
            thread.GetProcess().GetTarget().GetTriple.return_value = "x86_64-unknown-linux"
            frames = [Frame(thread, at, 0x1010) for at in range(callers)]
            frames.append(Frame(thread, callers, 0x2010))
            thread.GetFrameAtIndex = frames.__getitem__
            with self.unit(unit):
                place = array_lengths._place(frames[0], unit, unit.entries[0x1000])
                found = array_lengths.locations.computed(at_entry, place)
            self.assertEqual(found, expected, callers)

    def test_unknown_form_is_no_unit(self):
        with self.assertRaises(ValueError):
            Unit(Debugged().section, 0)._attribute(array_lengths.Bytes(b"\0" * 8), 0x16)

    def test_unit_has_its_ranges_in_the_table(self):
        word = lambda *numbers: b"".join(number.to_bytes(8, "little") for number in numbers)

        def ranges(unit, *pairs):
            rest = b"\x02\0" + unit.to_bytes(4, "little") + b"\x08\0" + bytes(4)
            rest += word(*pairs, 0, 0)
            return len(rest).to_bytes(4, "little") + rest

        table = ranges(0, 0x1000, 0x10) + ranges(77, 0x2000, 0x10, 0x3000, 4)
        found = [array_lengths._range(table, at) for at in (0x100F, 0x1010, 0x3003, 0)]
        self.assertEqual(found, [(0x1000, 0x1010, 0), None, (0x3000, 0x3004, 77), None])
        section = unittest.mock.Mock(return_value=table)
        self.addCleanup(array_lengths._ranges.clear)
        for at, unit in ((0x2001, 77), (0x2002, 77), (0x1000, 0), (5, None), (5, None)):
            self.assertEqual(array_lengths._offset_in(section, "a.out", at), unit)
        self.assertEqual(section.call_count, 3)

    def unit(self, unit):
        return unittest.mock.patch.object(array_lengths, "unit_of", lambda frame: unit)


if __name__ == "__main__":
    unittest.main()
