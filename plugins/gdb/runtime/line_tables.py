# Code that was built with line tables only: its frames have places, and no variables.

REASON = "built with line tables only, which have no variables: "


def missing_variables(frame):
    """Why the frame has no variables; None: it may have some, or it has no place either."""
    place = frame.find_sal()
    if place.symtab is None or not place.line:
        return None
    producer = getattr(place.symtab, "producer", None) or ""
    # GCC writes its options; LLVM writes functions only for inlined calls, and no types.
    is_gcc = producer.startswith("GNU")
    if is_gcc and not re.search(r" -g1\b", producer):
        return None
    if not is_gcc and frame.function() is not None and has_types(place.symtab):
        return None
    if LIBRARIES.search(place.symtab.fullname()):
        return REASON + "this is code of a library"
    if "rustc" in producer:
        return REASON + "set `debug = true` in the profile of Cargo.toml"
    return REASON + "compile with -g"


def has_types(symtab):
    blocks = symtab.static_block(), symtab.global_block()
    return any(not symbol.is_function for block in blocks for symbol in block)


@part
def frames_without_variables():
    """A scope for the locals, and an error that says why it is empty."""
    from gdb.dap import evaluate, scopes, varref
    from gdb.dap.startup import DAPException

    class NoVariables(varref.BaseReference):
        def __init__(self, why):
            super().__init__("Locals")
            self.why = why

        def to_object(self):
            return {**super().to_object(), "presentationHint": "locals", "expensive": False}

        def has_children(self):
            return True

        def child_count(self):
            raise gdb.error(self.why)

        def fetch_one_child(self, index):
            raise gdb.error(self.why)

    find_globals, read = scopes.get_global_scope, evaluate.parse_and_eval

    def globals_or_none(frame):
        why = missing_variables(frame.inferior_frame())
        return NoVariables(why) if why else find_globals(frame)

    def read_or_say_why(text, *args, **more):
        try:
            return read(text, *args, **more)
        except Exception as error:
            is_name = str(error).startswith("No symbol") and gdb.selected_thread() is not None
            why = missing_variables(gdb.selected_frame()) if is_name else None
            if why is None:
                raise
            raise DAPException("%s; %s" % (str(error).rstrip("."), why)) from error

    scopes.get_global_scope, evaluate.parse_and_eval = globals_or_none, read_or_say_why
