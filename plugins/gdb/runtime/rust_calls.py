# Member functions of Rust's library that only read, elements of its containers and names of the
# user's modules, for expressions: gdb finds functions that the program has compiled, and subscripts
# arrays.
#
# An expression that gdb refuses is read piece by piece: a chain of members, subscripts and calls
# becomes a convenience variable with its value.

PRIMARY = Pattern(r"(?:[A-Za-z_]\w*(?:::\w+)*|\$\w+)(?![\w:!])")
CALL = Pattern(r"\w\s*\(")
STEP_OF_RUST = Pattern(r"\s*(?:\.\s*(\w+)|(?=\[))")
# Operators between two operands that may also be before one, and what ends the one before.
BETWEEN = Pattern(r"&&?|\*")
OPERAND_BEFORE = Pattern(r"[\w)\]\"']\s*$")
UNKNOWN_NAME = Pattern(r"No symbol '([\w:]+)' in current context")
RELATIVE = Pattern(r"(?<![\w:.])(?:crate|self|super)::(?:super::)*(?=[A-Za-z_])")
SIZE = Pattern(r"\(size=(\d+)\)$")
OWNER = Pattern(r"^alloc::(rc::Rc|sync::Arc)<")
# The end of a displayed text that is cut.
CUT = "..."
SAME = ("as_ref", "as_deref", "as_str", "as_slice", "as_mut", "clone", "borrow", "iter")
USE = "Use fields, indexing, .len(), .is_empty(), .contains() or .unwrap()"


def steps_of(text, at):
    """The steps of a chain from here on: name, arguments or subscript, and where each ends."""
    steps = []
    while True:
        found = STEP_OF_RUST.match(text, at)
        if not found:
            return steps
        at = found.end()
        inside = None
        if text.startswith("(" if found[1] else "[", at):
            at = closing_of(text, at)
            inside = text[found.end() + 1 : at - 1]
        steps.append((found[1], inside, at))


class Chains:
    """The values of an expression's chains by their places, or their errors. Each chain is read
    once, as it may call functions of the program.
    """

    def __init__(self, text):
        self.text, self.found = text, {}

    def value(self, start, name_end, end):
        if start not in self.found:
            try:
                self.found[start] = value_of_chain(self.text[start:end], name_end - start)
            except (gdb.error, gdb.GdbError) as error:
                self.found[start] = error
        found = self.found[start]
        if isinstance(found, Exception):
            raise found
        return found


def with_values(text):
    """The expression with the values of its chains and its comparisons of texts."""
    parts, at, count, chains = [], 0, 0, Chains(text)
    while at < len(text):
        if BETWEEN.match(text, at) and OPERAND_BEFORE.search("".join(parts)):
            end = BETWEEN.match(text, at).end()
            parts.append(text[at:end])
            at = end
            continue
        operands = comparison_at(text, at)
        holds = compared(*operands, chains) if operands else None
        if holds is not None:
            parts.append("true" if holds else "false")
            at = operands[2].end
            continue
        quoted = TEXTS.match(text, at)
        primary = None if quoted else PRIMARY.match(text, at)
        end = (quoted or primary).end() if quoted or primary else at + 1
        steps = steps_of(text, end) if primary else []
        if steps:
            end = steps[-1][2]
            name = "_value%d" % count
            count += 1
            gdb.set_convenience_variable(name, chains.value(at, primary.end(), end))
            parts.append("$" + name)
        else:
            parts.append(text[at:end])
        at = end
    return "".join(parts)


def operands_of(text, sign):
    """The operands of `||` or `&&` that are in no bracket and no quotes."""
    operands, start, at = [], 0, 0
    while at < len(text):
        quoted = TEXTS.match(text, at)
        if quoted:
            at = quoted.end()
        elif text[at] in "([{":
            at = closing_of(text, at)
        elif text.startswith(sign, at) and OPERAND_BEFORE.search(text[start:at]):
            operands.append(text[start:at])
            start = at = at + len(sign)
        else:
            at += 1
    return operands + [text[start:]]


def read_in_pieces(text):
    """The value of an expression; of a chain alone the one in the program, which can be set. What
    an operand before it decides is not read: `some.is_some() && some.unwrap() > 1`.
    """
    for sign, decides in (("||", True), ("&&", False)):
        operands = operands_of(text, sign)
        if len(operands) > 1:
            decided = any(is_true(read_in_pieces(one)) is decides for one in operands)
            return truth(decides if decided else not decides)
    text = text.strip()
    target = target_in(text)
    if target is not None:
        return target
    found = PRIMARY.match(text)
    steps = steps_of(text, found.end()) if found else []
    if steps and steps[-1][2] == len(text):
        return value_of_chain(text, found.end())
    return with_own_names(with_values(text))


