//! Failed calls, their errors and the repaired calls.

use serde_json::{Value, json};

use super::repaired;
use crate::mcp::arguments;
use crate::mcp::registry::declaration;
use crate::mcp::request::Request;
use crate::model::answer::RefusalKind;
use crate::model::{Detail, Next, Patch, Remedies};
use crate::session::{
    AdapterError, BreakpointError, ConfigurationProblem, ConfigurationRemedy, Error, LaunchError,
    Refused, RefusedPart, TargetError, ValueError,
};
use crate::view::Lens;

fn repair(tool: &str, arguments: Value, remedies: &Remedies) -> Option<String> {
    let tool = declaration(tool);
    let arguments = arguments.as_object().cloned().expect("an object");
    let arguments = arguments::fit(tool, arguments).expect("the arguments fit");
    let lens = Lens { workspace: "/w".into(), usual: None };
    let repaired = repaired(&Request::new(tool, arguments), remedies, &lens)?;
    assert!(arguments::takes(tool, repaired.arguments.clone()), "{:?}", repaired.arguments);
    Some(repaired.call().json())
}

#[track_caller]
fn check(tool: &str, arguments: Value, error: &Error, expect: &str) {
    let expect = format!("{tool} {expect}");
    let expect = expect.trim_end_matches(" {}");
    assert_eq!(repair(tool, arguments, &error.remedies()).as_deref(), Some(expect));
}

