//! The interface of `wit/plugin.wit` as Rust, generated. Nothing outside this
//! module tree sees these types; callers get the host's own model.
#![allow(missing_docs, unused_qualifications, reason = "generated")]

wasmtime::component::bindgen!({
    path: "../wit",
    inline: "
        package dapdock:all;
        world all {
            include dapdock:plugin/plugin@0.2.0;
            include dapdock:plugin/plugin-hooks@0.2.0;
            include dapdock:plugin/plugin-present@0.2.0;
            include dapdock:plugin/plugin-translate@0.2.0;
        }
    ",
    imports: {
        "dapdock:plugin/host.[method]workspace.read-file": async | trappable,
        "dapdock:plugin/host.[method]workspace.stat": async | trappable,
        "dapdock:plugin/host.[method]workspace.read-dir": async | trappable,
        "dapdock:plugin/host.[method]workspace.glob": async | trappable,
        "dapdock:plugin/host.[method]workspace.own-files": async | trappable,
        "dapdock:plugin/host.[method]workspace.find-executable": async | trappable,
        "dapdock:plugin/host.[method]workspace.workspace-executable": async | trappable,
        "dapdock:plugin/host.[method]workspace.build-output": async | trappable,
        "dapdock:plugin/host.[method]workspace.process-compilers": async | trappable,
        "dapdock:plugin/host.[method]executable.probe": async | trappable,
        "dapdock:plugin/host.[method]executable.compilers": async | trappable,
        "dapdock:plugin/host.[method]executable.holds": async | trappable,
        "dapdock:plugin/host.[method]executable.has-debug-info": async | trappable,
        "dapdock:plugin/host.[method]session.probe": async | trappable,
        default: trappable,
    },
    exports: { default: async },
    with: {
        "dapdock:plugin/host.executable": crate::plugin::engine::store::Executable,
        "dapdock:plugin/host.workspace": crate::plugin::engine::store::Project,
        "dapdock:plugin/host.session": crate::plugin::engine::store::Session,
    },
});

pub(crate) use crate::plugin::engine::bindings::dapdock::plugin::{host, types};
pub(crate) use crate::plugin::engine::bindings::exports::dapdock::plugin::{
    adapter, hooks, present, translate,
};
