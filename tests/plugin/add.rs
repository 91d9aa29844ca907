//! Errors for files that are no usable plugin.

use dapdock::model::Fault;
use dapdock::plugin::Source;
use serde_json::json;

use super::{Stage, component};

/// The error of a plugin file with these bytes.
async fn error_of(bytes: &[u8]) -> String {
    let stage = Stage::new();
    let file = stage.dir.path().join("plugin.wasm");
    std::fs::write(&file, bytes).unwrap();
    let error = stage.catalog(Source::File(file)).get("bad").await.unwrap_err();
    assert_eq!(error.fault(), Fault::Plugin);
    error.to_string()
}

#[tokio::test]
async fn files_that_are_no_components() {
    assert_eq!(error_of(b"").await, "plugin bad: not a component: an empty file");
    assert_eq!(error_of(b"#!/bin/sh\n").await, "plugin bad: not a component: not WebAssembly");
    let core = b"\0asm\x01\0\0\0";
    assert_eq!(error_of(core).await, "plugin bad: not a component: a core WebAssembly module");
    let empty = b"\0asm\x0d\0\x01\0";
    let expect = "plugin bad: does not fit dapdock:plugin/adapter@0.2.0: ";
    assert!(error_of(empty).await.starts_with(expect), "{}", error_of(empty).await);
    let cut = &std::fs::read(component("claims")).unwrap()[..5000];
    assert!(
        error_of(cut).await.starts_with("plugin bad: does not compile: "),
        "{}",
        error_of(cut).await
    );
}

#[tokio::test]
async fn a_file_that_is_not_there() {
    let stage = Stage::new();
    let error = stage.catalog(Source::File("/no/p.wasm".into())).get("bad").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "plugin bad: cannot read /no/p.wasm: No such file or directory (os error 2)"
    );
    assert_eq!(error.fault(), Fault::Caller);
    let error = stage.catalog(Source::File(stage.root())).get("bad").await.unwrap_err();
    assert!(error.to_string().ends_with(": not a file"), "{error}");
}

#[tokio::test]
async fn an_adapter_that_is_not_configured() {
    let stage = Stage::new();
    let error = stage.catalog(Source::File("/x".into())).get("worse").await.unwrap_err();
    assert_eq!(error.to_string(), "plugin worse: no such adapter; there are bad");
}

#[tokio::test]
async fn an_import_that_no_plugin_may_use_is_named() {
    let error = Stage::new().plugin("sockets").await.unwrap_err().to_string();
    assert!(error.starts_with("plugin bad: imports wasi:sockets/"), "{error}");
    assert!(error.ends_with(", which no plugin may use"), "{error}");
}

#[tokio::test]
async fn an_interest_without_its_interface() {
    let expect = "plugin bad: manifest: interests.events: \"stopped\" needs the interface `hooks`, \
                  which the component does not export";
    assert_eq!(Stage::new().plugin("claims").await.unwrap_err().to_string(), expect);
}

#[tokio::test]
async fn settings_are_checked_against_the_manifest() {
    let mut stage = Stage::new();
    stage.settings = json!({"flga": true});
    let error = stage.plugin("hostile").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "plugin bad: settings: flga: unknown key; did you mean \"flag\"?"
    );
    assert_eq!(error.fault(), Fault::Caller);
    stage.settings = json!({"flag": true});
    assert!(stage.plugin("hostile").await.is_ok());
}
