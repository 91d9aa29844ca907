"""Decides whether code may run in an evaluation that must change nothing. A Python function may if
its code stores only to its own variables; a function in C if it is known to change nothing. Knows
bytecode and the functions of Python's own types; runs nothing.
"""

import builtins
import dis
import functools
import inspect
import io
import os
import re
import sys
import types
from collections import defaultdict, deque

import dapdock_plain as plain
from dapdock_operands import Flow, list_of, names_of

# Instructions that store to something else than a variable of the function, or run code that
# enters and leaves (`with`), which the interpreter does not report as a call.
SETS, ENTERS = "it sets `%s`", "it enters a `with` block"
STORES = {
    **dict.fromkeys(("STORE_GLOBAL", "STORE_NAME"), SETS),
    **dict.fromkeys(("DELETE_ATTR", "DELETE_DEREF", "DELETE_GLOBAL", "DELETE_NAME"), "it deletes"),
    **dict.fromkeys(("DELETE_SUBSCR", "STORE_SLICE", "STORE_SUBSCR"), "it changes a container"),
    **dict.fromkeys(("BEFORE_WITH", "LOAD_SPECIAL", "SETUP_WITH"), ENTERS),
    "IMPORT_STAR": "it imports",
    "LOAD_BUILD_CLASS": "it makes a class",
}
ASYNCHRONOUS = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR | inspect.CO_ITERABLE_COROUTINE
NEW_VALUES = {"BUILD_LIST", "BUILD_MAP", "BUILD_SET", "BUILD_STRING", "BUILD_TUPLE", "LOAD_CONST",
              "LOAD_SMALL_INT", "FORMAT_SIMPLE", "FORMAT_VALUE"}  # fmt: skip
# What the interpreter runs of a handler before it compares the type of the exception, or to leave.
HANDLERS = {
    "BUILD_TUPLE", "CALL_INTRINSIC_1", "COPY", "DELETE_FAST", "DUP_TOP", "LOAD_ATTR", "LOAD_CONST",
    "LOAD_FAST", "LOAD_GLOBAL", "LOAD_NAME", "POP_BLOCK", "POP_EXCEPT", "POP_TOP", "PUSH_EXC_INFO",
    "STORE_FAST", "SWAP", "LOAD_FAST_CHECK", "LOAD_DEREF", "CLEANUP_THROW", "END_SEND",
}  # fmt: skip
HANDLER_ENDS = {"CHECK_EXC_MATCH", "COMPARE_OP", "END_FINALLY", "JUMP_IF_NOT_EXC_MATCH", "RERAISE"}
# Methods that store without a call that the interpreter reports.
STORING_NAMES = re.compile(
    "__((set|del)(attr|item)|delete|set|"
    "i(add|and|concat|floordiv|lshift|matmul|mod|mul|or|pow|rshift|sub|truediv|xor))__"
)
IN_PLACE = {"i" + name for name in
            "add and concat floordiv lshift matmul mod mul or pow rshift sub truediv xor".split()}
FUNCTIONS = {
    getattr(builtins, name)
    for name in (
        "abs all any ascii bin callable chr dir divmod format getattr globals hasattr hash hex id "
        "isinstance issubclass iter len locals max min next oct ord pow repr round sorted sum vars"
    ).split()
}
# Methods in C of these types that change their object, unless it was made in the evaluation.
MUTATORS = {
    list: "append clear extend insert pop remove reverse sort",
    dict: "clear move_to_end pop popitem setdefault update",  # and of OrderedDict
    set: "add clear difference_update discard intersection_update pop remove "
    "symmetric_difference_update update",
    bytearray: "append clear extend insert pop remove reverse",
    deque: "append appendleft clear extend extendleft insert pop popleft remove reverse rotate",
}
IMMUTABLE = (bool, bytes, complex, float, frozenset, int, range, slice, str, tuple, type(None))
# Modules in C, and types of modules, whose functions change nothing.
PURE = {"_bisect", "_datetime", "_decimal", "_functools", "_json", "_operator", "_statistics",
        "_struct", "binascii", "cmath", "datetime", "decimal", "math", "re", "_sre", "time",
        "unicodedata", "zlib"}  # fmt: skip
IMPURE = {"sleep", "insort", "insort_left", "insort_right", "setitem", "delitem", "setcontext",
          "tzset", "pack_into", "clock_settime", "clock_settime_ns", *IN_PLACE}  # fmt: skip
