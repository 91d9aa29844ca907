"""Evaluates expressions that must change nothing. While one runs, the interpreter reports each call
to this module, which refuses those that `purity.py` does not allow: the caller is advised to repeat
the expression with effects=allow.

What the evaluation itself makes may be changed by it. To know that, the program's objects are taken
out of the garbage collector's generations meanwhile (`gc.freeze`), so that only new ones are in the
youngest. Code in C reports no calls of its own: what it would get as operands in a function is read
before each instruction that iterates, subscripts or calls (`Operands`), and in the expression by
calls that `marks.py` adds.
"""

import ast
import functools
import gc
import inspect
import operator
import os
import sys
import types
from collections import defaultdict

import pydevd_tracing
from _pydev_bundle._pydev_saved_modules import threading
from _pydevd_bundle import pydevd_api, pydevd_comm, pydevd_vars
from _pydevd_bundle.pydevd_constants import PYDEVD_USE_SYS_MONITORING
from _pydevd_sys_monitoring import pydevd_sys_monitoring as monitoring
from pydevd_tracing import SetTrace

import dapdock_marks as marks
import dapdock_operands as operands
import dapdock_plain as plain
import dapdock_purity as purity
import dapdock_results as results
from dapdock_debuggee import replace
from dapdock_listing import STATEMENT
from dapdock_timeouts import NoAnswer, current

ADVICE = "repeat with effects=allow"
NOT_THERE = "not possible while its thread is in native code"
directory = functools.lru_cache(1024)(os.path.dirname)
HERE = directory(sys._getframe().f_code.co_filename)  # of code that is not the program's


class Stopped(BaseException):
    """Ends an evaluation. Not an `Exception`, which programs catch."""


class Refused(Exception):
    """What the caller reads."""


def advice():
    """A thread of the debugger evaluates for a thread that has not stopped (`blocked.py`)."""
    is_debuggers = getattr(threading.current_thread(), "pydev_do_not_trace", False)
    return NOT_THERE if is_debuggers else ADVICE