def target_in(text):
    """The value of `*` and a name or a chain alone, where it is no plain pointer; None: it is not
    that.
    """
    operand = text[1:].strip() if text.startswith("*") else ""
    if operand.startswith("*"):
        value = target_in(operand)
        return referred(value) if value is not None else None
    found = PRIMARY.match(operand)
    steps = steps_of(operand, found.end()) if found else []
    if found is None or (steps[-1][2] if steps else found.end()) != len(operand):
        return None
    return referred(value_of_chain(operand, found.end()))


def value_of_chain(text, end):
    value, before, is_element = with_own_names(text[:end]), end, False
    for name, inside, end in steps_of(text, end):
        owner, of_option = text[:before].strip(), is_element and name in ("unwrap", "expect")
        is_element = inside is not None and name in ("get", "first", "last")
        is_element = is_element and length_of(value) is not None
        if of_option:
            pass  # `element_of` has given it already.
        elif inside is None:
            value = member_of(value, name)
        elif name is None:
            value = subscripted(value, owner, read_once(inside.strip()))
        else:
            value = called_method(value, owner, name, inside.strip())
        before = end
    return value


def read_once(text):
    """An argument or a subscript that is read several times: its value takes the place of one that
    calls a function.
    """
    if ".." in text or not CALL.search(TEXTS.sub("", text)):
        return text  # gdb reads a range once.
    value = read_in_pieces(text.lstrip("& "))
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_INT:
        return str(int(value))
    gdb.set_convenience_variable("_argument", value)
    return "$_argument"


def by_gdb(value, suffix):
    gdb.set_convenience_variable("_owner", value)
    return gdb.parse_and_eval("$_owner" + suffix)


def member_of(value, name):
    """A member of a structure, or of what a pointer, a trait object, an Rc or an Arc refers to."""
    owner, printer = container_in(value)
    if is_trait_pointer(owner.type.strip_typedefs()):
        owner = trait_objects.object_of(owner)
    elif OWNER.match(str(owner.type.name or "")):
        owner = next((one for _, one in printer.children()), owner)
    found = field_of(owner, name)
    return found if found is not None else by_gdb(owner, "." + name)


def field_of(value, name):
    """The member in the program, which can be set: a convenience variable is a copy."""
    ty = value.type.strip_typedefs()
    names = [one.name for one in ty.fields()] if ty.code in TYPES else ()
    return next((value[one] for one in (name, "__" + name) if one in names), None)


def with_own_names(text):
    """The value of an expression, whose names may begin in a module around the frame's function."""
    try:
        return gdb.parse_and_eval(text)
    except gdb.error as error:
        unknown = UNKNOWN_NAME.match(str(error))
        for full in full_names(text, unknown, modules_of(str(gdb.selected_frame().name()))):
            try:
                return gdb.parse_and_eval(full)
            except gdb.error:
                continue
        raise


def full_names(text, unknown, modules):
    """The expressions that one with an unknown name may be: with the name in each of the modules
    around, the innermost first. `super` of a method is that of the module around its type.
    """
    if modules and RELATIVE.search(text):
        for outer in (0, 1):
            yield RELATIVE.sub(lambda path: module_path(path[0], modules[outer:]), text)
    elif unknown:
        for module in modules:
            name = "%s::%s" % (module, unknown[1])
            yield re.sub(r"(?<![\w:])%s\b" % unknown[1], name, text)


def module_path(path, modules):
    """The whole path of a module that begins with `crate`, `self` or `super`."""
    up = path.count("super")
    if path.startswith("crate"):
        return modules[-1] + "::" if modules else path
    return modules[up] + "::" if up < len(modules) else path


def modules_of(function):
    """The modules around a function, the innermost first: `a::b` and `a` of `<a::b::T as U>::f`."""
    path = re.match(r"[<&*\s]*((?:\w+::)+)", function)
    names = path[1].split("::")[:-1] if path else []
    return ["::".join(names[:count]) for count in range(len(names), 0, -1)]


def container_in(value):
    """The value, or what its references refer to, with its printer."""
    for _ in range(TEXT_LEVELS):
        ty = value.type.strip_typedefs()
        if ty.code != gdb.TYPE_CODE_PTR:
            break
        value = value.referenced_value()
    return value, gdb.default_visualizer(value)


