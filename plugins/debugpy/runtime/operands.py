"""Where the operands of instructions come from, and the values that they have in a frame. Knows
bytecode; runs no code of the program, and does not decide what may run.
"""

import dis
import sys
import types
from collections import deque

import dapdock_plain as plain

FILLERS = {"CACHE", "EXTENDED_ARG", "NOP", "PRECALL", "KW_NAMES", "NOT_TAKEN"}


class Flow:
    """Finds where the operands come from of the operations whose effects depend on them: those that
    subscript, iterate and call. An origin is a tuple, None where it is not known:
    ("local", name), ("global", name), ("const", value), ("attr", origin, name),
    ("item", container, key), ("element", container), ("call", function, arguments),
    ("build", origins), ("any", origins), ("copy", origin), ("iter", origin).
    """

    def __init__(self, code, instructions):
        self.checks = {}
        self.stack = []  # its known upper part
        joins = {}  # offset -> the stacks with which jumps arrive
        begins = begins_of(code)
        for instruction in instructions:
            arrived = joins.pop(instruction.offset, [])
            if self.stack is not None:
                arrived.append(self.stack)
            self.stack = joined(arrived)
            self.offset = begins.get(instruction.offset, instruction.offset)
            target = instruction.argval if instruction.opcode in JUMPS else None
            if target is not None and "_OR_POP" in instruction.opname:
                joins.setdefault(target, []).append(list(self.stack))
                self.pop()
                continue
            self.run(instruction)
            if target is not None and target > instruction.offset:
                joins.setdefault(target, []).append(self.at_target(instruction.opname))
            if instruction.opname in ENDS:
                self.stack = None

    def at_target(self, name):
        if name == "FOR_ITER":  # `END_FOR` is there since Python 3.12
            return self.stack[:] if sys.version_info >= (3, 12) else self.stack[:-2]
        return self.stack[:] if "JUMP" in name else []

    def pop(self):
        return self.stack.pop() if self.stack else None

    def take(self, count):
        return [self.pop() for _ in range(count)][::-1]

    def check(self, *operation):
        self.checks.setdefault(self.offset, []).append(operation)

    def run(self, instruction):
        name, value, number = instruction.opname, instruction.argval, instruction.arg or 0
        push = self.stack.append
        if name.startswith(("LOAD_FAST", "LOAD_DEREF", "LOAD_CLASSDEREF")):
            self.stack.extend(("local", one) for one in names_of(instruction))
        elif name in ("LOAD_CONST", "LOAD_SMALL_INT"):
            push(("const", value))
        elif name in ("LOAD_GLOBAL", "LOAD_NAME", "PUSH_NULL"):
            found = [] if name == "PUSH_NULL" else [("global", value)]
            if not found or name == "LOAD_GLOBAL" and sys.version_info >= (3, 11) and number & 1:
                found.append(NULL)
            self.stack.extend(found if sys.version_info >= (3, 13) else found[::-1])
        elif name in ("LOAD_ATTR", "LOAD_METHOD"):
            push(("attr", self.pop(), value))
            if name == "LOAD_METHOD" or sys.version_info >= (3, 12) and number & 1:
                push(NULL)
        elif name in ("BINARY_SUBSCR", "BINARY_SLICE") or instruction.argrepr == "[]":
            container, key = self.take(3 if name == "BINARY_SLICE" else 2)[:2]
            if name == "BINARY_SLICE" or key == SLICE:
                push(("copy", container))
            else:
                self.check("item", container, key)
                push(("item", container, key))
        elif name in ("GET_ITER", "GET_YIELD_FROM_ITER"):
            iterated = self.pop()
            self.check("iterate", iterated)
            push(("iter", iterated))
        elif name == "FOR_ITER":
            push(("element", self.stack[-1] if self.stack else None))
        elif name in ("UNPACK_SEQUENCE", "UNPACK_EX"):
            unpacked = self.pop()
            self.check("iterate", unpacked)
            count = number if name == "UNPACK_SEQUENCE" else (number & 255) + (number >> 8) + 1
            self.stack.extend([("element", unpacked)] * count)
        elif name in ("LIST_EXTEND", "SET_UPDATE"):
            added = self.pop()
            self.check("iterate", added)
            if len(self.stack) >= number and (self.stack[-number] or NEW)[0] == "build":
                made = self.stack[-number][1]
                self.stack[-number] = "build", (*made, ("element", added))
        elif "_UNPACK" in name and "MAP" not in name:  # of Python 3.8
            for unpacked in self.take(number):
                self.check("iterate", unpacked)
            push(NEW)
        elif name.startswith("CALL") and name in CALLS:
            self.call(name, number)
        elif name == "SET_FUNCTION_ATTRIBUTE":
            del self.stack[-2:-1]
        elif name in ("DUP_TOP", "COPY"):
            depth = number if name == "COPY" else 1
            push(self.stack[-depth] if len(self.stack) >= depth else None)
        elif name == "SWAP":
            lower, *between, upper = self.take(number)
            self.stack.extend((upper, *between, lower))
        elif name in ("BUILD_LIST", "BUILD_TUPLE", "BUILD_SET"):
            push(("build", tuple(self.take(number))))
        elif name.startswith(GIVE_ONE):
            operands = self.take(1 - dis.stack_effect(instruction.opcode, instruction.arg))
            if name == "CONTAINS_OP" or name == "COMPARE_OP" and value in ("in", "not in"):
                self.check("iterate", operands[-1])
            push({"BUILD_SLICE": SLICE, "MAKE_FUNCTION": FUNCTION}.get(name, NEW))
        elif name.startswith(GIVE_NONE):
            is_last = name == "STORE_FAST_LOAD_FAST"
            self.take(1 if is_last else -dis.stack_effect(instruction.opcode, instruction.arg))
            if name.startswith("STORE_FAST"):
                stored = {("local", one) for one in names_of(instruction)}
                self.stack = [None if one in stored else one for one in self.stack]
            if is_last:
                self.stack.append(("local", value[-1]))
        elif name.startswith(("POP_JUMP", "JUMP_IF_NOT_EXC")):
            self.take(2 if "EXC" in name else 1)
        elif not name.startswith(("JUMP", "CALL_INTRINSIC_1", "LIST_TO_TUPLE")):
            self.stack = []

    def call(self, name, number):
        slots = 1 if name.startswith("CALL_FUNCTION") else 2
        has_names = name in ("CALL_FUNCTION_KW", "CALL_KW")
        if name == "CALL_FUNCTION_EX":
            slots = 2 if sys.version_info >= (3, 11) else 1
            number = 1 + (number & 1)
        operands = self.take(slots + number + has_names)[: slots + number]
        # Without NULL the first argument is in the second slot, as of a comprehension.
        function, *arguments = [one for one in operands if one != NULL]
        arguments = tuple(arguments)
        self.check("call", function, arguments)
        self.stack.append(("call", function, arguments))


