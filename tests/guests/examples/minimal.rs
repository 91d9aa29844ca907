//! A complete plugin: Lua programs through an adapter named `lua-dap`, which communicates over its
//! standard streams.
#![cfg(target_family = "wasm")]
#![allow(missing_docs, reason = "an example")]

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::{CommandTemplate, FrameProfile, Language, LibraryRule, Tool};

struct Lua;

impl Adapter for Lua {
    /// Static facts: files of the language, programs that a plan may run and their arguments, and
    /// the behaviour of the adapter.
    fn manifest() -> Manifest {
        Manifest {
            name: "lua".into(),
            title: "Lua through lua-dap".into(),
            languages: vec![Language {
                name: "lua".into(),
                extensions: vec!["lua".into()],
                commands: vec!["lua".into()],
                ..Language::default()
            }],
            tools: vec![Tool {
                name: "lua-dap".into(),
                install: "install lua-dap, or name it in [tools.lua-dap] path".into(),
                ..Tool::default()
            }],
            commands: vec![CommandTemplate {
                tool: "lua-dap".into(),
                args: vec!["--stdio".into()],
            }],
            config_schema: Some(json!({
                "type": "object",
                "additionalProperties": false,
                "properties": {"version": {"type": "string", "description": "Default: 5.4."}},
            })),
            profile: Profile {
                frames: FrameProfile {
                    library: LibraryRule {
                        paths: vec!["/usr/share/lua/".into()],
                        ..LibraryRule::default()
                    },
                    ..FrameProfile::default()
                },
                ..Profile::default()
            },
            ..Manifest::default()
        }
    }

    /// The command to run and the request to send. It runs nothing: the host executes the plan.
    fn resolve(project: &Workspace, request: DebugRequest) -> Result<Resolution, Error> {
        let Some(TargetRef::Path(program)) = &request.target else {
            return Err(Error::unsupported("lua-dap runs program files"));
        };
        let settings: Value = serde_json::from_str(&request.config).unwrap_or_default();
        // The caller's variables, for the program; the adapter inherits those of the host.
        let mut adapter = Command::new(project.find_executable("lua-dap")?).arg("--stdio");
        adapter.env.extend(request.env.iter().cloned());
        let arguments = json!({
            "request": "launch",
            "program": program,
            "args": request.args,
            "cwd": request.cwd.clone().unwrap_or_else(|| project.root()),
            "stopOnEntry": request.stop_on_entry,
            "version": settings["version"].as_str().unwrap_or("5.4"),
        });
        Ok(LaunchPlan::stdio(adapter, arguments).into())
    }
}

dapdock_plugin::export!(Lua);
