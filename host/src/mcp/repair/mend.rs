//! Repairs the failed call: changes the wrong argument and keeps all others.
//!
//! Knows the arguments of the tools. Refuses to know how an error is written. One file, because
//! every rule edits the same JSON object; its second half is the tests, a row for each rule.

use serde_json::{Map, Value};

use crate::mcp::request::Request;
use crate::model::{Argument, Patch, Remedy};
use crate::near::ranked;
use crate::session::TargetError;
use crate::session::{
    AdapterError, BreakpointError, ConfigurationRemedy, Error, LaunchError, Part, Refused,
    ValueError,
};
use crate::view::{self, Lens};

/// What a launch starts from: one of them.
const TARGETS: [&str; 3] = ["program", "command", "test"];
/// Tools that a session answers after its end.
const AFTER_THE_END: [&str; 3] = ["debug_output", "debug_status", "debug_restart"];

impl Request {
    /// The call again without the fault that `error` names, where that can be told from the call.
    /// Its paths start at the lens's workspace.
    pub fn mended(&self, error: &Error, lens: &Lens) -> Option<view::Call> {
        let mut mended = self.clone();
        mended.mend(error, lens).then(|| mended.call())
    }

    /// Puts right what `error` names; false: this call cannot be.
    fn mend(&mut self, error: &Error, lens: &Lens) -> bool {
        match error {
            Error::Several { all } => all.iter().all(|one| self.mend(one, lens)),
            Error::UnknownSession { name, open, ended } => {
                self.name_session(Some(name), open, ended)
            }
            // What was asked for last is meant more likely than what was left open before.
            Error::WhichSession { open, ended } => self.name_session(None, ended, open),
            Error::Breakpoints(BreakpointError::BadCondition { text, .. })
            | Error::Breakpoints(BreakpointError::Refused {
                part: Some(Part::Condition(text)),
                ..
            }) => self.drop_condition(text),
            Error::Breakpoints(BreakpointError::Refused {
                part: Some(Part::Log(text)), ..
            }) => self.drop_log(text),
            Error::Breakpoints(BreakpointError::Refused {
                part: Some(Part::Function { name, instead }),
                ..
            }) => match instead {
                Some(instead) if self.tool.name == "debug_continue" => {
                    self.put("until", Some(instead))
                }
                Some(instead) => self.replace_function(name, instead),
                None => self.drop_function(name),
            },
            Error::Breakpoints(BreakpointError::BadHitCondition { text })
            | Error::Breakpoints(BreakpointError::HitOutOfReach { text, .. }) => {
                self.drop_hit_condition(text)
            }
            Error::Breakpoints(BreakpointError::NoSuchSource { path, near }) => {
                match near.first() {
                    Some(near) => self.replace_file(&lens.workspace, path, &lens.path(near)),
                    None => self.drop_file(&lens.workspace, path),
                }
            }
            Error::Breakpoints(BreakpointError::NoSuchLine { path, line, lines }) => {
                self.replace_line(&lens.workspace, path, *line, *lines)
            }
            Error::Values(ValueError::NoSuchScope { known, .. }) => {
                self.put_if("debug_variables", "scope", known.first())
            }
            Error::Values(ValueError::NoSuchVariable { .. }) => match first_patch(error) {
                Some(Patch::Set("path", Argument::Text(path))) => {
                    self.put_if("debug_variables", "path", Some(&path))
                }
                _ => false,
            },
            Error::Values(ValueError::NoSuchElement { parent, count, .. })
                if self.tool.name == "debug_variables" =>
            {
                self.arguments.insert("start".to_owned(), count.saturating_sub(10).into());
                self.put("path", Some(parent))
            }
            Error::Breakpoints(BreakpointError::UnknownExceptionFilter { .. }) => {
                match first_patch(error) {
                    Some(Patch::Replace { from, to, .. }) => self.replace_exception(&from, to),
                    _ => false,
                }
            }
            Error::Adapter(AdapterError::WhichCall { known, .. }) => {
                match known.iter().find(|one| is_single(one, known)) {
                    Some(label) => self.put("into", Some(label)),
                    None => {
                        self.arguments.shift_remove("into").is_some()
                            && self.put("kind", Some("in"))
                    }
                }
            }
            Error::Busy { .. } | Error::Plugin(Refused::NotPermitted { .. }) => true,
            Error::Launch(LaunchError::Unreachable { .. })
            | Error::Target(TargetError::Traced { .. })
            | Error::Launch(LaunchError::NoDebugger { .. }) => self.tool.name == "debug_attach",
            _ => {
                self.tool.name == "debug_launch" && self.mend_launch(error, lens)
                    || self.mend_start(error)
            }
        }
    }

