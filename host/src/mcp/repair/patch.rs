//! Applies a patch to the arguments of a call: sets, removes, renames and moves them.
//!
//! Refuses to know breakpoints and errors.

use serde_json::{Map, Value};

use super::breakpoints;
use crate::mcp::arguments;
use crate::mcp::request::{Request, proposed};
use crate::model::{Patch, ProposedTarget};
use crate::near::nearest;
use crate::view::Lens;

/// Arguments of which a launch has one.
const TARGETS: [&str; 3] = ["program", "command", "test"];
/// Arguments that no option is moved to: the call has one of them, or they hold other options.
const UNMOVED: [&str; 6] = ["program", "command", "test", "pid", "address", "options"];
/// Keys of `options` that belong to the host, with what their values are.
const HOST_OPTIONS: [(&str, OptionValue); 4] = [
    ("stdin", OptionValue::Text),
    ("config", OptionValue::Text),
    ("core", OptionValue::Text),
    ("stop_on_entry", OptionValue::Flag),
];

/// What the value of an option is.
enum OptionValue {
    Text,
    Flag,
}

impl OptionValue {
    fn fits(&self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Flag => value.is_boolean(),
        }
    }
}
/// Tools that start a debuggee.
const STARTS: [&str; 3] = ["debug_attach", "debug_launch", "debug_restart"];
/// Tools that work on a session after its end.
const AFTER_THE_END: [&str; 3] = ["debug_output", "debug_status", "debug_restart"];

/// Changes the call. Returns false if the patch does not fit; the call may then be changed in part.
pub(super) fn apply(request: &mut Request, patch: &Patch, lens: &Lens) -> bool {
    match patch {
        Patch::Again => true,
        Patch::StartAgain => STARTS.contains(&request.tool.name),
        Patch::Set(name, value) => set(request, name, proposed(value, lens)),
        Patch::Change(name, value) => {
            request.arguments.contains_key(*name) && set(request, name, proposed(value, lens))
        }
        Patch::Remove(name) => request.arguments.shift_remove(*name).is_some(),
        Patch::Replace { argument, from, to } => replace(request, argument, from, to),
        Patch::SetOption(key, value) => set_option(request, key, proposed(value, lens)),
        Patch::RemoveOption(key) => remove_option(request, key).is_some(),
        Patch::RenameOption { from, to } => rename_option(request, from, to),
        Patch::MoveOption(key) => move_option(request, key),
        Patch::Inputs(answers) => add_inputs(request, answers),
        Patch::Target(target) => aim(request, target, lens),
        Patch::ProgramAsCommand => program_as_command(request),
        Patch::CommandAsProgram(path) => command_as_program(request, lens.path(path)),
        Patch::Session { name, ended } => {
            (!ended || AFTER_THE_END.contains(&request.tool.name))
                && ["session", "session_id"]
                    .iter()
                    .any(|argument| set(request, argument, name.as_str().into()))
        }
        Patch::Breakpoint { part, edit } => breakpoints::apply(request, part, edit, lens),
        Patch::Hint(text) => take_hint(request, text),
        Patch::All(patches) => patches.iter().all(|patch| apply(request, patch, lens)),
    }
}

fn set(request: &mut Request, name: &str, value: Value) -> bool {
    let fits = request.tool.has_argument(name);
    if fits {
        request.arguments.insert(name.to_owned(), value);
    }
    fits
}

/// Replaces the value of an argument, or an item of its list.
fn replace(request: &mut Request, argument: &str, from: &str, to: &str) -> bool {
    let words = match request.arguments.get_mut(argument) {
        None => return false,
        Some(Value::Array(words)) => words.as_mut_slice(),
        Some(word) => std::slice::from_mut(word),
    };
    match words.iter_mut().find(|word| *word == from) {
        None => false,
        Some(word) => {
            *word = to.into();
            true
        }
    }
}

fn options(request: &mut Request) -> Option<&mut Map<String, Value>> {
    request.arguments.get_mut("options")?.as_object_mut()
}

fn set_option(request: &mut Request, key: &str, value: Value) -> bool {
    if !request.arguments.contains_key("options") && !set(request, "options", Map::new().into()) {
        return false;
    }
    match options(request) {
        None => false,
        Some(options) => {
            options.insert(key.to_owned(), value);
            true
        }
    }
}

fn remove_option(request: &mut Request, key: &str) -> Option<Value> {
    let options = options(request)?;
    let value = options.shift_remove(key)?;
    if options.is_empty() {
        request.arguments.shift_remove("options");
    }
    Some(value)
}

