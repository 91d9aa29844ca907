# Assignments that gdb would truncate, or whose bytes it would copy.


NUMBERS = (
    gdb.TYPE_CODE_INT,
    gdb.TYPE_CODE_CHAR,
    gdb.TYPE_CODE_BOOL,
    gdb.TYPE_CODE_ENUM,
    gdb.TYPE_CODE_FLT,
)


def plain_type(ty):
    return ty.strip_typedefs().unqualified()


def dereferenced(value):
    """The target of a reference."""
    return value if plain_type(value.type).code not in POINTERS[1:] else value.referenced_value()


def with_content(value):
    """Of a `std::atomic` the value that it holds, else the value itself."""
    ty = plain_type(value.type)
    is_atomic = ty.code in TYPES and (ty.tag or "").startswith("std::atomic<")
    found = atomic_value(value) if is_atomic else None
    return value if found is None else found


def is_text(ty):
    return ty.code == gdb.TYPE_CODE_ARRAY and plain_type(ty.target()).sizeof == 1


def descends(ty, base):
    """Is the other class among the bases of the class?"""
    if ty.code != gdb.TYPE_CODE_STRUCT:
        return False
    bases = [plain_type(field.type) for field in ty.fields() if field.is_base_class]
    return any(one == base or descends(one, base) for one in bases)


def is_compatible_pointer(ty, value):
    """Does the value point to the same type, a derived one, void, or is it an array of that type?
    gdb itself would put a string into the program.
    """
    end, other = plain_type(ty.target()), plain_type(value.type)
    if other.code == gdb.TYPE_CODE_FUNC:
        return end.code == other.code
    if other.code not in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_ARRAY):
        return other.code == gdb.TYPE_CODE_INT and int(value) == 0
    ends = [end, plain_type(other.target())]
    void = other.code == gdb.TYPE_CODE_PTR and any(one.code == gdb.TYPE_CODE_VOID for one in ends)
    return void or ends[0] == ends[1] or descends(ends[1], ends[0])


NO_CALLS = "may-call-functions is off"
INVALID_CAST = "Invalid cast"
ASSIGNMENT = Pattern(r"\s*([A-Za-z_][^=!<>+*/%&|^-]*?)\s*=(?!=)\s*(.+?)\s*", re.S)


def assigning_call(expression, text):
    """The call by which the program assigns to a class; None: it has compiled no such function."""
    call = "%s.operator=(%s)" % (expression, text)
    try:
        with gdb.with_parameter("may-call-functions", False):
            gdb.parse_and_eval(call)
    except (gdb.error, gdb.GdbError) as error:
        return call if NO_CALLS in str(error) else None
    return None


def with_call(why, expression, text):
    """A rejection with the call that assigns instead, if there is one."""
    call = assigning_call(expression, text)
    if call is None:
        return why
    arguments = json.dumps({"expressions": [call], "effects": "allow"}, ensure_ascii=False)
    return "%s; the program assigns it: debug_evaluate %s" % (why, arguments)


def has_destructor(value, seen):
    """Whether the class of a value, a base or a member of it has a destructor: the object may own
    what a copy of its bytes would own, too.
    """
    ty = plain_type(value.type)
    if ty.code not in TYPES or str(ty) in seen:
        return False
    seen.add(str(ty))
    gdb.set_convenience_variable("_copied", value)
    if "~" in gdb.execute("ptype/r $_copied", to_string=True):
        return True
    fields = [field for field in ty.fields() if hasattr(field, "bitpos")]
    return any(has_destructor(value[field], seen) for field in fields)


def is_owner(value):
    """Whether the bytes of an object of C++ are no copy of it."""
    ty = plain_type(value.type)
    try:
        return ty.code in TYPES and not is_in_rust() and has_destructor(value, set())
    except gdb.error:
        return False  # It has parts that gdb does not know.


def is_owner_named(expression):
    try:
        return is_owner(gdb.parse_and_eval(expression))
    except (gdb.error, gdb.GdbError):
        return False


def room_of(text):
    """The bytes that a `std::string` has for its text without the program's help."""
    start, inside = text["_M_dataplus"]["_M_p"], text["_M_local_buf"]
    is_inside = int(start) == int(inside.address)
    return inside.type.sizeof - 1 if is_inside else int(text["_M_allocated_capacity"])


