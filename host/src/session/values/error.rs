//! Why a thread, frame or value cannot be read or set.

use crate::model::{Epoch, Fault, Next, Patch, Remedies, Thread, Variables, errors};
use crate::near::nearest;

errors! {
    /// A failed reading of values.
    pub enum Error {
        /// The stack is shorter.
        #[error("there is no frame {index}{}", of_frames(*count))]
        NoSuchFrame {
            /// Requested, counted from the top.
            index: u32,
            /// Depth of the stack, if it is known.
            count: Option<u32>,
        } => "no-such-frame", Fault::Caller, Next::Stack { all_threads: false };

        /// The debuggee has no such thread.
        #[error("there is no thread {name}; there are {}", known.join(", "))]
        NoSuchThread {
            /// Requested: a number or a name.
            name: String,
            /// "3 worker-1", …
            known: Vec<String>,
        } => "no-such-thread", Fault::Caller, Next::Stack { all_threads: true };

        /// A thread given by name, while the adapter lists no threads.
        #[error("the debugger lists no threads while the program runs: cannot look for `{name}`")]
        ThreadsUnlisted {
            /// Requested.
            name: String,
        } => "no-such-thread", Fault::Caller, Next::Pause;

        /// The frame has no such scope.
        #[error("the frame has no scope `{name}`; it has {}", known.join(", "))]
        NoSuchScope {
            /// Requested.
            name: String,
            /// Names of the frame's scopes.
            known: Vec<String>,
        } => "no-such-scope", Fault::Caller, other_scope(name, known);

        /// A segment of a path does not exist.
        #[error(
            "{} has no `{segment}`{}",
            if parent.is_empty() { "the scope" } else { parent.as_str() },
            there_are(near)
        )]
        NoSuchVariable {
            /// The part of the path that exists.
            parent: String,
            /// The first part that does not.
            segment: String,
            /// Names in the parent, the most similar first.
            near: Vec<String>,
        } => "no-such-variable", Fault::Caller, other_variable(parent, near);

        /// A member that an assignment adds; `debug_set` adds only keys, since a member that does
        /// not exist may be a slip.
        #[error("{parent} has no `{segment}`{}; the next call tries to add it", there_are(near))]
        NewMember {
            /// Path of the object.
            parent: String,
            /// The member.
            segment: String,
            /// Names in the object.
            near: Box<[String]>,
            /// What adds it: `box.size = 1`.
            assignment: Box<str>,
        } => "no-such-variable", Fault::Caller, Next::Assign(assignment.to_string());

        /// A key or member that is not there, and that the debugger does not add.
        #[error("{parent} has no `{segment}`, and {why}{}", there_are(near))]
        NotAdded {
            /// The part of the path that exists.
            parent: String,
            /// Requested.
            segment: String,
            /// Why it is not added.
            why: Box<str>,
            /// Names in the parent, the most similar first.
            near: Box<[String]>,
        } => "no-such-variable", Fault::Caller, other_variable(parent, near);

        /// A mapping was searched up to a bound.
        #[error("`{key}` is not among the first {looked_at} keys of {parent}; there are more")]
        NotAmong {
            /// Path of the mapping.
            parent: String,
            /// Requested.
            key: String,
            /// Number of entries read.
            looked_at: u64,
        } => "no-such-variable", Fault::Caller, elements(parent, looked_at * 2);

        /// The container is shorter.
        #[error("{parent} has no element {number}: it has {count}")]
        NoSuchElement {
            /// Path of the container.
            parent: String,
            /// Requested.
            number: u64,
            /// Number of elements.
            count: u64,
        } => "no-such-variable", Fault::Caller, elements(parent, count.saturating_sub(10));

        /// An expression that may have effects, in place of a path.
        #[error("`{text}` is not a path to a variable")]
        NotAPath {
            /// As given.
            text: String,
        } => "not-a-path", Fault::Caller, Next::Evaluate(text.clone());

        /// The stop before was in another call of a function, or there was none.
        #[error("{}", nothing_before(before.as_ref()))]
        NothingToCompare {
            /// The stop before and its function.
            before: Option<(Epoch, String)>,
        } => "not-comparable", Fault::Caller, Next::Variables(Variables::default());

        /// A value that the stop before did not record.
        #[error(
            "the stop before recorded only the locals and the first values inside them: \
             cannot compare `{path}`"
        )]
        NotRecorded {
            /// As given.
            path: String,
            /// The local at the start of the path.
            root: String,
        } => "not-comparable", Fault::Caller, Next::Variables(Variables {
            path: Some(root.clone()),
            diff: true,
            ..Variables::default()
        });

        /// The variable does not take the value.
        #[error("{message}")]
        NotSet {
            /// Path of the variable.
            target: String,
            /// The plugin's or the debugger's words.
            message: String,
            /// The value as a string, if it is probably the text of one.
            text: Option<String>,
        } => "not-set", Fault::Caller, as_text(text.as_deref(), target);

        /// An integer that the debugger truncated; the old value is restored.
        #[error(
            "`{target}` is {}, which {value} does not fit",
            ty.as_deref().unwrap_or("a smaller number")
        )]
        DoesNotFit {
            /// Path of the variable.
            target: String,
            /// Requested.
            value: String,
            /// The debugger's name of the type.
            ty: Option<String>,
        } => "not-set", Fault::Caller, Next::Evaluate(target.clone());

        /// The debugger reports success, and the value has not changed.
        #[error("the debugger reports it as set, but it is still {value}")]
        StillTheSame {
            /// Path of the variable.
            target: String,
            /// Its value.
            value: String,
        } => "not-set", Fault::Adapter, Next::Evaluate(target.clone());
    }
}

