# Breakpoints that the client has marked: they write a text or count their hits in gdb, where the
# program stops for them without a report.
#
# gdb calls `stop` of a breakpoint before it evaluates the condition (breakpoint.c,
# `bpstat_check_breakpoint_conditions`), so the condition is evaluated here.

# Types whose values gdb describes in full, without a printer.
SCALARS = (
    gdb.TYPE_CODE_INT,
    gdb.TYPE_CODE_CHAR,
    gdb.TYPE_CODE_BOOL,
    gdb.TYPE_CODE_ENUM,
    gdb.TYPE_CODE_FLT,
)
# Variables with members and elements: reading them has no effects, unless the program defines `->`
# or `[]`.
NAMES = Pattern(r"[A-Za-z_]\w*(?:(?:\.|->)[A-Za-z_]\w*|\[\w+\])*")
OPERATOR = Pattern(r"->|\[")
# A path of displayed names: `stock["Heft"].count`, `numbers[7]`.
KEY = r"\[((?:\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])+'|[^][\"'])*)\]"
PATH = Pattern(r"([A-Za-z_]\w*(?:(?:\.|->)\w+)*)((?:" + KEY + r"|(?:\.|->)\w+)+)")
STEP = Pattern(KEY + r"|(?:\.|->)(\w+)")
INDEX = Pattern(r"\[([0-9]+)\]")
# Calls, subscripts and names of modules in a condition of Rust.
PIECES = Pattern(r"\.\s*\w+\s*\(|\[|::")
COMPARISONS = {
    "==": lambda hits, number: hits == number,
    ">=": lambda hits, number: hits >= number,
    "%": lambda hits, number: hits % number == 0,
}


class Unknown:
    """Errors of an expression about names that are unknown at addresses in the program: gdb seeks
    such a name in all files, which takes longer than the rest of a hit. Another file may have it.
    """

    loaded = 0  # Files since the start.

    def __init__(self):
        self.errors = {}

    def at(self, address):
        """The error there; None: none has been noted."""
        return self.errors.get((Unknown.loaded, address))

    def note(self, address, error, text):
        if NO_NAME.match(str(error)):
            self.errors[Unknown.loaded, address] = text


class Expression:
    """An expression of a log text."""

    def __init__(self, code):
        self.code, self.is_name = code, bool(NAMES.fullmatch(code))
        self.unknown = Unknown()
        self.scalars = {}  # Address in the program -> whether gdb describes the value there in full.

    def text(self, address):
        """The text of the value in the selected frame, or its error."""
        known = self.unknown.at(address)
        if known is not None:
            return known
        try:
            if self.scalars.get(address):
                return gdb.parse_and_eval(self.code).format_string(raw=True)
            value, text = described_value(self.code)
            self.scalars[address] = (
                self.is_name and is_scalar(value, text) and is_built_in(self.code)
            )
            return text
        except KeyboardInterrupt as error:
            return error_text(error)
        except Exception as error:
            text = "<error: %s>" % plain_error(error)
            self.unknown.note(address, error, text)
            return text


def is_scalar(value, text):
    """Whether gdb's own description of values of this type is their text."""
    is_plain = value.type.strip_typedefs().code in SCALARS
    return is_plain and value.format_string(raw=True) == text


def is_built_in(code):
    """Whether the language itself defines all operators of the names."""
    before = (code[: found.start()] for found in OPERATOR.finditer(code))
    types = (gdb.parse_and_eval(text).type.strip_typedefs().code for text in before)
    return all(code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_ARRAY) for code in types)


def described_value(text):
    """The value of an expression with its description, as `evaluate` without effects answers."""
    from gdb.dap import evaluate, varref

    count = len(varref.all_variables)
    try:
        with gdb.with_parameter("may-write-registers", "off"), gdb.with_parameter(
            "may-write-memory", "off"
        ), gdb.with_parameter("may-call-functions", "off"):
            try:
                found = evaluate.EvaluateResult(evaluate.parse_and_eval(text))
            except Exception:
                found = at_path(text)
                if found is None:
                    raise
            return private(found, "value"), found.to_object()[private(found, "result_name")]
    finally:
        # gdb's server forgets them only at a continue of its client.
        del varref.all_variables[count:]


