"""What a thread waits for: a lock with its holder, another thread, a function of a library; and
this in words.

Knows names of functions, the layout of the C library's locks (nptl) and of Rust's guards; knows no
debugger: a subclass of `Reader` reads threads, frames and memory.
"""

import re

# Threads and frames that are read, and the seconds for all.
THREADS, DEPTH, SECONDS = 64, 40, 0.5
# Frames between the system call and the function that waits.
INNERMOST = 6
# Threads that wait for one another.
CHAIN = 16
# Values that are looked at for the name of a lock, and how deep they may be in one another.
VALUES, LEVELS = 200, 6
LIBRARIES = re.compile(r"^/usr/|^/rustc/|/rustlib/|/\.cargo/registry/|/nptl/|/sysdeps/")
# The register with the first argument of a system call, which the kernel does not change.
REGISTERS = {"x86-64": "rdi", "x86_64": "rdi", "aarch64": "x0", "arm64": "x0"}
# The instruction of a system call, behind which a thread is that waits.
SYSTEM_CALLS = {
    "x86-64": b"\x0f\x05",
    "x86_64": b"\x0f\x05",
    "aarch64": b"\x01\0\0\xd4",
    "arm64": b"\x01\0\0\xd4",
}
# Functions that send the thread a signal by a system call: it does not wait.
SIGNALS = re.compile(r"^_*(?:GI_+)?(?:raise|abort|kill|tgkill|gsignal|pthread_kill\w*)$")
LOCKS = ("lock", "read lock", "write lock")
# Functions that wait, by what they wait for. Those of the C library have several names:
# `___pthread_mutex_lock`, `__new_sem_wait`.
FUNCTIONS = [
    (kind, re.compile(r"^_*(?:GI_+)?(?:new_)?(?:%s)$" % names))
    for kind, names in (
        ("lock", r"pthread_mutex_(?:timed|clock)?lock(?:_full)?|lll_lock_wait"),
        ("read lock", r"pthread_rwlock_(?:timed|clock)?rdlock"),
        ("write lock", r"pthread_rwlock_(?:timed|clock)?wrlock"),
        ("condition", r"pthread_cond_(?:timed|clock)?wait"),
        ("barrier", r"pthread_barrier_wait"),
        ("semaphore", r"sem_(?:timed|clock)?wait"),
        ("end", r"pthread_(?:timed|clock)?join(?:_np|_ex)?"),
    )
]
# Of the C library's own names: `__GI___libc_read`.
C_PREFIX = re.compile(r"^_+(?:GI_+)?(?:libc_)?(?=[a-z]\w*$)")
# Functions of Rust whose `self` is a lock: each instance is compiled with the user's code.
RUST_FUNCTIONS = [
    (kind, re.compile(r"^<?(?:std::sync|lock_api)::[\w:]*\b%s(?:<.*>)?$" % name))
    for kind, name in (
        ("lock", "Mutex<.*>::lock"),
        ("read lock", "RwLock<.*>::read"),
        ("write lock", "RwLock<.*>::write"),
        ("condition", r"Condvar::wait\w*"),
    )
]
GUARD = re.compile(r"^(?:std::sync|lock_api)::.*(?:Mutex|RwLockRead|RwLockWrite)Guard<")
LIBRARY_TYPE = re.compile(
    r"^(?:struct |union )?(?:(?:std|core|alloc|__gnu_cxx|lock_api|parking_lot)::|_*(?:pthread|gthread)_|sem_t)"
)
TUPLE_FIELD = re.compile(r"^__(\d+)$")


class Wait:
    """What a thread waits for: a kind, the address and the name of a lock, the id of the thread
    that has it or has to end, and how many threads read it.
    """

    def __init__(self, kind, address=None):
        self.kind, self.address = kind, address
        self.name = self.on = None
        self.readers = 0


def is_waiting(machine, code, names):
    """Whether a thread waits, by the code in front of the place of its innermost frame and by the
    names of its functions.
    """
    call = next((call for key, call in SYSTEM_CALLS.items() if key in machine), None)
    return call is not None and code.endswith(call) and not any(map(SIGNALS.match, names))


def kind_of(name):
    """What a function waits for; None: it is another function."""
    return next((kind for kind, names in FUNCTIONS if names.match(name)), None)


def rust_kind_of(name):
    return next((kind for kind, names in RUST_FUNCTIONS if names.match(name)), None)


def wait_at(kind, futex, word):
    """The wait of a function for the argument of its system call, a word of the lock or the id of
    a thread that has not ended. `word` reads four bytes.

    The owner is the third word of a mutex. The readers of a lock are counted in its first word
    from bit 3 on, its writer is the seventh; calls wait at the third or fourth word.
    """
    if kind == "end":
        found = Wait(kind)
        found.on = word(futex)
        return found
    is_shared = kind in ("read lock", "write lock")
    found = Wait(kind, futex - (8 if futex % 8 == 0 else 12) if is_shared else futex)
    if kind in LOCKS:
        found.on = word(found.address + (24 if is_shared else 8)) or None
    if kind == "write lock" and not found.on:
        found.readers = word(found.address) >> 3
    return found


def words(wait, holder, place, is_deadlock):
    """`lock `second`, which worker (3) has, in two line 15`. `holder` names the thread that is waited
    for, `place` is a function and a line of it; each may be None.
    """
    if wait.kind == "call":
        return C_PREFIX.sub("", wait.name)
    holder = holder or "another thread"
    if wait.kind == "end":
        return "the end of " + holder + (": a deadlock" if is_deadlock else "")
    text = wait.kind + (" `%s`" % wait.name if wait.name else "")
    if wait.on:
        text += ", which %s has" % holder + (", in %s line %d" % place if place else "")
    elif wait.readers:
        text += ", which %d reader%s" % (wait.readers, "s have" if wait.readers > 1 else " has")
    return text + (": a deadlock" if is_deadlock else "")


