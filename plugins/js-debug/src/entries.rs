//! Keeps breakpoints of sources that are compiled as they are loaded, by jest or tsx, from a pause
//! of js-debug's own.
//!
//! js-debug stops each script once where it begins, to read its source map, and goes on from there.
//! Of a script that begins with a function that place is the function's first statement, and runs
//! when it is called: a breakpoint there that the map is just moving is gone with it (threads.ts,
//! `_handleSourceMapPause`, which compares columns; breakpoints.ts, `shouldPauseAt`). A breakpoint
//! at the first character has js-debug leave out its own.

use dapdock_plugin::hooks::RequestAction;
use dapdock_plugin::prelude::*;

/// The session's state where sources are compiled as they are loaded.
pub const COMPILED: &str = r#""compiled""#;

/// Exit code 0: the file that the first line of standard input names begins with a function or a
/// class.
pub const BEGINS: &str = "const fs = require('fs'); const text = fs.readFileSync(fs.readFileSync(0, 'utf8').split('\\n')[0], 'utf8'); \
    const code = text.replace(/^(\\s|\\/\\/.*|#!.*|\\/\\*[^]*?\\*\\/|(['\"])use strict\\2;?)+/, ''); \
    process.exitCode = /^(async\\s+function|function|class)\\b/.test(code) ? 0 : 1";
pub const PROBE: &str = "begins";

/// The request, with one that never holds where js-debug would have its own.
pub fn kept(session: &Session, mut asked: dap::SetBreakpointsArguments) -> RequestAction {
    let path = asked.source.path.as_deref().filter(|_| !asked.breakpoints.is_empty());
    // An answer is kept for as long as its question is the same: a file is read once a session.
    let asked_of = |path: &str| format!("{path}\n{}", session.id());
    let begins = |path: &str| {
        session.probe(PROBE, &asked_of(path)).is_ok_and(|answer| answer.exit_code == 0)
    };
    if session.state().as_deref() != Some(COMPILED) || !path.is_some_and(begins) {
        return RequestAction::Unchanged;
    }
    // The answers to the others stay where they are.
    let never = dap::SourceBreakpoint {
        line: 1,
        column: Some(1),
        condition: Some("false".into()),
        ..Default::default()
    };
    asked.breakpoints.push(never);
    RequestAction::replaced::<dap::SetBreakpoints>(asked)
}
