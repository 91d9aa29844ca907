# Comparisons of texts in expressions of Rust, like `name == "bob"`: gdb would put the literal into
# the program, and compares structures by calls of functions that the program may not have.

COMPARISON = Pattern(r"\s*(==|!=|<=|>=|<|>)\s*")
PREFIXES = Pattern(r"(?:[&*]\s*)*")
# What makes of a text one with the same characters.
COPIES = ("to_string", "to_owned", "into", "as_str", "clone")
ESCAPE = Pattern(r"\\(?:x([0-9a-fA-F]{2})|u\{([0-9a-fA-F_]+)\}|\n\s*|(.))", re.DOTALL)
ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}
COMPARED = {
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}


def literal_bytes(literal):
    """The bytes of a text between its quotes."""

    def character(found):
        code = found[1] or (found[2] or "").replace("_", "")
        return chr(int(code, 16)) if code else ESCAPED.get(found[3], found[3] or "")

    return ESCAPE.sub(character, literal[1:-1]).encode()


def owned_text(value, name, printer):
    """What has the text of an owner; None: it is no owner of one."""
    if OWNER.match(name):
        return next((one for _, one in printer.children()), None)
    if name == "std::path::PathBuf":
        return value["inner"]
    if name.startswith("alloc::borrow::Cow<"):
        fields = (one for one in value.type.fields() if one.name in ("Borrowed", "Owned"))
        variant = next(fields, None)
        return value[variant][value[variant].type.fields()[0]] if variant is not None else None
    return None


def text_in(value, most=None):
    """The bytes of a text, also of one that is referred to or owned, and with `most` not more of
    them; None: it is no text.
    """
    for _ in range(TEXT_LEVELS):
        value, printer = container_in(value)
        name = str(value.type.strip_typedefs().name or "")
        if hint_of(printer) == "string":
            found = printer.to_string()
        elif isinstance(printer, SharedText):
            found = next((one for _, one in printer.children()), "")
        elif name in ("&std::path::Path", "&std::ffi::os_str::OsStr"):
            return text_bytes(int(value["data_ptr"]), int(value["length"]), most)
        else:
            value = owned_text(value, name, printer)
            if value is None:
                return None
            continue
        if isinstance(found, str):
            return found.encode()
        is_lazy = not isinstance(found, gdb.Value) and found.length >= 0
        return text_bytes(int(found.address), found.length, most) if is_lazy else None
    return None


class Operand:
    """A text in quotes, or a chain, from one place of an expression to another."""

    def __init__(self, text, start):
        start = PREFIXES.match(text, start).end()
        quoted = TEXTS.match(text, start) if text.startswith('"', start) else None
        primary = None if quoted else PRIMARY.match(text, start)
        self.found = quoted or primary
        if self.found is None:
            return
        self.is_literal, self.start, self.end = bool(quoted), start, self.found.end()
        for name, inside, end in steps_of(text, self.end):
            if quoted and (name not in COPIES or inside):
                self.found = None
                return
            self.end = end
        self.code = text[start : self.end]

    def bytes(self, chains, most):
        """The bytes of the text that it is, as many as `text_in` reads; None: it is no text."""
        if self.is_literal:
            return literal_bytes(self.found[0])
        return text_in(chains.value(self.start, self.found.end(), self.end), most)


def comparison_at(text, at):
    """The two operands of a comparison that may be of texts, and its sign; None: here is none."""
    left = Operand(text, at)
    sign = COMPARISON.match(text, left.end) if left.found else None
    right = Operand(text, sign.end()) if sign else None
    return (left, sign[1], right) if right is not None and right.found else None


def compared(left, sign, right, chains):
    """Whether a comparison of texts holds; None: it is one of other values."""
    literals = [one for one in (left, right) if one.is_literal]
    has_literal = bool(literals)
    most = enough_for(literals[0].bytes(chains, None)) if has_literal else None
    try:
        texts = left.bytes(chains, most), right.bytes(chains, most)
    except gdb.error:
        if has_literal:
            raise
        return None
    if None not in texts:
        return COMPARED[sign](*texts)
    if not has_literal:
        return None
    raise gdb.GdbError("`%s` is no text" % (left if texts[0] is None else right).code)


def compares_texts(text):
    """Whether an expression may have a comparison of texts, which gdb cannot compute."""
    return '"' in text or any(
        comparison_at(text, found.start()) for found in PRIMARY.finditer(without_literals(text))
    )


def without_literals(text):
    """The expression with each character of its literals replaced by a space."""
    return TEXTS.sub(lambda literal: " " * len(literal[0]), text)
