//! A tool on the command line: its name there, short forms, and where words without a flag go. Its
//! flags and help are those of the tool's arguments.
//!
//! Refuses to know how a command line is read.

/// The command of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Verb {
    /// `break`.
    pub name: &'static str,
    /// The words after the flags.
    pub words: Words,
    /// Arguments with a flag of one letter.
    pub letters: &'static [(&'static str, char)],
    /// Shorter commands.
    pub shorts: &'static [Short],
    /// What it sets without a session is for the next one.
    pub is_for_next: bool,
}

/// A shorter command for some calls of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Short {
    /// `n`.
    pub name: &'static str,
    /// What it stands for; empty: another name of the command.
    pub about: &'static str,
    /// Arguments that it sets, with their values.
    pub sets: &'static [(&'static str, &'static str)],
    /// The words after the flags.
    pub words: Words,
}

/// The arguments that words without a flag become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// There are none.
    None,
    /// One word is this argument.
    One(&'static str),
    /// Each word is an item of this argument.
    Each(&'static str),
    /// All words, joined with spaces, are this argument.
    Joined(&'static str),
    /// All words, joined with spaces, are the only item of this argument.
    JoinedItem(&'static str),
    /// All words are a command line: a file that exists is the first argument, with its arguments
    /// as the second one; any other is a command, the third. Nothing behind the first word is a
    /// flag of ours but breakpoints.
    CommandLine {
        /// Argument of a file.
        program: &'static str,
        /// Argument of its words.
        args: &'static str,
        /// Argument of any other command line.
        command: &'static str,
    },
    /// Places with their conditions: a word that begins another place begins another item.
    Breakpoints(&'static str),
    /// The same for breakpoints that stop at their first hit only.
    Once(&'static str),
    /// A pid or an address.
    Process {
        /// Argument of digits.
        pid: &'static str,
        /// Argument of anything else.
        address: &'static str,
    },
    /// The first word is the first argument; the others, joined, the second. `=` may be between.
    Assignment(&'static str, &'static str),
}

impl Verb {
    pub(super) const fn new(name: &'static str, words: Words) -> Self {
        Self { name, words, letters: &[], shorts: &[], is_for_next: false }
    }

    pub(super) const fn letters(self, letters: &'static [(&'static str, char)]) -> Self {
        Self { letters, ..self }
    }

    pub(super) const fn shorts(self, shorts: &'static [Short]) -> Self {
        Self { shorts, ..self }
    }

    pub(super) const fn for_next(self) -> Self {
        Self { is_for_next: true, ..self }
    }
}

impl Short {
    /// Another name of the command.
    pub(super) const fn of(name: &'static str, verb: Words) -> Self {
        Self { name, about: "", sets: &[], words: verb }
    }

    /// A command that sets arguments.
    pub(super) const fn with(
        name: &'static str,
        about: &'static str,
        sets: &'static [(&'static str, &'static str)],
        words: Words,
    ) -> Self {
        Self { name, about, sets, words }
    }
}