NEW, NULL, SLICE, FUNCTION = ("new",), ("null",), ("slice",), ("function",)
CALLS = {"CALL", "CALL_FUNCTION", "CALL_FUNCTION_EX", "CALL_FUNCTION_KW", "CALL_KW", "CALL_METHOD"}
JUMPS = {*dis.hasjrel, *dis.hasjabs}
ENDS = {"JUMP_ABSOLUTE", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "JUMP_FORWARD", "RERAISE",
        "RAISE_VARARGS", "RETURN_CONST", "RETURN_VALUE"}  # fmt: skip
# Begins of names of instructions that push one new value in place of their operands, or nothing.
GIVE_ONE = ("BINARY_", "BUILD_", "COMPARE_OP", "CONTAINS_OP", "CONVERT_VALUE", "FORMAT_",
            "INPLACE_", "IS_OP", "LOAD_", "MAKE_FUNCTION", "TO_BOOL", "UNARY_")  # fmt: skip
GIVE_NONE = ("DELETE_", "DICT_", "END_FOR", "LIST_APPEND", "MAP_ADD", "POP_TOP", "SET_ADD",
             "STORE_")  # fmt: skip


class Values:
    """Reads values of a frame by their origins, without running code of the program."""

    def __init__(self, frame, returned):
        self.frame = frame
        self.names = frame.f_locals
        self.returned = returned  # what a call in Python may have returned

    def values(self, origin):
        """The values that the operand may have, as far as reading them may have effects."""
        if origin is None:
            return None
        read = getattr(self, "values_of_" + origin[0], None)
        return [] if read is None else read(*origin[1:])

    def all_of(self, origins):
        found = list(map(self.values, origins))
        return None if None in found else [value for values in found for value in values]

    values_of_any = all_of

    def values_of_local(self, name):
        return [self.names[name]] if name in self.names else []

    def values_of_const(self, value):
        return [value]

    values_of_copy = values_of_iter = values

    def values_of_global(self, name):
        scopes = self.names, self.frame.f_globals, self.frame.f_builtins
        return [names[name] for names in scopes if name in names][:1]

    def values_of_attr(self, origin, name):
        found = self.values(origin)
        if found is None:
            return None
        return [value for one in found for value in self.attribute(one, name)]

    def attribute(self, value, name):
        if plain.is_a(value, type):
            entry = plain.lookup(value, name)[0]
            if plain.is_exactly(entry, staticmethod, classmethod, types.ClassMethodDescriptorType):
                return [entry.__get__(None, value)]
            return self.returned if entry is None else [entry]
        entry, owner = plain.lookup(type(value), name)
        stored = plain.own_dict(value) or {}
        if plain.is_exactly(entry, property):
            return self.returned
        if owner is not None and plain.is_exactly(entry, *plain.DESCRIPTORS):
            try:
                return [entry.__get__(value, type(value))]
            except Exception:
                return []
        if dict.__contains__(stored, name):
            return [dict.__getitem__(stored, name)]
        if plain.is_exactly(entry, staticmethod, classmethod, *plain.ROUTINES):
            return [entry.__get__(value, type(value))]
        return self.returned if entry is None else [entry, *self.returned]

    def values_of_item(self, container, key):
        found, keys = self.values(container), self.values(key)
        if found is None:
            return None
        values = list(self.returned)
        is_one = container[0] != "copy" and keys and all(map(is_simple, keys))
        for one in found:
            if is_one and plain.is_a(one, dict):
                values.extend(dict.get(one, name) for name in keys)
            elif is_one and plain.is_exactly(one, list, tuple):
                places = range(-len(one), len(one))
                values.extend(one[at] for at in keys if type(at) is int and at in places)
            else:
                values.extend(dict.values(one) if plain.is_a(one, dict) else elements_of(one))
        return values

    def values_of_element(self, origin):
        while origin is not None and origin[0] == "iter":
            origin = origin[1]
        if origin is not None and origin[0] == "build":
            return self.all_of(origin[1])
        found = self.values(origin)
        return None if found is None else [value for one in found for value in elements_of(one)]

    def values_of_call(self, function, arguments):
        functions = [] if function == FUNCTION else self.values(function)
        if functions is None:
            return None
        values = list(self.returned)
        for one in functions:
            owner = getattr(one, "__self__", None) if plain.is_exactly(one, *NATIVE) else None
            if one is iter:
                found = self.values(arguments[0])
            elif one is getattr and len(arguments) > 1 and arguments[1][:1] == ("const",):
                found = self.values_of_attr(arguments[0], arguments[1][1])
            elif plain.is_a(owner, dict) and one.__name__ in ("get", "pop", "__getitem__"):
                found = self.values_of_item(("const", owner), arguments[0] if arguments else None)
                found = found and found + (self.all_of(arguments[1:]) or [])
            elif plain.is_a(owner, dict) and one.__name__ == "values":
                found = [list(dict.values(owner))]
            elif one in PASSING if plain.is_exactly(one, *NATIVE, type) else False:
                found = self.all_of([("element", argument) for argument in arguments])
                if one in COPYING:
                    found = [found] if found else found
            else:
                continue
            if found is None:
                return None
            values.extend(found)
        return values


