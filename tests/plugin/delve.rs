//! The Go plugin's plans, for a project of files with tools that do nothing.

use std::path::Path;

use dapdock::model::plan::{
    Build, BuildResult, Endpoint, LaunchPlan, Piece, Port, Request, RequestKind, Resolution,
    TargetRef, Transport,
};
use serde_json::json;

use super::project::{Parts, Project};
use super::script;

/// A module with a program and a test.
async fn project() -> Project {
    let test = "package main\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) {}\n";
    let files = &[
        ("go.mod", "module m\n"),
        ("cmd/api/main.go", "package main\n"),
        ("cmd/api/x_test.go", test),
        ("core", ""),
    ];
    Project::of(Parts { plugin: "delve", files, tools: &["go", "dlv", "api"], script: "" }).await
}

async fn resolve(project: &Project, target: TargetRef) -> Resolution {
    project.resolve(&request(target)).await.unwrap()
}

async fn planned(project: &Project, target: TargetRef) -> LaunchPlan {
    project.plan(&request(target)).await.unwrap()
}

/// The command lines of a build, with OUT for the private directory and ROOT for the project's.
async fn built(project: &Project, target: TargetRef) -> (Vec<String>, Build) {
    let Resolution::Build(build) = resolve(project, target).await else { panic!("no build") };
    (build.steps.iter().map(|step| line(project, &step.command)).collect(), build)
}

fn line(project: &Project, command: &dapdock::model::plan::Command) -> String {
    let word = |pieces: &Vec<Piece>| match &pieces[..] {
        [Piece::Text(text)] => text.clone(),
        other => panic!("{other:?}"),
    };
    let words: Vec<String> = command.args.iter().map(word).collect();
    let cwd = command.cwd.as_ref().map(|dir| format!(" in {}", dir.display())).unwrap_or_default();
    normalized(project, &format!("{} {}{cwd}", command.tool, words.join(" ")))
}

fn normalized(project: &Project, text: &str) -> String {
    let text = text.replace(project.workspace.root.to_str().unwrap(), "ROOT");
    let Some(at) = text.find("dapdock-") else { return text };
    let from = text[..at].rfind(' ').map_or(0, |space| space + 1);
    let to = text[at..].find('/').map_or(text.len(), |slash| at + slash);
    format!("{}OUT{}", &text[..from], &text[to..])
}

fn request(target: TargetRef) -> Request {
    Request { target: Some(target), args: vec!["a b".into()], ..Request::default() }
}

fn command(line: &str) -> TargetRef {
    TargetRef::Command(line.split(' ').map(str::to_owned).collect())
}

#[tokio::test]
async fn built_program_is_run_without_a_build() {
    let project = project().await;
    let api = project.workspace.root.join("api");
    let plan = planned(&project, TargetRef::Path(api.display().to_string())).await;
    let [spawn] = &plan.processes[..] else { panic!("{:?}", plan.processes) };
    assert_eq!(spawn.command.tool, "dlv");
    let endpoint =
        vec![Piece::Value("host".into()), Piece::Text(":".into()), Piece::Value("port:dap".into())];
    let words = ["dap", "--client-addr"].map(|word| vec![Piece::Text(word.into())]);
    assert_eq!(spawn.command.args, [&words[..], &[endpoint]].concat());
    // The variable is Delve's own: the program does not get it.
    assert_eq!(spawn.command.env, [("GO_TELEMETRY_CHILD".to_owned(), Some("2".to_owned()))]);
    assert_eq!(plan.transport, Transport::Listen("dap".into()));
    assert_eq!((plan.program.as_deref(), plan.state), (Some(&*api), None));
    let expected = json!({
        "type": "go", "request": "launch", "mode": "exec", "followExec": false, "program": api,
        "args": ["a b"],
        "cwd": project.workspace.root, "env": {"GO_TELEMETRY_CHILD": null},
        "hideSystemGoroutines": true,
        "showPprofLabels": ["*"],
    });
    assert_eq!(plan.arguments, expected);
}

#[tokio::test]
async fn packages_are_built_outside_the_project() {
    let project = project().await;
    let build = "go build -gcflags=all=-N -l -o OUT/api";
    for (target, line) in [
        (TargetRef::Path("cmd/api".into()), format!("{build} . in ROOT/cmd/api")),
        (TargetRef::Path("cmd/api/main.go".into()), format!("{build} . in ROOT/cmd/api")),
        (command("go run -race ./cmd/api x"), format!("{build} -race ./cmd/api in ROOT")),
        (command("dlv debug ./cmd/api -- x"), format!("{build} ./cmd/api in ROOT")),
        (
            command("go test ./cmd/api -run X -count 1"),
            "go test -c -gcflags=all=-N -l -o OUT/api.test ./cmd/api in ROOT".into(),
        ),
        (command("go test ./... -run X"), "go test -list . ./... in ROOT".into()),
        (
            TargetRef::Id("TestX".into()),
            "go test -c -gcflags=all=-N -l -o OUT/api.test . in ROOT/cmd/api".into(),
        ),
    ] {
        assert_eq!(built(&project, target.clone()).await.0, [line], "{target:?}");
    }
    let (lines, _) = built(&project, command("go test m/cmd/api")).await;
    let expected = [
        "go list -f {{.Dir}} m/cmd/api in ROOT",
        "go test -c -gcflags=all=-N -l -o OUT/api.test m/cmd/api in ROOT",
    ];
    assert_eq!(lines, expected);
    assert!(project.dir.path().join("cmd/api").read_dir().unwrap().count() == 2);
}

