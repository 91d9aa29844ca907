//! Texts themselves, without quotes and escapes, in place of LLDB's literals: `runtime/texts.py`
//! reads them.

use dapdock_plugin::hooks::{RequestAction, ResponseAction};
use dapdock_plugin::prelude::*;

use crate::{expression, runtime};

/// The request that reads a text itself, for an evaluation in the context `clipboard`.
pub fn on_request(arguments: dap::EvaluateArguments, is_rust: bool) -> RequestAction {
    if arguments.context.as_deref() != Some("clipboard") {
        return RequestAction::Unchanged;
    }
    match expression::reading(&arguments.expression, is_rust) {
        Ok((calls, _)) => {
            let part = arguments.format.map(|part| (part["from"].as_u64(), part["to"].as_u64()));
            let part = match part {
                Some((Some(from), Some(to))) => format!("({from}, {to})"),
                _ => "None".to_owned(),
            };
            let script = format!("texts.report(lambda: {calls}, {part})");
            RequestAction::in_turn(runtime::in_frame(IMPORTS, &script, arguments.frame_id))
        }
        Err(error) => RequestAction::rejected(error),
    }
}

/// The modules of the script.
const IMPORTS: &str = "operators, texts";

/// Whether the response to this is a text itself.
pub fn is_request(arguments: &dap::EvaluateArguments) -> bool {
    runtime::is_in_frame(arguments, IMPORTS)
}

/// What `runtime/texts.py` has read.
#[derive(Deserialize)]
#[serde(crate = "dapdock_plugin::serde", rename_all = "snake_case")]
enum Report {
    /// The text, and the number of its bytes if it is only the beginning.
    Text(String, Option<i64>),
    /// Why it has none.
    Error(String),
}

/// The response to such a request.
pub fn on_response(body: dap::EvaluateResponse) -> ResponseAction {
    match serde_json::from_str(&body.result) {
        Ok(Report::Text(result, indexed_variables)) => {
            ResponseAction::replaced::<dap::Evaluate>(dap::EvaluateResponse {
                result,
                indexed_variables,
                ..Default::default()
            })
        }
        Ok(Report::Error(why)) => ResponseAction::failed(Error::invalid_request(why)),
        Err(_) => ResponseAction::failed(Error::invalid_request(body.result)),
    }
}
