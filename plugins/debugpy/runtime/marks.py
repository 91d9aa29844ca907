"""Rewrites an expression so that functions of `effects.py` see the values which it iterates,
subscripts, calls, and gives to functions. Knows syntax alone.
"""

import ast
import sys

# Names of functions of `effects.py`, for the expression.
USED, ITEM, LOADED = "__dapdock_used", "__dapdock_item", "__dapdock_loaded"
CALLED, ARGUMENT = "__dapdock_called", "__dapdock_argument"
# Functions that neither read an element of an iterator that they get nor call a function.
BLIND = {"bool", "callable", "dir", "getattr", "hasattr", "hash", "id", "isinstance", "len", "repr",
         "str", "type", "vars"}  # fmt: skip

# Methods that do nothing with most elements of an argument: there may be millions.
SELECTIVE = {"__getitem__", "islice", "items", "keys", "values"}


def is_import(node):
    """Whether the expression reads a loaded module: `__import__("sys")`."""
    names = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
    is_single = len(node.args) == 1 and not node.keywords
    is_named = getattr(node.func, "id", None) == "__import__" and is_single
    return is_named and names and type(names[0]) is str and names[0] in sys.modules


def assigns(node):
    """Whether it assigns to a name, or gives numpy an array for the result."""
    is_out = isinstance(node, ast.keyword) and node.arg == "out"
    is_out = is_out and getattr(node.value, "value", node.value) is not None
    return isinstance(node, ast.NamedExpr) or is_out


class Marks(ast.NodeTransformer):
    """Has `used` see what an expression iterates: arguments, sources of comprehensions, what `in`
    searches and what a star unpacks."""

    def visit_Call(self, node):
        if is_import(node):
            name = ast.copy_location(ast.Name(LOADED, ast.Load()), node.func)
            return ast.copy_location(ast.Call(name, node.args, []), node)
        self.generic_visit(node)
        is_blind = isinstance(node.func, ast.Name) and node.func.id in BLIND
        # What a lambda of the expression does is marked itself.
        if not is_blind and not isinstance(node.func, ast.Lambda):
            is_selective = getattr(node.func, "attr", None) in SELECTIVE
            name = ARGUMENT if is_selective else USED
            node.func = call_of(CALLED, node.func)
            node.args = [self.mark(one, name) for one in node.args]
            for keyword in node.keywords:
                keyword.value = self.mark(keyword.value)
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

    def mark(self, node, name=USED):
        if isinstance(node, (ast.Constant, ast.GeneratorExp, ast.Starred)):
            return node
        return call_of(name, node)


def call_of(name, node):
    return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), [node], []), node)