#[tokio::test]
async fn built_program_gets_the_arguments() {
    let project = project().await;
    let target = command("go run ./cmd/api x");
    let (_, build) = built(&project, target.clone()).await;
    let Piece::Text(output) = &build.steps[0].command.args[3][0] else { panic!("{build:?}") };
    let done = |exit_code, stderr: &str| {
        [BuildResult { step: 0, exit_code, stdout: String::new(), stderr_tail: stderr.to_owned() }]
    };
    let failed = project
        .plugin
        .resume(&project.workspace, &request(target.clone()), &build, &done(1, "x.go:1:2: no\n"))
        .await;
    assert_eq!(failed.unwrap_err().refusal().unwrap().message, "x.go:1:2: no");
    // A package without `main` builds an archive, which cannot be run.
    std::fs::write(output, "!<arch>").unwrap();
    let archive = project
        .plugin
        .resume(&project.workspace, &request(target.clone()), &build, &done(0, ""))
        .await;
    let archive = archive.unwrap_err().refusal().unwrap().message.clone();
    assert_eq!(normalized(&project, &archive), "./cmd/api is not a program: it has no `main`");
    script(Path::new(output), "#!/bin/sh\n");
    let made = project
        .plugin
        .resume(&project.workspace, &request(target), &build, &done(0, ""))
        .await
        .unwrap();
    let Resolution::Ready(plan) = made else { panic!("{made:?}") };
    assert_eq!(
        (&plan.arguments["program"], &plan.arguments["args"]),
        (&json!(output), &json!(["x", "a b"]))
    );
    assert_eq!(plan.arguments["cwd"], json!(project.workspace.root));
    let directory = Path::new(output).parent().unwrap().to_owned();
    drop(project);
    assert!(!directory.exists(), "what builds made stays behind");
}

#[tokio::test]
async fn processes_servers_and_cores_are_attached_to() {
    let project = project().await;
    let plan = planned(&project, TargetRef::Pid(41)).await;
    assert_eq!(plan.request, RequestKind::Attach);
    assert_eq!(
        (&plan.arguments["mode"], &plan.arguments["processId"]),
        (&json!("local"), &json!(41))
    );
    let plan = planned(&project, TargetRef::Address("10.0.0.1".into(), 4000)).await;
    assert_eq!((plan.request, &plan.arguments["mode"]), (RequestKind::Attach, &json!("remote")));
    let endpoint = Endpoint { host: "10.0.0.1".into(), port: Port::Number(4000) };
    assert_eq!((plan.transport, plan.processes.len()), (Transport::Connect(endpoint), 0));
    let root = &project.workspace.root;
    let core =
        Request { options: json!({"core": "core"}), ..request(TargetRef::Path("api".into())) };
    let Resolution::Ready(plan) = project.plugin.resolve(&project.workspace, &core).await.unwrap()
    else {
        panic!()
    };
    assert_eq!(
        (&plan.arguments["mode"], &plan.arguments["coreFilePath"]),
        (&json!("core"), &json!(root.join("core")))
    );
}

#[tokio::test]
async fn entry_stop_is_a_breakpoint_of_the_session() {
    let project = project().await;
    let request_with_options =
        Request { stop_on_entry: true, ..request(TargetRef::Path("api".into())) };
    let Resolution::Ready(plan) =
        project.plugin.resolve(&project.workspace, &request_with_options).await.unwrap()
    else {
        panic!()
    };
    assert_eq!(
        (plan.state, &plan.arguments["stopOnEntry"]),
        (
            Some(json!({
                "entry": {"Requested": ["main.main", "main.init.0"]}, "reads_long_strings": false,
                "pauses": {"pending": false},
                "raised": {
                    "wanted": "None", "sent": "None", "ids": [], "here": false, "deferred": "",
                    "in_libraries": false,
                },
            })),
            &json!(null)
        )
    );
}

#[tokio::test]
async fn build_options_come_before_the_target() {
    let project = project().await;
    let with =
        |target, flags| Request { options: json!({"build_flags": flags}), ..request(target) };
    let request_with_options = with(TargetRef::Path("cmd/api".into()), json!("-race -tags=x"));
    let Resolution::Build(build) =
        project.plugin.resolve(&project.workspace, &request_with_options).await.unwrap()
    else {
        panic!()
    };
    let normalized = line(&project, &build.steps[0].command);
    assert_eq!(
        normalized,
        "go build -gcflags=all=-N -l -o OUT/api -race -tags=x . in ROOT/cmd/api"
    );
    let request_with_options = with(TargetRef::Path("api".into()), json!(["-race"]));
    let plan = project.plan(&request_with_options).await.unwrap();
    assert_eq!(plan.notes, ["`build_flags` is ignored: the program is already built"]);
}
