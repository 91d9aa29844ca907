//! The commands of all tools, with the flags of their arguments.
//!
//! Names, help and values come from the declarations: nothing is listed here.

use clap::{Arg, ArgAction, Args, Command};
use serde_json::{Map, Value, json};

use super::super::Common;
use super::hosts::Needs;
use super::{exit, values};
use crate::mcp::{Declared, Short, Verb, Words, declared};

/// Ids of arguments that are no arguments of a tool.
pub const WORDS: &str = "words";
pub const JSON: &str = "json";
pub const QUIET: &str = "quiet";

/// A command that was typed.
#[derive(Clone, Copy)]
pub struct Chosen {
    /// The tool that it calls.
    pub tool: &'static Declared,
    /// The arguments that words without a flag become.
    pub words: Words,
    /// Arguments that the command sets.
    pub sets: &'static [(&'static str, &'static str)],
}

impl Chosen {
    /// What it is for. `is_named`: it names a session.
    pub fn needs(&self, is_named: bool) -> Needs {
        if !self.tool.has_argument("session") {
            Needs::Host
        } else if !is_named && self.tool.verb.is_some_and(|verb| verb.is_for_next) {
            Needs::SessionOrHost
        } else {
            Needs::Session
        }
    }
}

fn verbs() -> impl Iterator<Item = (&'static Declared, Verb)> {
    declared().filter_map(|tool| Some((tool, tool.verb?)))
}

/// Whether a short command is only another name.
fn is_alias(verb: &Verb, short: &Short) -> bool {
    short.sets.is_empty() && short.words == verb.words
}

/// The command with this name.
pub fn of(name: &str) -> Option<Chosen> {
    for (tool, verb) in verbs() {
        if verb.name == name {
            return Some(Chosen { tool, words: verb.words, sets: &[] });
        }
        let mut shorts = verb.shorts.iter().filter(|short| !is_alias(&verb, short));
        if let Some(short) = shorts.find(|short| short.name == name) {
            return Some(Chosen { tool, words: short.words, sets: short.sets });
        }
    }
    None
}

/// The commands of all tools alone.
#[cfg(test)]
pub fn all() -> Command {
    add(Command::new(env!("CARGO_PKG_NAME")))
}

/// Adds the commands of all tools.
pub fn add(mut command: Command) -> Command {
    for (tool, verb) in verbs() {
        let chosen = Chosen { tool, words: verb.words, sets: &[] };
        let mut one = one(verb.name, tool.title, &chosen, &verb);
        for short in verb.shorts {
            if is_alias(&verb, short) {
                one = one.visible_alias(short.name);
            } else {
                let chosen = Chosen { tool, words: short.words, sets: short.sets };
                command = command.subcommand(self::one(short.name, short.about, &chosen, &verb));
            }
        }
        command = command.subcommand(one);
    }
    command.after_help(exit::HELP)
}

fn one(name: &'static str, about: &'static str, chosen: &Chosen, verb: &Verb) -> Command {
    let tool = chosen.tool;
    // First, because it sets a description.
    let mut command = Common::augment_args(Command::new(name))
        .about(about)
        .long_about(format!("{}\n\nThe tool {} for a person.", tool.description, tool.name))
        .after_help(exit::HELP);
    let schema = tool.schema();
    for (name, property) in properties(&schema) {
        let is_set = chosen.sets.iter().any(|(set, _)| set == name);
        if !is_set {
            let flag = flag(name, property, verb);
            command = command.arg(values::completed(flag, name, property));
        }
    }
    for name in tool.unlisted() {
        command = command.arg(unlisted(name));
    }
    if let Some(words) = words(chosen.words, &schema) {
        let property = |name: &str| {
            let found = properties(&schema).find(|(of, _)| *of == name);
            found.map(|(_, property)| property.clone()).unwrap_or_default()
        };
        command = command.arg(values::completed_words(words, chosen.words, property));
    }
    let json = Arg::new(JSON).long(JSON).action(ArgAction::SetTrue);
    let quiet = Arg::new(QUIET).long(QUIET).short('q').action(ArgAction::SetTrue);
    command
        .arg(json.help("Print data: {ok: true, data} or {ok: false, error}"))
        .arg(quiet.help("Print errors only"))
}

fn properties(schema: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten()
}