    fn mend_launch(&mut self, error: &Error, lens: &Lens) -> bool {
        match error {
            Error::Target(TargetError::NoAdapter { tests, .. }) => {
                tests.first().is_some_and(|command| self.aim("command", command))
            }
            Error::Target(TargetError::NoTest { near, likely, commands, .. }) => {
                match (near.first().filter(|_| *likely), commands.first()) {
                    (None, Some(command)) => self.aim("command", command),
                    (near, _) => self.put("test", near),
                }
            }
            Error::Target(TargetError::BadPath { what: "cwd", near, .. }) => match near.first() {
                Some(near) => self.put("cwd", Some(&lens.path(near))),
                None => self.arguments.shift_remove("cwd").is_some(),
            },
            Error::Target(TargetError::BadPath { what: "stdin", near, .. }) => {
                let near = near.first().map(|near| lens.path(near));
                self.option(|options| match near {
                    Some(near) => drop(options.insert("stdin".to_owned(), near.into())),
                    None => drop(options.shift_remove("stdin")),
                })
            }
            Error::Target(TargetError::BadPath { what: "core", near, .. }) => match near.first() {
                Some(near) => self.without_core() && self.put("core", Some(&lens.path(near))),
                None => self.without_core(),
            },
            Error::Target(TargetError::BadPath { path, near, .. })
                if self.arguments.contains_key("program") =>
            {
                match near.first() {
                    Some(near) => self.put("program", Some(&lens.path(near))),
                    // A program with blanks in its name was meant as a command line.
                    None => {
                        let written = lens.path(path);
                        written.contains(' ') && self.aim("command", &written)
                    }
                }
            }
            Error::Target(TargetError::BadPath { path, .. }) if path.is_file() => {
                self.program_of_command(&lens.path(path))
            }
            Error::Target(TargetError::IsCore { path }) => {
                !self.is_configured() && self.open_core(&lens.path(path))
            }
            Error::Target(TargetError::DumpedByAnother { dumper, .. }) if dumper.is_file() => {
                self.put("program", Some(&lens.path(dumper)))
            }
            Error::Target(TargetError::DumpedByAnother { .. }) => self.without_core(),
            // Another can, or nothing can and the target runs without.
            Error::Target(TargetError::NoCores { named: true, .. }) => {
                self.arguments.shift_remove("adapter").is_some()
            }
            Error::Target(TargetError::NoCores { .. }) => self.without_core(),
            Error::Launch(LaunchError::NoStdin { .. }) => {
                self.option(|options| drop(options.shift_remove("stdin")))
            }
            Error::Target(TargetError::Configuration(problem)) => {
                self.mend_configuration(&problem.remedy)
            }
            Error::Plugin(Refused::Request { hint: Some(hint), .. }) => self.take_hint(hint),
            _ => false,
        }
    }

    /// What launches and attaches have in common.
    fn mend_start(&mut self, error: &Error) -> bool {
        match error {
            Error::Target(TargetError::WhichAdapter { adapters, .. })
            | Error::Target(TargetError::AdapterNeeded { adapters, .. }) => {
                self.put("adapter", adapters.first())
            }
            Error::Plugin(Refused::Option { key, intended, .. }) => self.option(|options| {
                let value = options.shift_remove(key);
                options.extend(intended.clone().zip(value));
            }),
            Error::Launch(LaunchError::BuildFailed { hint: None, .. }) => {
                matches!(self.tool.name, "debug_launch" | "debug_restart")
            }
            _ => false,
        }
    }

