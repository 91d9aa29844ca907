"""Evaluates expressions that must change nothing. While one runs, the interpreter reports each call
to this module, which refuses those that `purity.py` does not allow: the caller is advised to repeat
the expression with effects=allow.

What the evaluation itself makes may be changed by it. To know that, the program's objects are taken
out of the garbage collector's generations meanwhile (`gc.freeze`), so that only new ones are in the
youngest.
"""

import ast
import gc
import os
import sys
import types
from collections import defaultdict

from _pydev_bundle._pydev_saved_modules import threading
from _pydevd_bundle import pydevd_api, pydevd_comm, pydevd_vars
from _pydevd_bundle.pydevd_constants import PYDEVD_USE_SYS_MONITORING
from _pydevd_sys_monitoring import pydevd_sys_monitoring as monitoring
from pydevd_tracing import SetTrace

import dapdock_plain as plain
import dapdock_purity as purity
import dapdock_texts as texts
from dapdock_debuggee import replace
from dapdock_listing import STATEMENT
from dapdock_timeouts import NoAnswer, current

ADVICE = "repeat with effects=allow"
# Names of functions here, for the expression.
USED, ITEM, LOADED = "__dapdock_used", "__dapdock_item", "__dapdock_loaded"
HERE = os.path.dirname(sys._getframe().f_code.co_filename)  # of code that is not the program's
FROZEN = gc.get_freeze_count() if sys.version_info[:2] == (3, 12) else 0  # by Python itself
# Functions that read no element of an iterator that they get.
BLIND = {"callable", "hasattr", "getattr", "id", "isinstance", "type", "vars", "dir"}


class Stopped(BaseException):
    """Ends an evaluation. Not an `Exception`, which programs catch."""


class Refused(Exception):
    """What the caller reads."""


class Guard:
    def __init__(self):
        self.refusal = None
        self.begun = []  # frames of generators that this evaluation made
        self.new = set()  # ids of objects that it made
        self.is_frozen = gc.get_freeze_count() > FROZEN

    def __call__(self, frame, event, function):
        if event == "call":
            self.on_call(frame)
        elif event == "c_call":
            self.on_native_call(frame, function)

    def on_call(self, frame):
        code = frame.f_code
        if is_own(frame):
            return
        if code.co_flags & 0x20 and not any(begun is frame for begun in self.begun):
            if not self.is_generator_new(frame):
                self.refuse("a generator of the program would advance")
            self.begun.append(frame)
        module = frame.f_globals.get("__name__")
        if purity.is_trusted(module):
            caller = frame.f_back and frame.f_back.f_globals.get("__name__")
            if not purity.is_trusted(caller) and purity.changes(code.co_name, frame.f_locals):
                self.refuse("%s may change the program" % name_of(frame))
            return
        found = purity.of_code(code)
        if found.stores is not None and not self.makes_record(frame):
            self.refuse("%s may change the program: %s" % (name_of(frame), found.stores))
        if found.initialises and not self.is_new(first_argument(frame)):
            self.refuse("%s may change the program" % name_of(frame))

    def makes_record(self, frame):
        """Whether it is the generated `__init__` of a frozen dataclass, for a new object."""
        code = frame.f_code
        is_generated = code.co_name == "__init__" and code.co_filename == "<string>"
        return is_generated and self.is_new(first_argument(frame))

    def on_native_call(self, frame, function):
        if is_own(frame):
            return
        if purity.is_trusted(frame.f_globals.get("__name__")):
            allowed = not purity.reaches_system(function)
        else:
            allowed = purity.of_function(function, self.is_new)
            if function is next:
                allowed = gets_new_iterator(frame)
        if not allowed:
            self.refuse("`%s` may change the program" % native_name(function))

    def is_new(self, value):
        # The program has frozen its objects: those of its own since then are as young.
        if self.is_frozen:
            return False
        if id(value) in self.new:
            return True
        self.new.update(id(made) for made in gc.get_objects(generation=0))
        return id(value) in self.new

    def is_generator_new(self, frame):
        made = gc.get_objects(generation=0)
        return any(type(one) is types.GeneratorType and one.gi_frame is frame for one in made)

    def refuse(self, why):
        self.refusal = self.refusal or why
        raise Stopped


def is_own(frame):
    return os.path.dirname(frame.f_code.co_filename) == HERE


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


def gets_new_iterator(frame):
    """Whether the caller of `next` gives it what another call returned: an iterator that was there
    before would advance."""
    before = [one for one in purity.list_of(frame.f_code) if one.offset < frame.f_lasti]
    names = [instruction.opname for instruction in before[-2:]]
    if names and names[-1].startswith("LOAD_") and len(names) == 2:
        names.pop()
    return bool(names) and names[-1].startswith("CALL")


def used(value):
    """Refuses an iterator of the program where an expression would read its elements."""
    if plain.lookup(type(value), "__next__")[1] is not None:
        guard = sys.getprofile()
        guard.refuse("an iterator of the program would advance")
    return value


