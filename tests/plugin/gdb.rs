//! The gdb plugin's plans, with every version of gdb that differs.

use dapdock::model::plan::{LaunchPlan, Piece, Request, RequestKind, TargetRef, Transport};
use dapdock::plugin::Error;
use dapdock_schema::{Busy, LaunchOrder, Reaction};
use serde_json::json;

use super::project::{Parts, Project};
use crate::caller::{Caller, Start};

async fn project(version: &str) -> Project {
    let script = format!("echo 'GNU gdb (GDB) {version}'");
    let (files, tools) = (&[("core", "")], &["gdb", "gcc", "app"]);
    let project = Project::of(Parts { plugin: "gdb", files, tools, script: &script }).await;
    // A script would be refused.
    std::fs::write(project.workspace.root.join("app"), "\u{7f}ELF").unwrap();
    project
}

fn app() -> Request {
    Request {
        target: Some(TargetRef::Path("app".into())),
        args: vec!["a b".into()],
        ..Request::default()
    }
}

/// What the plan tells the script of gdb, in as many variables as the system's limit needs.
fn settings(plan: &LaunchPlan) -> serde_json::Value {
    let mut text = String::new();
    for (at, (name, value)) in plan.processes[0].command.env.iter().enumerate() {
        let expected = match at {
            0 => "DAPDOCK_SETTINGS".to_owned(),
            _ => format!("DAPDOCK_SETTINGS_{at}"),
        };
        let value = value.as_deref().unwrap();
        assert_eq!(*name, expected);
        assert!(name.len() + value.len() + 2 < 128 * 1024, "{} bytes", value.len());
        text.push_str(value);
    }
    assert!(text.is_ascii(), "{text}");
    serde_json::from_str(&text).unwrap()
}

/// The system refuses a string of 128 KiB: many settings need several variables, and gdb's shell
/// would get long arguments in one string.
#[tokio::test]
async fn long_environment_and_arguments_are_divided() {
    let project = project("18.1").await;
    let value = |number| Some(format!("{number} ü ").repeat(100));
    let env: Vec<_> = (0..400).map(|number| (format!("LARGE_{number}"), value(number))).collect();
    let args: Vec<_> = (0..300).map(|number| format!("{number}").repeat(400)).collect();
    let request = Request { env: env.clone(), args: args.clone(), ..app() };
    let plan = project.plan(&request).await.unwrap();
    let settings_of_plan = settings(&plan);
    assert_eq!(settings_of_plan["env"], json!(env));
    assert_eq!((&settings_of_plan["args"], &plan.arguments["args"]), (&json!(args), &json!([])));
    let plan = project.plan(&app()).await.unwrap();
    assert_eq!((&settings(&plan)["args"], &plan.arguments["args"]), (&json!([]), &json!(["a b"])));
}

fn message(error: &Error) -> &str {
    &error.refusal().unwrap().message
}

#[tokio::test]
async fn launch_order_follows_the_version() {
    for (version, order, busy) in [
        ("14.2", LaunchOrder::First, Busy::Waits),
        ("15.0.50.20240403-git", LaunchOrder::AfterConfiguration, Busy::Waits),
        ("16.3", LaunchOrder::First, Busy::Waits),
        ("18.1", LaunchOrder::First, Busy::Answers),
    ] {
        let project = project(version).await;
        let plan = project.plan(&app()).await.unwrap();
        let mut profile = plan.profile;
        assert_eq!((profile.start.order, profile.evaluate.busy), (order, busy), "{version}");
        profile.start.order = LaunchOrder::First;
        profile.evaluate.busy = Busy::Answers;
        // That of a run with a failing assertion of GoogleTest, which its arguments do not stop at.
        assert_eq!(profile.output.endings.drain(..).len(), 1, "{version}");
        assert_eq!(profile, project.plugin.manifest().profile, "{version}: nothing else differs");
    }
    let refused = project("13.1").await.plan(&app()).await.unwrap_err();
    assert_eq!(message(&refused), "gdb 13.1 has no debug adapter");
}

/// A session without a target: its commands start programs and connect to targets.
#[tokio::test]
async fn plan_without_target_takes_the_commands_of_a_user() {
    let project = project("18.1").await;
    let plan = project.plan(&Request::default()).await.unwrap();
    assert_eq!((plan.request, &plan.arguments), (RequestKind::Launch, &json!({})));
    assert_eq!(settings(&plan)["bare"], true);
    let commands = plan.profile.evaluate.commands.unwrap();
    assert!(commands.records.is_some());
    let launched = project.plan(&app()).await.unwrap().profile.evaluate.commands.unwrap();
    for (word, opened) in [
        ("r[un]", false),
        ("ta[rget]", false),
        ("ta[rget] rem[ote] |", true),
        ("-var-set-visualizer", true),
    ] {
        let has = |escapes: &[String]| escapes.iter().any(|escape| escape == word);
        assert_eq!((has(&commands.escapes), has(&launched.escapes)), (opened, !opened), "{word}");
    }
    assert!(commands.escapes.contains(&"sh[ell]".to_owned()));
}