def at_path(text):
    """The value that listings display at this path, which is no expression; None: there is none."""
    from gdb.dap import evaluate

    path = PATH.fullmatch(text)
    if path is None:
        return None
    try:
        found = evaluate.EvaluateResult(evaluate.parse_and_eval(path[1]))
        for key, name in STEP.findall(path[2]):
            names = {name} if name else {"[%s]" % key, "[%s]" % key_text(key)}
            found = child_named(found, names)
            if found is None:
                return None
    except Exception:
        return None
    return found


def child_named(parent, names):
    """The child that has one of these names; None: there is none."""
    number, count = index_in(names), parent.child_count() or 0
    parts = [(0, min(count, MOST))]
    if number is not None and number < count and hint_of(printer_in(parent)) != "map":
        parts.insert(0, (number, 1))
    children = (one for part in parts for one in parent.fetch_children(*part))
    return next((one for one in children if str(private(one, "name")) in names), None)


def index_in(names):
    """The index of the element that has one of these names; None: they are other names."""
    return next((int(found[1]) for found in map(INDEX.fullmatch, names) if found), None)


def key_text(key):
    """The value of a key that is an expression, as listings display it."""
    try:
        return key_name(gdb.parse_and_eval(key))[1:-1]
    except gdb.error:
        return key


def is_true(value):
    """Whether a condition with this value holds. Python takes every reference for true."""
    if value.type.strip_typedefs().code in POINTERS[1:]:
        value = value.referenced_value()
    return bool(value)


def plain_error(error):
    """A message of gdb as a fragment, like the plugin's for `evaluate`."""
    text = str(error)
    if "may-call-functions is off" in text:
        return "this calls code of the program; repeat with effects=allow"
    return text.strip().rstrip(".")


class Counts:
    """Hits by the client's numbers of breakpoints: gdb replaces its own when one changes."""

    def __init__(self):
        self.hits = {}

    def add(self, number, earlier):
        """Counts a hit, and returns the count; `earlier` hits were counted before."""
        self.hits[number] = max(self.hits.get(number, 0), earlier) + 1
        reports.add_hit(number)
        return self.hits[number]


counts_of_hits = Counts()


class Condition:
    """The condition of a breakpoint; None: it has none."""

    def __init__(self):
        self.set_condition(None)

    def set_condition(self, text):
        self.condition, self.has_failed, self.unknown = text, False, Unknown()

    def holds(self):
        """None: the condition fails, which counts as a hit."""
        if self.has_failed and self.unknown.at(gdb.selected_frame().pc()) is not None:
            return None
        try:
            return self.condition is None or is_true(read_condition(self.condition))
        except (gdb.error, gdb.GdbError) as error:
            if not self.has_failed:
                conditions.report(self.condition, plain_error(error))
            self.has_failed = True
            self.unknown.note(gdb.selected_frame().pc(), error, "")
            return None


class Execution:
    """The execution of a line that a breakpoint is in. gdb has a place for each block of the line,
    as `println!` makes one for its arguments: a place in an inner block is reached after that of the
    outer one.
    """

    def __init__(self):
        self.last = None  # Thread, frame and address of the last place.

    def goes_on(self):
        """Whether this place belongs to the execution that the last one has begun."""
        frame = gdb.selected_frame()
        before = self.last
        self.last = gdb.selected_thread().ptid, frame_address(frame), frame.pc()
        if before is None or before[:2] != self.last[:2]:
            return False
        return is_inside(self.last[2], before[2])


def frame_address(frame):
    """Where the frame begins: the same for each place of a call."""
    older = frame.older()
    return int(older.read_register("sp")) if older is not None else 0


def is_inside(address, outer):
    """Whether an address is in a block of the same function inside the one of another address."""
    wanted, block = gdb.block_for_pc(outer), gdb.block_for_pc(address)
    if wanted is None or block is None or address <= outer:
        return False
    wanted = wanted.start, wanted.end
    if (block.start, block.end) == wanted:
        return False
    while block is not None and block.function is None:
        block = block.superblock
        if block is not None and (block.start, block.end) == wanted:
            return True
    return False


