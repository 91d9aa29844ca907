# Registers in hexadecimal, each with the value that it had when they were listed at an earlier stop.


def hexadecimal(value):
    """A register as a number; None: it is of another kind."""
    ty = value.type.strip_typedefs()
    if ty.code not in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_PTR):
        return None
    return "%#x" % (int(value) & ((1 << 8 * ty.sizeof) - 1))


def describe_named(expression, result, value):
    """Shows in hexadecimal the value of an expression that names a register."""
    is_number = value.type.strip_typedefs().code == gdb.TYPE_CODE_INT
    if not is_number or not re.fullmatch(r"\$[a-z]\w*", expression):
        return
    names = (one.name for one in gdb.selected_frame().architecture().registers())
    if expression[1:] in names:
        result.describe(hexadecimal(value))


class Registers:
    def __init__(self):
        self.before, self.listed = {}, {}

    def on_continue(self, event):
        self.before.update(self.listed)
        self.listed.clear()

    def text(self, key, now):
        """The text of a register, for the key of its thread and its name."""
        self.listed[key] = now
        before = self.before.get(key, now)
        return now if before == now else "%s (was %s)" % (now, before)

    def describe(self, child):
        now = hexadecimal(private(child, "value"))
        if now is None:
            return
        thread, frame = gdb.selected_thread(), gdb.selected_frame()
        if thread is not None and frame.level() == 0:
            now = self.text((thread.num, str(private(child, "name"))), now)
        child.describe(now)


registers = Registers()


@part
def changed_registers():
    gdb.events.cont.connect(registers.on_continue)
