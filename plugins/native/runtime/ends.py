"""What ends a program: an exception that nothing catches, a signal, an error of the system.

Knows names of functions and numbers; knows no debugger.
"""

import os
import re

TERMINATES = ("std::terminate", "__cxxabiv1::__terminate")
# Calls `abort`, by functions without symbols, if an exception reaches a `noexcept` function. It
# runs for exceptions that are caught as well.
PERSONALITY = "__gxx_personality_v0"
ABORTS = ("abort", "__GI_abort")
# Signals that end no program by default: SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU,
# SIGURG, SIGWINCH (signal(7)).
HARMLESS = (17, 18, 19, 20, 21, 22, 23, 28)


def is_terminated(names):
    """Whether the C++ runtime ends the program for an exception, by the names of its functions on
    the stack, the innermost first.
    """
    if any(name.startswith(TERMINATES) for name in names):
        return True
    inner = names[: names.index(PERSONALITY)] if PERSONALITY in names else []
    return any(name in ABORTS for name in inner)


def process_status(pid):
    """The fields of /proc/PID/status (proc(5))."""
    with open("/proc/%s/status" % pid) as file:
        return dict(re.findall(r"^(\w+):\s*(\w+)", file.read(), re.M))


def break_mode_of_signal(number, status):
    """DAP's break mode of a signal, by the masks of signals that the process handles and ignores:
    `always` if it handles it, empty if the signal ends no program.
    """
    caught, ignored = (int(status[mask], 16) >> (number - 1) & 1 for mask in ("SigCgt", "SigIgn"))
    if caught:
        return "always"
    return "" if ignored or number in HARMLESS else "unhandled"


def io_error(word):
    """The text of Rust's `io::Error`, if its code is in the upper half of the word
    (std/src/io/error/repr_bitpacked.rs).
    """
    code = word >> 32
    return "os error %d: %s" % (code, os.strerror(code)) if word & 3 == 2 else ""
