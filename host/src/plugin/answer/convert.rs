//! Converts the enums of WIT to the model's and back, and parses JSON with the name of its field
//! for errors.

use serde_json::Value;

use crate::model::Place;
use crate::model::answer::{
    BreakOn, DapEvent, DapRequest, EvaluateIntent, FrameKind, Refusal, RefusalKind, Risk, StopClass,
};
use crate::model::plan::{ReadyOutput, RequestKind, Role, TargetKind};
use crate::plugin::engine::bindings::{adapter, hooks, present, translate, types};
use crate::plugin::error::Cause;

pub(crate) fn place(at: translate::SourceLine) -> Place {
    Place::Line { path: at.path.into(), line: at.line, column: at.column }
}

macro_rules! same_words {
    (
        $(#[$doc:meta])*
        $name:ident: $from:ty => $to:ty { $($word:ident $(=> $other:ident)?),+ $(,)? }
    ) => {
        $(#[$doc])*
        pub(crate) fn $name(word: $from) -> $to {
            match word { $(<$from>::$word => same_words!(@ $to, $word $(, $other)?)),+ }
        }
    };
    (@ $to:ty, $word:ident) => { <$to>::$word };
    (@ $to:ty, $word:ident, $other:ident) => { <$to>::$other };
}

same_words!(request_kind: RequestKind => types::RequestKind { Launch, Attach });
same_words!(model_request_kind: types::RequestKind => RequestKind { Launch, Attach });
same_words!(role: adapter::Role => Role { Adapter, Both });
same_words!(ready_output: adapter::OutputStream => ReadyOutput { Stdout, Stderr, Either });
same_words!(target_kind: adapter::TargetKind => TargetKind {
    Program, Test, TestGroup, Module, Script, Process, Other,
});
same_words!(wit_target_kind: TargetKind => adapter::TargetKind {
    Program, Test, TestGroup, Module, Script, Process, Other,
});
same_words!(refusal_kind: types::ErrorKind => RefusalKind {
    InvalidRequest, InvalidConfig, ToolMissing, ToolTooOld, TargetMissing, TargetAmbiguous,
        BuildFailed,
    Unsupported, NotPermitted, Internal, Other,
});
same_words!(frame_kind: present::FrameKind => FrameKind {
    User, Library, Runtime, Generated, Inlined, Asynchronous, Unknown,
});
same_words!(stop_class: present::StopClass => StopClass {
    Entry, Breakpoint, Step, Pause, Goto, Exception, ExceptionCaught, ExceptionUncaught, Panic,
        Assertion, Signal, OutOfMemory,
    DataBreakpoint, FunctionBreakpoint, Deadlock, Other,
});
same_words!(intent: EvaluateIntent => translate::EvaluateIntent { Value, Call, Assign,
    DebuggerCommand });
same_words!(risk: translate::Risk => Risk { Reads, CallsCode, WritesState, DebuggerCommand,
    HostCommand });
same_words!(break_on: BreakOn => translate::BreakOn { Never, Uncaught, Caught, All, Panic,
    Assertion, Signal });

/// A refusal in the guest's words.
pub(crate) fn refusal(error: types::Error) -> Refusal {
    Refusal {
        kind: refusal_kind(error.kind),
        message: error.message,
        hint: error.hint,
        // A detail is for the log; one that is not JSON is its own text.
        detail: error.detail.map(|text| serde_json::from_str(&text).unwrap_or(Value::String(text))),
    }
}

/// The JSON of one field of an answer.
#[derive(Clone, Copy)]
pub(crate) struct Json {
    pub function: &'static str,
}

impl Json {
    pub fn any(self, field: &str, text: &str) -> Result<Value, Cause> {
        serde_json::from_str(text).map_err(|error| Cause::answer(self.function, field, error))
    }

    pub fn object(self, field: &str, text: &str) -> Result<Value, Cause> {
        let value = self.any(field, text)?;
        if value.is_object() {
            Ok(value)
        } else {
            Err(Cause::answer(self.function, field, "not a JSON object"))
        }
    }

    pub fn request(self, field: &str, request: hooks::DapRequest) -> Result<DapRequest, Cause> {
        let arguments = self.object(&format!("{field}.arguments"), &request.arguments)?;
        Ok(DapRequest { command: request.command, arguments })
    }

    pub fn event(self, field: &str, event: hooks::DapEvent) -> Result<DapEvent, Cause> {
        Ok(DapEvent {
            body: self.object(&format!("{field}.body"), &event.body)?,
            event: event.event,
        })
    }

    /// Every item of a list, each under its index.
    pub fn each<T, U>(
        self,
        field: &str,
        items: Vec<T>,
        one: impl Fn(Self, &str, T) -> Result<U, Cause>,
    ) -> Result<Vec<U>, Cause> {
        items
            .into_iter()
            .enumerate()
            .map(|(at, item)| one(self, &format!("{field}[{at}]"), item))
            .collect()
    }
}
