# Commands of gdb's own language.

# Commands that resume the program, with the length of their shortest abbreviation.
MOVES = {
    "continue": 4,
    "next": 3,
    "step": 3,
    "nexti": 5,
    "stepi": 5,
    "finish": 3,
    "until": 3,
    "advance": 3,
    "jump": 2,
    "signal": 4,
    "reverse-continue": 9,
    "reverse-finish": 9,
    "reverse-next": 9,
    "reverse-step": 9,
    "reverse-nexti": 13,
    "reverse-stepi": 13,
}
ALIASES = "c fg n s u j ni si rc rn rs rni rsi".split()
# Commands that evaluate an expression, which may call functions of the program.
EVALUATIONS = {"call": 3, "print": 2, "inspect": 3, "output": 3, "printf": 6, "set": 3, "x": 1}
# Commands that start the program: a session that was launched refuses them.
STARTS = {"run": 1, "start": 4, "starti": 6}


def in_background(command):
    """The command, in the background if it resumes the program: gdb reads no request of its client
    while a command runs in the foreground, a `pause` neither.
    """
    word = re.match(r"[\w-]*", command)[0].lower()
    moves = word in ALIASES or any(
        name.startswith(word) and len(word) >= least for name, least in {**MOVES, **STARTS}.items()
    )
    return command + " &" if moves and not command.endswith("&") else command


def evaluates(command):
    word = re.match(r"[\w-]*", command)[0].lower()
    return word == "p" or any(
        name.startswith(word) and len(word) >= least for name, least in EVALUATIONS.items()
    )


def forget_invalid_frames():
    from gdb.dap import frames, scopes, varref

    try:
        if all(frame.inferior_frame().is_valid() for frame in frames._all_frames):
            return
    except gdb.error:
        pass  # The program is gone.
    for forget in (frames._clear_frame_ids, varref.clear_vars, scopes.clear_scopes):
        forget(None)


@part
def commands():
    """Runs commands, and forgets the frames of the stop once a command has made one of them
    invalid, as `return` and `set $pc` do: gdb's server forgets them only when the program runs
    (frames.py), and refuses each request about them. A function that a command calls is no move of
    the program.
    """
    from gdb.dap import evaluate

    plain = evaluate._repl

    def run(command, frame_id):
        command = command.strip()
        try:
            # A session for commands is gdb's own: a call there stops at breakpoints.
            if evaluates(command) and not settings["bare"]:
                with HiddenCalls():
                    return plain(command, frame_id)
            return plain(in_background(command), frame_id)
        finally:
            forget_invalid_frames()

    evaluate._repl = run


@part
def deleted_breakpoints():
    """Forgets breakpoints that a command has deleted: gdb's server would set them again in place of
    new ones (breakpoint.py, `_set_breakpoints`).
    """
    from gdb.dap import breakpoint

    def forget(deleted):
        named = "_breakpoint_map" if hasattr(breakpoint, "_breakpoint_map") else "breakpoint_map"
        known = getattr(breakpoint, named)
        for places in known.values():
            for place, points in list(places.items()):
                if points is deleted:  # gdb before 18 has one for each place.
                    del places[place]
                elif isinstance(points, list) and deleted in points:
                    points.remove(deleted)

    gdb.events.breakpoint_deleted.connect(forget)
