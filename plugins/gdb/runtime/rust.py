# Values of Rust that its own printers leave to gdb, and shorter names of variants.

VARIANTS = ("core::option::Option<", "core::result::Result<")


class BoxedText:
    """The text of a `Box<str>`."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        length = int(self.value["length"])
        return self.value["data_ptr"].lazy_string("utf-8", length=length) if length else ""

    def display_hint(self):
        return "string"


def boxed_text_printer(value):
    name = str(value.type.name or "")
    return BoxedText(value) if name.startswith("alloc::boxed::Box<str") else None


def with_plain_variants(text):
    """`Some(5)` for `core::option::Option<i32>::Some(5)`."""
    for start in VARIANTS:
        at = text.find(start)
        while at >= 0:
            end = end_of_arguments(text, at + len(start))
            is_variant = text.startswith("::", end)
            text = text[:at] + text[end + 2 :] if is_variant else text
            at = text.find(start, at if is_variant else end)
    return text


def end_of_arguments(text, at):
    """Behind the bracket that closes the arguments of a type."""
    depth = 1
    while depth and at < len(text):
        is_arrow = text[at] == ">" and text[at - 1] == "-"
        depth += (text[at] == "<") - (text[at] == ">" and not is_arrow)
        at += 1
    return at


@part
def rust():
    if not settings["rust"]:
        return
    import sys

    sys.path.insert(0, settings["rust"])
    gdb.execute("add-auto-load-safe-path " + settings["rust"], to_string=True)
    gdb.execute("directory " + settings["rust"], to_string=True)
    gdb.pretty_printers.append(boxed_text_printer)
