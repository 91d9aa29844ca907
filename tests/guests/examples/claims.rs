//! A manifest with interests in hooks that the component does not implement.
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

struct Claims;
export!(Claims);

impl Guest for Claims {
    fn manifest() -> Json {
        r#"{"name": "claims", "interests": {"events": ["stopped"]}}"#.into()
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