# Methods in C of types of these modules that change their object, unless the evaluation made it.
CHANGERS = {"clear_flags", "clear_traps", "compress", "decompress", "flush", "pack_into"}
# Modules in Python whose functions may store: they change at most what they have computed before.
TRUSTED = {"_pydatetime", "_pydecimal", "_strptime", "abc", "datetime", "decimal", "enum",
           "fractions", "genericpath", "ipaddress", "json", "locale", "ntpath", "numbers",
           "operator", "pathlib", "posixpath", "re", "statistics", "string", "textwrap", "types",
           "typing", "uuid"}  # fmt: skip
INSTALLED = {"dateutil", "numpy", "pandas", "pytz"}  # the same, not of Python itself
# The same of single functions. Those of `copy` and `dataclasses` store to what they make.
TRUSTED_FUNCTIONS = {
    "collections": {"_replace", "most_common"},
    "copy": {"copy", "deepcopy"},
    "dataclasses": {"asdict", "astuple", "replace", "wrapper"},
    "heapq": {"nlargest", "nsmallest"},
    "os": {"get_exec_path", "getenv"},
    "reprlib": {"wrapper"},
}
# Methods of these modules that store to an object that the evaluation has made.
MAKERS = {"collections": {"__init__", "update"}}
# Functions of these modules reach the system.
SYSTEM = {"_ctypes", "_io", "_posixsubprocess", "_socket", "_sqlite3", "_thread", "builtins", "gc",
          "io", "nt", "posix", "select", "signal", "sys"}  # fmt: skip
READS = {"_getframe", "_path_splitroot", "_path_splitroot_ex", "_path_normpath", "allocate_lock",
         "fspath", "get_ident", "getcwd", "getpid", "getrefcount", "getsizeof", "intern",
         "listdir", "lstat", "readlink", "scandir", "stat"}  # fmt: skip
# Methods in C that only read, by the module of their type.
READERS = {
    "_asyncio": "cancelled cancelling done get_coro get_loop get_name",
    "_contextvars": "get",
    "_hashlib": "copy digest hexdigest",
    "_io": "fileno getvalue isatty readable seekable tell writable",
    "_queue": "empty qsize",
    "_socket": "fileno getpeername getsockname gettimeout",
    "_sqlite3": "keys",
    "_thread": "_is_owned locked",
    "array": "buffer_info count index tobytes tolist",
    "builtins": "cast copy get hex isdisjoint items keys mro tobytes tolist values",
    "re": "end expand group groupdict groups span start",
}
CHANGES = re.compile(
    "(add|append|assign|at$|byteswap|chmod|clear|copyto|del|drop|dump|eval|exec|fill|insert|"
    "itemset|load|mkdir|open|partition|permut|place|pop|put|query|rand|register|rename|replace|"
    "resize|rmdir|sample|save|seed|set|shuffle|sort|symlink|to_|touch|unlink|update|write)"
)
PURE_CHANGES = {"add_prefix", "add_suffix", "assign", "drop", "dropna", "dumps", "loads", "replace",
                "set_axis", "to_datetime", "to_dict", "to_frame", "to_list", "to_numeric",
                "to_numpy", "to_period", "to_pydatetime", "to_records", "to_series",
                "to_timedelta", "to_timestamp"}  # fmt: skip
# These return a text if they get no file: the argument for it.
WRITERS = {"to_csv": "path_or_buf", "to_json": "path_or_buf", "to_string": "buf", "to_html": "buf",
           "to_markdown": "buf"}  # fmt: skip
LIBRARY = os.path.dirname(os.__file__)
PACKAGES = {"site-packages", "dist-packages"}
# Modules besides those whose types in C may be constructed.
CONSTRUCTED = {"_abc", "_collections", "_hashlib", "_random", "_weakref", "array", "builtins",
               "collections", "contextvars", "functools", "itertools", "random",
               "weakref"}  # fmt: skip
FIELDS = {"__dict__", "__getattribute__", "attrgetter"}  # may give the `__dict__` of an object
known = {}  # id of code -> its Finding
known_types = {}  # id of a type -> (type, whether its constructors change nothing)


class Finding:
    def __init__(self, stores=None, initialises=False, checks=None):
        self.stores = stores  # what it stores to, or None
        self.initialises = initialises  # stores to attributes of its first argument alone
        self.checks = checks or {}  # offset -> operations whose operands decide


def of_code(code):
    found = known.get(id(code))
    if found is None:
        found = known[id(code)] = examine(code)
        found.code = code  # keeps its id
        names = {one for one in (*code.co_names, *code.co_consts) if type(one) is str}
        found.reads_fields = not FIELDS.isdisjoint(names)
    return found