NATIVE = (types.BuiltinFunctionType, types.MethodDescriptorType, types.MethodWrapperType,
          types.WrapperDescriptorType, types.ClassMethodDescriptorType)  # fmt: skip
COPYING = {list, tuple, sorted, set}
PASSING = {next, max, min, *COPYING}  # return elements of their arguments


def is_simple(key):
    """Whether hashing and comparing it runs no code of the program."""
    if type(key) is tuple:
        return all(map(is_simple, key))
    return plain.is_exactly(key, str, int, bytes, float, bool, type(None), type)


def elements_of(value):
    for kind in (dict, list, tuple, set, frozenset, deque):
        if plain.is_a(value, kind):
            return list(kind.__iter__(value))
    return []


def joined(stacks):
    """The stack where jumps meet, as far as all of them know it."""
    depth = min(map(len, stacks), default=0)
    columns = zip(*(stack[len(stack) - depth :] for stack in stacks))
    return [one[0] if one.count(one[0]) == len(one) else ("any", one) for one in columns]


def begins_of(code):
    """For instructions with fillers the offset where the interpreter reports them."""
    begins, first = {}, None
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("EXTENDED_ARG", "PRECALL"):
            first = instruction.offset if first is None else first
        elif instruction.opname not in FILLERS:
            if first is not None:
                begins[instruction.offset] = first
            first = None
    return begins


def list_of(code):
    return [found for found in dis.get_instructions(code) if found.opname not in FILLERS]


def names_of(store):
    return store.argval if type(store.argval) is tuple else (store.argval,)
