//! The JavaScript plugin's plans, with tools that do nothing.

use dapdock::model::plan::{
    BuildResult, Endpoint, LaunchPlan, Piece, Port, ReadyOutput, Request, Resolution, TargetRef,
    Transport,
};

use super::project::{Parts, Project};

async fn project() -> Project {
    let (files, tools) = (&[("app.js", "")], &["js-debug", "node", "sh"]);
    Project::of(Parts { plugin: "js_debug", files, tools, script: "" }).await
}

/// The plan after its only step, which printed this.
async fn after_step(project: &Project, request: &Request, printed: &str) -> LaunchPlan {
    let Resolution::Build(build) = project.resolve(request).await.unwrap() else {
        panic!("nothing is asked")
    };
    let result =
        BuildResult { step: 0, exit_code: 0, stdout: printed.into(), stderr_tail: String::new() };
    match project.plugin.resume(&project.workspace, request, &build, &[result]).await.unwrap() {
        Resolution::Ready(plan) => *plan,
        Resolution::Build(again) => panic!("{again:?}"),
    }
}

/// A port chosen in advance could be taken by another adapter, which would then answer instead.
#[tokio::test]
async fn server_chooses_its_own_port() {
    let project = project().await;
    let launch = Request { target: Some(TargetRef::Path("app.js".into())), ..Request::default() };
    let attach = Request {
        target: Some(TargetRef::Address("127.0.0.1".into(), 9229)),
        ..Request::default()
    };
    // The step finds the address of the inspector.
    let attached = after_step(&project, &attach, "127.0.0.1\n9229\n").await;
    for plan in [project.plan(&launch).await.unwrap(), attached] {
        let [server] = &plan.processes[..] else { panic!("{:?}", plan.processes) };
        let word = |text: &str| vec![Piece::Text(text.into())];
        assert_eq!(server.command.args[3..], [word("0"), word("127.0.0.1")]);
        let ready = server.ready.as_ref().unwrap();
        assert_eq!(ready.output, ReadyOutput::Stdout);
        let result = regex::Regex::new(&ready.pattern).unwrap();
        let port = |line| Some(result.captures(line)?.name("dap")?.as_str().to_owned());
        assert_eq!(port("Debug server listening at 127.0.0.1:4711").as_deref(), Some("4711"));
        let endpoint = Endpoint { host: "127.0.0.1".into(), port: Port::Value("dap".into()) };
        assert_eq!(plan.transport, Transport::Connect(endpoint));
    }
}

/// TypeScript that no script compiles runs with the tsx of the nearest package; the only step finds
/// out by which option Node.js takes it.
#[tokio::test]
async fn typescript_runs_with_the_tsx_of_its_package() {
    let loader = "app/node_modules/tsx/dist/loader.mjs";
    let project = Project::of(Parts {
        plugin: "js_debug",
        files: &[
            ("app/src/a.ts", ""),
            ("app/package.json", "{}"),
            ("app/tsconfig.json", "{}"),
            (loader, ""),
        ],
        tools: &["js-debug", "node", "sh"],
        script: "",
    })
    .await;
    let path = TargetRef::Path("app/src/a.ts".into());
    let launch = Request { target: Some(path), ..Request::default() };
    for (printed, expect) in [("function\n", "--import"), ("undefined\n", "--loader")] {
        let plan = after_step(&project, &launch, printed).await;
        let words = plan.arguments["runtimeArgs"].as_array().unwrap();
        let [.., option, loaded] = &words[..] else { panic!("{words:?}") };
        assert_eq!(option, expect);
        assert!(loaded.as_str().unwrap().ends_with(loader), "{words:?}");
    }
}
