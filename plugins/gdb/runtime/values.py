# Values as text, and their children.


def one_line(value):
    text = value.format_string(
        max_elements=8, max_depth=3, symbols=False, repeat_threshold=0, styling=False
    )
    text = re.sub(r"\b0x[0-9a-f]{3,}\b", "0x…", re.sub(r'\b0x[0-9a-f]+ (?=["LuU<])', "", text))
    return text if len(text) <= 600 else text[:600] + "..."


def key_name(key):
    """The key in brackets; gdb writes the number of a character before it."""
    text = one_line(key)
    return "[%s]" % re.sub(r"^-?\d+ (?=[uUL]?')", "", text)


@part
def mappings():
    """Children of a mapping are alternating keys and values: they become one child for each entry,
    named by its key.
    """
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


def private(owner, name):
    """An attribute with or without the underscore, depending on the version of gdb."""
    return getattr(owner, ("_" if hasattr(owner, "_" + name) else "") + name)


@part
def values():
    from gdb.dap import varref
    import gdb.printing as printing

    reference = varref.VariableReference
    update, convert, fetch = (
        reference._update_value,
        reference.to_object,
        varref.BaseReference.fetch_children,
    )

    def target(value):
        """The target of a pointer to a struct or union, if it can be read."""
        try:
            ty = value.type.strip_typedefs()
            if ty.code in POINTERS and ty.target().strip_typedefs().code in TYPES:
                pointee = value.referenced_value()
                pointee.fetch_lazy()
                return pointee
        except gdb.error:
            pass
        return None

    def updated(self):
        update(self)
        value = private(self, "value")
        pointee = target(value)
        self.pointee = pointee
        printer = None
        if pointee is not None and gdb.default_visualizer(value) is None:
            printer = printing.make_visualizer(pointee)
        elif value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR and type(
            private(self, "printer")
        ) is getattr(printing, "NoOpPointerReferencePrinter", None):
            try:
                value.referenced_value().fetch_lazy()
            except gdb.error:
                printer = printing.NoOpScalarPrinter(value)  # The target cannot be read.
        if printer is not None:
            setattr(self, "_printer" if hasattr(self, "_printer") else "printer", printer)
            self.count = -1 if self.has_children() else None

    def text(self, result):
        value = private(self, "value")
        displayed = self.pointee if self.pointee is not None else value
        if not result:
            result = one_line(displayed)
        # Addresses differ from run to run.
        return re.sub(r'^0x[0-9a-f]+ (?=["L<u])', "", result)

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
        # One child too many is an error in gdb 16.
        known = self.child_count()
        count = min(count or known, known - start)
        for child in fetch(self, start, count) if count > 0 else ():
            name = str(private(child, "name"))
            if isinstance(self, reference):
                child.expression = member(
                    getattr(self, "expression", None), name, private(self, "value")
                )
            elif re.fullmatch(r"[\w:]+", name):
                child.expression = name  # A variable of a scope.
            yield child

    reference._update_value, reference.to_object = updated, object_of
    varref.BaseReference.fetch_children = children


@part
def whole_strings():
    from gdb.dap import evaluate
    from gdb.dap.server import _capabilities, _commands

    evaluate_request_of_gdb, with_format = _commands["evaluate"], evaluate.apply_format

    def evaluate_request(**args):
        if args.get("context") == "clipboard":
            args.update(context="watch", format={"whole": True})
        return evaluate_request_of_gdb(**args)

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