fn rename_option(request: &mut Request, from: &str, to: &str) -> bool {
    let Some(options) = options(request).filter(|options| !options.contains_key(to)) else {
        return false;
    };
    let value = options.shift_remove(from);
    options.extend(value.map(|value| (to.to_owned(), value)));
    options.contains_key(to)
}

/// Moves a key to the similar argument of the tool, if that is listed and takes the value, or
/// renames it to the similar key of the host.
fn move_option(request: &mut Request, key: &str) -> bool {
    let mut names = request.tool.argument_names();
    names.retain(|name| {
        !UNMOVED.contains(&name.as_str())
            && !request.tool.unlisted().contains(&name.as_str())
            && !request.arguments.contains_key(name)
    });
    if request.tool.name == "debug_launch" {
        names.extend(HOST_OPTIONS.map(|(name, _)| name.to_owned()));
    }
    let Some(name) = nearest(key, names.iter().map(String::as_str)) else { return false };
    if let Some((name, kind)) = HOST_OPTIONS.iter().find(|(option, _)| *option == name) {
        let value = options(request).and_then(|options| options.get(key));
        return value.is_some_and(|value| kind.fits(value)) && rename_option(request, key, name);
    }
    let Some(value) = remove_option(request, key) else { return false };
    request.arguments.insert(name.to_owned(), value);
    arguments::takes(request.tool, request.arguments.clone())
}

fn add_inputs(request: &mut Request, answers: &[(String, Option<String>)]) -> bool {
    let inputs = options(request).and_then(|options| {
        options.entry("inputs").or_insert_with(|| Map::new().into()).as_object_mut()
    });
    let Some(inputs) = inputs else { return false };
    for (name, proposed) in answers {
        // `${input:NAME}` in the file.
        let name = name.strip_prefix("input:").unwrap_or(name);
        inputs.insert(name.to_owned(), proposed.as_deref().unwrap_or("VALUE").into());
    }
    true
}

/// Replaces the target of a launch.
fn aim(request: &mut Request, target: &ProposedTarget, lens: &Lens) -> bool {
    if !TARGETS.iter().any(|name| request.arguments.contains_key(*name)) {
        return false;
    }
    request.arguments.retain(|name, _| !TARGETS.contains(&name.as_str()));
    let (name, value) = match target {
        ProposedTarget::Program { path, args } => {
            prepend_args(request, args.iter().cloned().map(Value::from).collect());
            ("program", lens.path(path))
        }
        ProposedTarget::Command(command) => ("command", command.clone()),
        ProposedTarget::Test(test) => ("test", test.clone()),
    };
    set(request, name, value.into())
}

/// A program with a space in its name is probably a command line.
fn program_as_command(request: &mut Request) -> bool {
    match request.arguments.shift_remove("program") {
        Some(Value::String(program)) if program.contains(' ') => {
            set(request, "command", program.into())
        }
        _ => false,
    }
}

/// The first word of the command is the program, the others come before its arguments.
fn command_as_program(request: &mut Request, program: String) -> bool {
    let Some(Value::String(command)) = request.arguments.shift_remove("command") else {
        return false;
    };
    let Ok(words) = shell_words::split(&command) else { return false };
    prepend_args(request, words.into_iter().skip(1).map(Value::from).collect());
    set(request, "program", program.into())
}

/// Puts arguments before those of the call.
fn prepend_args(request: &mut Request, mut args: Vec<Value>) {
    if let Some(Value::Array(others)) = request.arguments.shift_remove("args") {
        args.extend(others);
    }
    if !args.is_empty() {
        request.arguments.insert("args".to_owned(), args.into());
    }
}

/// Takes over the arguments of `debug_launch {"test": "a::b"}`, a plugin's proposal.
fn take_hint(request: &mut Request, text: &str) -> bool {
    let proposal = text
        .strip_prefix(request.tool.name)
        .and_then(|json| serde_json::from_str::<Map<String, Value>>(json).ok());
    let Some(proposal) = proposal else { return false };
    let is_target = |name: &&str| request.arguments.contains_key(*name);
    if !TARGETS.iter().any(is_target) {
        return false;
    }
    if TARGETS.iter().any(|name| proposal.contains_key(*name)) {
        request.arguments.retain(|name, _| !TARGETS.contains(&name.as_str()));
    }
    request.arguments.extend(proposal);
    true
}