class Guard:
    def __init__(self):
        self.refusal = None
        self.codes = set()  # ids of those of the expression
        self.frames = set()  # of generators that this evaluation made
        self.checked = set()  # those of them that have begun
        self.new = set()  # ids of objects that it made
        self.old = None  # the youngest objects before, if the program has frozen its own
        self.scans = 0
        self.reads_fields = False  # has read a `__dict__`, which may be made when it is read
        self.returned = []  # values of the program that functions returned and reading may change
        # By the id of a type, whose hash may be the program's code.
        self.plain_kinds = {}  # id -> (type, whether reading its values changes nothing)

    def __call__(self, frame, event, value):
        if event == "call":
            self.on_call(frame)
        elif event == "c_call":
            self.on_native_call(frame, value)
        elif event == "return" and self.is_delicate(value) and not is_own(frame):
            self.returned.append(value)

    def on_call(self, frame):
        code = frame.f_code
        if is_own(frame):
            return
        if code.co_flags & inspect.CO_GENERATOR:
            if frame in self.checked:
                return
            self.scan()
            if frame not in self.frames:
                self.refuse("a generator of the program would advance")
            self.checked.add(frame)
        if purity.is_trusted(frame):
            if not (frame.f_back and purity.is_trusted(frame.f_back)):
                if purity.changes(code.co_name, frame.f_locals):
                    self.refuse("%s may change the program" % name_of(frame))
                if any(map(self.is_iterator, frame.f_locals.values())):
                    self.refuse(ADVANCES)
            return
        if self.makes(frame):
            return
        found = purity.of_code(code)
        self.reads_fields = self.reads_fields or found.reads_fields
        if found.stores is not None and not self.makes_record(frame):
            self.refuse("%s may change the program: %s" % (name_of(frame), found.stores))
        if found.initialises and not self.is_new(first_argument(frame)):
            self.refuse("%s may change the program" % name_of(frame))

    def makes(self, frame):
        """Whether it is a method of Python's own that stores to an object that is new."""
        return purity.makes(frame) and self.is_new(first_argument(frame))

    def makes_record(self, frame):
        """Whether it is the generated `__init__` of a frozen dataclass, for a new object."""
        code = frame.f_code
        is_generated = code.co_name == "__init__" and code.co_filename == "<string>"
        return is_generated and self.is_new(first_argument(frame))

    def on_native_call(self, frame, function):
        if is_own(frame):
            return
        if function is vars or function is getattr:
            self.reads_fields = True
        if purity.is_trusted(frame) or self.makes(frame):
            # A library may import more of itself.
            allowed = purity.imports(frame) or not purity.reaches_system(function)
        else:
            allowed = purity.of_function(function, self.is_new)
        if not allowed:
            self.refuse("`%s` may change the program" % native_name(function))

    def trace(self, frame, event, _):
        """The trace function of the thread: has instructions of the program reported."""
        code = frame.f_code
        # Python 3.12 would set the variables of comprehensions of other code to None.
        if is_own(frame) or not code.co_flags & inspect.CO_OPTIMIZED or id(code) in self.codes:
            return None
        checks = purity.of_code(code).checks
        if not checks or purity.is_trusted(frame):
            return None

        def watch(frame, event, _):
            operations = checks.get(frame.f_lasti) if event == "opcode" else None
            if operations:
                Operands(self, frame).check(operations)
            return watch

        frame.f_trace_lines = False
        frame.f_trace = watch  # before the next line, for Python 3.13
        frame.f_trace_opcodes = True
        return watch

    def is_new(self, value):
        if self.reads_fields and type(value) is dict:
            return False
        if id(value) not in self.new:
            self.scan()
        return id(value) in self.new

    def scan(self):
        """Finds the objects that were made since the last time."""
        if self.old is None:
            made = gc.get_objects(generation=0)
            gc.freeze()  # the next scan does not find them again
        else:
            self.scans += 1
            if self.scans > MOST_SCANS:
                return
            made = [one for one in gc.get_objects(generation=0) if id(one) not in self.old]
        self.new.update(map(id, made))
        self.frames.update(one.gi_frame for one in made if type(one) is types.GeneratorType)

    def is_delicate(self, value):
        return self.is_iterator(value) or self.is_adding(value)

    def is_iterator(self, value):
        """Whether reading elements of the value would advance an iterator of the program. Of one
        whose type is the program's the call of `__next__` is checked."""
        if self.is_plain(type(value)) or plain.is_a(value, defaultdict):
            return False
        found = plain.lookup(type(value), "__next__")[0]
        is_native = found is not None and type(found) is not types.FunctionType
        return is_native and not self.is_new(value)

    def is_adding(self, value):
        """Whether reading a key that is not there would add it."""
        if not plain.is_a(value, defaultdict) or defaultdict.default_factory.__get__(value) is None:
            return False
        found = plain.lookup(type(value), "__missing__")[0]
        return type(found) is not types.FunctionType and not self.is_new(value)

    def is_plain(self, kind):
        found = self.plain_kinds.get(id(kind))
        if found is None:
            is_plain = plain.lookup(kind, "__next__")[1] is None
            is_plain = is_plain and not issubclass(kind, defaultdict)
            found = self.plain_kinds[id(kind)] = kind, is_plain
        return found[1]

    def check_argument(self, value):
        """Refuses what code in C must not get: it would advance an iterator, or call a function
        that changes something."""
        is_generator = plain.is_a(value, types.GeneratorType)
        if self.is_iterator(value) or is_generator and not self.is_new(value):
            self.refuse(ADVANCES)
        self.check_called(value)
        if plain.is_exactly(value, *operands.NATIVE):
            if value is next or not purity.of_function(value, self.is_new):
                self.refuse("`%s` may change the program" % native_name(value))

    def check_called(self, value):
        """Refuses what may change something in a call that the interpreter does not report: of a
        type in C, a function of Cython, a partial one, or a method such as `__next__`."""
        function = value.__func__ if type(value) is types.MethodType else value
        if purity.is_unreported(function) and not purity.is_unreported_pure(function):
            self.refuse("`%s` may change the program" % function.__name__)
        if plain.is_a(value, type) and not purity.is_constructor_pure(value):
            self.refuse("`%s` may change the program" % plain.name_of(value))
        if plain.is_exactly(value, functools.partial):
            for one in (value.func, *value.args, *value.keywords.values()):
                self.check_argument(one)
        if plain.is_exactly(value, types.MethodWrapperType):
            if value.__name__ == "__call__":
                self.check_argument(value.__self__)
            elif value.__name__ == "__next__" and self.is_iterator(value.__self__):
                self.refuse(ADVANCES)

    def check_elements(self, value):
        is_read = plain.is_exactly(value, list, tuple, set, dict)
        elements = operands.elements_of(value) if is_read else ()
        kinds = {id(type(element)): type(element) for element in elements}.values()
        if any(is_called(kind) or not self.is_plain(kind) for kind in kinds):
            for element in elements:
                self.check_argument(element)

    def refuse(self, why):
        self.refusal = self.refusal or why
        raise Stopped


def is_called(kind):
    """Whether values of a type are functions in C or types."""
    return issubclass(kind, type) or any(kind is one for one in operands.NATIVE)