def examine(code):
    if code.co_flags & ASYNCHRONOUS:
        return Finding("it waits")
    instructions = list_of(code)
    initialises = False
    for number, instruction in enumerate(instructions):
        before = instructions[number - 1] if number else None
        name, value = instruction.opname, instruction.argval
        if name == "STORE_ATTR":
            if not is_first_argument(code, before):
                return Finding("it sets `%s`" % value)
            initialises = True
        elif name in STORES:
            return Finding(STORES[name] % value if "%s" in STORES[name] else STORES[name])
        elif name == "STORE_DEREF" and value not in code.co_cellvars:
            return Finding("it sets `%s`" % value)
        elif name == "IMPORT_NAME" and value not in sys.modules:
            return Finding("it imports `%s`" % value)
        elif is_in_place(instruction) and not is_new(code, instructions, number + 1):
            return Finding("it may change a value in place")
    for name in code.co_names:
        if STORING_NAMES.fullmatch(name):
            return Finding("it calls `%s`" % name)
    if not all(map(is_harmless, handlers(code, instructions))):
        return Finding("it handles every exception")
    return Finding(None, initialises, Flow(code, instructions).checks)


def is_first_argument(code, instruction):
    """Whether the instruction loads the first argument, which is never another value."""
    if instruction is None or not code.co_argcount:
        return False
    if not instruction.opname.startswith("LOAD_FAST"):
        return False
    value = instruction.argval
    first = code.co_varnames[0]
    loaded = value[-1] if type(value) is tuple else value
    return loaded == first


def is_in_place(instruction):
    name = instruction.opname
    return name.startswith("INPLACE_") or name == "BINARY_OP" and instruction.argrepr.endswith("=")


def is_new(code, instructions, number):
    """Whether an operation in place leaves the program's values alone: the instruction after it
    stores the result to a variable that only holds values made in this function, or is refused
    itself."""
    store = instructions[number]
    if store.opname == "STORE_DEREF":
        return False
    if not store.opname.startswith("STORE_FAST"):
        return True
    name = names_of(store)[0]
    if name in arguments_of(code):
        return False
    for before, found in zip(instructions, instructions[1:]):
        if not found.opname.startswith("STORE_FAST") or name not in names_of(found):
            continue
        is_made = is_in_place(before) or before.opname in NEW_VALUES
        if len(names_of(found)) > 1 or not is_made:
            return False
    return True


def arguments_of(code):
    stars = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + stars]


def handlers(code, instructions):
    """For each handler of exceptions the instructions from its begin."""
    begins = set()
    for entry in getattr(dis.Bytecode(code), "exception_entries", ()):
        begins.add(entry.target)
    for instruction in instructions:
        if instruction.opname == "SETUP_FINALLY":
            begins.add(instruction.argval)
    for begin in begins:
        yield [instruction for instruction in instructions if instruction.offset >= begin]


def is_harmless(handler):
    """Whether the handler lets the refusal of a call pass, and runs nothing before."""
    for instruction in handler:
        if instruction.opname in HANDLER_ENDS:
            return True
        if instruction.opname not in HANDLERS or instruction.argval == "BaseException":
            return False
    return True


def is_trusted(frame):
    """Whether the frame runs Python code that may store: of one of the trusted modules, and not of
    a module of the program that has its name; or of a module of Python that such code calls."""
    while frame is not None:
        code, module = frame.f_code, frame.f_globals.get("__name__")
        name = root_of(module)
        is_known = name in TRUSTED or name in INSTALLED
        is_known = is_known or code.co_name in TRUSTED_FUNCTIONS.get(name, ())
        if is_known and is_file_of(module, name, code.co_filename):
            return True
        if imports(frame) and root_of(frame.f_locals.get("name")) in TRUSTED:
            return True  # code in C imports it
        if name is None or not is_of_python(code.co_filename):
            return False
        frame = frame.f_back
    return False


def root_of(module):
    return module.partition(".")[0] if type(module) is str else None


def imports(frame):
    """Whether Python imports a module there."""
    return frame.f_code.co_filename.startswith("<frozen importlib._bootstrap")


def makes(frame):
    """Whether the frame may store to its first argument, if the evaluation has made that."""
    module, code = frame.f_globals.get("__name__"), frame.f_code
    is_maker = type(module) is str and code.co_name in MAKERS.get(module, ())
    return is_maker and is_of_python(code.co_filename)


@functools.lru_cache(1024)
def is_of_python(file):
    is_installed = not PACKAGES.isdisjoint(re.split(r"[/\\]", file))
    return file.startswith("<frozen ") or file.startswith(LIBRARY) and not is_installed


