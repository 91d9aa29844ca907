//! Protects breakpoints in sources that are compiled at load (by jest or tsx) from js-debug's own
//! breakpoint.
//!
//! js-debug stops each script once at its beginning, to read its source map, and resumes. If a
//! script begins with a function, that breakpoint is on the first statement of the function and is
//! hit when the function is called. A breakpoint of the caller on the same statement, which the
//! source map is just moving, is then lost (threads.ts, `_handleSourceMapPause`, which compares
//! columns; breakpoints.ts, `shouldPauseAt`). If the first character of the script has a
//! breakpoint, js-debug does not set its own.

use dapdock_plugin::prelude::*;

/// Exit code 0: the file in the first line of standard input begins with a function or a class.
pub const BEGINS: &str = "const fs = require('fs'); \
    const path = fs.readFileSync(0, 'utf8').split('\\n')[0]; \
    const text = fs.readFileSync(path, 'utf8'); \
    const code = text.replace(\
        /^(\\s|\\/\\/.*|#!.*|\\/\\*[^]*?\\*\\/|(['\"])use strict\\2;?)+/, ''); \
    process.exitCode = /^(async\\s+function|function|class)\\b/.test(code) ? 0 : 1";
pub const PROBE: &str = "begins";

/// The request with a breakpoint that never holds at the first character; none if the file does not
/// need it.
pub fn protected(
    session: &Session,
    request: &dap::SetBreakpointsArguments,
) -> Option<dap::SetBreakpointsArguments> {
    let path = request.source.path.as_deref()?;
    if request.breakpoints.is_empty()
        || !session.load::<crate::State>().compiles
        || !begins_with_function(session, path)
    {
        return None;
    }
    let mut request = request.clone();
    // At the end, so that the other breakpoints of the response stay in their places.
    request.breakpoints.push(dap::SourceBreakpoint {
        line: 1,
        column: Some(1),
        condition: Some("false".into()),
        ..Default::default()
    });
    Some(request)
}

fn begins_with_function(session: &Session, path: &str) -> bool {
    // The host caches a probe by its input: with the session's id a file is read once a session.
    let input = format!("{path}\n{}", session.id());
    session.probe(PROBE, &input).is_ok_and(|answer| answer.exit_code == 0)
}