fn as_text(text: Option<&str>, target: &str) -> Remedies {
    let patch = text.map(|text| Patch::Set("value", text.into()));
    Remedies::from(patch).or(Next::Evaluate(target.to_owned()))
}

impl Error {
    /// Names the first of the debuggee's threads.
    pub(crate) fn no_such_thread(name: String, threads: &[Thread]) -> Self {
        const NAMED: usize = 20;
        let mut known: Vec<String> = threads
            .iter()
            .take(NAMED)
            .map(|thread| format!("{} {}", thread.id.0, thread.name))
            .collect();
        if threads.len() > NAMED {
            known.push(format!("{} more", threads.len() - NAMED));
        }
        Self::NoSuchThread { name, known }
    }
}

fn of_frames(count: Option<u32>) -> String {
    count.map_or_else(String::new, |count| format!("; the stack has {count}"))
}

fn there_are(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!("; there are {}", near.join(", ")) }
}

fn nothing_before(before: Option<&(Epoch, String)>) -> String {
    match before {
        None => "there is no stop before this one to compare with".to_owned(),
        Some((epoch, function)) => format!(
            "stop {} was in another call, of `{function}`: cannot compare their locals",
            epoch.0
        ),
    }
}

fn other_scope(name: &str, known: &[String]) -> Remedies {
    let near = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
    let scope = near.or_else(|| known.first().cloned());
    let patch = scope.clone().map(|scope| Patch::Set("scope", scope.into()));
    Remedies::from(patch).or(Next::Variables(Variables { scope, ..Variables::default() }))
}

/// The path with its wrong segment replaced by the most similar name.
fn other_variable(parent: &str, near: &[String]) -> Remedies {
    let path = near.first().map(|name| below(parent, name));
    let patch = path.clone().map(|path| Patch::Set("path", path.into()));
    let path = path.or_else(|| Some(parent.to_owned()).filter(|parent| !parent.is_empty()));
    Remedies::from(patch).or(Next::Variables(Variables { path, ..Variables::default() }))
}

/// Elements of a container from `start` on.
fn elements(parent: &str, start: u64) -> Remedies {
    let path = Some(parent.to_owned());
    let set = [Patch::Set("start", start.into()), Patch::Set("path", parent.into())];
    Remedies::from(Patch::All(set.into())).or(Next::Variables(Variables {
        path,
        start: Some(start),
        ..Variables::default()
    }))
}

/// Path of a variable listed as `name` in `parent`: `cart.items`, `ages['Ada']`, `list[3]`,
/// `map["a.b"]`.
fn below(parent: &str, name: &str) -> String {
    let plain =
        name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | ':' | '#' | '<' | '>'));
    let quoted = name.len() > 1 && name.starts_with(['"', '\'']);
    match (parent, name) {
        ("", name) => name.to_owned(),
        (parent, name) if name.starts_with('[') => format!("{parent}{name}"),
        (parent, name) if quoted => format!("{parent}[{name}]"),
        (parent, name) if plain => format!("{parent}.{name}"),
        (parent, name) => format!("{parent}[{}]", serde_json::Value::from(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_leads_to_the_listed_name() {
        for (parent, name, path) in [
            ("", "cart", "cart"),
            ("cart", "items", "cart.items"),
            ("list", "[3]", "list[3]"),
            ("d", "'t23'", "d['t23']"),
            ("d", "\"a.b\"", "d[\"a.b\"]"),
            ("d", "a.b", "d[\"a.b\"]"),
            ("m", "[\"zone\"]", "m[\"zone\"]"),
            ("größe", "straße_2", "größe.straße_2"),
        ] {
            assert_eq!(below(parent, name), path);
        }
    }
}