def set_text(expression, text, target, given):
    """Sets a `std::string` in the memory that it has."""
    data = comparable(given)
    if len(data) > room_of(target):
        why = "`%s` has room for %d bytes, the text has %d"
        why %= expression, room_of(target), len(data)
        return with_call(why, expression, text)
    start = int(target["_M_dataplus"]["_M_p"])
    gdb.selected_inferior().write_memory(start, data + b"\0")
    target["_M_string_length"].assign(len(data))
    target.fetch_lazy()
    return None


def is_given_text(ty):
    return is_text(ty) or is_text_class(ty) or is_text_pointer(ty)


def is_other_value(ty, given):
    """Whether the target is a structure and the value another one, or none: gdb copies its bytes in
    Rust, and refuses without a reason in C++.
    """
    return ty.code in TYPES and ty != given and not descends(given, ty)


def rejection(expression, target, value):
    """Why the value cannot be assigned to the target, or None."""
    ty, given = plain_type(target.type), plain_type(value.type)
    if ty.code == gdb.TYPE_CODE_PTR and not is_compatible_pointer(ty, value):
        return (
            "`%s` is a pointer: assign another pointer of its type, `&variable` or 0, or set `*%s`"
            % (expression, expression)
        )
    if (
        ty.code == gdb.TYPE_CODE_ARRAY
        and given.sizeof > ty.sizeof
        and is_text(given)
        and is_text(ty)
    ):
        return "`%s` holds %d bytes, the string with its terminator has %d" % (
            expression,
            ty.sizeof,
            given.sizeof,
        )
    if ty.code == gdb.TYPE_CODE_ARRAY and ty != given and not (is_text(given) and is_text(ty)):
        return "`%s` is %s, which cannot be set as a whole: set an element" % (
            expression,
            target.type,
        )
    if is_other_value(ty, given):
        return (
            "`%s` is %s, which cannot be set as a whole: set a field, an element, or what it points"
            " to" % (expression, target.type)
        )
    if ty.code not in NUMBERS:
        return None
    if is_text(given):
        return "`%s` is %s, not a string" % (expression, target.type)
    if is_in_rust() and has_other_kind(ty, given):
        if ty.code == gdb.TYPE_CODE_ENUM:
            return "`%s` is %s: %s" % (expression, target.type, ", ".join(enumerators(ty)))
        return "`%s` is %s; the value has another type" % (expression, target.type)
    if given.code not in NUMBERS:
        return "`%s` is %s; the value has another type" % (expression, target.type)
    has_fraction = given.code == gdb.TYPE_CODE_FLT and float(value) % 1 != 0
    if has_fraction and ty.code not in (gdb.TYPE_CODE_FLT, gdb.TYPE_CODE_BOOL):
        return "`%s` is %s, and %s is not an integer" % (expression, target.type, value)
    return None


def is_truncated(target, wanted):
    """Is the number in the target another one than the value? A bool accepts any."""
    code = plain_type(target.type).code
    if code == gdb.TYPE_CODE_FLT:
        return abs(float(target)) == float("inf") != abs(float(wanted))
    return code in NUMBERS and code != gdb.TYPE_CODE_BOOL and int(target) != int(wanted)


def note_register(expression):
    """Notes that a variable was set in a register: only code of optimising compilers has it there."""
    symbol = gdb.lookup_symbol(expression)[0] if expression.isidentifier() else None
    is_local = symbol is not None and symbol.needs_frame
    if is_local and symbol.value(gdb.selected_frame()).address is None:
        words = "`%s` was set in a register only; optimised code may still use a copy of the earlier"
        report("output", {"category": "important", "output": words % expression + " value\n"})


def set_value(expression, text, target, value):
    ty, given = plain_type(target.type), plain_type(value.type)
    if is_text_class(ty) and is_given_text(given) and target.address is not None:
        return set_text(expression, text, target, value)
    why = rejection(expression, target, value)
    if why is not None:
        return why if ty.code not in TYPES or is_in_rust() else with_call(why, expression, text)
    if is_owner(target):
        why = "`%s` is %s, whose destructor would end what a copy of its bytes shares: %s"
        why %= expression, target.type, "set a field or an element"
        return with_call(why, expression, text)
    if is_text(ty):
        given = bytes(int(value[at]) & 0xFF for at in range(plain_type(value.type).sizeof))
        gdb.selected_inferior().write_memory(int(target.address), given.ljust(ty.sizeof, b"\0"))
        return None
    kind = ty.code
    before = (float if kind == gdb.TYPE_CODE_FLT else int)(target) if kind in NUMBERS else None
    target.assign(value)
    if before is None or not is_truncated(target, value):
        note_register(expression)
        return None
    target.assign(gdb.Value(before))
    return "`%s` is %s, which %s does not fit" % (expression, target.type, text.strip())


