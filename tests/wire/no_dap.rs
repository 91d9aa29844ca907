//! A tool that is no debug adapter: the error says what it does instead.

use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::caller::{Caller, Start};
use crate::plugin::component;

#[tokio::test]
async fn tool_that_speaks_no_dap_is_reported() {
    for (script, sign) in [
        ("exec cat", "it sends back what it is sent"),
        ("echo usage: lua-dap PORT; exec sleep 60", "its output begins with \"usage: lua-dap PORT"),
        ("echo usage: lua-dap PORT", "its output begins with \"usage: lua-dap PORT"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let (cwd, config) = (dir.path().to_owned(), dir.path().join("host.toml"));
        let tool = cwd.join("lua-dap");
        std::fs::write(&tool, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
        std::fs::write(cwd.join("a.lua"), "print(1)\n").unwrap();
        let text = format!(
            "[adapters.lua]\nplugin = {:?}\n[tools.lua-dap]\npath = {tool:?}\n[limits]\n\
             initialize_s = 2\n",
            component("minimal")
        );
        std::fs::write(&config, text).unwrap();
        let mut caller = Caller::start(Start { cwd, config, ..Start::usual() }).await;
        let answer = caller.call("debug_launch", json!({"program": "a.lua"})).await;
        let want = format!("error[not-dap] what lua started speaks no DAP: {sign}");
        assert!(answer.text.starts_with(&want), "{script}: {}", answer.text);
        let log = caller.call("debug_status", json!({"detail": "log", "session": "lua-1"})).await;
        log.says("start adapter: ");
    }
}
