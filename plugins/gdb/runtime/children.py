# Children of values, read within bounds of count and time: a printer of a library knows neither,
# and lists what an object that is not constructed yet seems to contain.

# Children of one value that are counted one by one.
MOST = 1_000
# Children that are read through the printer of the library, where it is as fast.
FEW = 40
# Seconds for one value or one of its children, and for all those of a request.
VALUE, REQUEST = 0.4, 1.5
# The number of elements in the text of a printer of libstdc++ or of rustc.
COUNT = Pattern(r"^std::[^{]* (?:of length|with) (-?\d+)\b|^BTree(?:Map|Set)\(size=(\d+)\)$")


def key_name(key):
    """The key in brackets; gdb writes the number of a character before it."""
    text = one_line(key)
    if text == HIDDEN_ADDRESS and key.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
        return "[%s]" % hex(int(key))
    return "[%s]" % re.sub(r"^-?\d+ (?=[uUL]?')", "", text)


def printer_in(reference):
    return private(reference, "printer")


def hint_of(printer):
    hint = getattr(printer, "display_hint", None)
    return hint() if hint is not None else None


class Listed:
    """The children that a printer lists, as far as they have been read."""

    def __init__(self, printer):
        self.printer, self.found = printer, []
        self.rest = iter(printer.children())
        self.cut = False  # There are more than have been counted.

    def at(self, index):
        try:
            while len(self.found) <= index:
                self.found.append(next(self.rest))
        except KeyboardInterrupt:
            # A generator that is interrupted has ended: the next reader begins anew.
            self.found, self.rest = [], iter(self.printer.children())
            raise
        return self.found[index]

    def count(self):
        """How many there are: from the printer's text where it has the number."""
        known = COUNT.match(str(self.printer.to_string() or ""))
        number = int(known[1] or known[2]) if known else 0
        if number < 0:
            raise ValueError("%d is no length" % number)
        if known and hint_of(self.printer) in ("map", "array", None):
            return number * (2 if hint_of(self.printer) == "map" else 1)
        try:
            self.at(MOST)
        except StopIteration:
            return len(self.found)
        self.cut = True
        return MOST


def is_list(value):
    return str(value.type.strip_typedefs().unqualified()).startswith("std::__cxx11::list<")


def stored_count(value):
    """The number of elements that a list of libstdc++ has stored; None: it is no such list."""
    try:
        found = value["_M_impl"]["_M_node"]["_M_size"]
    except (gdb.error, KeyError, IndexError):
        return None
    return int(found)


def random_access(value, index):
    """The element of a vector, which its printer reaches only through all earlier ones; None: the
    value is no vector, or one of bits.
    """
    try:
        ty = value.type.strip_typedefs()
        if ty.code in POINTERS:
            value = value.referenced_value()
            ty = value.type.strip_typedefs()
        if not str(ty.unqualified()).startswith("std::vector<"):
            return None
        first = value["_M_impl"]["_M_start"]
        is_pointer = first.type.strip_typedefs().code == gdb.TYPE_CODE_PTR
        return (first + index).dereference() if is_pointer else None
    except (gdb.error, KeyError):
        return None


@part
def counts():
    """A mapping's alternating keys and values become one child for each entry, named by its key."""
    from gdb.dap import varref

    reference = varref.VariableReference

    def knows_count(printer):
        return isinstance(printer, gdb.ValuePrinter) and hasattr(printer, "num_children")

    def listed(self):
        if self.listed is None:
            self.listed = Listed(printer_in(self))
        return self.listed

    def counted(self):
        printer = printer_in(self)
        known = printer.num_children() if knows_count(printer) else None
        if known is None and is_list(private(self, "value")):
            known = stored_count(private(self, "value"))
        return listed(self).count() if known is None else max(known, 0)

    def child_count(self):
        if self.count == -1:
            is_map = hint_of(printer_in(self)) == "map"
            self.count = counted(self) // 2 if is_map else counted(self)
        return self.count

    def one_child(self, index):
        printer = printer_in(self)
        if isinstance(printer, gdb.ValuePrinter) and hasattr(printer, "child"):
            return printer.child(index)
        found = random_access(private(self, "value"), index)
        if found is None and index >= FEW:
            found = walked(self, index)
        return ("[%d]" % index, found) if found is not None else listed(self).at(index)

    def walked(self, index):
        """The element of a container of nodes."""
        if getattr(self, "walk", None) is None:
            self.walk = elements_by_number(private(self, "value"))
        return self.walk.child(index) if self.walk is not None else None

    def fetch_one_child(self, index):
        if hint_of(printer_in(self)) == "map":
            key, value = one_child(self, 2 * index)[1], one_child(self, 2 * index + 1)[1]
            name = key_name(key if isinstance(key, gdb.Value) else gdb.Value(key))
        else:
            name, value = one_child(self, index)
        return name, value if isinstance(value, gdb.Value) else gdb.Value(value)

    reference.child_count, reference.fetch_one_child = child_count, fetch_one_child