def read_condition(text):
    if not is_in_rust():
        return gdb.parse_and_eval(text)
    try:
        if '"' not in text:  # gdb puts a text into the program to evaluate it.
            # A call of the program in an expression that fails would be repeated below.
            with gdb.with_parameter("may-call-functions", False):
                return gdb.parse_and_eval(text)
    except gdb.error:
        pass
    return read_in_pieces(text)


class Mark(Condition):
    """The text that a breakpoint writes, or its hit condition, and its condition; `written` is the
    plugin's JSON.
    """

    def __init__(self, written):
        super().__init__()
        mark = json.loads(written)
        self.number, self.hits = mark["number"], mark.get("hits")
        self.pieces = [
            Expression(piece["expression"]) if "expression" in piece else piece["text"]
            for piece in mark.get("log", ())
        ]
        self.has_one_place = None  # None: it may be at more places since a library was loaded.

    def stops(self):
        """Takes a hit. Does it stop the program?"""
        holds = self.holds()
        if holds is False:
            return False
        if self.hits is None:
            self.write()
            return False
        hits = counts_of_hits.add(self.number, self.hits["earlier"])
        return holds is None or COMPARISONS[self.hits["operator"]](hits, self.hits["number"])

    def write(self):
        if terminal is not None:
            terminal.drain_written()
        # Reading it unwinds two frames.
        address = None if self.has_one_place else gdb.selected_frame().pc()
        text = "".join(
            piece if isinstance(piece, str) else piece.text(address) for piece in self.pieces
        )
        reports.add_text(self.number, thread_name(gdb.selected_thread()), text)


def thread_name(thread):
    """The name in the list of threads."""
    from gdb.dap.threads import _thread_name

    return _thread_name(thread) or "thread %d" % thread.global_num


passed = set()  # gdb's numbers of marked breakpoints whose last hit has not stopped the program.


def stopping(numbers):
    """Those of these breakpoints that have stopped the program: gdb names all at the place."""
    named = dict.fromkeys(leaders.get(number, number) for number in numbers)
    return [number for number in named if number not in passed]


leaders = {}  # gdb's numbers of breakpoints -> that of the breakpoint that stands for them.


class Following(gdb.Breakpoint):
    """The breakpoint at a further place."""

    def __init__(self, leader, place):
        self.leader = leader
        super().__init__(**place)
        leaders[self.number] = leader.number

    def stop(self):
        return self.leader.stop()


def with_others(kind):
    """A kind of breakpoint that is at several places."""

    class Leading(kind):
        def __init__(self, places, **more):
            self.others = []
            super().__init__(**places[0], **more)
            self.others += [Following(self, place) for place in places[1:]]

        def delete(self):
            for other in self.others:
                other.delete()
            super().delete()

    return Leading


def names_a_module(error, point):
    """Whether gdb's error is about a name in Rust that may be found from a module around."""
    unknown = UNKNOWN_NAME.match(error)
    if not unknown:
        return "super::" in error
    return "::" in unknown[1] or is_in_modules_at(unknown[1], point.locations)


def is_in_modules_at(name, locations):
    """Whether a module around a location has a variable of this name."""
    for location in locations:
        block = function_at(location.address)
        for module in modules_of(block.function.name) if block is not None else ():
            try:
                gdb.parse_and_eval("%s::%s" % (module, name))
                return True
            except gdb.error:
                continue
    return False


