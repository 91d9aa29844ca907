# Where the threads of a paused program are, and which of them wait for a lock or for one another.
#
# Knows the C library's frames and the layout of its mutex (nptl, struct_mutex.h): the lock is its
# first word, the owner's thread id its third. Calls nothing.

# Threads read, frames of each, threads listed, and seconds for all.
THREADS, FRAMES, LISTED, WAITS = 64, 40, 6, 0.5
LOCKS = re.compile(r"_*pthread_mutex_(timed|clock)?lock(_full)?$|__lll_lock_wait$")
JOINS = re.compile(r"_*pthread_(clock|timed)?join(_ex|_np)?$|__pthread_clockjoin_ex$")
LIBRARIES = re.compile(r"^/usr/|^/rustc/|/rustlib/|/\.cargo/registry/|/nptl/|/sysdeps/")


class Wait:
    """One thread: its number and id, the place of the user's code, and what it waits for."""

    def __init__(self, number, id, place, kind=None, thing=None, on=None):
        self.number, self.id, self.place = number, id, place
        self.kind, self.thing, self.on = kind, thing, on


def described(waits):
    """The threads in words, those that wait for one another first."""
    by_id = {one.id: one for one in waits}
    cycle = circle(by_id)
    texts = []
    if cycle:
        names = ["%d" % one.number for one in cycle]
        texts.append("deadlock of threads %s and %s" % (", ".join(names[:-1]), names[-1]))
    for one in sorted(waits, key=lambda one: (one not in cycle, one.kind is None, one.number)):
        texts.append("thread %d %s%s" % (one.number, one.place, reason(one, by_id)))
    more = len(texts) - LISTED
    return "; ".join(texts[:LISTED]) + ("; %d more threads" % more if more > 0 else "")


def reason(wait, by_id):
    if wait.kind is None:
        return ""
    other = by_id.get(wait.on)
    named = "thread %d" % other.number if other else "another thread"
    if wait.kind == "join":
        return " joins " + named
    held = " held by " + named if wait.on else ""
    return " waits for the lock" + (" %s" % wait.thing if wait.thing else "") + held


def circle(by_id):
    """Threads each of which waits for the next one, and the last for the first."""
    for first in by_id.values():
        chain, one = [], first
        while one is not None and one.kind is not None and one not in chain:
            chain.append(one)
            one = by_id.get(one.on)
            if one is first and len(chain) > 1:
                return chain
    return []


def place_in_user_code(frame):
    """`function file:line` of the innermost frame in the user's code, else of the first frame."""
    first = frame
    for _ in range(FRAMES):
        if frame is None:
            break
        symtab = frame.find_sal().symtab
        path = symtab.fullname() if symtab is not None else ""
        if path and not LIBRARIES.search(path) and os.path.isfile(path):
            line = frame.find_sal().line
            return "in %s %s:%d" % (frame.name(), os.path.basename(path), line)
        frame = frame.older()
    return "in %s" % (first.name() or "unknown code")


def word(address):
    return int.from_bytes(gdb.selected_inferior().read_memory(address, 4).tobytes(), "little")


def wait_of(thread):
    frame = gdb.newest_frame()
    found = Wait(thread.num, thread.ptid[1], place_in_user_code(frame))
    try:
        what, address = waited_for(frame)
        if what == "join":
            found.kind, found.on = what, word(address)
        elif what == "lock":
            found.kind, found.on = what, word(address + 8)
            symbol = gdb.execute("info symbol %#x" % address, to_string=True)
            if " in section " in symbol:
                found.thing = symbol.split(" in section ")[0]
    except gdb.error:
        pass
    return found


def waited_for(frame):
    """The kind of the wait with the address that the system call has: of a lock or a thread id."""
    innermost = frame
    for _ in range(6):
        if frame is None:
            break
        name = frame.name() or ""
        kind = "lock" if LOCKS.match(name) else "join" if JOINS.match(name) else None
        if kind:
            # The argument of the futex call, which the kernel leaves in its register.
            machine = innermost.architecture().name()
            register = "rdi" if "x86-64" in machine else "x0" if "aarch64" in machine else None
            return (kind, int(innermost.read_register(register))) if register else (None, 0)
        frame = frame.older()
    return None, 0


def thread_facts(body):
    """Adds to a pause where each of several threads is."""
    threads = sorted(gdb.selected_inferior().threads(), key=lambda one: one.num)
    if len(threads) < 2:
        return
    selected = gdb.selected_thread()
    waits = []

    def read():
        for thread in threads[:THREADS]:
            thread.switch()
            waits.append(wait_of(thread))

    try:
        limit.call(WAITS, read)
    except (KeyboardInterrupt, gdb.error):
        pass
    finally:
        selected.switch()
    body["text"] = described(waits)