class Operands(operands.Values):
    """Decides by their operands whether instructions of a frame may run."""

    def __init__(self, guard, frame):
        operands.Values.__init__(self, frame, guard.returned)
        self.guard = guard

    def check(self, operations):
        for kind, *operands in operations:
            getattr(self, "check_" + kind)(*operands)

    def unknown(self):
        why = "%s may change the program: it reads a value that is not known"
        self.guard.refuse(why % name_of(self.frame))

    def check_iterate(self, origin):
        found = self.values(origin)
        if found is None:
            return self.unknown()
        if any(map(self.guard.is_iterator, found)):
            self.guard.refuse(ADVANCES)

    def check_item(self, container, key):
        found = self.values(container)
        if found is None:
            return self.unknown()
        for one in filter(self.guard.is_adding, found):
            keys = self.values(key) or [None]
            for name in keys:
                if not operands.is_simple(name) or not dict.__contains__(one, name):
                    self.guard.refuse(ADDS)

    def check_call(self, function, arguments):
        functions = [operands.FUNCTION] if function == operands.FUNCTION else self.values(function)
        for one in functions or ():
            self.guard.check_called(one)
        if functions and all(map(self.is_checked, functions)):
            return
        for argument in spread(arguments):
            found = self.values(argument)
            if found is None:
                self.unknown()
            for value in found or ():
                self.guard.check_argument(value)
                self.guard.check_elements(value)
                reads = not functions or any(map(gets_items, functions))
                if reads and self.guard.is_adding(value):
                    self.guard.refuse(ADDS)

    def is_checked(self, function):
        """Whether what the function does with its arguments is checked in it, or harmless."""
        if function is operands.FUNCTION or plain.is_exactly(function, types.FunctionType):
            return True
        if type(function) is types.MethodType:
            return self.is_checked(function.__func__)
        if plain.is_exactly(function, *operands.NATIVE):
            owner = getattr(function, "__self__", None)
            is_text = plain.is_exactly(owner, str, bytes) and function.__name__ not in READING_TEXT
            return is_text or function.__name__ in HARMLESS
        if plain.is_a(function, type):
            made = [plain.lookup(function, name)[0] for name in ("__init__", "__new__")]
            is_own = all(is_program(one) for one in made)
            return is_own or plain.name_of(function) in HARMLESS
        return type(plain.lookup(type(function), "__call__")[0]) is types.FunctionType


ADVANCES, ADDS = "an iterator of the program would advance", "a defaultdict would get the key"
# Functions in C that neither read elements of an argument nor call it.
HARMLESS = set(
    "__init__ __new__ abs add append bool callable chr complex count dir endswith float format get "
    "getattr hasattr hash id index int isinstance issubclass iter len object ord print property "
    "range repr round slice startswith str super type vars".split()
)
FROZEN = gc.get_freeze_count() if sys.version_info[:2] == (3, 12) else 0  # by Python itself
MOST_SCANS = 200  # of all young objects
READING_TEXT = {"join", "format_map", "__mod__", "format"}


def is_program(function):
    """Whether `__init__` or `__new__` is in Python, or that of `object`."""
    function = function.__func__ if plain.is_exactly(function, staticmethod) else function
    is_plain = function is object.__init__ or function is object.__new__
    return is_plain or plain.is_exactly(function, types.FunctionType)


def spread(origins):
    """The origins, with those of the elements of a container that is made for a call."""
    for origin in origins:
        is_made = origin is not None and origin[0] == "build"
        yield from spread(origin[1]) if is_made else (origin,)


def gets_items(function):
    """Whether code in C would read a key of its argument."""
    if plain.is_exactly(function, operator.itemgetter, functools.partial):
        return True
    name = getattr(function, "__name__", "") if plain.is_exactly(function, *operands.NATIVE) else ""
    return name in ("getitem", "format_map", "map", "__getitem__")


def is_own(frame):
    return directory(frame.f_code.co_filename) == HERE


def first_argument(frame):
    return frame.f_locals.get(frame.f_code.co_varnames[0])


def name_of(frame):
    code = frame.f_code
    if code.co_name == "<module>":
        return "the expression"
    name = getattr(code, "co_qualname", None)  # since Python 3.11
    if name is None and code.co_argcount:
        owner = plain.lookup(type(first_argument(frame)), code.co_name)[1]
        name = code.co_name if owner is None else plain.name_of(owner) + "." + code.co_name
    return "`%s`" % (name or code.co_name).replace("<locals>.", "")


def native_name(function):
    owner = getattr(function, "__self__", None)
    if owner is None or plain.is_a(owner, types.ModuleType):
        return function.__name__
    kind = owner if plain.is_a(owner, type) else type(owner)
    return "%s.%s" % (plain.name_of(kind), function.__name__)


def used(value):
    """Refuses what an expression must not iterate, or give to a function in C."""
    guard = sys.getprofile()
    guard.check_argument(value)
    guard.check_elements(value)
    return value


def argument(value):
    """Refuses what an expression must not iterate; its elements are not looked at."""
    sys.getprofile().check_argument(value)
    return value


