# Member functions of C++'s library that only read, for expressions: the program has not compiled
# most of them, and gdb calls none without permission.
#
# gdb prefers these to functions of the program. Knows libstdc++'s members.

import gdb.xmethod


class Call(gdb.xmethod.XMethodWorker):
    """A member function of a class: the number of its arguments, and what reads its result."""

    failure = None  # Why the last one failed: gdb reports only that it did.

    def __init__(self, arguments, read):
        self.arguments, self.read = arguments, read

    def get_arg_types(self):
        return [gdb.lookup_type("unsigned long")] * self.arguments or None

    def get_result_type(self, value, *arguments):
        """gdb asks for the type of a call that `&&` does not reach, too."""
        try:
            return self(value, *arguments).type
        except Exception:
            return element_type(owner_type(value))

    def __call__(self, value, *arguments):
        Call.failure = None
        try:
            # gdb gives the object itself or a pointer to it.
            is_pointer = value.type.strip_typedefs().code in POINTERS
            owner = value.referenced_value() if is_pointer else value
            found = self.read(owner, *map(int, arguments))
        except Exception as error:
            Call.failure = str(error) or repr(error)
            raise
        if isinstance(found, bool):
            return gdb.Value(int(found)).cast(gdb.lookup_type("bool"))
        if isinstance(found, int):
            return gdb.Value(found).cast(gdb.lookup_type("unsigned long"))
        return found


def owner_type(value):
    ty = value.type.strip_typedefs()
    return ty.target().strip_typedefs() if ty.code in POINTERS else ty


def element_type(ty):
    """The type of the elements of a container, or of what an iterator points to."""
    first = ty.template_argument(0)
    return first.target() if (ty.tag or "").startswith("__gnu_cxx::__normal_iterator<") else first


def at(count, element):
    """The function that reads an element by its number, which it checks."""

    def read(value, index):
        size = count(value)
        if not 0 <= index < size:
            raise gdb.GdbError("it has no element %d; it has %d" % (index, size))
        return element(value, index)

    return read


def sequence(count, element, *names):
    """The functions of a container that has elements by number."""
    checked = at(count, element)
    found = {
        "size": (0, count),
        "empty": (0, lambda value: count(value) == 0),
        "operator[]": (1, checked),
        "at": (1, checked),
        "front": (0, lambda value: checked(value, 0)),
        "back": (0, lambda value: checked(value, max(count(value), 1) - 1)),
    }
    return {name: found[name] for name in names or found}


def deque_count(value):
    start, finish = value["_M_impl"]["_M_start"], value["_M_impl"]["_M_finish"]
    if not int(start["_M_node"]):
        return 0
    between = int(finish["_M_node"] - start["_M_node"]) * deque_block(value)
    return between + int(finish["_M_cur"] - finish["_M_first"]) - deque_offset(value)


def deque_block(value):
    """The elements of a block."""
    return 512 // value.type.strip_typedefs().template_argument(0).sizeof or 1


def deque_offset(value):
    """The unused places of the first block."""
    start = value["_M_impl"]["_M_start"]
    return int(start["_M_cur"] - start["_M_first"])


def deque_element(value, index):
    block, place = divmod(index + deque_offset(value), deque_block(value))
    return value["_M_impl"]["_M_start"]["_M_node"][block][place]


def vector_count(value):
    first, end = value["_M_impl"]["_M_start"], value["_M_impl"]["_M_finish"]
    if first.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
        return int(end - first)
    bits = 8 * first["_M_p"].dereference().type.sizeof
    between = int(end["_M_p"] - first["_M_p"]) * bits
    return between + int(end["_M_offset"]) - int(first["_M_offset"])


def vector_element(value, index):
    first = value["_M_impl"]["_M_start"]
    if first.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
        return first[index]
    bits = 8 * first["_M_p"].dereference().type.sizeof
    word, bit = divmod(index + int(first["_M_offset"]), bits)
    return bool(int(first["_M_p"][word]) >> bit & 1)


def span_count(value):
    stored = first_member(value, "_M_extent._M_extent_value")
    return int(stored if stored is not None else value.type.strip_typedefs().template_argument(1))


