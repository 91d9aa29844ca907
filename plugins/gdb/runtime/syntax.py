# Checks of conditions: is the text an expression, which assigns nothing?

ASSIGNS = Pattern(r"(?<![=!<>])=(?!=)|<<=|>>=|\+\+|--")
# The host's expression for a check (the profile's `check`), with the text as a JSON string. gdb
# evaluates no such call in a program of Rust: it would put the string into the program.
CHECK = Pattern(r"\$_parses\((\".*\")\)", re.DOTALL)
# gdb's errors about the syntax of C and of Rust, and about a name.
NO_SYNTAX = Pattern("syntax error|unexpected (?:token|EOF)|character literal|unterminated", re.I)
NO_NAME = Pattern(r"""No symbol ["']([\w:]+)["'] in""")


def closing_of(text, at):
    """The index behind the bracket that closes the one here; quotes hide brackets."""
    depth = 0
    while at < len(text):
        quoted = TEXTS.match(text, at)
        if quoted:
            at = quoted.end()
            continue
        depth += text[at] in "([{"
        depth -= text[at] in ")]}"
        at += 1
        if not depth:
            return at
    raise gdb.GdbError("a bracket is not closed")


def is_closed_early(text):
    """Whether a bracket inside closes the first one. gdb itself reports one that is not closed."""
    try:
        return closing_of(text, 0) != len(text)
    except gdb.GdbError:
        return False


def check_syntax(text):
    """An error if the text is no expression, or is an assignment. It evaluates nothing."""
    if ASSIGNS.search(TEXTS.sub("", text)):
        raise gdb.GdbError("it assigns, which debug_set does")
    text = "(" + text + ")"
    if is_closed_early(text):
        raise gdb.GdbError("a bracket is not opened")
    text = "0 && " + text
    while True:
        try:
            gdb.parse_and_eval(text)
        except gdb.error as error:
            if NO_SYNTAX.search(str(error)):
                raise gdb.GdbError(str(error).split(", near")[0].rstrip("."))
            # The name may be known at the breakpoint: here any value serves.
            unknown = NO_NAME.match(str(error))
            if unknown:
                text, replaced = re.subn(r"(?<![$:\w])%s\b" % unknown[1], "$_", text)
                if replaced:
                    continue
        return


@part
def syntax():
    from gdb.dap import evaluate
    from gdb.dap.startup import DAPException

    read = evaluate.parse_and_eval

    def read_or_check(text, *args, **more):
        check = CHECK.fullmatch(text)
        if not check:
            return read(text, *args, **more)
        try:
            check_syntax(json.loads(check[1]))
        except gdb.GdbError as error:
            raise DAPException(str(error)) from error
        return gdb.Value(1)

    evaluate.parse_and_eval = read_or_check
