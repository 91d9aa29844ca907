# What a thread waits for, as the function `$_waits` of gdb's expressions. The words and the layout
# of locks are of the runtime that other debuggers share. Reads only.


def is_user_code(frame):
    symtab = frame.find_sal().symtab
    path = symtab.fullname() if symtab is not None else ""
    return bool(path) and not LIBRARIES.search(path) and os.path.isfile(path)


def stack():
    """The frames of the selected thread from the innermost to the first one in the user's code, and
    this one; all frames and None if there is none.
    """
    found, frame = [], gdb.newest_frame()
    while frame is not None and len(found) < DEPTH:
        found.append(frame)
        if is_user_code(frame):
            return found, frame
        frame = frame.older()
    return found, None


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


def variables_of(frame):
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


def first_argument(frame):
    """Of the system call in which the thread is."""
    machine = frame.architecture().name()
    register = next(name for key, name in REGISTERS.items() if key in machine)
    return int(frame.read_register(register)) & (2**64 - 1)


def wait_of(thread):
    """What the thread waits for; None: for nothing that is known."""
    thread.switch()
    frames, user = stack()
    names = [frame.name() or "" for frame in frames]
    machine, pc = frames[0].architecture().name(), frames[0].pc()
    code = gdb.selected_inferior().read_memory(pc - 4, 4).tobytes()
    if not is_waiting(machine, code, names):
        return None
    kind = next(filter(None, map(kind_of, names[:INNERMOST])), None)
    if kind is not None:
        found = wait_at(kind, first_argument(frames[0]), lambda at: memory_word(at, 4))
    else:
        found = rust_wait(frames, names)
    if found is None and user is not None and len(names) > 1 and names[-2]:
        found = Wait("call")
        found.name = names[-2]
    elif found is not None and found.address is not None:
        found.name = name_of_lock(found.address, user)
    if found is not None and found.kind in LOCKS and not found.on:
        found.on = owner_of_guard(found.address)
    return found


def rust_wait(frames, names):
    for frame, name in zip(frames, names):
        kind = rust_kind_of(name)
        if kind is not None:
            lock = Memory(frame.read_var("self")).target()
            return Wait(kind, lock.address) if lock is not None else None
    return None


def owner_of_guard(address):
    """The id of the thread with a guard of the lock among its variables."""
    for thread in gdb.selected_inferior().threads()[:THREADS]:
        thread.switch()
        frame, left = gdb.newest_frame(), DEPTH
        while frame is not None and left:
            if is_user_code(frame) and any(
                is_guard_of(address, value) for _, value in variables_of(frame)
            ):
                return thread.ptid[1]
            frame, left = frame.older(), left - 1
    return None


def name_of_lock(address, user):
    """The name of a lock: of a variable of the program, else by the variables of the frame."""
    search = Search(address, user is not None and user.language() == "rust")
    symbol = gdb.execute("info symbol %#x" % address, to_string=True)
    if " in section " in symbol:
        name = re.sub(r" \+ \d+$", "", symbol.split(" in section ")[0])
        found = gdb.lookup_global_symbol(name) or gdb.lookup_static_symbol(name)
        return found and search.name([(name, Memory(found.value()))]) or name
    return search.name(variables_of(user)) if user is not None else None


def thread_of(id):
    found = (one for one in gdb.selected_inferior().threads() if one.ptid[1] == id)
    return next(found, None)


def is_deadlock(thread, wait):
    """Whether the thread that it waits for waits for this thread in the end."""
    for _ in range(CHAIN):
        other = thread_of(wait.on) if wait is not None and wait.on else None
        if other is None or other.num == thread.num:
            return other is not None
        wait = wait_of(other)
    return False


def thread_wait(thread):
    wait = wait_of(thread)
    if wait is None:
        return ""
    other, place = thread_of(wait.on) if wait.on else None, None
    if other is None:
        return words(wait, None, None, False)
    if wait.kind != "end":
        other.switch()
        user = stack()[1]
        place = user and (user.name(), user.find_sal().line)
    holder = "%s (%d)" % (thread_name(other), other.global_num)
    return words(wait, holder, place, is_deadlock(thread, wait))


@part
def wait_function():
    class Waits(gdb.Function):
        """$_waits(): what the selected thread waits for, in words; empty if that is not known."""

        def __init__(self):
            super().__init__("_waits")

        def invoke(self):
            thread, frame = gdb.selected_thread(), gdb.selected_frame()
            try:
                return limit.call(SECONDS, lambda: thread_wait(thread))
            except (KeyboardInterrupt, gdb.error, StopIteration):
                return ""
            finally:
                thread.switch()
                frame.select()

    Waits()
