//! Remedies of errors as data: the call that helps, or the change of the failed call.
//!
//! Refuses to know tools, the syntax of their arguments and how a call is written: `view` writes a
//! [`Next`], `mcp` applies a [`Patch`].

use std::path::PathBuf;

/// A remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Another call.
    Call(Next),
    /// The failed call with a change. Fits a call that has the changed part.
    Same(Patch),
    /// What a person has to do outside the debugger, such as raising a key of dapdock.toml: a
    /// fragment without a trailing dot.
    Person(String),
}

/// Remedies in order of preference; `mcp` takes the first that fits the failed call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remedies {
    /// The best first.
    pub list: Vec<Remedy>,
    /// When they work, or what helps as well: "once it builds".
    pub note: Option<String>,
}

impl Remedies {
    /// The same, followed by another remedy.
    #[must_use]
    pub fn or(mut self, other: impl Into<Self>) -> Self {
        let other = other.into();
        self.list.extend(other.list);
        self.note = self.note.or(other.note);
        self
    }

    /// The same with a condition.
    #[must_use]
    pub fn note(self, note: impl Into<String>) -> Self {
        Self { note: Some(note.into()), ..self }
    }
}

impl From<Remedy> for Remedies {
    fn from(remedy: Remedy) -> Self {
        Self { list: vec![remedy], note: None }
    }
}

impl From<Next> for Remedies {
    fn from(next: Next) -> Self {
        Remedy::Call(next).into()
    }
}

impl From<Patch> for Remedies {
    fn from(patch: Patch) -> Self {
        Remedy::Same(patch).into()
    }
}

/// No remedy without a patch.
impl From<Option<Patch>> for Remedies {
    fn from(patch: Option<Patch>) -> Self {
        patch.map_or_else(Self::default, Self::from)
    }
}

/// A call by its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// All sessions, or one detail of the status.
    Status(Detail),
    /// The list of targets.
    Targets,
    /// Launches a target, or opens the core file that it dumped.
    Launch {
        /// What to launch.
        target: ProposedTarget,
        /// The core file.
        core: Option<PathBuf>,
    },
    /// Attaches to a listening debugger.
    Attach {
        /// `host:port`.
        address: String,
        /// A name of `[adapters]`.
        adapter: Option<String>,
    },
    /// Launches the last program again.
    Restart {
        /// The session, if it is not that of the failed call.
        session: Option<String>,
    },
    /// An earlier call, as the caller wrote it.
    Repeat(String),
    /// Ends the debuggee instead of detaching from it.
    Terminate,
    /// Stops the debuggee.
    Pause,
    /// Resumes the debuggee.
    Continue {
        /// Place of the next stop.
        until: Option<String>,
    },
    /// Steps into a call of the current line.
    StepIn {
        /// Name of the call; none: the first.
        into: Option<String>,
    },
    /// Waits for the next stop.
    Wait {
        /// Seconds.
        timeout: Option<u32>,
    },
    /// The last lines of output.
    Output {
        /// The session, if it is not that of the failed call.
        session: Option<String>,
        /// Number of lines.
        tail: u32,
    },
    /// Frames of the stopped thread, or of all threads.
    Stack {
        /// All threads.
        all_threads: bool,
    },
    /// Lists the breakpoints.
    Breakpoints,
    /// Run a command of the debugger's own language.
    Command(String),
    /// Sets a breakpoint on a line.
    Breakpoint {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: u32,
    },
    /// Sets an exception filter.
    Exceptions(String),
    /// Variables of a frame.
    Variables(Variables),
    /// Evaluates an expression.
    Evaluate(String),
    /// Evaluates an assignment.
    Assign(String),
    /// Removes these watches.
    Unwatch(Vec<String>),
}

/// A part of the status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Sessions, one line each.
    Sessions,
    /// Adapters and their options.
    Adapters,
    /// Capabilities of the session's adapter.
    Capabilities,
    /// Log of the session.
    Log,
}

/// Which variables to read; everything by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variables {
    /// Name of a scope.
    pub scope: Option<String>,
    /// Path of a variable.
    pub path: Option<String>,
    /// Index of the first element.
    pub start: Option<u64>,
    /// Compared with the stop before.
    pub diff: bool,
}

/// A target to propose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProposedTarget {
    /// A program or source file.
    Program {
        /// Its path.
        path: PathBuf,
        /// Its arguments, before those of the call.
        args: Vec<String>,
    },
    /// A command line.
    Command(String),
    /// Name of a test.
    Test(String),
}

/// A change of the failed call. Its other parts stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Patch {
    /// No change: the same call works once the note holds.
    Again,
    /// The same, for calls that launch, attach or restart.
    StartAgain,
    /// Sets an argument.
    Set(&'static str, Argument),
    /// Replaces the value of an argument that the call has.
    Change(&'static str, Argument),
    /// Removes an argument of the call.
    Remove(&'static str),
    /// Replaces a word of an argument: its value or an item of its list.
    Replace {
        /// Name of the argument.
        argument: &'static str,
        /// The word in the call.
        from: String,
        /// The word in its place.
        to: String,
    },
    /// Replaces a key of `options`.
    SetOption(&'static str, Argument),
    /// Removes a key of `options`.
    RemoveOption(String),
    /// Moves a key of `options` to the argument of the tool with a similar name.
    MoveOption(String),
    /// Renames a key of `options`.
    RenameOption {
        /// The key in the call.
        from: String,
        /// The key in its place.
        to: String,
    },
    /// Adds answers to the inputs of a configuration: name and proposed answer.
    Inputs(Vec<(String, Option<String>)>),
    /// Launches another target in place of the one in the call.
    Target(ProposedTarget),
    /// The program of the call is a command line.
    ProgramAsCommand,
    /// Replaces a command line by its program and arguments.
    CommandAsProgram(PathBuf),
    /// Names the session.
    Session {
        /// Its name.
        name: String,
        /// Whether it has ended. If so, only calls about the past fit.
        ended: bool,
    },
    /// Changes the breakpoints, or the place to run to, with this part.
    Breakpoint {
        /// The part that is wrong.
        part: BreakpointPart,
        /// The edit.
        edit: PartEdit,
    },
    /// Takes the arguments of a call that a plugin proposes, as text.
    Hint(String),
    /// All of these in order; fits if each of them fits.
    All(Vec<Patch>),
}

/// Value of an argument. Callers see a path relative to the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A string.
    Text(String),
    /// An absolute path.
    Path(PathBuf),
    /// A number.
    Number(u64),
}

impl From<&str> for Argument {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Argument {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<PathBuf> for Argument {
    fn from(path: PathBuf) -> Self {
        Self::Path(path)
    }
}

impl From<u64> for Argument {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

/// A part of a breakpoint as the caller wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BreakpointPart {
    /// The condition.
    Condition(String),
    /// The hit condition.
    HitCondition(String),
    /// The text of a log breakpoint.
    Log(String),
    /// The name of its function.
    Function(String),
    /// The file, absolute.
    File(PathBuf),
    /// The line in a file.
    Line(PathBuf, u32),
}

/// An edit of a breakpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartEdit {
    /// Another function, place, file or line.
    Replace(Argument),
    /// Removes the part: the breakpoint has no condition.
    Clear,
    /// Removes the breakpoint.
    Drop,
}
