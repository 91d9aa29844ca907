"""Tests of pieces.py: locations as LLDB prints them."""

import unittest

import pieces


class EmptyPieces(unittest.TestCase):
    def check(self, location, size, expected):
        self.assertEqual(pieces.empty_pieces(location, size), expected, location)

    def test_pieces_without_a_place_are_found(self):
        self.check("DW_OP_reg5 RDI, DW_OP_piece 0x4, DW_OP_piece 0x4", 8, [(4, 8)])
        self.check("DW_OP_piece 0x8, DW_OP_reg3 RBX, DW_OP_piece 0x8", 16, [(0, 8)])
        self.check("[0x1040, 0x1044) -> DW_OP_piece 0x10", 16, [(0, 16)])
        computed = "DW_OP_breg5 RDI+1, DW_OP_stack_value, DW_OP_piece 0x4, DW_OP_piece 0x4"
        self.check(computed, 8, [(4, 8)])

    def test_end_without_a_piece_has_no_place(self):
        self.check("DW_OP_reg5 RDI, DW_OP_piece 0x4", 8, [(4, 8)])

    def test_other_locations_are_complete(self):
        self.check("DW_OP_reg5 RDI", 8, [])
        self.check("DW_OP_fbreg -24", 8, [])
        self.check("DW_OP_reg5 RDI, DW_OP_piece 0x4, DW_OP_reg4 RSI, DW_OP_piece 0x4", 8, [])
        self.check("", 8, [])

    def test_variables_are_found_by_name(self):
        text = (
            '         Block: id = {0x0000002e}, range = [0x1040-0x1060)\n'
            '      Variable: id = {0x00000071}, name = "p", type = "Point", valid ranges = <block>,'
            " location = DW_OP_reg5 RDI, DW_OP_piece 0x4, DW_OP_piece 0x4, decl = a.c:3\n"
            '      Variable: id = {0x00000080}, name = "n", type = "int", valid ranges = <block>,'
            " location = DW_OP_fbreg -20, decl = a.c:4\n"
        )
        expected = [
            ("p", "DW_OP_reg5 RDI, DW_OP_piece 0x4, DW_OP_piece 0x4"),
            ("n", "DW_OP_fbreg -20"),
        ]
        self.assertEqual(pieces.VARIABLE.findall(text), expected)


if __name__ == "__main__":
    unittest.main()
