//! `process_write_input`: writes to the standard input of the launched program.

use std::io::ErrorKind;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::answer::Refusal;
use super::name;
use crate::mcp::call::Call;
use crate::mcp::compat::{Compatible, Ours};

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Text
    data: String,
    /// End the input after it; default false
    close_after: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Written {
    bytes_written: usize,
    stdin_closed: bool,
}

name! {
    WriteInput(Arguments) -> Written,
    "process_write_input", "Write input of the program", Moves,
    r#"{"data": "text\n"}"#,
    "Writes to the standard input of a program that debug_launch has started."
}

impl WriteInput {
    async fn answer(call: &Call, arguments: Arguments) -> Result<Written, Refusal> {
        let handle = call.session(None)?;
        let Some(input) = call.sessions.input(Some(&handle.id().0))? else {
            return Err(Refusal::with_next(
                "no-input",
                "this program's input is not a pipe: it was attached to, or its debugger gives \
                 a program no standard input",
                "debug_state",
            ));
        };
        let data = arguments.data.as_bytes();
        let bytes_written = input.write(data).map_err(|error| match error.kind() {
            ErrorKind::BrokenPipe => {
                Refusal::with_next("input-ended", "the input has ended already", "debug_state")
            }
            _ => Refusal::with_next("no-input", &error.to_string(), "debug_state"),
        })?;
        if bytes_written < data.len() {
            return Err(Refusal::Documented {
                code: "input-full",
                message: format!(
                    "the pipe took {bytes_written} of {} bytes; write the rest once the program \
                     has read them",
                    data.len()
                ),
                next: "debug_continue".to_owned(),
                details: Box::new(json!({"bytesWritten": bytes_written})),
            });
        }
        let stdin_closed = arguments.close_after == Some(true);
        if stdin_closed {
            input.close();
        }
        Ok(Written { bytes_written, stdin_closed })
    }
}

impl Compatible for WriteInput {
    fn ours(_: &Arguments) -> Ours {
        Ours::new("debug_launch", json!({"program": "PROGRAM", "options": {"stdin": "FILE"}}))
    }
}