def bit_count(value):
    return int(value.type.strip_typedefs().template_argument(0))


def bit(value, index):
    words = value["_M_w"]
    is_one = words.type.strip_typedefs().code != gdb.TYPE_CODE_ARRAY
    bits = 8 * (words.type if is_one else words.type.target()).sizeof
    word = words if is_one else words[index // bits]
    return bool(int(word) >> index % bits & 1)


def inner(name):
    """A function of the container inside a `std::stack` and the like."""

    def read(value):
        container = value["c"]
        owner = call_of(container.type.strip_typedefs(), name)
        return owner.read(container)

    read.inner = name
    return 0, read


def engaged(value):
    return bool(value["_M_payload"]["_M_engaged"])


def contained(value):
    if not engaged(value):
        raise gdb.GdbError("it has no value")
    found = value["_M_payload"]["_M_payload"]
    return found["_M_value"]


def owners(value):
    counts = value["_M_refcount"]["_M_pi"]
    return int(counts["_M_use_count"]) if int(counts) else 0


def atomic_value(value):
    return first_member(value, "_M_i", "_M_base._M_i", "_M_b._M_p", "_M_fp")


# The functions that return the text of an error; `what` is the third one of `std::exception`.
ERROR_TEXT = Pattern(r"<std::(logic_error|runtime_error)::what\(\) const>$")
WHAT = 16


def what(value):
    """The text of an error, whose class may be declared only. Other functions than the library's
    are called, if that is allowed.
    """
    place = int(value.address)
    function = memory_word(memory_word(place) + WHAT)
    called = gdb.parse_and_eval("(const char *(*)(unsigned long)) %d" % function)
    if ERROR_TEXT.search(str(called)):
        return gdb.parse_and_eval("(const char *) %d" % memory_word(place + 8))
    return called.dereference()(place)


def alternative(value):
    """The number of the alternative; without one all bits are set, as in `size_t`."""
    index = value["_M_index"]
    number = int(index)
    return 2**64 - 1 if number == 2 ** (8 * index.type.sizeof) - 1 else number


def address_of(read):
    return 0, lambda value: read(value).address


TEXT_CALLS = sequence(
    lambda value: int(value["_M_string_length"]),
    lambda value, index: value["_M_dataplus"]["_M_p"][index],
)
TEXT_CALLS["length"] = TEXT_CALLS["size"]
TEXT_CALLS["c_str"] = (0, lambda value: value["_M_dataplus"]["_M_p"])
VIEW_CALLS = sequence(
    lambda value: int(value["_M_len"]), lambda value, index: value["_M_str"][index]
)
VIEW_CALLS.update(length=VIEW_CALLS["size"], data=(0, lambda value: value["_M_str"]))
SPAN_CALLS = sequence(span_count, lambda value, index: value["_M_ptr"][index])
SPAN_CALLS["data"] = (0, lambda value: value["_M_ptr"])
BIT_CALLS = {
    **sequence(bit_count, bit, "size", "operator[]"),
    "test": (1, at(bit_count, bit)),
    "count": (0, lambda value: sum(bit(value, number) for number in range(bit_count(value)))),
}
OPTIONAL_CALLS = {
    "operator*": (0, contained),
    "operator->": address_of(contained),
    "value": (0, contained),
    "has_value": (0, engaged),
}
ITERATOR_CALLS = {"operator*": (0, iterated), "operator->": address_of(iterated)}
OWNER_CALLS = {"use_count": (0, owners), "expired": (0, lambda value: owners(value) == 0)}
ADAPTOR_CALLS = {name: inner(name) for name in ("size", "empty", "front", "back")}
# Classes of which gdb's library has wrong functions are here, too (deque, vector).
CALLS = [
    (Pattern(pattern), calls)
    for pattern, calls in (
        (r"^std::(__cxx11::)?basic_string<", TEXT_CALLS),
        (r"^std::basic_string_view<", VIEW_CALLS),
        (r"^std::span<", SPAN_CALLS),
        (r"^std::bitset<", BIT_CALLS),
        (r"^std::optional<", OPTIONAL_CALLS),
        (r"^std::(exception|%s)$" % ERRORS, {"what": (0, what)}),
        (r"^std::stack<", {**ADAPTOR_CALLS, "top": inner("back")}),
        (r"^std::priority_queue<", {**ADAPTOR_CALLS, "top": inner("front")}),
        (r"^std::queue<", ADAPTOR_CALLS),
        (r"^std::(shared|weak)_ptr<", OWNER_CALLS),
        (r"^std::atomic<", {"load": (0, atomic_value)}),
        (r"^std::any$", {"has_value": (0, lambda value: int(value["_M_manager"]) != 0)}),
        (r"^std::variant<", {"index": (0, alternative)}),
        (r"^std::chrono::duration<", {"count": (0, lambda value: value["__r"])}),
        (r"^std::reference_wrapper<", {"get": (0, lambda v: v["_M_data"].dereference())}),
        (r"^std::(_V2::)?error_code$", {"value": (0, lambda value: value["_M_value"])}),
        (ITERATOR.pattern, ITERATOR_CALLS),
    )
]
MENDED = {
    "deque": sequence(deque_count, deque_element),
    "vector": sequence(vector_count, vector_element),
}


def call_of(ty, name):
    """The function of this name, if the class has it here."""
    tag = ty.tag or ""
    known = CALLS + [(Pattern("^std::%s<" % one), calls) for one, calls in MENDED.items()]
    calls = next((calls for pattern, calls in known if pattern.match(tag)), {})
    return Call(*calls[name]) if name in calls and is_known(ty, calls[name][1]) else None


def is_known(ty, read):
    """Whether the class has the members that the function reads."""
    types = {field.name: field.type.strip_typedefs() for field in ty.fields()}
    if hasattr(read, "inner"):
        return "c" in types and call_of(types["c"], read.inner) is not None
    return not ty.tag.startswith("std::basic_string<") or "_M_string_length" in types


def with_name(ty):
    """The class, if it has a name: gdb 18 ends with SIGSEGV where it calls a lambda."""
    if not ty.strip_typedefs().tag:
        Call.failure = "gdb calls no function of a class without a name, like a lambda's"
        raise gdb.GdbError(Call.failure)
    return ty


class Library(gdb.xmethod.XMethodMatcher):
    def __init__(self):
        super().__init__("library")
        self.methods = []

    def match(self, class_type, method_name):
        ty = with_name(class_type.strip_typedefs())
        return call_of(ty, method_name) or lookups_of(ty, method_name) or None


def mend(matcher):
    """Switches off those functions of libstdc++'s own script that are wrong: its deque counts from
    the beginning of the first block, its vector reads behind the last element, and the counts of a
    shared pointer fail.
    """
    match = matcher.match
    matcher.match = lambda ty, name: match(with_name(ty), name)
    if matcher.name in ("libstdc++::deque", "libstdc++::vector"):
        matcher.enabled = False
    if matcher.name == "libstdc++::shared_ptr":
        for method in matcher.methods:
            method.enabled = method.enabled and method.name not in ("use_count", "unique")


IN_PYTHON = Pattern("executing Python code|workers defined in Python")


@part
def library_calls():
    from gdb.dap import evaluate
    from gdb.dap.startup import DAPException

    read, register = evaluate.parse_and_eval, gdb.xmethod.register_xmethod_matcher

    def read_or_say_why(*args, **more):
        Call.failure = None
        try:
            return read(*args, **more)
        except Exception as error:
            if IN_PYTHON.search(str(error)) and Call.failure:
                raise DAPException(Call.failure) from error
            raise

    def register_mended(locus, matcher, *args, **more):
        mend(matcher)
        return register(locus, matcher, *args, **more)

    evaluate.parse_and_eval = read_or_say_why
    gdb.xmethod.register_xmethod_matcher = register_mended
    for place in (*gdb.objfiles(), gdb.current_progspace(), gdb):
        for matcher in place.xmethods:
            mend(matcher)
    register(None, Library())
