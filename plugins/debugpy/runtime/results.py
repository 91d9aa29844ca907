"""Keeps pydevd from reading what an expression returns or raises: `__class__`, `isinstance` and the
text of an exception may be code of the program.

The answer comes after what the program's code has printed, if the expression may run some.
"""

import types

from _pydevd_bundle import pydevd_comm, pydevd_vars

import dapdock_plain as plain
import dapdock_python_types as python_types
import dapdock_texts as texts
from dapdock_debuggee import await_output, replace
from dapdock_timeouts import current


class Wrapped:
    """A value of the program, where pydevd reads `__class__` of what an expression returns."""

    def __init__(self, value):
        self.value = value


@replace(pydevd_vars, "eval_in_context")
def eval_in_context(original, *args, **kwargs):
    found = original(*args, **kwargs)
    return found if type(found) is pydevd_vars.ExceptionOnEvaluate else Wrapped(found)


@replace(pydevd_vars, "evaluate_expression")
def evaluate_expression(original, *args, **kwargs):
    found = original(*args, **kwargs)
    if not getattr(current, "is_guarded", False):
        await_output()  # of the program's code, before the answer
    return found.value if type(found) is Wrapped else found


@replace(pydevd_comm, "isinstance_checked")
def isinstance_checked(_, value, kind):
    return plain.is_a(value, kind)


# When an expression fails, pydevd follows its names by these, for names that Python mangles. What
# is stored under a name is found without code of the program, mangled by the class that has it.
def has_attribute(owner, name):
    return True if getattr(current, "is_guarded", False) else hasattr(owner, name)


def get_attribute(owner, name):
    if not getattr(current, "is_guarded", False):
        return getattr(owner, name)
    names = [name]
    if name.startswith("__") and not name.endswith("__"):
        for base in plain.bases_of(owner if plain.is_a(owner, type) else type(owner)):
            names.append("_%s%s" % (plain.name_of(base).lstrip("_"), name))
    fields = plain.listed_fields(owner)
    return next(fields[one] for one in names if one in fields)


pydevd_vars.hasattr, pydevd_vars.getattr = has_attribute, get_attribute


def readable(error):
    """The exception, or one with the same name whose text needs no code of the program."""
    found, owner = plain.lookup(type(error), "__str__")
    has_own_text = type(found) is types.FunctionType and not plain.is_known(owner)
    values = BaseException.args.__get__(error)
    is_own = plain.lookup(type(error), "__class__")[1] is not object
    if not has_own_text and not is_own and python_types.are_plain(values):
        return error
    kind = type(plain.name_of(type(error)), (Exception,), {})
    is_single = not has_own_text and len(values) == 1
    return kind(texts.text(values[0] if is_single else error))
