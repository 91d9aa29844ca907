//! What the JavaScript plugin makes of a request, with tools that do nothing.

use dapdock::model::plan::{Endpoint, Piece, Port, ReadyOutput, Request, Step, TargetRef, Transport};

use super::project::{Parts, Project};

async fn project() -> Project {
    let (files, tools) = (&[("app.js", "")], &["js-debug", "node", "sh"]);
    Project::of(Parts { plugin: "js_debug", files, tools, does: "" }).await
}

/// A port that was free a moment ago may be another adapter's by now, which then answers in its place.
#[tokio::test]
async fn the_server_chooses_its_port_itself() {
    let project = project().await;
    for target in [TargetRef::Path("app.js".into()), TargetRef::Address("127.0.0.1".into(), 9229)] {
        let request = Request { target: Some(target), ..Request::default() };
        let plan = project.plan(&request).await.unwrap();
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
