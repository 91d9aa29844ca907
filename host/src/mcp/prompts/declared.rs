//! The prompts as clients list them. Refuses to know their texts.

use super::super::declared::Toolset;
use super::plan::{Arguments, Plan};
use super::plans;

/// A prompt.
pub(in crate::mcp) struct Declared {
    /// Listed if this toolset is on; a default one always.
    pub toolset: Toolset,
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub arguments: &'static [Argument],
    /// Arguments of which one must be given.
    pub one_of: &'static [&'static str],
    pub plan: fn(&Arguments) -> Plan,
}

/// An argument of a prompt, always a text.
pub(in crate::mcp) struct Argument {
    pub name: &'static str,
    pub description: &'static str,
    pub required: bool,
    /// The text is a number.
    pub is_number: bool,
}

pub(in crate::mcp) const fn required(name: &'static str, description: &'static str) -> Argument {
    Argument { name, description, required: true, is_number: false }
}

pub(in crate::mcp) const fn optional(name: &'static str, description: &'static str) -> Argument {
    Argument { name, description, required: false, is_number: false }
}

const fn number(name: &'static str, description: &'static str) -> Argument {
    Argument { name, description, required: false, is_number: true }
}

const PROGRAM: &str = "A program, source file or command line that starts it; or a session";
const SESSION: &str = "A session that is open, instead of a launch";

/// Sorted by name.
pub(in crate::mcp) const DECLARED: &[Declared] = &[
    Declared {
        toolset: Toolset::Default,
        name: "debug_test",
        title: "Debug a failing test",
        description: "Runs one test under the debugger and finds why it fails.",
        arguments: &[
            required("test", "The name of the test, or a part of it"),
            optional("location", "A place to stop at: FILE:LINE or a function"),
        ],
        one_of: &[],
        plan: plans::debug_test,
    },
    Declared {
        toolset: Toolset::Default,
        name: "why_crash",
        title: "Why does it crash?",
        description: "Runs a program to its exception, panic or signal and finds the cause.",
        arguments: &[optional("program", PROGRAM), optional("session", SESSION)],
        one_of: &["program", "session"],
        plan: plans::why_crash,
    },
    Declared {
        toolset: Toolset::Default,
        name: "why_hang",
        title: "Why does it hang?",
        description: "Pauses a program that does not end and finds what it waits for or repeats.",
        arguments: &[
            optional(
                "program",
                "A program, source file or command line that starts it; or a session or pid",
            ),
            optional("session", SESSION),
            number("pid", "A running process, instead of a launch"),
        ],
        one_of: &["program", "session", "pid"],
        plan: plans::why_hang,
    },
    Declared {
        toolset: Toolset::Default,
        name: "why_value",
        title: "Where does this value come from?",
        description: "Follows a variable to the line that gives it a wrong value.",
        arguments: &[
            optional("program", PROGRAM),
            required("variable", "The variable, or a path into it: order.items[3].price"),
            optional("location", "A place where the value is wrong: FILE:LINE or a function"),
            number("breakpoint", "The number of a breakpoint where the value is wrong"),
            optional("expected", "The value that it should have"),
            optional("session", SESSION),
        ],
        one_of: &["program", "session"],
        plan: plans::why_value,
    },
];
