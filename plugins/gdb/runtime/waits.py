# What a thread waits for, as the function `$_waits` of gdb's expressions. The words and the layout
# of locks are of the runtime that other debuggers share. Reads only.


class Memory:
    """A value for `Search`; the target of a pointer is read only if it is looked at."""

    def __init__(self, value):
        self.value = value
        # The text of a structure is all of its definition.
        self.type_name = value.type.name or str(value.type)
        self.address = None if value.address is None else int(value.address)
        self.size = value.type.sizeof

    def members(self):
        ty = self.value.type.strip_typedefs()
        if ty.code not in TYPES:
            return []
        fields = [one for one in ty.fields() if not one.artificial and hasattr(one, "bitpos")]
        return [(None if one.is_base_class else one.name, Memory(self.value[one])) for one in fields]

    def target(self):
        ty = self.value.type.strip_typedefs()
        if ty.code not in POINTERS or ty.target().strip_typedefs().code not in TYPES:
            return None
        try:
            found = Memory(self.value.referenced_value())
        except gdb.error:
            return None
        return found if found.address else None


class ThreadReader(Reader):
    def threads(self):
        return gdb.selected_inferior().threads()[:THREADS]

    def thread_of(self, id):
        found = (one for one in gdb.selected_inferior().threads() if one.ptid[1] == id)
        return next(found, None) if id else None

    def id_of(self, thread):
        return thread.ptid[1]

    def title_of(self, thread):
        return "%s (%d)" % (thread_name(thread), thread.global_num)

    def frames_of(self, thread):
        thread.switch()
        frame, left = gdb.newest_frame(), DEPTH
        while frame is not None and left:
            yield frame
            frame, left = frame.older(), left - 1

    def function_name(self, frame):
        return frame.name() or ""

    def line_of(self, frame):
        return frame.find_sal().line

    def is_user_code(self, frame):
        symtab = frame.find_sal().symtab
        path = symtab.fullname() if symtab is not None else ""
        return bool(path) and not LIBRARIES.search(path) and os.path.isfile(path)

    def is_rust(self, frame):
        return frame.language() == "rust"

    def variables_of(self, frame):
        """The variables of a frame as pairs of a name and a value, the inner blocks' first."""
        found, block = {}, frame.block()
        while block is not None:
            for symbol in block:
                if (symbol.is_variable or symbol.is_argument) and symbol.name not in found:
                    found[symbol.name] = symbol
            if block.function is not None:
                break
            block = block.superblock
        return [(name, Memory(symbol.value(frame))) for name, symbol in found.items()]

    def own_object(self, frame):
        try:
            return Memory(frame.read_var("self"))
        except ValueError:
            return None  # Rust's library has no variables.

    def machine(self, frame):
        return frame.architecture().name()

    def code_before(self, frame):
        return gdb.selected_inferior().read_memory(frame.pc() - 4, 4).tobytes()

    def register(self, frame, name):
        return int(frame.read_register(name)) & (2**64 - 1)

    def word(self, address):
        return memory_word(address, 4)

    def global_at(self, address):
        symbol = gdb.execute("info symbol %#x" % address, to_string=True)
        if " in section " not in symbol:
            return None
        name = re.sub(r" \+ \d+$", "", symbol.split(" in section ")[0])
        found = gdb.lookup_global_symbol(name) or gdb.lookup_static_symbol(name)
        return name, [(name, Memory(found.value()))] if found else []


class Words(gdb.Value):
    """A text that is displayed as it is: Rust has numbers for a text of gdb."""

    def __init__(self, text):
        super().__init__(0)
        self.text = text


def waits_of_selected():
    """What the selected thread waits for, in words; empty if that is not known."""
    thread, frame = gdb.selected_thread(), gdb.selected_frame()
    try:
        return limit.call(SECONDS, lambda: ThreadReader().text(thread))
    except (KeyboardInterrupt, gdb.error, StopIteration):
        return ""
    finally:
        thread.switch()
        frame.select()


@part
def wait_function():
    from gdb.dap import evaluate

    class Waits(gdb.Function):
        """$_waits(): what the selected thread waits for."""

        def __init__(self):
            super().__init__("_waits")

        def invoke(self):
            return waits_of_selected()

    Waits()
    read = evaluate.parse_and_eval

    def read_words(text, *args, **more):
        is_alone = text.strip() == "$_waits()"
        return Words(waits_of_selected()) if is_alone else read(text, *args, **more)

    evaluate.parse_and_eval = read_words