@functools.lru_cache(1024)
def is_file_of(module, name, file):
    folders = re.split(r"[/\\]", file)
    if name in INSTALLED:
        return not PACKAGES.isdisjoint(folders) or file.startswith("<__array_")
    if file == "<frozen %s>" % module:
        return True
    return file.startswith(LIBRARY) and PACKAGES.isdisjoint(folders)


def changes(name, names):
    """Whether a function of such a module changes its object, by its name and its arguments."""
    if "inplace" in names:
        return names["inplace"] is True or plain.is_numpy_scalar(type(names["inplace"]))
    if name in WRITERS:
        return names.get(WRITERS[name]) is not None
    return bool(CHANGES.match(name)) and name not in PURE_CHANGES


def of_function(function, is_new_object):
    """Whether a function in C, or a bound method in C, changes nothing."""
    if function in FUNCTIONS if type(function) is types.BuiltinFunctionType else False:
        return True
    owner = getattr(function, "__self__", None)
    name = function.__name__
    if type(function) in (types.MethodDescriptorType, types.WrapperDescriptorType):
        base = function.__objclass__
        return issubclass(base, IMMUTABLE) or base in MUTATORS and not is_mutator(base, name)
    if owner is None or plain.is_a(owner, types.ModuleType):
        module = getattr(function, "__module__", None)
        if module in SYSTEM and name in READS:
            return True
        if root_of(module) == "numpy":
            return not CHANGES.match(name)
        return module in PURE and name not in IMPURE
    kind = owner if plain.is_a(owner, type) else type(owner)
    for base in MUTATORS:
        if issubclass(kind, base):
            adds = issubclass(kind, defaultdict) and name in ("__getitem__", "__missing__")
            return not (adds or is_mutator(base, name)) or is_new_object(owner)
    if issubclass(kind, IMMUTABLE):
        return True
    if issubclass(kind, BaseException):
        return name == "__str__" or is_new_object(owner)
    module = plain.module_of(kind).partition(".")[0]
    if module == "numpy":
        return not CHANGES.match(name) and not draws(kind)
    if name in READERS.get(module, "").split():
        # That of a text file writes what it has buffered.
        return name != "tell" or not issubclass(kind, io.TextIOWrapper)
    if module in PURE:
        return name not in CHANGERS or is_new_object(owner)
    return name in ("__str__", "__repr__", "__reduce__", "__eq__", "__hash__")


def draws(kind):
    """Whether a type of numpy has random numbers, each of which changes the next."""
    return plain.module_of(kind).startswith("numpy.random")


def is_unreported(function):
    """Whether the interpreter reports no call of the function: Cython has made it."""
    return plain.name_of(type(function)) == "cython_function_or_method"


def is_unreported_pure(function):
    module = function.__module__
    is_known = root_of(module) in ("numpy", "pandas")
    is_random = is_known and module.startswith("numpy.random")
    return is_known and not is_random and not CHANGES.match(function.__name__)


def is_mutator(base, name):
    return name in MUTATORS[base].split() or bool(STORING_NAMES.fullmatch(name))


def is_constructor_pure(kind):
    """Whether what constructs values of a type in C, or derived from one, changes nothing."""
    if id(kind) not in known_types:
        known_types[id(kind)] = kind, all(map(is_pure_owner, constructors(kind)))
    return known_types[id(kind)][1]


def constructors(kind):
    """The types in C whose functions construct values of a type."""
    for name in ("__new__", "__init__"):
        found, owner = plain.lookup(kind, name)
        found = found.__func__ if plain.is_exactly(found, staticmethod) else found
        if not plain.is_exactly(found, types.FunctionType):
            yield owner


def is_pure_owner(owner):
    module = plain.module_of(owner).partition(".")[0]
    return module in {*CONSTRUCTED, *PURE, *TRUSTED, *INSTALLED} or is_buffer(owner)


def is_buffer(kind):
    return kind is io.BytesIO or kind is io.StringIO


def reaches_system(function):
    """Whether a function in C that a trusted module calls does more than read."""
    owner = getattr(function, "__self__", None)
    if draws(owner if plain.is_a(owner, type) else type(owner)):
        return True
    module = owner if plain.is_a(owner, types.ModuleType) else None
    name = getattr(function, "__module__", None) if module is None else module.__name__
    if name == "builtins":
        return function in (exec, open, print, input) if module is not None else False
    return name in SYSTEM and function.__name__ not in READS