class Reader:
    """Reads what threads wait for. A debugger's class adds:

    - of threads: `threads()`, at most `THREADS`; `thread_of(id)`, None without one; `id_of(thread)`;
      `title_of(thread)`; `frames_of(thread)`, at most `DEPTH`, the innermost first
    - of frames: `function_name(frame)`; `line_of(frame)`; `is_user_code(frame)`; `is_rust(frame)`;
      `variables_of(frame)`, pairs of a name and a value as `Search` reads them;
      `own_object(frame)`, the value of `self`, None without one
    - of the machine: `machine(frame)`; `code_before(frame)`, four bytes; `register(frame, name)`;
      `word(address)`, four bytes as a number
    - `global_at(address)`: the name of the variable of the program there and pairs as of a frame;
      None without one
    """

    def text(self, thread):
        """What the thread waits for, in words; empty: nothing that is known."""
        wait = self.wait_of(thread)
        if wait is None:
            return ""
        other, place = self.thread_of(wait.on), None
        if other is None:
            return words(wait, None, None, False)
        if wait.kind != "end":
            user = self.stack(other)[1]
            place = user and (self.function_name(user), self.line_of(user))
        return words(wait, self.title_of(other), place, self.is_deadlock(thread, wait))

    def wait_of(self, thread):
        """What the thread waits for; None: for nothing that is known."""
        frames, user = self.stack(thread)
        names = [self.function_name(frame) for frame in frames]
        machine = self.machine(frames[0])
        if not is_waiting(machine, self.code_before(frames[0]), names):
            return None
        kind = next(filter(None, map(kind_of, names[:INNERMOST])), None)
        if kind is not None:
            register = next(name for key, name in REGISTERS.items() if key in machine)
            found = wait_at(kind, self.register(frames[0], register), self.word)
        else:
            found = self.rust_wait(frames, names)
        if found is None and user is not None and len(names) > 1 and names[-2]:
            found = Wait("call")
            found.name = names[-2]
        elif found is not None and found.address is not None:
            found.name = self.name_of_lock(found.address, user)
        if found is not None and found.kind in LOCKS and not found.on:
            found.on = self.owner_of_guard(found.address)
        return found

    def stack(self, thread):
        """The frames from the innermost to the first one in the user's code, and that one; without
        one, all frames and None.
        """
        found = []
        for frame in self.frames_of(thread):
            found.append(frame)
            if self.is_user_code(frame):
                return found, frame
        return found, None

    def rust_wait(self, frames, names):
        for frame, name in zip(frames, names):
            kind = rust_kind_of(name)
            if kind is not None:
                value = self.own_object(frame)
                lock = value.target() if value is not None else None
                if lock is not None:
                    return Wait(kind, lock.address)
        return None

    def name_of_lock(self, address, user):
        """The name of a lock: of a variable of the program, else by the variables of the frame."""
        search = Search(address, user is not None and self.is_rust(user))
        found = self.global_at(address)
        if found is not None:
            name, values = found
            return search.name(values) or name
        return search.name(self.variables_of(user)) if user is not None else None

    def owner_of_guard(self, address):
        """The id of the thread with a guard of the lock among its variables."""
        for thread in self.threads():
            for frame in filter(self.is_user_code, self.frames_of(thread)):
                if any(is_guard_of(address, value) for _, value in self.variables_of(frame)):
                    return self.id_of(thread)
        return None

    def is_deadlock(self, thread, wait):
        """Whether the thread that it waits for waits for this thread in the end."""
        for _ in range(CHAIN):
            other = self.thread_of(wait.on) if wait is not None else None
            if other is None or self.id_of(other) == self.id_of(thread):
                return other is not None
            wait = self.wait_of(other)
        return False


class Search:
    """Finds a lock by its address among values.

    A value has its address (None: it is in no memory) and size, the name of its type, its members
    as pairs of a name and a value (the name of a base class is None), and the target of a pointer
    or None.
    """

    def __init__(self, address, is_rust):
        self.address, self.is_rust, self.left = address, is_rust, VALUES

    def name(self, variables):
        """The path of the lock from one of these pairs of a name and a value; None: of none."""
        for name, value in variables:
            found = self.path(name, ".", value, 0)
            if found is not None:
                return found
        return None

    def path(self, name, separator, value, depth):
        self.left -= 1
        if self.left < 0 or depth > LEVELS:
            return None
        inside, of_library = self.contains(value), bool(LIBRARY_TYPE.match(value.type_name))
        target = value.target()
        if target is not None:
            return self.path_behind(name, value, target, depth)
        if not inside and not of_library:
            return None
        for member, inner in value.members():
            path = name
            if not of_library and member is not None:
                path += separator + TUPLE_FIELD.sub(r"\1", member)
            found = self.path(path, ".", inner, depth + 1)
            if found is not None:
                return found
        return name if inside else None

    def path_behind(self, name, value, target, depth):
        if self.is_rust or not value.type_name.endswith("*"):
            return self.path(name, ".", target, depth + 1)
        if self.contains(target) and LIBRARY_TYPE.match(target.type_name):
            return "*" + name
        return self.path(name, "->", target, depth + 1)

    def contains(self, value):
        start = value.address
        return start is not None and start <= self.address < start + max(value.size, 1)


def is_guard_of(address, value):
    """Whether the value is a guard of the lock: of Rust's locks only the guard knows its thread."""
    if not GUARD.match(value.type_name):
        return False
    targets = (member.target() for _, member in value.members())
    return any(target is not None and target.address == address for target in targets)
