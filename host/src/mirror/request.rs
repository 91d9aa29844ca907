//! A request of an editor, typed: what it wants of the session.
//!
//! Knows DAP's commands and the calls that they stand for. Refuses to carry one out.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::dap::arguments::{
    ContinueArguments, EvaluateArguments, FrameArguments, InitializeArguments,
    SetBreakpointsArguments, SetExceptionBreakpointsArguments, SetFunctionBreakpointsArguments,
    SourceArguments, StackTraceArguments, StepArguments, VariablesArguments,
};
use crate::dap::lenient;
use crate::model::{Granularity, Resume, Step, StepKind, ThreadId};

/// What a request wants.
#[derive(Debug, PartialEq)]
pub(super) enum Request {
    /// The mirror's capabilities, for an editor of this name. `reads_again`: it reads values again
    /// after the event `invalidated`.
    Initialize {
        name: String,
        reads_again: bool,
    },
    Attach,
    ConfigurationDone,
    Disconnect,
    Lines(SetBreakpointsArguments),
    Functions(SetFunctionBreakpointsArguments),
    Exceptions(SetExceptionBreakpointsArguments),
    Threads,
    Frames(StackTraceArguments),
    Scopes(FrameArguments),
    Variables(VariablesArguments),
    Source(SourceArguments),
    Exception,
    Evaluate(EvaluateArguments),
    /// A move of this thread. All threads run meanwhile: a mirror does not offer `singleThread`.
    Move(Resume, ThreadId),
    Pause,
}

/// An error in the usual form.
pub(super) fn error(code: &str, cause: &str) -> String {
    format!("error[{code}] {cause}")
}

/// Reads a request.
///
/// # Errors
/// The mirror does not offer it, or its arguments are wrong; in words for the editor.
pub(super) fn read(command: &str, arguments: &Value) -> Result<Request, String> {
    Ok(match command {
        "initialize" => initialize(command, arguments)?,
        "attach" => Request::Attach,
        "configurationDone" => Request::ConfigurationDone,
        "disconnect" => Request::Disconnect,
        "setBreakpoints" => Request::Lines(typed(command, arguments)?),
        "setFunctionBreakpoints" => Request::Functions(typed(command, arguments)?),
        "setExceptionBreakpoints" => Request::Exceptions(typed(command, arguments)?),
        "threads" => Request::Threads,
        "stackTrace" => Request::Frames(typed(command, arguments)?),
        "scopes" => Request::Scopes(typed(command, arguments)?),
        "variables" => Request::Variables(typed(command, arguments)?),
        "source" => Request::Source(typed(command, arguments)?),
        "exceptionInfo" => Request::Exception,
        "evaluate" => Request::Evaluate(typed(command, arguments)?),
        "continue" => {
            let ContinueArguments { thread_id, .. } = typed(command, arguments)?;
            Request::Move(Resume::Continue, ThreadId(thread_id))
        }
        "next" => step(StepKind::Over, typed(command, arguments)?),
        "stepIn" => step(StepKind::In, typed(command, arguments)?),
        "stepOut" => step(StepKind::Out, typed(command, arguments)?),
        "pause" => Request::Pause,
        "launch" | "restart" => {
            let cause = "an editor attaches to the session; `dapdock launch` or its agent starts \
                programs";
            return Err(error("not-offered", cause));
        }
        "terminate" => {
            let cause = "an editor does not end the program; `dapdock stop` does";
            return Err(error("not-offered", cause));
        }
        _ => return Err(error("not-offered", &format!("a mirror has no request `{command}`"))),
    })
}

fn typed<T: DeserializeOwned>(command: &str, arguments: &Value) -> Result<T, String> {
    lenient::decode(arguments).map_err(|wrong| {
        let wrong = wrong.to_string();
        error("bad-argument", &format!("the arguments of `{command}` cannot be read: {wrong}"))
    })
}

fn initialize(command: &str, given: &Value) -> Result<Request, String> {
    let arguments: InitializeArguments = typed(command, given)?;
    let counts = [arguments.lines_start_at1, arguments.columns_start_at1];
    if counts != [true, true] || arguments.path_format != "path" {
        let cause = "a mirror counts lines and columns from 1, and names files by paths";
        return Err(error("not-offered", cause));
    }
    let names = ["clientName", "clientID"].into_iter().filter_map(|key| given[key].as_str());
    let name = names.into_iter().find(|name| !name.trim().is_empty()).unwrap_or("an editor");
    let reads_again = arguments.more.get("supportsInvalidatedEvent") == Some(&Value::Bool(true));
    Ok(Request::Initialize { name: name.to_owned(), reads_again })
}

fn step(kind: StepKind, arguments: StepArguments) -> Request {
    let granularity = match arguments.granularity.as_deref() {
        Some("statement") => Granularity::Statement,
        Some("instruction") => Granularity::Instruction,
        _ => Granularity::Line,
    };
    let step = Step { kind, granularity };
    Request::Move(Resume::Step(step), ThreadId(arguments.thread_id))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn requests_stand_for_calls() {
        let step = |kind, granularity| Resume::Step(Step { kind, granularity });
        for (command, arguments, how) in [
            ("continue", json!({"threadId": 3}), Resume::Continue),
            ("continue", json!({"threadId": 3, "singleThread": true}), Resume::Continue),
            ("next", json!({"threadId": 3}), step(StepKind::Over, Granularity::Line)),
            (
                "stepIn",
                json!({"threadId": 3, "granularity": "instruction"}),
                step(StepKind::In, Granularity::Instruction),
            ),
            ("stepOut", json!({"threadId": 3}), step(StepKind::Out, Granularity::Line)),
        ] {
            let want = Request::Move(how, ThreadId(3));
            assert_eq!(read(command, &arguments), Ok(want), "{command} {arguments}");
        }
    }

    #[test]
    fn defaults_of_initialize_are_those_of_the_specification() {
        let name = |arguments: Value| match read("initialize", &arguments) {
            Ok(Request::Initialize { name, reads_again }) => Ok((name, reads_again)),
            Ok(other) => panic!("{other:?}"),
            Err(refused) => Err(refused),
        };
        assert_eq!(name(json!({})), Ok(("an editor".to_owned(), false)));
        let vim = json!({"adapterID": "x", "clientID": "vim", "supportsInvalidatedEvent": true});
        assert_eq!(name(vim), Ok(("vim".to_owned(), true)));
        let from_zero = json!({"linesStartAt1": false});
        assert!(name(from_zero).unwrap_err().starts_with("error[not-offered] "));
    }

    #[test]
    fn other_requests_are_refused() {
        for command in ["launch", "terminate", "restart", "goto", "setVariable", ""] {
            let refused = read(command, &json!({})).unwrap_err();
            assert!(refused.starts_with("error[not-offered] "), "{command}: {refused}");
        }
        let wrong = read("stackTrace", &json!({"threadId": "x"})).unwrap_err();
        assert!(wrong.starts_with("error[bad-argument] the arguments of `stackTrace`"), "{wrong}");
    }
}
