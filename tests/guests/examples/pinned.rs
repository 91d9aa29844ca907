//! A plugin with two pinned installs of its adapter: an archive with two addresses, and an npm
//! package. `tests/provision/server.rs` creates both.
#![cfg(target_family = "wasm")]
#![allow(missing_docs, reason = "an example")]

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::{
    Archive, CommandTemplate, Install, Language, Npm, Source, Tool, words,
};

struct Pinned;

const SHA256: &str = "4f8ef9defb85f09aa1ea28184be9ddef330cd6944263ff5513a042e5aa1f5f3f";

fn tool(name: &str) -> Tool {
    Tool { name: name.into(), install: format!("install {name}"), ..Tool::default() }
}

fn install(source: Source) -> Install {
    let (tool, path) = ("pinned-adapter".into(), "bin/adapter".into());
    Install { tool, version: "1.0.0".into(), platforms: Vec::new(), path, source }
}

impl Adapter for Pinned {
    fn manifest() -> Manifest {
        let archive = Archive {
            client: "curl".into(),
            urls: words(["https://files.test/first.tar", "https://files.test/second.tar"]),
            sha256: SHA256.into(),
            take: "package".into(),
        };
        let npm = Npm {
            client: "npm".into(),
            package: "@dapdock-tests/pinned".into(),
            version: "1.0.0".into(),
            sha256: SHA256.into(),
            take: "package".into(),
            scripts: [("run".to_owned(), "#!/bin/sh\n".to_owned())].into(),
        };
        Manifest {
            name: "pinned".into(),
            title: "What is fetched".into(),
            // Another plugin claims this language, too.
            languages: vec![
                Language {
                    name: "none".into(),
                    extensions: words(["none"]),
                    ..Language::default()
                },
                Language { name: "c".into(), ..Language::default() },
            ],
            tools: vec![
                Tool {
                    variables: words(["PINNED_ADAPTER"]),
                    extensions: words(["tests.pinned/bin/adapter"]),
                    ..tool("pinned-adapter")
                },
                tool("curl"),
                tool("npm"),
            ],
            commands: vec![CommandTemplate { tool: "pinned-adapter".into(), args: Vec::new() }],
            installs: vec![install(Source::Archive(archive)), install(Source::Npm(npm))],
            ..Manifest::default()
        }
    }

    fn resolve(project: &Workspace, _: DebugRequest) -> Result<Resolution, Error> {
        let adapter = Command::new(project.find_executable("pinned-adapter")?);
        Ok(LaunchPlan::stdio(adapter, json!({"request": "launch"})).into())
    }
}

dapdock_plugin::export!(Pinned);
