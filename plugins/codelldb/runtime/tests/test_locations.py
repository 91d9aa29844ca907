"""Tests of locations.py."""

import unittest

import locations


class Locations(unittest.TestCase):
    def setUp(self):
        registers = {2: (1 << 64) - 5, 4: 9, 5: 6}
        memory = {100: 77}
        self.place = locations.Place(
            registers.get, 116, lambda address, size: memory.get(address), {b"\x55": 3}.get
        )

    def test_expressions_are_computed(self):
        for expression, expected in (
            (b"\x3b\x9f", 11),
            # A register, and what it points to.
            (b"\x55", 6),
            (b"\x55\x9f", 6),
            (b"\x72\x00\x9f", -5),
            (b"\x91\x70", 77),
            (b"\x91\x70\x06\x9f", 77),
            # `rsi` as an `int`, less one: shifted up and down by 32.
            (b"\x74\x00\x08\x20\x24\x08\x20\x26\x31\x1c\x9f", 8),
            (b"\x72\x00\x08\x3c\x25\x9f", 15),
            (b"\x72\x00\x31\x26\x9f", -3),
            (b"\xa3\x01\x55\x23\x02\x9f", 5),
            (b"\x0b\xfe\xff\x32\x1e\x12\x22\x9f", -8),
            (b"\x35\x33\x16\x1c\x9f", -2),
            # An unknown register, an unknown operation, nothing to add, nothing at all.
            (b"\x71\x00\x9f", None),
            (b"\xfd", None),
            (b"\x31\x22", None),
            (b"", None),
            (b"\x08", None),
            (b"\xa3\x01\x54\x9f", None),
        ):
            self.assertEqual(locations.value(expression, self.place), expected, expression)

    def test_list_has_the_expression_of_an_address(self):
        offsets = b"\x09\x01\x02\x04\x10\x20\x01\x31\x04\x20\x21\x01\x32"
        moved = b"\x06" + (0x5000).to_bytes(8, "little") + b"\x04\x00\x08\x01\x33"
        long = b"\x08" + (0x7000).to_bytes(8, "little") + b"\x04\x01\x34\x00"
        whole = offsets + moved + long
        for address, expected in (
            (0x100F, None),
            (0x1010, b"1"),
            (0x1020, b"2"),
            (0x1021, None),
            (0x5007, b"3"),
            (0x7003, b"4"),
            (0x7004, None),
        ):
            found = locations.holding(whole, 5, 0x1000, address)
            self.assertEqual(found, expected, hex(address))
        self.assertEqual(locations.holding(whole[:7], 5, 0x1000, 0x1010), None)
        self.assertEqual(locations.holding(b"\x01\x00", 5, 0, 0), None)

    def test_list_of_dwarf_4_has_words(self):
        word = lambda *numbers: b"".join(number.to_bytes(8, "little") for number in numbers)
        whole = word(0x10, 0x20) + b"\x01\x001" + word((1 << 64) - 1, 0x5000)
        whole += word(0, 8) + b"\x01\x002" + word(0, 0)
        found = [locations.holding(whole, 4, 0x1000, at) for at in (0x1010, 0x5000, 0x5008)]
        self.assertEqual(found, [b"1", b"2", None])


if __name__ == "__main__":
    unittest.main()