    fn mend_configuration(&mut self, remedy: &ConfigurationRemedy) -> bool {
        match remedy {
            ConfigurationRemedy::File => true,
            ConfigurationRemedy::Name(names) => names.first().is_some_and(|name| {
                self.option(|options| {
                    drop(options.insert("config".to_owned(), name.as_str().into()))
                })
            }),
            ConfigurationRemedy::Answers(asked) => self.option(|options| {
                let known =
                    options.get("inputs").and_then(Value::as_object).cloned().unwrap_or_default();
                let asked = asked.iter().map(|(name, proposed)| {
                    let name = name.strip_prefix("input:").unwrap_or(name).to_owned();
                    (name, proposed.as_deref().unwrap_or("VALUE").into())
                });
                options.insert(
                    "inputs".to_owned(),
                    Value::Object(known.into_iter().chain(asked).collect()),
                );
            }),
            ConfigurationRemedy::Without("stdin") => {
                self.option(|options| drop(options.shift_remove("stdin")))
            }
            ConfigurationRemedy::Without("core") => self.without_core(),
            ConfigurationRemedy::Without(key) => self.arguments.shift_remove(*key).is_some(),
        }
    }

    /// A plugin's word for another target: `debug_launch {"test": "a::b"}`, without what it need
    /// not repeat.
    fn take_hint(&mut self, hint: &str) -> bool {
        let told = hint
            .strip_prefix("debug_launch ")
            .and_then(|told| serde_json::from_str::<Map<String, Value>>(told).ok());
        let Some(told) =
            told.filter(|_| TARGETS.iter().any(|target| self.arguments.contains_key(*target)))
        else {
            return false;
        };
        if TARGETS.iter().any(|target| told.contains_key(*target)) {
            TARGETS.iter().for_each(|target| drop(self.arguments.shift_remove(*target)));
        }
        self.arguments.extend(told);
        true
    }

    /// Does launch.json say what is launched?
    fn is_configured(&self) -> bool {
        self.arguments.get("options").is_some_and(|options| options.get("config").is_some())
    }

    /// Which program dumped it is not known.
    fn open_core(&mut self, core: &str) -> bool {
        self.without_core();
        self.aim("program", "PROGRAM");
        self.arguments.entry("options").or_insert_with(|| Value::Object(Map::new()));
        self.option(|options| drop(options.insert("core".to_owned(), core.into())))
    }

    /// The program itself is launched then.
    fn without_core(&mut self) -> bool {
        let beside = self.arguments.shift_remove("core").is_some();
        self.option(|options| drop(options.shift_remove("core"))) || beside
    }

    /// Launches this instead.
    fn aim(&mut self, target: &str, value: &str) -> bool {
        TARGETS.iter().for_each(|target| drop(self.arguments.shift_remove(*target)));
        self.put(target, Some(value))
    }

    /// What a command begins with, with the rest of its words for arguments.
    fn program_of_command(&mut self, program: &str) -> bool {
        let command = self.arguments.get("command").and_then(Value::as_str).unwrap_or_default();
        let words = shell_words::split(command).unwrap_or_default();
        if words.len() > 1 {
            self.arguments.insert("args".to_owned(), words[1..].into());
        }
        self.aim("program", program)
    }

    fn name_session(&mut self, like: Option<&str>, first: &[String], then: &[String]) -> bool {
        let then =
            then.iter().filter(|_| like.is_none() || AFTER_THE_END.contains(&self.tool.name));
        let mut all = first.iter().chain(then).map(String::as_str);
        let best = match like {
            Some(name) => ranked(name, all).into_iter().next(),
            None => all.next(),
        };
        self.put("session", best)
    }

    fn replace_exception(&mut self, wrong: &str, best: String) -> bool {
        let words = self.arguments.get_mut("exceptions").map(|words| match words {
            Value::Array(words) => words.as_mut_slice(),
            single => std::slice::from_mut(single),
        });
        let found =
            words.and_then(|words| words.iter_mut().find(|word| word.as_str() == Some(wrong)));
        found.map(|word| *word = best.into()).is_some()
    }

    fn option(&mut self, edit: impl FnOnce(&mut Map<String, Value>)) -> bool {
        let Some(options) = self.arguments.get_mut("options").and_then(Value::as_object_mut) else {
            return false;
        };
        edit(options);
        if options.is_empty() {
            self.arguments.shift_remove("options");
        }
        true
    }

    fn put(&mut self, name: &str, value: Option<impl AsRef<str>>) -> bool {
        value.map(|value| self.arguments.insert(name.to_owned(), value.as_ref().into())).is_some()
    }