@part
def marked_breakpoints():
    from gdb.dap import breakpoint

    own_condition = gdb.Breakpoint.condition

    def check_condition(text, breakpoint, *others):
        """Sets the condition, which gdb checks for the place. With others, it is one for any of
        the places.
        """
        try:
            own_condition.__set__(breakpoint, text)
        except gdb.error:
            if not others:
                raise
            check_condition(text, *others)
            own_condition.__set__(others[0], None)

    def check(text, point):
        """Checks and removes the condition. Is it one that gdb can read? One with a name that is
        unknown fails at the hit: on a function, since its breakpoint would be lost before the
        program runs, and where the name is found from a module around.
        """
        try:
            check_condition(text, point, *point.others)
            return True
        except gdb.error as error:
            if not is_on_function(point) and not names_a_module(str(error), point):
                raise
            return False
        finally:
            own_condition.__set__(point, None)

    def is_on_function(point):
        return point.function is not None

    class Marked(gdb.Breakpoint):
        others = ()
        function = None

        def __init__(self, logMessage, **place):
            self.mark, self.execution = Mark(logMessage), Execution()
            self.function = place.get("function")
            super().__init__(**place)

        @property
        def condition(self):
            return self.mark.condition

        @condition.setter
        def condition(self, text):
            check(text, self)
            self.mark.set_condition(text)

        def stop(self):
            if self.mark.has_one_place is None:
                self.mark.has_one_place = len(self.locations) == 1
            is_new = self.mark.has_one_place or not self.execution.goes_on()
            stops = is_new and self.mark.stops()
            (passed.discard if stops else passed.add)(self.number)
            return stops

    class Conditional(gdb.Breakpoint):
        """A breakpoint in Rust, whose condition gdb may be unable to read."""

        others = ()
        function = None

        def __init__(self, **place):
            self.own, self.execution = Condition(), Execution()
            self.function = place.get("function")
            super().__init__(**place)

        @property
        def condition(self):
            return self.own.condition or own_condition.__get__(self)

        @condition.setter
        def condition(self, text):
            self.own = Condition()
            is_read = check(text, self)
            if text and is_read and not (
                self.others or PIECES.search(text) or compares_texts(text)
            ):
                own_condition.__set__(self, text)
            else:
                self.own.condition = text

        def stop(self):
            is_new = len(self.locations) == 1 or not self.execution.goes_on()
            stops = is_new and self.own.holds() is not False
            (passed.discard if stops else passed.add)(self.number)
            return stops

    class OnFunction(gdb.Breakpoint):
        """A breakpoint on a function of another language."""

        others = ()

        def __init__(self, **place):
            self.own, self.function = Condition(), place["function"]
            super().__init__(**place)

        @property
        def condition(self):
            return self.own.condition or own_condition.__get__(self)

        @condition.setter
        def condition(self, text):
            self.own = Condition()
            # gdb evaluates no condition of its own where there is this function.
            vars(self).pop("stop", None)
            if check(text, self):
                own_condition.__set__(self, text)
            else:
                self.own.condition, self.stop = text, self.holds

        def holds(self):
            stops = self.own.holds() is not False
            (passed.discard if stops else passed.add)(self.number)
            return stops

    set_one = breakpoint._set_one_breakpoint
    ConditionalAtAll, MarkedAtAll = with_others(Conditional), with_others(Marked)

    def set_one_breakpoint(*, logMessage=None, specs=(), **place):
        if not settings["rust"]:
            if logMessage is None and "function" in place:
                return OnFunction(**place)
            return set_one(logMessage=logMessage, **place)
        functions = functions_named(place["function"]) if "function" in place else []
        places = [{"function": name, "qualified": True} for name in functions]
        places += [{"spec": spec} for spec in specs]
        if logMessage is not None:
            mark = {"logMessage": logMessage}
            return MarkedAtAll(places, **mark) if places else Marked(**mark, **place)
        return ConditionalAtAll(places) if places else Conditional(**place)

    def with_mark(rewrite):
        """The mark of a breakpoint on a function is its hit condition."""

        def rewritten(**args):
            spec = rewrite(**args)
            if (spec.get("hitCondition") or "").startswith("{"):
                spec["logMessage"], spec["hitCondition"] = spec["hitCondition"], None
            return spec

        return rewritten

    def forget_places(event):
        Unknown.loaded += 1
        for point in gdb.breakpoints():
            if isinstance(point, Marked):
                point.mark.has_one_place = None

    gdb.events.new_objfile.connect(forget_places)
    breakpoint._PrintBreakpoint, breakpoint._set_one_breakpoint = Marked, set_one_breakpoint
    breakpoint._rewrite_fn_breakpoint = with_mark(breakpoint._rewrite_fn_breakpoint)
