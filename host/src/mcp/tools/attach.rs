//! `debug_attach`: attaches to a process or to a debugger that listens.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::call::{Call, Reply};
use super::super::declared::Effect;
use super::super::problem::Problem;
use super::super::request::literal;
use super::super::structured;
use super::super::text::breakpoint::{self, Brief, Item};
use super::super::tool::Tool;
use super::super::verb::{Verb, Words};
use super::super::wait;
use super::launch::Launch;
use super::start;
use crate::model::{Cursor, LaunchRequest, LaunchTarget};
use crate::view::{self, unmarked};

pub(in crate::mcp) struct Attach;

/// A process number for a proposed call.
const PID: u32 = 4711;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    /// Process id
    pid: Option<u32>,
    /// Instead: host:port; needs `adapter`
    address: Option<String>,
    /// Default: chosen by the program
    adapter: Option<String>,
    /// As `set` of debug_breakpoints; if given, waits for a stop
    #[schemars(with = "Option<Vec<Brief>>")]
    breakpoints: Option<Vec<Item>>,
    /// As in debug_launch
    options: Option<Map<String, Value>>,
    /// Seconds; default 30
    timeout_s: Option<f64>,
    /// Bytes of output that are stored.
    #[schemars(skip)]
    output_bytes: Option<usize>,
}

impl Tool for Attach {
    type Arguments = Arguments;
    type Data = structured::Started;
    const NAME: &'static str = "debug_attach";
    const TITLE: &'static str = "Attach to a program";
    const DESCRIPTION: &'static str = "Attaches to a running process, or to a debugger that \
        listens. The program runs on until a breakpoint or debug_pause stops it; debug_stop \
        detaches.";
    const EFFECT: Effect = Effect::Moves;
    const VERB: Option<Verb> = Some(
        Verb::new("attach", Words::Process { pid: "pid", address: "address" })
            .letters(&[("breakpoints", 'b')]),
    );
    const UNLISTED: &'static [&'static str] = &["output_bytes"];
    const EXAMPLE: &'static str = r#"{"pid": 4711}"#;

    async fn run(call: &Call, mut arguments: Arguments) -> Result<Reply, Problem> {
        let limit = wait::time_limit(call, arguments.timeout_s)?;
        let breakpoints =
            breakpoint::specs(arguments.breakpoints.take().unwrap_or_default(), call, None, None)?;
        let waits = !breakpoints.is_empty();
        let options = arguments.options.take().unwrap_or_default();
        if let Some(core) = options.get("core") {
            return Err(opens_a_core(core, options.get("program")));
        }
        let request = LaunchRequest {
            target: target(call, &arguments)?,
            args: Vec::new(),
            cwd: None,
            workspace: call.workspace.clone(),
            env: Vec::new(),
            adapter: arguments.adapter,
            breakpoints,
            stop_on_entry: false,
            stdin: None,
            stdin_pipe: false,
            output_bytes: arguments.output_bytes,
            core: None,
            options: Value::Object(options).to_string(),
            again: unmarked(&call.request.without(&["output_bytes"]).text()),
        };
        let handle = Box::pin(wait::reporting(call, call.sessions.launch(request))).await?;
        let arrival = if waits {
            wait::arrive(call, &handle, Cursor::default(), limit).await?
        } else {
            wait::attached(call, &handle, limit).await?
        };
        Ok(start::reply(call, &handle, arrival, &[]).await)
    }
}

/// Refuses a core file: there is no process to attach to.
fn opens_a_core(core: &Value, program: Option<&Value>) -> Problem {
    let program = program.cloned().unwrap_or_else(|| "PROGRAM".into());
    let call = view::Call::new(Launch::NAME)
        .with("program", literal(&program))
        .with("options", literal(&serde_json::json!({ "core": core })));
    let cause = format!(
        "debug_attach: `options.core` is for {}, which opens a core file with the program that \
         dumped it",
        view::Call::new(Launch::NAME)
    );
    Problem::worded("bad-argument", &cause, &call.bounded(view::LONGEST_CALL))
}

fn target(call: &Call, arguments: &Arguments) -> Result<LaunchTarget, Problem> {
    let request = &call.request;
    match (arguments.pid, arguments.address.as_deref().map(str::trim)) {
        (Some(pid), None) if pid > 0 => Ok(LaunchTarget::Process(pid)),
        (None, Some(address)) => match split(address) {
            Some((host, port)) => Ok(LaunchTarget::Address(host, port)),
            None => {
                let cause = format!("debug_attach: `address` is host:port, got {address:?}");
                Err(request.with("address", with_port(address)).refuse(&cause))
            }
        },
        (Some(_), None) => {
            let cause = "debug_attach: `pid` is a process number, got 0";
            Err(request.with("pid", PID).refuse(cause))
        }
        (Some(_), Some(_)) => {
            let cause = "debug_attach takes only one of `pid`, `address`";
            Err(request.without(&["address"]).refuse(cause))
        }
        (None, None) => {
            let cause = "debug_attach needs one of `pid`, `address`";
            Err(request.with("pid", PID).refuse(cause))
        }
    }
}

/// The host of an address without a valid port, and a placeholder for the port.
fn with_port(address: &str) -> String {
    let host = match address.split_once(':') {
        Some(_) if address.ends_with(']') => address,
        Some(("", _)) => "127.0.0.1",
        Some((host, _)) => host,
        None if address.is_empty() => "127.0.0.1",
        None => address,
    };
    format!("{host}:PORT")
}

/// `host:port`, `[::1]:port`, `:port` or a port of this machine.
fn split(address: &str) -> Option<(String, u16)> {
    let (host, port) = address.rsplit_once(':').unwrap_or(("", address));
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let port = port.parse().ok().filter(|port| *port > 0)?;
    Some((if host.is_empty() { "127.0.0.1" } else { host }.to_owned(), port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_forms_are_parsed() {
        let read = |text| split(text).map(|(host, port)| format!("{host} {port}"));
        for (text, expect) in [
            ("127.0.0.1:5678", Some("127.0.0.1 5678")),
            ("[::1]:5678", Some("::1 5678")),
            (":5678", Some("127.0.0.1 5678")),
            ("5678", Some("127.0.0.1 5678")),
            ("box:0", None),
            ("box", None),
            ("", None),
        ] {
            assert_eq!(read(text).as_deref(), expect, "{text}");
        }
    }
}
