//! A plugin that tries to open a connection.
#![cfg(target_family = "wasm")]
#![allow(missing_docs, unsafe_code, reason = "generated")]

wit_bindgen::generate!({
    path: "../../wit",
    inline: "package test:guest; world guest { include dapdock:plugin/plugin@0.2.0; }",
    world: "test:guest/guest",
    generate_all,
});

use dapdock::plugin::host::Workspace;
use dapdock::plugin::types::Error;
use exports::dapdock::plugin::adapter::*;

struct Sockets;
export!(Sockets);

impl Guest for Sockets {
    fn manifest() -> Json {
        std::net::TcpStream::connect("127.0.0.1:1").map(drop).unwrap_or_default();
        r#"{"name": "sockets"}"#.into()
    }

    fn detect(_: &Workspace, _: Option<String>) -> Vec<Detection> {
        Vec::new()
    }

    fn targets(_: &Workspace, _: TargetQuery) -> Result<Vec<Target>, Error> {
        Ok(Vec::new())
    }

    fn resolve(_: &Workspace, _: DebugRequest) -> Result<Resolution, Error> {
        unreachable!()
    }

    fn resume(
        _: &Workspace,
        _: DebugRequest,
        _: Json,
        _: Vec<BuildResult>,
    ) -> Result<Resolution, Error> {
        unreachable!()
    }
}