#[track_caller]
fn check_none(tool: &str, arguments: Value, error: &Error) {
    assert_eq!(repair(tool, arguments, &error.remedies()), None);
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn bad_condition(condition: &str) -> Error {
    Error::Breakpoints(BreakpointError::BadCondition { text: condition.into(), why: "no".into() })
}

fn refused(part: RefusedPart) -> Error {
    Error::Breakpoints(BreakpointError::Refused { message: "no".into(), part: Some(part) })
}

fn no_source(path: &str, near: &[&str]) -> Error {
    let near = near.iter().map(Into::into).collect();
    Error::Breakpoints(BreakpointError::NoSuchSource { path: path.into(), near })
}

#[test]
fn one_mistake_in_two_breakpoints_is_corrected_in_both() {
    let twice = || no_source("/w/ap.py", &["/w/app.py"]);
    let launch = json!({"program": "a.py", "breakpoints": ["ap.py:3", "ap.py:9"]});
    check(
        "debug_launch",
        launch,
        &Error::Several { all: vec![twice(), twice()] },
        r#"{"program": "a.py", "breakpoints": ["app.py:3", "app.py:9"]}"#,
    );
}

#[test]
fn session_is_named_in_the_same_call() {
    let which = Error::WhichSession { open: names(&["a-1"]), ended: vec![] };
    check("debug_step", json!({"count": 2}), &which, r#"{"count": 2, "session": "a-1"}"#);
    let unknown =
        |open, ended| Error::UnknownSession { name: "py-2x".into(), open: names(open), ended };
    // Another session is not proposed: the call would act on another program.
    check_none("debug_step", json!({"session": "py-2x"}), &unknown(&["a-1"], vec![]));
    let other_number =
        Error::UnknownSession { name: "py-2".into(), open: names(&["py-3"]), ended: vec![] };
    check_none("debug_step", json!({"session": "py-2"}), &other_number);
    let none_open = unknown(&[], names(&["js-1", "py-2"]));
    check(
        "debug_output",
        json!({"session": "py-2x", "grep": "a"}),
        &none_open,
        r#"{"session": "py-2", "grep": "a"}"#,
    );
    check_none("debug_step", json!({"session": "py-2x"}), &none_open);
    check_none("debug_step", json!({}), &Error::NoSession { failed: None });
}

#[test]
fn call_with_too_many_watches_evaluates_once() {
    let too_many = |oldest: &[&str]| Error::TooManyWatches {
        most: 1,
        known: names(&["a"]),
        oldest: names(oldest),
    };
    let call = json!({"expressions": ["x", "y"], "watch": true});
    check("debug_evaluate", call.clone(), &too_many(&[]), r#"{"expressions": ["x", "y"]}"#);
    // Another call comes first: it removes the oldest.
    check_none("debug_evaluate", call, &too_many(&["a"]));
}

#[test]
fn file_of_a_breakpoint_is_replaced() {
    let items = json!(["cart.py:3 if a:b", {"path": "./cart.py", "line": 3}, {"at": "cart.py:4"},
        "other.py:1"]);
    check(
        "debug_breakpoints",
        json!({"set": items}),
        &no_source("/w/cart.py", &["/w/shop/cart.py"]),
        "{\"set\": [\"shop/cart.py:3 if a:b\", {\"line\": 3, \"file\": \"shop/cart.py\"}, \
         {\"at\": \"shop/cart.py:4\"}, \"other.py:1\"]}",
    );
}

#[test]
fn breakpoint_that_cannot_be_set_is_removed() {
    let gone = no_source("/w/gone.c", &[]);
    let items = json!(["gone.c:3 if a:b", {"path": "gone.c", "line": 3}, {"at": "gone.c:4"}, "f"]);
    let launch = json!({"test": "t", "breakpoints": items});
    check("debug_launch", launch, &gone, r#"{"test": "t", "breakpoints": ["f"]}"#);
    let launch = json!({"test": "t", "breakpoints": "gone.c:3"});
    check("debug_launch", launch, &gone, r#"{"test": "t"}"#);
    check_none("debug_continue", json!({"until": "gone.c:3"}), &gone);
    let items = json!(["a.c:3 log v={v +}", {"at": "a.c:4 log v={v +}"}, {"function": "f",
        "log": "v={v +}"}, "a.c:3 log v"]);
    let log = refused(RefusedPart::Log("v={v +}".into()));
    check("debug_breakpoints", json!({"set": items}), &log, r#"{"set": ["a.c:3 log v"]}"#);
}

#[test]
fn function_of_a_breakpoint_is_replaced_or_removed() {
    let wrong = |instead: Option<&str>| {
        refused(RefusedPart::Function { name: "f".into(), instead: instead.map(str::to_owned) })
    };
    let items = json!(["f if x", "fg", {"at": "f"}, {"function": "f", "log": "x"}]);
    check(
        "debug_launch",
        json!({"breakpoints": items}),
        &wrong(Some("a.js:3")),
        "{\"breakpoints\": [\"a.js:3 if x\", \"fg\", {\"at\": \"a.js:3\"}, \
         {\"log\": \"x\", \"at\": \"a.js:3\"}]}",
    );
    let launch = json!({"breakpoints": items});
    check("debug_launch", launch, &wrong(None), r#"{"breakpoints": ["fg"]}"#);
    check("debug_continue", json!({"until": "f"}), &wrong(Some("g")), r#"{"until": "g"}"#);
    check_none("debug_continue", json!({"until": "f"}), &wrong(None));
}

#[test]
fn condition_that_does_not_parse_is_removed() {
    let items = json!(["f", "a.c:3 if x < log n={n}", {"at": "g if x <"}, {"function": "h",
        "condition": "x <"}]);
    check(
        "debug_breakpoints",
        json!({"set": items}),
        &bad_condition("x <"),
        r#"{"set": ["f", "a.c:3 log n={n}", {"at": "g"}, {"function": "h"}]}"#,
    );
    let launch = json!({"breakpoints": "f if x <"});
    check("debug_launch", launch, &bad_condition("x <"), r#"{"breakpoints": ["f"]}"#);
    check_none("debug_wait", json!({}), &bad_condition("x <"));
    check_none("debug_launch", json!({"breakpoints": ["f if y"]}), &bad_condition("x <"));
}

#[test]
fn every_mistake_is_corrected_at_once() {
    let line = |line| {
        let path = "/w/a.c".into();
        Error::Breakpoints(BreakpointError::NoSuchLine { path, line, lines: 88 })
    };
    let all = vec![
        bad_condition("x <"),
        bad_condition("y >"),
        Error::Breakpoints(BreakpointError::BadHitCondition { text: "often".into() }),
        no_source("/w/gone.c", &["/w/b/gone.c"]),
        line(90),
    ];
    let items = json!(["a.c:3 if x <", {"at": "a.c:90", "hit_condition": "often"},
        "gone.c:7 if y >", "a.c:9000"]);
    check(
        "debug_launch",
        json!({"program": "a", "breakpoints": items, "env": {"A": "1"}}),
        &Error::Several { all },
        "{\"program\": \"a\", \"breakpoints\": [\"a.c:3\", {\"at\": \"a.c:88\"}, \"b/gone.c:7\", \
         \"a.c:9000\"], \"env\": {\"A\": \"1\"}}",
    );
    check("debug_continue", json!({"until": "a.c:90"}), &line(90), r#"{"until": "a.c:88"}"#);
    check("debug_continue", json!({"until": "90"}), &line(90), r#"{"until": "88"}"#);
    check(
        "debug_breakpoints",
        json!({"set": [{"file": "a.c", "line": "90", "log": "x"}]}),
        &line(90),
        r#"{"set": [{"file": "a.c", "line": 88, "log": "x"}]}"#,
    );
}

fn bad_path(what: &'static str, near: &[&str]) -> Error {
    Error::Target(TargetError::BadPath {
        what,
        path: "/w/a.c --x".into(),
        problem: "does not exist".into(),
        near: near.iter().map(Into::into).collect(),
    })
}

fn no_test(likely: bool, commands: &[&str]) -> Error {
    let (near, commands) = (names(&["a::tt"]), names(commands));
    Error::Target(TargetError::NoTest { name: "t".into(), near, likely, commands, searched: None })
}

fn hint(text: &str) -> Error {
    Error::Plugin(Refused::Request {
        kind: RefusalKind::TargetAmbiguous,
        message: "2".into(),
        hint: Some(text.into()),
    })
}

/// Each call has a breakpoint and an argument that stay.
#[test]
fn launch_keeps_its_valid_arguments() {
    let adapters = names(&["one", "two"]);
    let which = Error::Target(TargetError::WhichAdapter { target: "`t`".into(), adapters });
    let tests = names(&["run t"]);
    let no_adapter = Error::Target(TargetError::NoAdapter {
        target: "`t`".into(),
        adapters: vec![],
        tests,
        wrapped: None,
    });
    let build = Error::Launch(LaunchError::BuildFailed { message: "no".into(), hint: None });
    for (given, error, expect) in [
        (json!({"program": "b.c"}), bad_path("program", &["/w/a.c"]), r#""program": "a.c""#),
        (json!({"program": "a.c --x"}), bad_path("program", &[]), r#""command": "a.c --x""#),
        (json!({"cwd": "x"}), bad_path("cwd", &["/w/sub"]), r#""cwd": "sub""#),
        (
            json!({"options": {"stdin": "x", "k": 1}}),
            bad_path("stdin", &["/w/in"]),
            r#""options": {"stdin": "in", "k": 1}"#,
        ),
        (
            json!({"options": {"stdin": "x", "k": 1}}),
            bad_path("stdin", &[]),
            r#""options": {"k": 1}"#,
        ),
        (json!({"core": "x"}), bad_path("core", &["/w/core.1"]), r#""core": "core.1""#),
        (
            json!({"options": {"core": "x", "k": 1}}),
            bad_path("core", &[]),
            r#""options": {"k": 1}"#,
        ),
        (json!({"test": "t"}), which, r#""test": "t", "adapter": "one""#),
        (json!({"test": "t"}), no_adapter, r#""command": "run t""#),
        (json!({"test": "t"}), no_test(true, &["run t"]), r#""test": "a::tt""#),
        (json!({"test": "t"}), no_test(false, &["run t"]), r#""command": "run t""#),
        (json!({"test": "t"}), hint(r#"debug_launch {"test": "a::t"}"#), r#""test": "a::t""#),
        (json!({"program": "a"}), build, r#""program": "a""#),
    ] {
        let mut call = json!({"breakpoints": ["f"], "args": ["1"]});
        let fields = given.as_object().cloned().expect("an object");
        call.as_object_mut().expect("an object").extend(fields);
        let expect = format!(r#"{{"breakpoints": ["f"], "args": ["1"], {expect}}}"#);
        check("debug_launch", call, &error, &expect);
    }
    check(
        "debug_launch",
        json!({"cwd": "x", "args": ["1"]}),
        &bad_path("cwd", &[]),
        r#"{"args": ["1"]}"#,
    );
}

#[test]
fn core_file_is_opened_with_its_program() {
    let no_cores = |named| {
        Error::Target(TargetError::NoCores { adapter: "a".into(), able: names(&["b"]), named })
    };
    let both = json!({"program": "p", "adapter": "a", "core": "c"});
    check("debug_launch", both.clone(), &no_cores(true), r#"{"program": "p", "core": "c"}"#);
    check("debug_launch", both, &no_cores(false), r#"{"program": "p", "adapter": "a"}"#);
    let option = json!({"program": "p", "options": {"core": "c"}});
    check("debug_launch", option, &no_cores(false), r#"{"program": "p"}"#);
    let is_core = Error::Target(TargetError::IsCore { path: "/w/core.1".into() });
    for (given, expect) in [
        (json!({"program": "core.1"}), r#"{"program": "PROGRAM", "options": {"core": "core.1"}}"#),
        (
            json!({"command": "./core.1", "options": {"k": 1}}),
            r#"{"options": {"k": 1, "core": "core.1"}, "program": "PROGRAM"}"#,
        ),
        (
            json!({"program": "core.1", "core": "p", "adapter": "a"}),
            r#"{"adapter": "a", "program": "PROGRAM", "options": {"core": "core.1"}}"#,
        ),
    ] {
        check("debug_launch", given, &is_core, expect);
    }
    check_none("debug_launch", json!({"options": {"config": "a"}}), &is_core);
}

#[test]
fn configuration_is_launched_with_its_inputs() {
    let problem = |remedy| {
        let (file, problem) = ("f".into(), "no".into());
        Error::Target(TargetError::Configuration(ConfigurationProblem { file, problem, remedy }))
    };
    let given = json!({"options": {"config": "ap", "inputs": {"n": "1"}}, "args": ["x"]});
    let answers = vec![("input:which".to_owned(), Some("3".to_owned())), ("file".to_owned(), None)];
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
        check("debug_launch", given.clone(), &problem(remedy), expect);
    }
}

#[test]
fn names_are_replaced() {
    let missing = Error::Values(ValueError::NoSuchVariable {
        parent: "d".into(),
        segment: "x".into(),
        near: names(&["'t23'"]),
    });
    let expect = r#"{"path": "d['t23']", "frame": 1}"#;
    check("debug_variables", json!({"path": "d.x", "frame": 1}), &missing, expect);
    // Another variable is not to be set in its place.
    check_none("debug_set", json!({"target": "d.x", "value": "1"}), &missing);
    let filter = |name: &str, known: &[&str]| {
        let (name, known) = (name.to_owned(), names(known));
        Error::Breakpoints(BreakpointError::UnknownExceptionFilter { name, known, types: None })
    };
    check(
        "debug_breakpoints",
        json!({"set": ["f"], "exceptions": ["all", "unc"]}),
        &filter("unc", &["all", "uncaught"]),
        r#"{"set": ["f"], "exceptions": ["all", "uncaught"]}"#,
    );
    let name = "std::runtime_error";
    for (known, instead) in [
        (&["rust_panic", "cpp_throw", "all", "none"], "all"),
        (&["rust_panic", "cpp_throw", "uncaught", "none"], "uncaught"),
        (&["rust_panic", "cpp_throw", "cpp_catch", "none"], "rust_panic"),
    ] {
        let expect = format!(r#"{{"exceptions": ["{instead}"]}}"#);
        check("debug_breakpoints", json!({"exceptions": name}), &filter(name, known), &expect);
    }
    let calls = |known| {
        Error::Adapter(AdapterError::WhichCall {
            name: "t".into(),
            fitting: 0,
            known: names(known),
        })
    };
    check("debug_step", json!({"into": "t"}), &calls(&["a", "a", "b"]), r#"{"into": "b"}"#);
    check("debug_step", json!({"into": "t"}), &calls(&[]), r#"{"kind": "in"}"#);
}

#[test]
fn option_is_renamed_moved_or_removed() {
    let wrong = |key: &str, known, intended: Option<&str>| {
        let intended = intended.map(str::to_owned);
        let message = String::new();
        Error::Plugin(Refused::Option { key: key.to_owned(), known, message, intended })
    };
    for (given, key, expect) in [
        (
            json!({"program": "a", "options": {"stop_on_entr": true}}),
            "stop_on_entr",
            r#"{"program": "a", "options": {"stop_on_entry": true}}"#,
        ),
        (
            json!({"program": "a", "options": {"k": 1, "env": {"A": "1"}}}),
            "env",
            r#"{"program": "a", "options": {"k": 1}, "env": {"A": "1"}}"#,
        ),
        (
            json!({"program": "a", "options": {"stdn": "f"}}),
            "stdn",
            r#"{"program": "a", "options": {"stdin": "f"}}"#,
        ),
        (
            json!({"program": "a", "options": {"timeout": "soon", "k": 1}}),
            "timeout",
            r#"{"program": "a", "options": {"k": 1}}"#,
        ),
        (json!({"program": "a", "options": {"stdn": ["f"]}}), "stdn", r#"{"program": "a"}"#),
        (json!({"program": "a", "options": {"command": "b"}}), "command", r#"{"program": "a"}"#),
        (
            json!({"program": "a", "core": "b", "options": {"core": "c"}}),
            "core",
            r#"{"program": "a", "core": "b"}"#,
        ),
    ] {
        check("debug_launch", given, &wrong(key, false, None), expect);
    }
    let attach = json!({"pid": 7, "options": {"timeout": 5}});
    let moved = r#"{"pid": 7, "timeout_s": 5}"#;
    check("debug_attach", attach.clone(), &wrong("timeout", false, None), moved);
    check("debug_attach", attach.clone(), &wrong("timeout", true, None), r#"{"pid": 7}"#);
    let renamed = r#"{"pid": 7, "options": {"limit": 5}}"#;
    check("debug_attach", attach, &wrong("timeout", false, Some("limit")), renamed);
    let both = json!({"pid": 7, "options": {"timeout": 5, "limit": 6}});
    let one = r#"{"pid": 7, "options": {"limit": 6}}"#;
    check("debug_attach", both, &wrong("timeout", true, Some("limit")), one);
    check_none("debug_launch", json!({"program": "a"}), &wrong("env", false, None));
}

#[test]
fn failed_call_is_repeated_only_once_its_cause_is_gone() {
    let launch = json!({"program": "a"});
    let repeat = |patch: Patch| repair("debug_launch", launch.clone(), &patch.into());
    assert_eq!(repeat(Patch::Set("program", "a".into())), None);
    let same = Some(r#"debug_launch {"program": "a"}"#.to_owned());
    assert_eq!(repeat(Patch::StartAgain), same);
    assert_eq!(repeat(Patch::Again), same);
    assert_eq!(repair("debug_step", json!({}), &Patch::StartAgain.into()), None);
}

#[test]
fn another_call_before_a_repair_is_the_remedy() {
    let status = || Remedies::from(Next::Status(Detail::Log));
    let launch = json!({"program": "a"});
    assert_eq!(repair("debug_launch", launch.clone(), &status().or(Patch::Again)), None);
    let repaired = repair("debug_launch", launch, &Remedies::from(Patch::Again).or(Next::Targets));
    assert!(repaired.is_some());
}

#[test]
fn a_changed_argument_stays_in_its_place() {
    let launch = json!({"program": "a", "timeout_s": 5});
    let change =
        |name| repair("debug_launch", launch.clone(), &Patch::Change(name, "b".into()).into());
    let changed = r#"debug_launch {"program": "b", "timeout_s": 5}"#;
    assert_eq!(change("program").as_deref(), Some(changed));
    assert_eq!(change("test"), None, "the call has no such argument");
}
