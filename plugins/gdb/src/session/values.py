# Values in words, and what is in them.


def one_line(value):
    told = value.format_string(max_elements=8, max_depth=3, symbols=False, repeat_threshold=0, styling=False)
    told = re.sub(r"\b0x[0-9a-f]{3,}\b", "0x…", re.sub(r'\b0x[0-9a-f]+ (?=["LuU<])', "", told))
    return told if len(told) <= 600 else told[:600] + "..."


def key_name(key):
    """As it is written between brackets: of a character gdb tells the number first."""
    told = one_line(key)
    return "[%s]" % re.sub(r"^-?\d+ (?=[uUL]?')", "", told)


@part
def mappings():
    """Children of a mapping are keys and values in turn: an entry is the value, by its key."""
    from gdb.dap import varref

    reference = varref.VariableReference
    count, fetch = reference.child_count, reference.fetch_one_child

    def is_mapping(self):
        printer = getattr(self, "_printer", None) or getattr(self, "printer", None)
        hint = getattr(printer, "display_hint", None)
        return hint is not None and hint() == "map"

    def child_count(self):
        known = count(self)
        return known // 2 if known and is_mapping(self) else known

    def fetch_one_child(self, index):
        if not is_mapping(self):
            return fetch(self, index)
        return key_name(fetch(self, 2 * index)[1]), fetch(self, 2 * index + 1)[1]

    reference.child_count, reference.fetch_one_child = child_count, fetch_one_child


@part
def values():
    from gdb.dap import varref
    import gdb.printing as printing

    reference = varref.VariableReference
    private = lambda one, name: getattr(one, ("_" if hasattr(one, "_" + name) else "") + name)
    update, convert, fetch = reference._update_value, reference.to_object, varref.BaseReference.fetch_children

    def target(value):
        """What a pointer to a record points at, if it can be read."""
        try:
            ty = value.type.strip_typedefs()
            if ty.code in BEHIND and ty.target().strip_typedefs().code in TYPES:
                behind = value.referenced_value()
                behind.fetch_lazy()
                return behind
        except gdb.error:
            pass
        return None

    def updated(self):
        update(self)
        value = private(self, "value")
        behind = target(value)
        self.behind = behind
        printer = None
        if behind is not None and gdb.default_visualizer(value) is None:
            printer = printing.make_visualizer(behind)
        elif value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR and type(private(self, "printer")) is getattr(
            printing, "NoOpPointerReferencePrinter", None
        ):
            try:
                value.referenced_value().fetch_lazy()
            except gdb.error:
                printer = printing.NoOpScalarPrinter(value)  # Nothing to read behind it.
        if printer is not None:
            setattr(self, "_printer" if hasattr(self, "_printer") else "printer", printer)
            self.count = -1 if self.has_children() else None

    def text(self, told):
        value = private(self, "value")
        shown = self.behind if self.behind is not None else value
        if not told:
            told = one_line(shown)
        # Addresses differ from run to run.
        return re.sub(r'^0x[0-9a-f]+ (?=["L<u])', "", told)

    def object_of(self):
        result = convert(self)
        key = "result" if "result" in result else "value"
        try:
            result[key] = text(self, result[key])
        except Exception as error:
            result[key] = result[key] or "<%s>" % error
        if getattr(self, "expression", None):
            result["evaluateName"] = self.expression
        return result

    def children(self, start, count):
        # One too many is an error to gdb 16.
        known = self.child_count()
        count = min(count or known, known - start)
        for child in fetch(self, start, count) if count > 0 else ():
            name = str(private(child, "name"))
            if isinstance(self, reference):
                child.expression = member(getattr(self, "expression", None), name, private(self, "value"))
            elif re.fullmatch(r"[\w:]+", name):
                child.expression = name  # Of a scope.
            yield child

    reference._update_value, reference.to_object = updated, object_of
    varref.BaseReference.fetch_children = children


@part
def whole_texts():
    from gdb.dap import evaluate
    from gdb.dap.server import _capabilities, _commands

    ask, with_format = _commands["evaluate"], evaluate.apply_format

    def evaluate_request(**args):
        if args.get("context") == "clipboard":
            args.update(context="watch", format={"whole": True})
        return ask(**args)

    def apply_format(wanted):
        if not (wanted and wanted.get("whole")):
            return with_format(wanted)
        quiet_length = "characters" if int(gdb.VERSION.split(".")[0]) >= 14 else "elements"
        return gdb.with_parameter("print " + quiet_length, 0)

    _commands["evaluate"] = evaluate_request
    evaluate.apply_format = apply_format
    _capabilities["supportsClipboardContext"] = True


@part
def rust():
    if not settings["rust"]:
        return
    import sys

    sys.path.insert(0, settings["rust"])
    gdb.execute("add-auto-load-safe-path " + settings["rust"], to_string=True)
    gdb.execute("directory " + settings["rust"], to_string=True)
