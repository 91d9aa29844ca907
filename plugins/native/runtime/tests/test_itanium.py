"""Tests of itanium.py with exceptions laid out in a memory of bytes."""

import struct
import unittest

import itanium

CLASS = 0x10000
POINTER = 0x11000
SI_CLASS = 0x12000


class Memory:
    """A program's memory, in which values are placed one after the other."""

    def __init__(self):
        self.blocks, self.next = {}, 0x20000
        self.kinds = {}
        for table, kind in (
            (CLASS, "N10__cxxabiv117__class_type_infoE"),
            (POINTER, "N10__cxxabiv119__pointer_type_infoE"),
            (SI_CLASS, "N10__cxxabiv120__si_class_type_infoE"),
        ):
            # Before the functions of a type_info is the type_info of its own class.
            own = self.place(self.words(0, self.text(kind)))
            self.blocks[table - 8] = self.words(own)

    def __call__(self, address, size):
        for start, block in self.blocks.items():
            if start <= address < start + len(block):
                return block[address - start :][:size].ljust(size, b"\0")
        raise ValueError("no memory at %#x" % address)

    @staticmethod
    def words(*words):
        return struct.pack("=%dQ" % len(words), *words)

    def place(self, block):
        address = self.next
        self.blocks[address] = block
        self.next += (len(block) + 127) // 64 * 64
        return address

    def text(self, text):
        return self.place(text.encode() + b"\0")

    def type(self, name, base=None, pointee=None):
        """A `std::type_info`."""
        if pointee is not None:
            return self.place(self.words(POINTER, self.text(name), 0, pointee))
        if base is not None:
            return self.place(self.words(SI_CLASS, self.text(name), base))
        return self.place(self.words(CLASS, self.text(name)))


class Texts(unittest.TestCase):
    def setUp(self):
        self.memory = Memory()
        self.runtime_error = self.memory.type("St13runtime_error")

    def thrown(self, text):
        return self.memory.place(self.memory.words(0, self.memory.text(text)))

    def text(self, exception, info):
        return itanium.exception_text(self.memory, exception, info)

    def test_text_is_that_of_the_standard_library(self):
        self.assertEqual(self.text(self.thrown("zwölf"), self.runtime_error), "zwölf")

    def test_derived_type_has_the_text_of_its_base(self):
        derived = self.memory.type("3Bad", base=self.runtime_error)
        self.assertEqual(self.text(self.thrown("bad"), derived), "bad")
        self.assertEqual(itanium.exception_type(self.memory, derived), "3Bad")

    def test_other_types_have_none(self):
        self.assertIsNone(self.text(self.thrown("x"), self.memory.type("3Own")))

    def test_characters_are_a_text(self):
        pointer = self.memory.place(self.memory.words(self.memory.text("by characters")))
        self.assertEqual(self.text(pointer, self.memory.type("PKc")), "by characters")

    def test_pointer_has_the_text_of_what_it_points_to(self):
        info = self.memory.type("PSt13runtime_error", pointee=self.runtime_error)
        pointer = self.memory.place(self.memory.words(self.thrown("by pointer")))
        self.assertEqual(self.text(pointer, info), "by pointer")

    def test_pointer_to_nowhere_has_none(self):
        info = self.memory.type("PSt13runtime_error", pointee=self.runtime_error)
        for address in (0, 16):
            pointer = self.memory.place(self.memory.words(address))
            self.assertIsNone(self.text(pointer, info))

    def test_class_is_found_by_its_name_and_its_bases(self):
        late = self.memory.type("N4shop4LateE", base=self.runtime_error)
        for names, found in (
            (["shop::Late"], True),
            (["Late"], True),
            (["std::runtime_error"], True),
            (["runtime_error"], True),
            (["std::logic_error", "shop::Late"], True),
            (["std::logic_error"], False),
            (["ate"], False),
            (["shop::late"], False),
            (["other::Late"], False),
        ):
            exception = self.thrown("too late")
            self.assertEqual(itanium.is_of_type(self.memory, exception, late, names), found, names)
        bases = itanium.exception_bases(self.memory, self.thrown("too late"), late)
        self.assertEqual(bases, ["St13runtime_error"])
        longer = self.memory.type("14LongerThanLate")
        self.assertFalse(itanium.is_of_type(self.memory, self.thrown("x"), longer, ["Late"]))


if __name__ == "__main__":
    unittest.main()