def length_of(value):
    """The number of elements of a container, or of the bytes of a text; None: it has none."""
    value, printer = container_in(value)
    ty = value.type.strip_typedefs()
    if ty.code == gdb.TYPE_CODE_ARRAY:
        return ty.range()[1] - ty.range()[0] + 1
    size = SIZE.search(str(printer.to_string() or "")) if printer is not None else None
    if size and not hasattr(printer, "counts"):
        return int(size[1])
    if str(ty.name) == "alloc::string::String":
        return int(value["vec"]["len"])
    is_slice = ty.code in TYPES and first_member(value, "data_ptr") is not None
    return int(value["length"]) if is_slice else None


def elements_of(value):
    """The elements of a container as pairs of a displayed key and a value."""
    value, printer = container_in(value)
    ty = value.type.strip_typedefs()
    first = first_member(value, "data_ptr") if ty.code in TYPES else None
    if ty.code == gdb.TYPE_CODE_ARRAY or first is not None:
        owner = value if first is None else first
        return (("[%d]" % at, owner[at]) for at in range(length_of(value)))
    if not hasattr(printer, "children"):
        return iter(())
    listed = printer.children()
    if hint_of(printer) != "map":
        return (("[%d]" % at, one) for at, (_, one) in enumerate(listed))
    return ((key_name(gdb.Value(key)), next(listed)[1]) for _, key in listed)


def subscripted(value, owner, key):
    value = container_in(value)[0]
    try:
        return by_gdb(value, "[%s]" % key)
    except gdb.error:
        names = {"[%s]" % key, "[%s]" % displayed(key)}
    entry = entry_of(value, key) if hint_of(container_in(value)[1]) == "map" else None
    if entry is not None and not entry:
        raise gdb.GdbError("`%s` has no key %s" % (owner, key))
    if entry:
        return entry[1]
    count = length_of(value)
    listed = KeySearch(count).limited(elements_of(value))
    found = next((one for name, one in listed if name in names), None)
    if found is not None:
        return found
    if count is None:
        raise gdb.GdbError("`%s` is %s, which has no elements" % (owner, value.type))
    if any(map(INDEX.fullmatch, names)) and hint_of(container_in(value)[1]) != "map":
        raise gdb.GdbError("`%s` has no element %s; it has %d" % (owner, key, count))
    raise gdb.GdbError("`%s` has no key %s" % (owner, key))


def entry_of(value, text):
    """The entry of a map or a set whose key is a number or a text, as `entry_with` gives it."""
    wanted = plain_key(text.lstrip("&").strip())
    return entry_with(container_in(value)[0], wanted) if wanted is not None else None


def plain_key(text):
    """The number or the bytes of the text that an expression is; None: it is another one."""
    if TEXTS.fullmatch(text):
        inside = text[1:-1]
        if "\\" in inside:
            return None
        return inside.encode() if text[0] == '"' else ord(inside) if len(inside) == 1 else None
    try:
        value = container_in(with_own_names(text))[0]
        kind = key_kind(value.type)
        if value.type.strip_typedefs().code in INTEGERS:
            return int(value)
        if kind is None or value.address is None:
            return None
        return kind.read(program_bytes(int(value.address), kind.size))
    except gdb.error:
        return None


def variant_of(value):
    """The variant of an Option or a Result, and what it contains; None: it is neither."""
    value = container_in(value)[0]
    ty = value.type.strip_typedefs()
    if ty.code not in TYPES or not str(ty.name or "").startswith(VARIANTS):
        return None
    names = ("Some", "None", "Ok", "Err")
    variants = [one for one in ty.fields() if one.name in names]
    if len(variants) > 1:
        # The type of a call's result has all variants; gdb displays that of the value.
        text = value.format_string(raw=True)
        variants = [one for one in variants if text.startswith("%s::%s" % (ty.name, one.name))]
    if not variants:
        return None
    field = variants[0]
    content = value[field]
    fields = content.type.fields()
    return field.name, content[fields[0]] if fields else None