/// `--all-threads` for `all_threads`.
fn flag(name: &str, property: &Value, verb: &Verb) -> Arg {
    let mut arg = Arg::new(name.to_owned()).long(name.replace('_', "-"));
    if let Some(help) = property["description"].as_str() {
        arg = arg.help(help.to_owned());
    }
    if let Some((_, letter)) = verb.letters.iter().find(|(of, _)| *of == name) {
        arg = arg.short(*letter);
    } else if name == "session" {
        arg = arg.short('S');
    }
    match property["type"].as_str() {
        Some("boolean") => arg
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true")
            .value_name("BOOL"),
        Some("array") => arg.action(ArgAction::Append).value_name("ITEM").allow_hyphen_values(true),
        Some("object") => arg.action(ArgAction::Append).value_name("NAME=VALUE"),
        Some("integer") => arg.value_name("N").allow_hyphen_values(true),
        Some("number") => arg.value_name("SECONDS").allow_hyphen_values(true),
        _ => match property["enum"].as_array() {
            Some(words) => {
                let words: Vec<_> = words.iter().filter_map(Value::as_str).collect();
                arg.value_name(words.join("|"))
            }
            None => arg.value_name(name.to_uppercase()).allow_hyphen_values(true),
        },
    }
}

/// A flag that is not in the help, for the calls that answers propose.
fn unlisted(name: &'static str) -> Arg {
    Arg::new(name)
        .long(name.replace('_', "-"))
        .hide(true)
        .num_args(0..=1)
        .require_equals(true)
        .default_missing_value("true")
}

fn words(words: Words, schema: &Map<String, Value>) -> Option<Arg> {
    let help = |name: &str| {
        let property = properties(schema).find(|(of, _)| *of == name);
        let text = property.and_then(|(_, property)| property["description"].as_str());
        text.unwrap_or_default().to_owned()
    };
    let arg = Arg::new(WORDS).allow_negative_numbers(true);
    Some(match words {
        Words::None => return None,
        Words::One(name) => arg.value_name(name.to_uppercase()).help(help(name)),
        Words::Each(name) => arg.value_name(name.to_uppercase()).num_args(0..).help(help(name)),
        Words::Joined(name) | Words::JoinedItem(name) => {
            arg.value_name(name.to_uppercase()).num_args(1..).help(help(name))
        }
        Words::CommandLine { .. } => arg
            .value_name("PROGRAM [ARGS]")
            .num_args(1..)
            .trailing_var_arg(true)
            .allow_hyphen_values(true)
            .help(
                "A program with its own words; but -b FILE:LINE behind it is a breakpoint if there \
                 is such a file. Behind -- all words are the program's",
            ),
        Words::Breakpoints(_) | Words::Once(_) => arg
            .value_name("FILE:LINE [if CONDITION] [log TEXT]")
            .num_args(0..)
            .help("Places; without any, lists the breakpoints"),
        Words::Process { .. } => arg.value_name("PID|HOST:PORT").help("Process, or address"),
        Words::Assignment(..) => {
            arg.value_name("TARGET VALUE").num_args(1..).help("Variable, then its new value")
        }
    })
}

/// All commands that are listed, each with the words that name it: `host stop`.
pub fn every(command: &Command) -> Vec<(String, &Command)> {
    let mut all = Vec::new();
    for one in command.get_subcommands().filter(|one| !one.is_hide_set()) {
        all.push((one.get_name().to_owned(), one));
        for (name, below) in every(one) {
            all.push((format!("{} {name}", one.get_name()), below));
        }
    }
    all
}

/// All commands for machines.
pub fn describe(command: &Command) -> Value {
    let mut commands = Vec::new();
    for (name, one) in every(command) {
        let mut flags = Vec::new();
        for arg in one.get_arguments() {
            flags.push(json!({
                "name": arg.get_id().as_str(),
                "long": arg.get_long(),
                "short": arg.get_short().map(String::from),
                "value": arg.get_value_names().and_then(|names| names.first()).map(|n| n.as_str()),
                "repeats": matches!(arg.get_action(), ArgAction::Append),
                "help": arg.get_help().map(ToString::to_string),
            }));
        }
        commands.push(json!({
            "name": name,
            "aliases": one.get_visible_aliases().collect::<Vec<_>>(),
            "about": one.get_about().map(ToString::to_string),
            "tool": of(&name).map(|chosen| chosen.tool.name),
            "arguments": flags,
        }));
    }
    json!({"version": env!("CARGO_PKG_VERSION"), "exit_codes": exit::codes(), "commands": commands})
}
