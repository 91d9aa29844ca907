//! What the JavaScript plugin makes of a request, with tools that do nothing.

use dapdock::model::plan::{
    BuildResult, Endpoint, LaunchPlan, Piece, Port, ReadyOutput, Request, Resolution, Step,
    TargetRef, Transport,
};

use super::project::{Parts, Project};

async fn project() -> Project {
    let (files, tools) = (&[("app.js", "")], &["js-debug", "node", "sh"]);
    Project::of(Parts { plugin: "js_debug", files, tools, does: "" }).await
}

/// Once it was looked whether an inspector listens there.
async fn attached(project: &Project, request: &Request) -> LaunchPlan {
    let Resolution::Build(asked) = project.resolve(request).await.unwrap() else {
        panic!("nothing is asked")
    };
    let told = BuildResult {
        step: 0,
        exit_code: 0,
        stdout: "127.0.0.1\n9229\n".into(),
        stderr_tail: String::new(),
    };
    match project.plugin.resume(&project.workspace, request, &asked, &[told]).await.unwrap() {
        Resolution::Ready(plan) => *plan,
        Resolution::Build(again) => panic!("{again:?}"),
    }
}

/// A port that was free a moment ago may be another adapter's by now, which then answers in its
/// place.
#[tokio::test]
async fn the_server_chooses_its_port_itself() {
    let project = project().await;
    let launch = Request { target: Some(TargetRef::Path("app.js".into())), ..Request::default() };
    let attach = Request {
        target: Some(TargetRef::Address("127.0.0.1".into(), 9229)),
        ..Request::default()
    };
    for plan in [project.plan(&launch).await.unwrap(), attached(&project, &attach).await] {
        let [Step::Spawn(server)] = &plan.steps[..] else { panic!("{:?}", plan.steps) };
        let word = |text: &str| vec![Piece::Text(text.into())];
        assert_eq!(server.command.args[1..], [word("0"), word("127.0.0.1")]);
        let ready = server.ready.as_ref().unwrap();
        assert_eq!(ready.output, ReadyOutput::Stdout);
        let told = regex::Regex::new(&ready.pattern).unwrap();
        let port = |line| Some(told.captures(line)?.name("dap")?.as_str().to_owned());
        assert_eq!(port("Debug server listening at 127.0.0.1:4711").as_deref(), Some("4711"));
        let endpoint = Endpoint { host: "127.0.0.1".into(), port: Port::Value("dap".into()) };
        assert_eq!(plan.transport, Transport::Connect(endpoint));
    }
}
