//! Requests to a guest: a valid plan, and every kind of invalid one.

use std::path::Path;
use std::time::Duration;

use dapdock::model::Fault;
use dapdock::model::plan::{
    BuildResult, Command, LaunchPlan, Piece, Request, Resolution, Role, Spawn, TargetQuery,
    Transport,
};
use dapdock::plugin::{Cause, Error, Plugin};
use serde_json::json;

use super::{Stage, request};

async fn resolve(stage: &Stage, plugin: &Plugin, way: &str) -> Result<LaunchPlan, Error> {
    match plugin.resolve(&stage.workspace(), &request(way)).await? {
        Resolution::Ready(plan) => Ok(*plan),
        Resolution::Build(build) => panic!("{build:?}"),
    }
}

#[tokio::test]
async fn valid_plan_arrives_unchanged() {
    let stage = Stage::new();
    let plugin = stage.plugin("hostile").await.unwrap();
    let plan = resolve(&stage, &plugin, "honest").await.unwrap();
    let port = vec![Piece::Text("exec adapter --port=".into()), Piece::Value("port:dap".into())];
    let command = Command {
        program: "/bin/sh".into(),
        tool: "shell".into(),
        args: vec![vec![Piece::Text("-c".into())], port],
        env: vec![("HOST".into(), Some("${value:host}".into()))],
        cwd: Some(stage.root().join("sub")),
    };
    assert_eq!(
        plan.processes,
        [Spawn { role: Role::Adapter, command, ready: None, takes_stdin: false }]
    );
    assert_eq!(plan.transport, Transport::Listen("dap".into()));
    assert_eq!(plan.arguments, json!({"init": "${asset:init.py}"}));
    assert_eq!((plan.assets[0].name.as_str(), &plan.assets[0].content[..]), ("init.py", &b"1"[..]));
    assert_eq!(plan.profile, plugin.manifest().profile);
    assert_eq!(plan.state, Some(json!(1)));
    assert_eq!(plan.tools["shell"], Path::new("/bin/sh"));
    let plan = resolve(&stage, &plugin, "override").await.unwrap();
    let evaluate = (plan.profile.evaluate.value.as_str(), plan.profile.evaluate.statement.as_str());
    assert_eq!(evaluate, ("hover", "x"));
    assert!(resolve(&stage, &plugin, "minted-program").await.is_ok());
}

#[tokio::test]
async fn every_invalid_plan_fails_one_call_and_is_named() {
    let stage = Stage::new();
    let plugin = stage.plugin("hostile").await.unwrap();
    let invalid = "resolve answered what does not fit: launch-plan";
    let forbidden = "the answer of resolve is not allowed";
    let lists = ", which lists `-c exec adapter --port={}`";
    let cases = [
        ("forge", format!("{forbidden}: a handle that the host did not mint")),
        (
            "command",
            format!("{forbidden}: `shell -c rm -rf ~` matches no command of the manifest{lists}"),
        ),
        (
            "smuggle",
            format!(
                "{forbidden}: `shell … exec adapter --port=1` matches no command of the \
                 manifest{lists}"
            ),
        ),
        (
            "program",
            format!(
                "{forbidden}: arguments.python names \"/bin/evil\", which was neither found by the \
                 host nor named by the caller"
            ),
        ),
        (
            "asset",
            format!(
                "{forbidden}: launch-plan.arguments.init refers to \"gone.py\", which no step \
                 before it provides"
            ),
        ),
        (
            "port",
            format!(
                "{forbidden}: launch-plan.transport refers to \"gone\", which no step before it \
                 provides"
            ),
        ),
        (
            "asset-name",
            format!(
                "{invalid}.assets[0].name: \"../x\" is not a plain file name of its \
            own"
            ),
        ),
        (
            "no-adapter",
            format!("{invalid}.transport: stdio, but no process has the role `adapter`"),
        ),
        ("json", format!("{invalid}.arguments: expected ident at line 1 column 8")),
        ("list", format!("{invalid}.arguments: not a JSON object")),
        ("mint", "resolve holds more than 10000 handles".into()),
        ("long", "resolve passed more than 16 MiB at once".into()),
        ("hoard", "resolve wanted more than 64 MiB of memory".into()),
    ];
    for (way, expect) in cases {
        let error = resolve(&stage, &plugin, way).await.unwrap_err();
        assert_eq!(error.to_string(), format!("plugin bad: {expect}"), "{way}");
        assert_eq!(error.fault(), Fault::Plugin);
        assert!(resolve(&stage, &plugin, "honest").await.is_ok(), "after {way}");
    }
    let error = resolve(&stage, &plugin, "pattern").await.unwrap_err().to_string();
    assert!(
        error.starts_with(&format!("plugin bad: {invalid}.processes[0].ready.pattern: ")),
        "{error}"
    );
    let error = resolve(&stage, &plugin, "untrue").await.unwrap_err().to_string();
    assert!(
        error.starts_with(&format!(
            "plugin bad: {invalid}.profile.breakpoints.hit_ids.place.untrue: regex parse error"
        )),
        "{error}"
    );
    let error = resolve(&stage, &plugin, "profile").await.unwrap_err().to_string();
    let expect = format!(
        "plugin bad: {invalid}.profile.evaluate.valeu: unknown field `valeu`, expected one of "
    );
    assert!(error.starts_with(&expect), "{error}");
}