#[tokio::test]
async fn environment_is_set_in_the_program_only() {
    let project = project("18.1").await;
    let set = ("PYTHONPATH".to_owned(), Some("x \"ü🙂\"\n".to_owned()));
    let request = Request { env: vec![set, ("HOME".into(), None)], ..app() };
    let plan = project.plan(&request).await.unwrap();
    let [spawn] = &plan.processes[..] else { panic!("{:?}", plan.processes) };
    assert_eq!(plan.transport, Transport::Stdio);
    assert_eq!(
        spawn.command.args[..4].concat(),
        ["-q", "-nx", "-i", "dap"].map(|word| Piece::Text(word.into()))
    );
    let last = spawn.command.args.last().unwrap();
    assert_eq!(last[..], [Piece::Text("source ".into()), Piece::Asset("start.py".into())]);
    let expected = json!({
        "program": project.workspace.root.join("app"), "args": ["a b"],
        "cwd": project.workspace.root,
        "stopAtBeginningOfMainSubprogram": false,
    });
    assert_eq!(plan.arguments, expected);
    let settings = settings(&plan);
    assert_eq!(settings["env"], json!([["PYTHONPATH", "x \"ü🙂\"\n"], ["HOME", null]]));
    assert_eq!((&settings["terminal"], &settings["core"]), (&json!(true), &json!(false)));
}

#[tokio::test]
async fn processes_stubs_and_core_files_are_attached_to() {
    let new = project("18.1").await;
    let root = new.workspace.root.clone();
    let plan = new
        .plan(&Request { target: Some(TargetRef::Pid(41)), ..Request::default() })
        .await
        .unwrap();
    assert_eq!((plan.request, plan.arguments), (RequestKind::Attach, json!({"pid": 41})));
    let address = Some(TargetRef::Address("10.0.0.1".into(), 4000));
    let remote =
        Request { target: address, options: json!({"program": "app"}), ..Request::default() };
    let plan = new.plan(&remote).await.unwrap();
    assert_eq!(plan.arguments, json!({"target": "10.0.0.1:4000", "program": root.join("app")}));
    let core = Request { options: json!({"core": "core"}), ..app() };
    let plan = new.plan(&core).await.unwrap();
    assert_eq!(plan.arguments, json!({"program": root.join("app"), "coreFile": root.join("core")}));
    let mut rules = plan.profile.pause.rules.iter();
    assert!(rules.all(|rule| rule.reaction == Reaction::Report), "a core file does not run on");
    let old = project("16.3").await;
    let root = old.workspace.root.clone();
    let target = format!("core:{}", root.join("core").display());
    assert_eq!(
        old.plan(&core).await.unwrap().arguments,
        json!({"program": root.join("app"), "target": target})
    );
    let oldest = project("14.2").await;
    for request in [Request { target: Some(TargetRef::Pid(41)), ..Request::default() }, core] {
        let refused = oldest.plan(&request).await.unwrap_err();
        assert_eq!(message(&refused), "gdb 14 does not report the stop of an attach");
    }
}

/// A fake of each version's start sequence, started by the shipped binary.
#[tokio::test]
async fn start_sequence_follows_the_version() {
    let first = ["initialize", "launch", "setBreakpoints", "configurationDone"];
    let last = ["initialize", "setBreakpoints", "configurationDone", "launch"];
    // 14 sends `initialized` before the launch request, 15 answers a launch at once.
    for (version, launch_response, order) in
        [("14.2", "configured", first), ("15.2", "at_once", last)]
    {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        let source = path("app.c");
        std::fs::write(&source, "one\ntwo\nthree\n").unwrap();
        super::script(&path("app"), "\u{7f}ELF");
        let fake = json!({
            "launch": launch_response, "source": source,
            "program": [{"line": 2, "locals": {"total": 7}}],
        });
        let script = format!(
            "#!/bin/sh\ncase \"$*\" in *--version*) echo 'GNU gdb (GDB) {version}'; exit;; esac\n\
             FAKE_HEARD={:?} exec {:?} '{fake}'\n",
            path("heard"),
            crate::fake::executable(),
        );
        super::script(&path("gdb"), &script);
        std::fs::write(path("config.toml"), format!("[tools.gdb]\npath = {:?}\n", path("gdb")))
            .unwrap();
        let mut caller =
            Caller::start(Start { config: path("config.toml"), ..Start::usual() }).await;
        let launch = json!({
            "program": path("app"), "adapter": "gdb",
            "breakpoints": [format!("{}:2", source.display())],
        });
        let stop = caller.call("debug_launch", launch).await;
        assert!(
            !stop.is_error && stop.text.contains("stopped breakpoint #1"),
            "{version}: {}",
            stop.text
        );
        let end = caller.call("debug_continue", json!({})).await;
        assert!(end.text.starts_with("□ exited with code 0"), "{version}: {}", end.text);
        let received = std::fs::read_to_string(path("heard")).unwrap();
        let commands =
            received.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let commands: Vec<_> =
            commands.filter_map(|one| one["command"].as_str().map(str::to_owned)).collect();
        let sequence: Vec<_> =
            commands.iter().filter(|one| order.contains(&one.as_str())).take(4).collect();
        assert_eq!(sequence, order, "{version}: {commands:?}");
    }
}