def called_method(value, owner, name, argument):
    """The result of a member function, which is not called if it only reads."""
    variant, count = variant_of(value), length_of(value)
    if variant is not None and name in VARIANT_CALLS:
        wanted, words = VARIANT_CALLS[name]
        is_wanted = variant[0] in wanted
        if not words:
            return truth(is_wanted)
        if not is_wanted:
            raise gdb.GdbError("`%s` is %s" % (owner, variant[0]))
        return variant[1]
    if count is not None and name in COUNT_CALLS:
        return COUNT_CALLS[name](value, owner, count, read_once(argument))
    if name in SAME and not argument:
        return value
    try:
        return by_gdb(value, ".%s(%s)" % (name, argument))
    except gdb.error as error:
        if re.match("Could not find function|Method calls only", str(error)):
            words = "cannot call `%s`: the program has no such function of %s. %s"
            raise gdb.GdbError(words % (name, value.type, USE)) from error
        raise


def truth(is_true):
    return gdb.parse_and_eval("true" if is_true else "false")


def number_of(count):
    return gdb.Value(count).cast(gdb.lookup_type("usize"))


def displayed(text):
    """The value of an argument or a subscript, as listings display a key."""
    text = text.lstrip("&").strip()
    if TEXTS.fullmatch(text):
        return text  # gdb puts a text into the program to evaluate it.
    try:
        return key_name(with_own_names(text))[1:-1]
    except gdb.error:
        return text


def element_of(value, owner, key):
    """What an Option has that a function returns. Its element may be an Option of its own."""
    found = subscripted(value, owner, key)
    if variant_of(found) is not None:
        raise gdb.GdbError("the elements of `%s` are Options: use `%s[%s]`" % (owner, owner, key))
    return found


def has_element(value, argument):
    """Whether a container has an element or a text has a part."""
    wanted, printer = displayed(argument), container_in(value)[1]
    if printer is not None and hint_of(printer) == "string":
        # Displayed texts are cut, and have escapes.
        text = one_line(value).strip('"')
        part = wanted[1:-1] if TEXTS.fullmatch(wanted) else wanted
        if text.endswith(CUT) or "\\" in text or "\\" in part:
            raise gdb.GdbError("`contains` cannot read a text that is long or has escapes")
        return part in text
    entry = entry_of(value, argument)
    if entry is not None:
        return bool(entry)
    listed = KeySearch(length_of(value)).limited(elements_of(value))
    return is_among(wanted, (key_name(one)[1:-1] for _, one in listed))


def has_key(value, argument):
    entry = entry_of(value, argument)
    if entry is not None:
        return bool(entry)
    listed = KeySearch(length_of(value)).limited(elements_of(value))
    return is_among("[%s]" % displayed(argument), (one for one, _ in listed))


def is_among(wanted, names):
    """Whether one of the displayed names is this one; a cut one may be any."""
    is_cut = False
    for name in names:
        if name == wanted:
            return True
        is_cut = is_cut or CUT in name
    if is_cut:
        raise gdb.GdbError("its elements are too long to compare")
    return False


VARIANT_CALLS = {
    "unwrap": (("Some", "Ok"), True),
    "expect": (("Some", "Ok"), True),
    "unwrap_err": (("Err",), True),
    "is_some": (("Some",), False),
    "is_none": (("None",), False),
    "is_ok": (("Ok",), False),
    "is_err": (("Err",), False),
}
COUNT_CALLS = {
    "len": lambda value, owner, count, _: number_of(count),
    "is_empty": lambda value, owner, count, _: truth(count == 0),
    "first": lambda value, owner, count, _: element_of(value, owner, "0"),
    "last": lambda value, owner, count, _: element_of(value, owner, str(max(count, 1) - 1)),
    "get": lambda value, owner, count, argument: element_of(value, owner, argument),
    "contains": lambda value, owner, count, argument: truth(has_element(value, argument)),
    "contains_key": lambda value, owner, count, argument: truth(has_key(value, argument)),
}


def is_in_rust():
    try:
        return gdb.selected_frame().language() == "rust"
    except gdb.error:
        return False  # No frame is selected.


@part
def rust_calls():
    if not settings["rust"]:
        return
    from gdb.dap import evaluate, startup
    from gdb.dap.startup import DAPException

    def with_pieces(read):
        """A reader of expressions that reads those that it refuses piece by piece."""

        def read_rust(text, *args, **more):
            if not is_in_rust():
                return read(text, *args, **more)
            try:
                # A call of the program in an expression that fails would be repeated below.
                with gdb.with_parameter("may-call-functions", False):
                    return read(text, *args, **more)
            except DAPException:
                pass
            try:
                return read_in_pieces(text)
            except (gdb.error, gdb.GdbError) as error:
                raise DAPException(str(error)) from error

        return read_rust

    evaluate.parse_and_eval = with_pieces(evaluate.parse_and_eval)
    startup.parse_and_eval = with_pieces(startup.parse_and_eval)