#[tokio::test]
async fn panic_is_reported_with_its_place_and_frames() {
    let stage = Stage::new();
    let plugin = stage.plugin("hostile").await.unwrap();
    let error = resolve(&stage, &plugin, "panic").await.unwrap_err();
    let Cause::Trap { function: "resolve", what, frames } = &*error.cause else {
        panic!("{error}")
    };
    assert!(what.starts_with("panicked at tests/guests/examples/hostile.rs:"), "{what}");
    assert!(what.ends_with(": the list is empty"), "{what}");
    assert_eq!(frames[..2], ["hostile::deep_inside", "hostile::misbehave"]);
    assert!(!error.to_string().contains('\n'));
}

#[tokio::test]
async fn endless_guest_is_stopped_and_does_not_block_others() {
    let mut stage = Stage::new();
    stage.limits.guest_call = Duration::from_millis(700);
    let plugin = stage.plugin("hostile").await.unwrap();
    for way in ["loop", "chatter"] {
        let began = std::time::Instant::now();
        let workspace = stage.workspace();
        let request = request(way);
        // The test has one thread for both calls: the valid call ends first only if the other one
        // yields.
        let (stuck, valid) =
            (plugin.resolve(&workspace, &request), resolve(&stage, &plugin, "honest"));
        let valid = async { (valid.await, began.elapsed()) };
        let (stuck, (valid, took)) = tokio::join!(stuck, valid);
        assert_eq!(stuck.unwrap_err().to_string(), "plugin bad: resolve timed out after 700 ms");
        assert!(valid.is_ok() && took < began.elapsed(), "{took:?}");
        assert!(began.elapsed() < Duration::from_secs(10));
    }
}

/// A pattern of any shape costs its call no more than others, and the host nothing.
#[tokio::test]
async fn patterns_of_a_guest_neither_overflow_nor_burn() {
    let stage = Stage::new();
    std::fs::write(stage.root().join("a".repeat(200)), "").unwrap();
    let plugin = stage.plugin("hostile").await.unwrap();
    let deep = resolve(&stage, &plugin, "deep-glob").await.unwrap_err();
    assert_eq!(deep.to_string(), "plugin bad: the pattern is too large: 300000 bytes");
    assert_eq!(resolve(&stage, &plugin, "starred-glob").await.unwrap().notes, [""; 0]);
    let large = resolve(&stage, &plugin, "large-pattern").await.unwrap_err().to_string();
    let expect = "processes[0].ready.pattern: Compiled regex exceeds size limit";
    assert!(large.contains(expect), "{large}");
    assert!(resolve(&stage, &plugin, "honest").await.is_ok());
}

#[tokio::test]
async fn guest_sees_only_what_is_granted() {
    let mut stage = Stage::new();
    stage.settings = json!({"flag": true});
    let plugin = stage.plugin("hostile").await.unwrap();
    let notes = resolve(&stage, &plugin, "look").await.unwrap().notes;
    let seen = ["Some(\"yes\") None", "Err(NotFound)", "0"];
    assert_eq!(notes[..3], seen);
    assert_eq!(notes[4..], ["tool.sh", "{\"flag\":true}"]);
    assert_eq!(
        resolve(&stage, &plugin, "look").await.unwrap().notes[3],
        notes[3],
        "a map's order changed"
    );
    let inside = resolve(&stage, &plugin, "inside").await.unwrap();
    assert_eq!(inside.program.unwrap(), stage.root().join("tool.sh"));
}