def item(container, key):
    """`container[key]`, unless that would add the key."""
    if plain.is_a(container, defaultdict) and key not in container:
        sys.getprofile().refuse("a defaultdict would get the key")
    return container[key]


def loaded(name):
    """`__import__(name)` of a module that the program has loaded."""
    return sys.modules[name.partition(".")[0]]


def is_import(node):
    """Whether the expression reads a loaded module: `__import__("sys")`."""
    names = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
    is_single = len(node.args) == 1 and not node.keywords
    is_named = getattr(node.func, "id", None) == "__import__" and is_single
    return is_named and names and type(names[0]) is str and names[0] in sys.modules


class Marks(ast.NodeTransformer):
    """Has `used` see what an expression iterates: arguments, sources of comprehensions, what `in`
    searches and what a star unpacks."""

    def visit_Call(self, node):
        if is_import(node):
            name = ast.copy_location(ast.Name(LOADED, ast.Load()), node.func)
            return ast.copy_location(ast.Call(name, node.args, []), node)
        self.generic_visit(node)
        if not (isinstance(node.func, ast.Name) and node.func.id in BLIND):
            node.args = list(map(self.mark, node.args))
        return node

    def visit_comprehension(self, node):
        self.generic_visit(node)
        node.iter = self.mark(node.iter)
        return node

    def visit_Compare(self, node):
        self.generic_visit(node)
        if any(isinstance(sign, (ast.In, ast.NotIn)) for sign in node.ops):
            node.comparators = list(map(self.mark, node.comparators))
        return node

    def visit_Starred(self, node):
        self.generic_visit(node)
        node.value = self.mark(node.value)
        return node

    def visit_Subscript(self, node):
        self.generic_visit(node)
        if any(isinstance(inner, ast.Slice) for inner in ast.walk(node.slice)):
            return node
        key = getattr(node.slice, "value", node.slice) if sys.version_info < (3, 9) else node.slice
        call = ast.Call(ast.Name(ITEM, ast.Load()), [node.value, key], [])
        return ast.copy_location(call, node)

    def mark(self, node):
        is_item = isinstance(node, ast.Call) and getattr(node.func, "id", None) == ITEM
        if not is_item and not isinstance(node, (ast.Name, ast.Attribute)):
            return node
        return ast.copy_location(ast.Call(ast.Name(USED, ast.Load()), [node], []), node)


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
    if any(isinstance(node, ast.NamedExpr) for node in ast.walk(tree)):
        raise Refused("the expression assigns; " + ADVICE)
    if code.co_flags & purity.ASYNCHRONOUS:
        raise Refused("the expression waits; " + ADVICE)
    return compile(ast.fix_missing_locations(Marks().visit(tree)), "<string>", "eval")


@replace(pydevd_vars, "eval")
def evaluate(original, code, *names):
    if not getattr(current, "is_guarded", False):
        return original(code, *names)
    functions = {USED: used, ITEM: item, LOADED: loaded}
    names[0].update(functions)
    try:
        return checked(original, code, *names)
    except (Refused, NoAnswer):
        raise
    except Exception as error:
        raise readable(error) from None
    finally:
        for name in functions:
            names[0].pop(name, None)


def checked(function, *arguments):
    """Calls the function, and refuses what may change the program."""
    if sys.getprofile() is not None:
        raise Refused("a profiler runs, so calls cannot be checked; " + ADVICE)
    guard = Guard()
    try:
        result = untraced(apart, sys.call_tracing, reported, (guard, function, arguments))
    except (NoAnswer, KeyboardInterrupt):
        raise
    except BaseException:
        if guard.refusal is None:
            raise
    if guard.refusal is not None:
        raise Refused("%s; %s" % (guard.refusal, ADVICE))
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


def apart(call, *arguments):
    """Calls with the objects that exist now apart from those that it makes."""
    collects = gc.isenabled()
    is_frozen = gc.get_freeze_count() > FROZEN
    gc.disable()
    if not is_frozen:
        gc.freeze()
    try:
        return call(*arguments)
    finally:
        if not is_frozen:
            gc.unfreeze()
        if collects:
            gc.enable()


def reported(guard, function, arguments):
    """Has the interpreter report calls. Called by `call_tracing`: it reports none within a trace
    function."""
    sys.setprofile(guard)
    try:
        return function(*arguments)
    finally:
        sys.setprofile(None)


def readable(error):
    """The exception, or one with the same name whose text needs no code of the program."""
    found, owner = plain.lookup(type(error), "__str__")
    if type(found) is not types.FunctionType or plain.is_known(owner):
        return error
    kind = type(plain.name_of(type(error)), (Exception,), {})
    return kind(texts.text(error))


@replace(pydevd_comm, "_evaluate_response")
def evaluate_response(original, py_db, request, result, error_message=""):
    prefix = Refused.__name__ + ": "
    if error_message.startswith(prefix):
        result = error_message = error_message[len(prefix) :]
    return original(py_db, request, result, error_message)