class Read(dict):
    """The children that have been read, by their index. gdb's own list has a place for each child:
    80 MB for ten million.
    """

    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __missing__(self, index):
        return None


class Budget:
    """The time for the values of a request: those that come after it is used up get little."""

    def __init__(self):
        self.left = REQUEST

    def call(self, read, most=VALUE):
        began = time.monotonic()
        try:
            return limit.call(max(min(most, self.left), VALUE / 20), read)
        finally:
            self.left -= time.monotonic() - began


@part
def lists():
    from gdb.dap import varref
    from gdb.dap.frames import frame_for_id
    from gdb.dap.scopes import _RegisterReference, _ScopeReference

    fetch = varref.BaseReference.fetch_children

    def symbol_at(self, index):
        if not isinstance(self, _ScopeReference):
            return None
        variables = private(self, "var_list")
        symbol = getattr(variables[index], "symbol", None) if index < len(variables) else None
        return symbol() if symbol is not None else None

    def unreadable(self, index, error, seconds):
        symbol = symbol_at(self, index)
        name = symbol.print_name if symbol is not None else "[%d]" % index
        child = varref.VariableReference(name, gdb.Value(0))
        child.describe(error_text(error, seconds))
        child.known_type = str(symbol.type) if symbol is not None else None
        return child

    def child_at(self, index, budget, seconds):
        try:
            child = budget.call(lambda: next(iter(fetch(self, index, 1))), seconds)
        except (Exception, KeyboardInterrupt) as error:
            return unreadable(self, index, error, seconds)
        if isinstance(self, _RegisterReference):
            registers.describe(child)
        elif isinstance(self, varref.VariableReference) and isinstance(printer_in(self), Bytes):
            child.known_type = str(printer_in(self).value.type.strip_typedefs().target())
        symbol = symbol_at(self, index)
        frame = symbol is not None and frame_for_id(private(self, "frameId")).inferior_frame()
        if frame and unset.holds(symbol, frame):
            child.describe(UNSET)
        return child

    def children(self, start, count):
        if isinstance(self, _RegisterReference):
            self.reset_children()  # An assignment to one changes only itself.
        # One child too many is an error in gdb 16.
        budget = Budget()
        known = budget.call(self.child_count) or 0
        count = min(count or known, known - start)
        if private(self, "children") is None:
            setattr(self, "_children" if hasattr(self, "_children") else "children", Read(known))
        for index in range(start, start + count):
            # A printer reaches the first one of a page through all earlier ones.
            walks = index == start > 0
            child = child_at(self, index, budget, REQUEST if walks else VALUE)
            name = str(private(child, "name"))
            if isinstance(self, varref.VariableReference):
                child.expression = member(
                    getattr(self, "expression", None), name, private(self, "value")
                )
            elif re.fullmatch(r"[\w:]+", name):
                child.expression = name  # A variable of a scope.
            yield child

    compute = varref.BaseReference._compute_name

    def unique_name(self, name):
        """Of equal keys the second is `[1 #2]`, which is a path; gdb's name is `[1] #2`."""
        found = compute(self, name)
        is_key = found != name and name.endswith("]")
        return name[:-1] + found[len(name) :] + "]" if is_key else found

    varref.BaseReference._compute_name = unique_name
    varref.BaseReference.fetch_children = children