    fn put_if(&mut self, tool: &str, name: &str, value: Option<&String>) -> bool {
        self.tool.name == tool && self.put(name, value)
    }
}

/// The change that the error's table proposes first.
fn first_patch(error: &Error) -> Option<Patch> {
    match error.remedies().list.into_iter().next()? {
        Remedy::Same(patch) => Some(patch),
        Remedy::Call(_) | Remedy::Person(_) => None,
    }
}

fn is_single(one: &str, all: &[String]) -> bool {
    all.iter().filter(|other| *other == one).count() == 1
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::mcp::registry::declaration;
    use crate::model::answer::RefusalKind;
    use crate::session::ConfigurationProblem;

    fn said(tool: &'static str, arguments: Value) -> Request {
        Request::new(declaration(tool), arguments.as_object().cloned().expect("an object"))
    }

    fn lens() -> Lens {
        Lens { workspace: "/w".into(), usual: None }
    }

    fn bad(condition: &str) -> Error {
        Error::Breakpoints(BreakpointError::BadCondition {
            text: condition.into(),
            why: "no".into(),
        })
    }

    #[test]
    fn a_call_is_told_again_as_it_was_made() {
        let call = said(
            "debug_launch",
            json!({"program": "a b", "args": ["1", "\"2\""], "env": {"A": null}, "cwd": null}),
        );
        let text = r#"debug_launch {"program": "a b", "args": ["1", "\"2\""], "env": {"A": null}}"#;
        assert_eq!(call.call().json(), text);
    }

    #[test]
    fn a_session_is_named_in_the_same_call() {
        let which = Error::WhichSession { open: vec!["a-1".into(), "b-2".into()], ended: vec![] };
        let unknown =
            Error::UnknownSession { name: "x".into(), open: vec!["a-1".into()], ended: vec![] };
        let mended = |arguments, error| {
            said("debug_step", arguments).mended(error, &lens()).map(|call| call.json())
        };
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(
            mended(json!({"count": 2}), &which),
            text(r#"debug_step {"count": 2, "session": "a-1"}"#)
        );
        assert_eq!(
            mended(json!({"session": "x"}), &unknown),
            text(r#"debug_step {"session": "a-1"}"#)
        );
        assert_eq!(mended(json!({}), &Error::NoSession { failed: None }), None);
    }

    #[test]
    fn a_file_that_is_elsewhere_is_named_there() {
        let items = json!(["cart.py:3 if a:b", {"path": "./cart.py", "line": 3},
            {"at": "cart.py:4"}, "other.py:1"]);
        let error = Error::Breakpoints(BreakpointError::NoSuchSource {
            path: "/w/cart.py".into(),
            near: vec!["/w/shop/cart.py".into()],
        });
        let mended = said("debug_breakpoints", json!({"set": items}))
            .mended(&error, &lens())
            .map(|call| call.json());
        let set = "[\"shop/cart.py:3 if a:b\", {\"path\": \"shop/cart.py\", \"line\": 3}, {\"at\": \
            \"shop/cart.py:4\"}, \"other.py:1\"]";
        assert_eq!(mended, Some(format!("debug_breakpoints {{\"set\": {set}}}")));
    }

    #[test]
    fn a_breakpoint_that_cannot_be_is_left_out() {
        let gone = Error::Breakpoints(BreakpointError::NoSuchSource {
            path: "/w/gone.c".into(),
            near: vec![],
        });
        let items =
            json!(["gone.c:3 if a:b", {"path": "gone.c", "line": 3}, {"at": "gone.c:4"}, "f"]);
        check(
            "debug_launch",
            json!({"test": "t", "breakpoints": items}),
            &gone,
            r#"debug_launch {"test": "t", "breakpoints": ["f"]}"#,
        );
        check(
            "debug_launch",
            json!({"test": "t", "breakpoints": "gone.c:3"}),
            &gone,
            r#"debug_launch {"test": "t"}"#,
        );
        assert!(
            said("debug_continue", json!({"until": "gone.c:3"})).mended(&gone, &lens()).is_none()
        );
        let log = Error::Breakpoints(BreakpointError::Refused {
            message: "no".into(),
            part: Some(Part::Log("v={v +}".into())),
        });
        let items = json!(["a.c:3 log v={v +}", {"at": "a.c:4 log v={v +}"}, {"function": "f",
            "log": "v={v +}"}, "a.c:3 log v"]);
        check(
            "debug_breakpoints",
            json!({"set": items}),
            &log,
            r#"debug_breakpoints {"set": ["a.c:3 log v"]}"#,
        );
    }

    #[test]
    fn a_function_is_named_as_it_is_or_left_out() {
        let wrong = |instead: Option<&str>| {
            let part = Part::Function { name: "f".into(), instead: instead.map(str::to_owned) };
            Error::Breakpoints(BreakpointError::Refused { message: "no".into(), part: Some(part) })
        };
        let items = json!(["f if x", "fg", {"at": "f"}, {"function": "f", "log": "x"}]);
        let call = "debug_launch {\"breakpoints\": [\"a.js:3 if x\", \"fg\", {\"at\": \"a.js:3\"}, \
            {\"log\": \"x\", \"at\": \"a.js:3\"}]}";
        check("debug_launch", json!({"breakpoints": items}), &wrong(Some("a.js:3")), call);
        check(
            "debug_launch",
            json!({"breakpoints": items}),
            &wrong(None),
            r#"debug_launch {"breakpoints": ["fg"]}"#,
        );
        check(
            "debug_continue",
            json!({"until": "f"}),
            &wrong(Some("g")),
            r#"debug_continue {"until": "g"}"#,
        );
        assert!(
            said("debug_continue", json!({"until": "f"})).mended(&wrong(None), &lens()).is_none()
        );
    }

    #[test]
    fn a_condition_that_does_not_parse_is_left_out() {
        let items =
            json!(["f", "a.c:3 if x <", {"at": "g if x <"}, {"function": "h", "condition": "x <"}]);
        let without = r#"["f", "a.c:3", {"at": "g"}, {"function": "h"}]"#;
        let set = said("debug_breakpoints", json!({"set": items}))
            .mended(&bad("x <"), &lens())
            .map(|call| call.json());
        assert_eq!(set, Some(format!("debug_breakpoints {{\"set\": {without}}}")));
        let single =
            said("debug_launch", json!({"breakpoints": "f if x <"})).mended(&bad("x <"), &lens());
        assert_eq!(
            single.map(|call| call.json()).as_deref(),
            Some(r#"debug_launch {"breakpoints": "f"}"#)
        );
        assert_eq!(said("debug_wait", json!({})).mended(&bad("x <"), &lens()), None);
        assert_eq!(
            said("debug_launch", json!({"breakpoints": ["f if y"]})).mended(&bad("x <"), &lens()),
            None
        );
    }

    #[track_caller]
    fn check(tool: &'static str, arguments: Value, error: &Error, expect: &str) {
        let mended = said(tool, arguments).mended(error, &lens()).map(|call| call.json());
        assert_eq!(mended.as_deref(), Some(expect));
    }

    fn no_test(likely: bool, commands: &[&str]) -> Error {
        Error::Target(TargetError::NoTest {
            name: "t".into(),
            near: names(&["a::tt"]),
            likely,
            commands: names(commands),
        })
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_session_that_ended_is_meant_where_that_can_be() {
        let unknown = Error::UnknownSession {
            name: "py-2x".into(),
            open: vec![],
            ended: names(&["js-1", "py-2"]),
        };
        check(
            "debug_output",
            json!({"session": "py-2x", "grep": "a"}),
            &unknown,
            r#"debug_output {"session": "py-2", "grep": "a"}"#,
        );
        assert!(
            said("debug_step", json!({"session": "py-2x"})).mended(&unknown, &lens()).is_none()
        );
    }

    #[test]
    fn all_that_is_wrong_is_put_right_at_once() {
        let items = json!(["a.c:3 if x <", {"at": "a.c:90", "hit_condition": "often"}, "gone.c:7 \
            if y >", "a.c:9000"]);
        let line = |line| {
            Error::Breakpoints(BreakpointError::NoSuchLine {
                path: "/w/a.c".into(),
                line,
                lines: 88,
            })
        };
        let all = vec![
            bad("x <"),
            bad("y >"),
            Error::Breakpoints(BreakpointError::BadHitCondition { text: "often".into() }),
            Error::Breakpoints(BreakpointError::NoSuchSource {
                path: "/w/gone.c".into(),
                near: vec!["/w/b/gone.c".into()],
            }),
            line(90),
        ];
        let expect = "debug_launch {\"program\": \"a\", \"breakpoints\": [\"a.c:3\", {\"at\": \
            \"a.c:88\"}, \"b/gone.c:7\", \"a.c:9000\"], \"env\": {\"A\": \"1\"}}";
        let given = json!({"program": "a", "breakpoints": items, "env": {"A": "1"}});
        check("debug_launch", given, &Error::Several { all }, expect);
        check(
            "debug_continue",
            json!({"until": "a.c:90"}),
            &line(90),
            r#"debug_continue {"until": "a.c:88"}"#,
        );
        let object = json!({"set": [{"file": "a.c", "line": "90", "log": "x"}]});
        check(
            "debug_breakpoints",
            object,
            &line(90),
            r#"debug_breakpoints {"set": [{"file": "a.c", "line": 88, "log": "x"}]}"#,
        );
    }

    #[test]
    fn a_launch_keeps_what_was_not_wrong() {
        let given = |key: &str, value: Value| {
            let mut given = json!({"breakpoints": ["f"], "args": ["1"]});
            given[key] = value;
            given
        };
        let rest =
            |more: &str| format!(r#"debug_launch {{"breakpoints": ["f"], "args": ["1"], {more}}}"#);
        let path = |what, near: &[&str]| {
            Error::Target(TargetError::BadPath {
                what,
                path: "/w/a.c --x".into(),
                problem: "does not exist".into(),
                near: near.iter().map(Into::into).collect(),
            })
        };
        for (key, value, error, expect) in [
            ("program", json!("b.c"), path("program", &["/w/a.c"]), r#""program": "a.c""#),
            ("program", json!("a.c --x"), path("program", &[]), r#""command": "a.c --x""#),
            ("cwd", json!("x"), path("cwd", &["/w/sub"]), r#""cwd": "sub""#),
            (
                "options",
                json!({"stdin": "x", "k": 1}),
                path("stdin", &["/w/in"]),
                r#""options": {"stdin": "in", "k": 1}"#,
            ),
            (
                "options",
                json!({"stdin": "x", "k": 1}),
                path("stdin", &[]),
                r#""options": {"k": 1}"#,
            ),
            ("core", json!("x"), path("core", &["/w/core.1"]), r#""core": "core.1""#),
            ("options", json!({"core": "x", "k": 1}), path("core", &[]), r#""options": {"k": 1}"#),
            (
                "test",
                json!("t"),
                Error::Target(TargetError::WhichAdapter {
                    target: "`t`".into(),
                    adapters: names(&["one", "two"]),
                }),
                r#""test": "t", "adapter": "one""#,
            ),
            (
                "test",
                json!("t"),
                Error::Target(TargetError::NoAdapter {
                    target: "`t`".into(),
                    adapters: vec![],
                    tests: names(&["run t"]),
                }),
                r#""command": "run t""#,
            ),
            ("test", json!("t"), no_test(true, &["run t"]), r#""test": "a::tt""#),
            ("test", json!("t"), no_test(false, &["run t"]), r#""command": "run t""#),
            (
                "test",
                json!("t"),
                Error::Plugin(Refused::Request {
                    kind: RefusalKind::TargetAmbiguous,
                    message: "2".into(),
                    hint: Some(r#"debug_launch {"test": "a::t"}"#.into()),
                }),
                r#""test": "a::t""#,
            ),
            (
                "program",
                json!("a"),
                Error::Launch(LaunchError::BuildFailed { message: "no".into(), hint: None }),
                r#""program": "a""#,
            ),
        ] {
            check("debug_launch", given(key, value), &error, &rest(expect));
        }
        let no_cores = |named| {
            Error::Target(TargetError::NoCores { adapter: "a".into(), able: names(&["b"]), named })
        };
        let both = json!({"program": "p", "adapter": "a", "core": "c"});
        check(
            "debug_launch",
            both,
            &no_cores(true),
            r#"debug_launch {"program": "p", "core": "c"}"#,
        );
        let core = json!({"program": "p", "options": {"core": "c"}});
        check("debug_launch", core, &no_cores(false), r#"debug_launch {"program": "p"}"#);
        let script = json!({"program": "p", "adapter": "a", "core": "c"});
        check(
            "debug_launch",
            script,
            &no_cores(false),
            r#"debug_launch {"program": "p", "adapter": "a"}"#,
        );
        let is_core = Error::Target(TargetError::IsCore { path: "/w/core.1".into() });
        for (given, expect) in [
            (
                json!({"program": "core.1"}),
                r#"{"program": "PROGRAM", "options": {"core": "core.1"}}"#,
            ),
            (
                json!({"command": "./core.1", "options": {"k": 1}}),
                r#"{"options": {"k": 1, "core": "core.1"}, "program": "PROGRAM"}"#,
            ),
            (
                json!({"program": "core.1", "core": "p", "adapter": "a"}),
                r#"{"adapter": "a", "program": "PROGRAM", "options": {"core": "core.1"}}"#,
            ),
        ] {
            check("debug_launch", given, &is_core, &format!("debug_launch {expect}"));
        }
        let cwd = said("debug_launch", given("cwd", json!("x")))
            .mended(&path("cwd", &[]), &lens())
            .unwrap();
        assert_eq!(cwd.json(), r#"debug_launch {"breakpoints": ["f"], "args": ["1"]}"#);
    }

    #[test]
    fn a_configuration_is_asked_for_again_with_what_it_lacks() {
        let problem = |remedy| {
            Error::Target(TargetError::Configuration(ConfigurationProblem {
                file: "f".into(),
                problem: "no".into(),
                remedy,
            }))
        };
        let given = json!({"options": {"config": "ap", "inputs": {"n": "1"}}, "args": ["x"]});
        let answers =
            vec![("input:which".to_owned(), Some("3".to_owned())), ("file".to_owned(), None)];
        for (remedy, expect) in [
            (
                ConfigurationRemedy::File,
                r#"{"options": {"config": "ap", "inputs": {"n": "1"}}, "args": ["x"]}"#,
            ),
            (
                ConfigurationRemedy::Name(names(&["api"])),
                r#"{"options": {"config": "api", "inputs": {"n": "1"}}, "args": ["x"]}"#,
            ),
            (
                ConfigurationRemedy::Without("args"),
                r#"{"options": {"config": "ap", "inputs": {"n": "1"}}}"#,
            ),
            (
                ConfigurationRemedy::Answers(answers),
                "{\"options\": {\"config\": \"ap\", \"inputs\": {\"n\": \"1\", \"which\": \"3\", \
                \"file\": \"VALUE\"}}, \"args\": [\"x\"]}",
            ),
        ] {
            check(
                "debug_launch",
                given.clone(),
                &problem(remedy),
                &format!("debug_launch {expect}"),
            );
        }
    }

    #[test]
    fn names_are_put_right_where_they_stand() {
        let missing = Error::Values(ValueError::NoSuchVariable {
            parent: "d".into(),
            segment: "x".into(),
            near: names(&["'t23'"]),
        });
        check(
            "debug_variables",
            json!({"path": "d.x", "frame": 1}),
            &missing,
            r#"debug_variables {"path": "d['t23']", "frame": 1}"#,
        );
        let filter = Error::Breakpoints(BreakpointError::UnknownExceptionFilter {
            name: "unc".into(),
            known: names(&["all", "uncaught"]),
            types: None,
        });
        let given = json!({"set": ["f"], "exceptions": ["all", "unc"]});
        check(
            "debug_breakpoints",
            given,
            &filter,
            r#"debug_breakpoints {"set": ["f"], "exceptions": ["all", "uncaught"]}"#,
        );
        for (known, instead) in [
            (&["rust_panic", "cpp_throw", "all", "none"], "all"),
            (&["rust_panic", "cpp_throw", "uncaught", "none"], "uncaught"),
            (&["rust_panic", "cpp_throw", "cpp_catch", "none"], "rust_panic"),
        ] {
            let name = "std::runtime_error".to_owned();
            let given = json!({"exceptions": [name]});
            let filter = Error::Breakpoints(BreakpointError::UnknownExceptionFilter {
                name,
                known: names(known),
                types: None,
            });
            let expect = format!(r#"debug_breakpoints {{"exceptions": ["{instead}"]}}"#);
            check("debug_breakpoints", given, &filter, &expect);
        }
    }
}
