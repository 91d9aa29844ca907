# What is given to variables, where gdb would cut it or take its bytes.


NUMBERS = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_FLT)


def plain_type(ty):
    return ty.strip_typedefs().unqualified()


def held(value):
    """What a reference refers to."""
    return value if plain_type(value.type).code not in BEHIND[1:] else value.referenced_value()


def is_text(ty):
    return ty.code == gdb.TYPE_CODE_ARRAY and plain_type(ty.target()).sizeof == 1


def descends(ty, base):
    """Has the class that other one among its bases?"""
    if ty.code != gdb.TYPE_CODE_STRUCT:
        return False
    bases = [plain_type(field.type) for field in ty.fields() if field.is_base_class]
    return any(one == base or descends(one, base) for one in bases)


def points_alike(ty, value):
    """At the same type, one that descends from it, void, or an array of what it points to. A text is put into the program."""
    end, other = plain_type(ty.target()), plain_type(value.type)
    if other.code == gdb.TYPE_CODE_FUNC:
        return end.code == other.code
    if other.code not in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_ARRAY):
        return other.code == gdb.TYPE_CODE_INT and int(value) == 0
    ends = [end, plain_type(other.target())]
    void = other.code == gdb.TYPE_CODE_PTR and any(one.code == gdb.TYPE_CODE_VOID for one in ends)
    return void or ends[0] == ends[1] or descends(ends[1], ends[0])


def misfit(said, target, value):
    """Why a value is none for this target."""
    ty, given = plain_type(target.type), plain_type(value.type)
    if ty.code == gdb.TYPE_CODE_PTR and not points_alike(ty, value):
        return "`%s` is a pointer, and `*%s` what it points to; it takes another pointer of its type, `&variable` or 0" % (said, said)
    if ty.code == gdb.TYPE_CODE_ARRAY and given.sizeof > ty.sizeof and is_text(given) and is_text(ty):
        return "`%s` holds %d bytes, the text with its end has %d" % (said, ty.sizeof, given.sizeof)
    if ty.code == gdb.TYPE_CODE_ARRAY and ty != given and not (is_text(given) and is_text(ty)):
        return "`%s` is %s, which is not set as a whole: set an element" % (said, target.type)
    if ty.code not in NUMBERS:
        return None
    if is_text(given):
        return "`%s` is %s, no text" % (said, target.type)
    if given.code not in NUMBERS:
        return "`%s` is %s, which that is not" % (said, target.type)
    broken = given.code == gdb.TYPE_CODE_FLT and float(value) % 1 != 0
    if broken and ty.code not in (gdb.TYPE_CODE_FLT, gdb.TYPE_CODE_BOOL):
        return "`%s` is %s, and %s is no whole number" % (said, target.type, value)
    return None


def is_cut(target, wanted):
    """A number that is not what it was to be; a truth is of any."""
    code = plain_type(target.type).code
    if code == gdb.TYPE_CODE_FLT:
        return abs(float(target)) == float("inf") != abs(float(wanted))
    return code in NUMBERS and code != gdb.TYPE_CODE_BOOL and int(target) != int(wanted)


def give(said, text, target, value):
    why = misfit(said, target, value)
    if why is not None:
        return why
    ty = plain_type(target.type)
    if is_text(ty):
        given = bytes(int(value[at]) & 0xFF for at in range(plain_type(value.type).sizeof))
        gdb.selected_inferior().write_memory(int(target.address), given.ljust(ty.sizeof, b"\0"))
        return None
    kind = ty.code
    before = (float if kind == gdb.TYPE_CODE_FLT else int)(target) if kind in NUMBERS else None
    target.assign(value)
    if before is None or not is_cut(target, value):
        return None
    target.assign(gdb.Value(before))
    return "`%s` is %s, which %s does not fit" % (said, target.type, text.strip())


@part
def assignments():
    from gdb.dap import evaluate
    from gdb.dap.frames import select_frame
    from gdb.dap.server import _commands, send_gdb_with_response
    from gdb.dap.startup import DAPException, parse_and_eval

    def set_expression(*, expression, value, frameId=None, format=None, **args):
        def job():
            with evaluate.apply_format(format):
                if frameId is not None:
                    select_frame(frameId)
                read = lambda text: parse_and_eval(text, global_context=frameId is None)
                target = read(expression)
                why = give(expression, value, held(target), held(read(value)))
                if why is not None:
                    raise DAPException(why)
                return evaluate._SetResult(target).to_object()

        return send_gdb_with_response(job)

    _commands["setExpression"] = set_expression