def enumerators(ty):
    return {field.name.rpartition("::")[2]: field.enumval for field in ty.fields()}


def enumerator(ty, name):
    """The value of an enumerator by its name, or the end of its path."""
    known, name = enumerators(ty), name.rpartition("::")[2]
    if name not in known:
        raise gdb.GdbError("%s has no `%s`; it has %s" % (ty, name, ", ".join(list(known)[:12])))
    return gdb.Value(known[name]).cast(ty)


def has_other_kind(ty, given):
    """Whether Rust converts no such value: gdb makes any number a variant, a bool or a char."""
    kinds = [gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_CHAR]
    return ty.code != given.code and (ty.code in kinds or given.code in kinds)


# Words that are no names in C.
WORDS = {"true": 1, "false": 0, "NULL": 0, "nullptr": 0}
NUMERAL = Pattern(r"\s*-?(?:0x[0-9a-fA-F]+|[1-9]\d*|0)\s*")


def is_large_integer(target, text):
    """Whether gdb can read the number as no constant, though the target may hold it."""
    ty = plain_type(target.type)
    is_large = ty.code == gdb.TYPE_CODE_INT and ty.sizeof > 8 and target.address is not None
    return is_large and bool(NUMERAL.fullmatch(text))


def set_large_integer(expression, target, number):
    ty = plain_type(target.type)
    order = "little" if "little" in gdb.execute("show endian", to_string=True) else "big"
    try:
        given = number.to_bytes(ty.sizeof, order, signed=ty.is_signed)
    except OverflowError:
        return "`%s` is %s, which %d does not fit" % (expression, target.type, number)
    gdb.selected_inferior().write_memory(int(target.address), given)
    target.fetch_lazy()
    return None


@part
def assignments():
    from gdb.dap import evaluate
    from gdb.dap.frames import select_frame
    from gdb.dap.server import _commands, send_gdb_with_response
    from gdb.dap.startup import DAPException, parse_and_eval

    def target_of(expression, in_globals):
        """The value that an expression names, or a path of displayed names."""
        try:
            return parse_and_eval(expression, global_context=in_globals)
        except (DAPException, gdb.GdbError):
            found = at_path(expression)
            if found is None:
                raise
            return private(found, "value")

    def value_of(text, target, in_globals):
        """The value of the text, which may be a word that listings display and C does not know."""
        word, ty = text.strip(), plain_type(target.type)
        try:
            return parse_and_eval(text, global_context=in_globals)
        except DAPException:
            if ty.code == gdb.TYPE_CODE_ENUM and re.fullmatch(r"\w+(?:::\w+)*", word):
                return enumerator(ty, word)
            if word not in WORDS or ty.code not in (*NUMBERS, gdb.TYPE_CODE_PTR):
                raise
            return gdb.Value(WORDS[word])

    read = evaluate.parse_and_eval

    def read_or_assign(text, *args, **more):
        """gdb converts no value for the function that assigns to a class, and copies the bytes of
        an object whose function the program has not compiled.
        """
        found = ASSIGNMENT.fullmatch(text)
        if found and is_owner_named(found[1]):
            text = "%s.operator=(%s)" % found.groups()
        try:
            return read(text, *args, **more)
        except DAPException as error:
            if not found or INVALID_CAST not in str(error):
                raise
            return read("%s.operator=(%s)" % found.groups(), *args, **more)

    evaluate.parse_and_eval = read_or_assign

    def set_expression(*, expression, value, frameId=None, format=None, **args):
        def job():
            with evaluate.apply_format(format):
                if frameId is not None:
                    select_frame(frameId)
                in_globals = frameId is None
                target = target_of(expression, in_globals)
                target = with_content(dereferenced(target))
                if is_large_integer(target, value):
                    why = set_large_integer(expression, target, int(value, 0))
                else:
                    given = dereferenced(value_of(value, target, in_globals))
                    why = set_value(expression, value, target, given)
                if why is not None:
                    raise DAPException(why)
                result = evaluate._SetResult(target)
                describe_named(expression.strip(), result, target)
                return result.to_object()

        return send_gdb_with_response(job)

    _commands["setExpression"] = set_expression
