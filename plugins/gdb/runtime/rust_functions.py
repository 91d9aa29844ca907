# Breakpoints on functions of Rust by the names that developers write: gdb finds functions of Rust
# only by their full names, `shop::cart::total` and `shop::{impl#0}::price`.
#
# A name may leave out modules and type arguments, and means all functions with it; those of the
# user's code come first. Knows the names of gdb and of rustc's manglings.

# gdb names the blocks of implementations by numbers.
NUMBERED = Pattern(r"\{impl#\d+\}")
IMPLEMENTATION = Pattern(r"^<(?:impl )?(.*?)(?: (as|for) (.*))?>$")
# Functions of one name that are set: one breakpoint of gdb each.
MOST_FUNCTIONS = 200


def segments(path):
    """The parts of a path between `::` outside of brackets."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(path):
        is_arrow = letter == ">" and path[at - 1] == "-"
        depth += (letter == "<") - (letter == ">" and not is_arrow)
        if depth == 0 and path.startswith("::", at) and at >= start:
            parts.append(path[start:at])
            start = at + 2
    return parts + [path[start:]]


def plain(part):
    """A part of a path without type arguments."""
    at = part.find("<")
    return part if at < 0 else part[:at]


def paths_of(name):
    """The paths without type arguments by which a function may be named: a method by its type, and
    by its trait. None of what is no name, such as `<Cart::total`.
    """
    parts = [part for part in segments(name) if part]
    paths = [[]]
    for at, part in enumerate(parts):
        if not part.startswith("<"):
            paths = [path + [plain(part)] for path in paths]
            continue
        if at > 0 and not part.startswith("<impl "):
            continue  # The type arguments of what is before: `new::<u8>`.
        found = IMPLEMENTATION.match(part)
        if not found:
            return []
        one, _, other = found.groups()
        paths = [[plain(piece) for piece in segments(path)] for path in (one, other) if path]
    return paths


def is_named(name, wanted):
    """Whether the function is one that the caller's name means."""
    paths = paths_of(name)
    if wanted in ("main", "crate::main"):
        # rustc adds a C `main` around the program's.
        return any(len(path) == 2 and path[1] == "main" for path in paths)
    if wanted.startswith("crate::"):
        inner = paths_of(wanted)[0][1:]
        return any(path[1:] == inner for path in paths)
    # `<Cart as Price>::total` names both.
    return all(
        any(path[-len(part) :] == part for path in paths) for part in paths_of(wanted)
    )


def written_name(name):
    """The name with the type of an implementation for gdb's `{impl#0}`."""
    if not NUMBERED.search(name):
        return name
    for symbol in gdb.lookup_static_symbols(name):
        mangled = symbol.linkage_name
        if mangled and mangled != name:
            return gdb.execute("demangle -l rust -- " + mangled, to_string=True).strip()
    return name


def functions_named(wanted):
    """gdb's names of the functions that a name means."""
    paths = paths_of(wanted)
    last = plain(paths[0][-1]) if paths and paths[0] else ""
    if not last.isidentifier():
        return []
    found = gdb.execute_mi("-symbol-info-functions", "--name", last + "\\(<.*\\)\\?$")
    own, others = [], []
    for file in found["symbols"].get("debug", ()):
        is_library = any(part in file.get("fullname", "") for part in settings["libraries"])
        for symbol in file["symbols"]:
            name = symbol["name"]
            if "::" in name and is_named(written_name(name), wanted):
                (others if is_library else own).append(name)
    return (own or others)[:MOST_FUNCTIONS]
