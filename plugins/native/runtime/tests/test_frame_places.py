"""Tests of frame_places.py with texts of gdb and LLDB."""

import unittest

import frame_places

BASES = {"rbp": 0x1000, "rsp": 0x0F00}


class Named(unittest.TestCase):
    def test_offset_is_added_to_the_register(self):
        for text, place in (
            ("mov    %rax,-0x18(%rbp)", 0xFE8),
            ("mov    %rax,(%rsp)", 0xF00),
            ("movl   $0x5,-0x20(%rbp,%rax,4)", 0xFE0),
            ("leaq   0x8(%rsp), %rdi", 0xF08),
            ("movq   %rax, -8(%rbp)", 0xFF8),
            ("mov qword ptr [rbp - 0x18], rax", 0xFE8),
            ("mov QWORD PTR [rbp-0x18],rax", 0xFE8),
            ("mov eax, dword ptr [rsp]", 0xF00),
            ("mov dword ptr [rbp + 4*rax - 0x20], 5", 0xFE0),
            ("mov DWORD PTR [rbp+rax*4-0x20],0x5", 0xFE0),
            ("mov DWORD PTR [rsp+rcx*8+16],0x5", 0xF10),
            ("mov DWORD PTR [rbp+rax*4],0x5", 0x1000),
            ("mov dword ptr [rbp + rdx - 4], ecx", 0xFFC),
            ("mov dword ptr [rax + 4*rbp - 0x20], 5", None),
            ("mov    %rdi,%rax", None),
            ("mov    -0x18(%rax),%rdx", None),
            ("call   0x401136 <total_of(rbp)>", None),
            ("str    x0, [sp, #0x18]", None),
        ):
            self.assertEqual(frame_places.named_place(text, BASES), place, text)

    def test_part_of_a_value_is_named(self):
        texts = ["call   0x401136 <total_of>", "mov    %edx,-0x14(%rbp)"]
        for start, named in ((0xFE8, True), (0xFE9, True), (0xFE4, False), (0xFED, False)):
            found = frame_places.names_part(texts, BASES, start, 8)
            self.assertEqual(found, named, hex(start))


if __name__ == "__main__":
    unittest.main()