#[tokio::test]
async fn refusals_of_the_host_reach_the_caller_with_a_hint() {
    let stage = Stage::new();
    let plugin = stage.plugin("hostile").await.unwrap();
    let root = stage.root();
    let root = root.display();
    let cases = [
        (
            "missing",
            "nowhere not found (looked for nowhere on PATH)".to_owned(),
            Some("there is none"),
        ),
        ("unlisted", "the manifest of hostile has no tool \"rm\"".into(), None),
        ("escape", format!("{root}/../secret is outside of the workspace"), None),
        ("outside", format!("{root}/.. is outside of the workspace"), None),
        ("sneak", "build step 0 did not finish".into(), None),
        ("slow-probe", "probe slow of /bin/sh: no answer within 300 ms".into(), None),
        ("what?", "no such mischief".into(), Some("ask for something else")),
    ];
    for (way, message, hint) in cases {
        let error = resolve(&stage, &plugin, way).await.unwrap_err();
        let refusal = error.refusal().unwrap_or_else(|| panic!("{way}: {error}"));
        assert_eq!(
            (refusal.message.as_str(), refusal.hint.as_deref()),
            (message.as_str(), hint),
            "{way}"
        );
    }
}

#[tokio::test]
async fn build_is_resumed_three_times_at_most() {
    let stage = Stage::new();
    let plugin = stage.plugin("hostile").await.unwrap();
    let workspace = stage.workspace();
    let result = |stdout: &str| {
        let (stdout, stderr_tail) = (stdout.to_owned(), String::new());
        [BuildResult { step: 0, exit_code: 0, stdout, stderr_tail }]
    };
    let once = request("build");
    let Resolution::Build(build) = plugin.resolve(&workspace, &once).await.unwrap() else {
        panic!()
    };
    assert_eq!((build.steps[0].label.as_str(), build.round), ("build", 1));
    let done = plugin.resume(&workspace, &once, &build, &result("/bin/sh\n")).await.unwrap();
    assert!(matches!(done,
            Resolution::Ready(plan) if plan.program.as_deref() == Some(Path::new("/bin/sh"))));
    let gone = plugin.resume(&workspace, &once, &build, &result("/no/thing")).await.unwrap_err();
    assert_eq!(gone.to_string(), "plugin bad: /no/thing, made by build, does not exist");
    let failed = [BuildResult { exit_code: 1, ..result("/bin/sh")[0].clone() }];
    let failed = plugin.resume(&workspace, &once, &build, &failed).await.unwrap_err();
    assert_eq!(failed.to_string(), "plugin bad: build step 0 did not finish");

    let again = request("rebuild");
    let Resolution::Build(mut build) = plugin.resolve(&workspace, &again).await.unwrap() else {
        panic!()
    };
    for round in [2, 3] {
        let next = plugin.resume(&workspace, &again, &build, &result("")).await.unwrap();
        let Resolution::Build(next) = next else { panic!() };
        assert_eq!(next.round, round);
        build = next;
    }
    let endless = plugin.resume(&workspace, &again, &build, &result("")).await.unwrap_err();
    let expect =
        "plugin bad: resume answered what does not fit: build-plan: asks for build 4, more than 3";
    assert_eq!(endless.to_string(), expect);
}

#[tokio::test]
async fn options_are_checked_against_the_manifest() {
    let stage = Stage::new();
    let plugin = stage.plugin("hostile").await.unwrap();
    let request = Request { options: json!({"flag": 1}), ..request("honest") };
    let error = plugin.resolve(&stage.workspace(), &request).await.unwrap_err();
    assert_eq!(error.to_string(), "plugin bad: options: flag: 1 is not a boolean");
}

#[tokio::test]
async fn scores_and_lists_are_bounded() {
    let stage = Stage::new();
    let plugin = stage.plugin("hostile").await.unwrap();
    let found = plugin.detect(&stage.workspace(), Some("x")).await.unwrap();
    assert_eq!((found[0].score, found[0].reason.as_str()), (100, "x"));
    let query = TargetQuery { limit: 3, ..TargetQuery::default() };
    assert_eq!(plugin.targets(&stage.workspace(), &query).await.unwrap().len(), 3);
}