def item(container, key):
    """`container[key]`, unless that would add the key."""
    if plain.is_a(container, defaultdict) and key not in container:
        sys.getprofile().refuse(ADDS)
    return container[key]


def called(function):
    """Refuses what an expression must not call."""
    sys.getprofile().check_called(function)
    return function


def loaded(name):
    """`__import__(name)` of a module that the program has loaded."""
    return sys.modules[name.partition(".")[0]]


@replace(pydevd_api, "internal_evaluate_expression_json")
def internal_evaluate_expression_json(original, py_db, request, *args, **kwargs):
    current.is_guarded = request.arguments.context != STATEMENT
    try:
        return original(py_db, request, *args, **kwargs)
    finally:
        current.is_guarded = False


@replace(pydevd_vars, "compile_as_eval")
def compile_as_eval(original, expression):
    code = original(expression)
    if not getattr(current, "is_guarded", False):
        return code
    tree = ast.parse(expression.strip(), "<string>", "eval")
    if any(map(marks.assigns, ast.walk(tree))):
        raise Refused("the expression assigns; " + advice())
    if code.co_flags & purity.ASYNCHRONOUS:
        raise Refused("the expression waits; " + advice())
    return compile(ast.fix_missing_locations(marks.Marks().visit(tree)), "<string>", "eval")


@replace(pydevd_vars, "eval")
def evaluate(original, code, *names):
    if not getattr(current, "is_guarded", False):
        return original(code, *names)
    functions = {
        marks.USED: used,
        marks.ARGUMENT: argument,
        marks.ITEM: item,
        marks.LOADED: loaded,
        marks.CALLED: called,
    }
    names[0].update(functions)
    try:
        return checked(original, code, *names, expression=code)
    except (Refused, NoAnswer):
        raise
    except Exception as error:
        raise results.readable(error) from None
    finally:
        for name in functions:
            names[0].pop(name, None)


def checked(function, *arguments, expression=None):
    """Calls the function, and refuses what may change the program."""
    if sys.getprofile() is not None:
        raise Refused("a profiler runs, so calls cannot be checked; " + advice())
    guard = Guard()
    guard.codes.update(() if expression is None else codes_in(expression))
    try:
        call = sys.call_tracing, reported, (guard, function, arguments)
        result = untraced(apart, guard, *call)
    except (NoAnswer, KeyboardInterrupt):
        raise
    except BaseException:
        if guard.refusal is None:
            raise
    if guard.refusal is not None:
        raise Refused("%s; %s" % (guard.refusal, advice()))
    return result


def untraced(call, *arguments):
    """Calls while pydevd does not trace this thread, which is stopped: it would stop again."""
    if getattr(threading.current_thread(), "pydev_do_not_trace", False):
        return call(*arguments)
    if PYDEVD_USE_SYS_MONITORING:
        monitoring.stop_monitoring()
        try:
            return call(*arguments)
        finally:
            monitoring.start_monitoring()
    trace = sys.gettrace()
    SetTrace(None)
    try:
        return call(*arguments)
    finally:
        SetTrace(trace)


def apart(guard, call, *arguments):
    """Calls with the objects that exist now apart from those that it makes. Objects that the
    program has frozen stay so: then the youngest are remembered."""
    collects = gc.isenabled()
    is_frozen = gc.get_freeze_count() > FROZEN
    gc.disable()
    if is_frozen:
        young = gc.get_objects(generation=0)
        guard.old = {id(one): one for one in young}
        guard.old[id(young)] = young
        guard.old[id(guard.old)] = guard.old
    else:
        gc.freeze()
    try:
        return call(*arguments)
    finally:
        guard.frames.clear()
        guard.checked.clear()
        guard.old = None
        if not is_frozen:
            gc.unfreeze()
        if collects:
            gc.enable()


def reported(guard, function, arguments):
    """Has the interpreter report calls, and instructions of the program's functions. Called by
    `call_tracing`: it reports none within a trace function."""
    holder = getattr(pydevd_tracing, "TracingFunctionHolder", None)
    settrace = getattr(holder, "_original_tracing", None) or sys.settrace  # pydevd replaces it
    sys._getframe().f_trace_opcodes = True  # without one such frame Python 3.12 reports none
    settrace(guard.trace)
    sys.setprofile(guard)
    try:
        return function(*arguments)
    finally:
        sys.setprofile(None)
        settrace(None)


def codes_in(code):
    yield id(code)
    for inner in code.co_consts:
        if type(inner) is types.CodeType:
            yield from codes_in(inner)


@replace(pydevd_comm, "_evaluate_response")
def evaluate_response(original, py_db, request, result, error_message=""):
    prefix = Refused.__name__ + ": "
    if error_message.startswith(prefix):
        result = error_message = error_message[len(prefix) :]
    return original(py_db, request, result, error_message)
