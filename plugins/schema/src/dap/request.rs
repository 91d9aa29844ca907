//! Types of requests: one declaration each has command, arguments, response and the capability
//! without which it is never sent.
//!
//! Knows DAP's requests. Does not know their order. An unsupported request can hang or kill an
//! adapter, hence [`Request::is_supported`].

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Capabilities;
use super::arguments::*;
use super::responses::*;

/// A request: a name for a pair of types.
pub trait Request {
    /// The arguments; a value that serializes to `null` is left out.
    type Arguments: Serialize + DeserializeOwned;
    /// The body of the response.
    type Response: Serialize + DeserializeOwned + Send + 'static;
    /// The name on the wire.
    const COMMAND: &'static str;

    /// Do an adapter's capabilities allow the request?
    fn is_supported(_: &Capabilities) -> bool {
        true
    }
}

macro_rules! requests {
    ($(
        $(#[$doc:meta])*
        $name:ident = $command:literal ($arguments:ty) -> $response:ty $(, if $supported:expr)?;
    )*) => {
        $(
            $(#[$doc])*
            #[derive(Debug)]
            pub enum $name {}

            impl Request for $name {
                type Arguments = $arguments;
                type Response = $response;
                const COMMAND: &'static str = $command;

                $(fn is_supported(capabilities: &Capabilities) -> bool {
                    let supported: fn(&Capabilities) -> bool = $supported;
                    supported(capabilities)
                })?
            }
        )*

        /// The commands of all requests.
        pub const COMMANDS: &[&str] = &[$($command),*];

        /// Schema of arguments and response, by command.
        #[cfg(feature = "schema")]
        pub(super) fn request_schemas(
            generator: &mut schemars::SchemaGenerator,
        ) -> serde_json::Map<String, Value> {
            [$((
                $command.to_owned(),
                serde_json::json!({"type": "object", "properties": {
                    "arguments": generator.subschema_for::<$arguments>(),
                    "response": generator.subschema_for::<$response>(),
                }}),
            ),)*].into_iter().collect()
        }
    };
}

requests! {
    /// Responds with the [`Capabilities`].
    Initialize = "initialize" (InitializeArguments) -> Value;
    /// Starts the debuggee; the response arrives before or after the configuration.
    Launch = "launch" (Value) -> Ack;
    /// Attaches to a debuggee; the response arrives before or after the configuration.
    Attach = "attach" (Value) -> Ack;
    /// Ends the configuration.
    ConfigurationDone = "configurationDone" (NoArguments) -> Ack,
        if Capabilities::configuration_done;
    /// Replaces all breakpoints of one source.
    SetBreakpoints = "setBreakpoints" (SetBreakpointsArguments) -> Breakpoints;
    /// Replaces all function breakpoints.
    SetFunctionBreakpoints = "setFunctionBreakpoints" (SetFunctionBreakpointsArguments)
        -> Breakpoints,
        if Capabilities::function_breakpoints;
    /// Replaces all exception filters; needs an adapter with filters.
    SetExceptionBreakpoints = "setExceptionBreakpoints" (SetExceptionBreakpointsArguments)
        -> Breakpoints,
        if |caps| !caps.exception_filters().is_empty();
    /// Can a variable have a data breakpoint?
    DataBreakpointInfo = "dataBreakpointInfo" (DataBreakpointInfoArguments)
        -> DataBreakpointInfoResponse,
        if Capabilities::data_breakpoints;
    /// Replaces all data breakpoints.
    SetDataBreakpoints = "setDataBreakpoints" (SetDataBreakpointsArguments) -> Breakpoints,
        if Capabilities::data_breakpoints;
    /// Replaces all instruction breakpoints.
    SetInstructionBreakpoints = "setInstructionBreakpoints" (SetInstructionBreakpointsArguments)
        -> Breakpoints,
        if Capabilities::instruction_breakpoints;
    /// Locations for a breakpoint.
    BreakpointLocations = "breakpointLocations" (BreakpointLocationsArguments)
        -> BreakpointLocationsResponse,
        if Capabilities::breakpoint_locations;
    /// Resumes; the response may arrive after later events.
    Continue = "continue" (ContinueArguments) -> ContinueResponse;
    /// Steps over.
    Next = "next" (StepArguments) -> Ack;
    /// Steps in.
    StepIn = "stepIn" (StepInArguments) -> Ack;
    /// Steps out.
    StepOut = "stepOut" (StepArguments) -> Ack;
    /// Steps backwards.
    StepBack = "stepBack" (StepArguments) -> Ack, if Capabilities::step_back;
    /// Runs backwards.
    ReverseContinue = "reverseContinue" (ContinueArguments) -> Ack, if Capabilities::step_back;
    /// Stops a running debuggee; the stop arrives as an event.
    Pause = "pause" (ThreadArguments) -> Ack;
    /// The calls on the current line.
    StepInTargets = "stepInTargets" (FrameArguments) -> StepInTargetsResponse,
        if Capabilities::step_in_targets;
    /// All threads.
    Threads = "threads" (NoArguments) -> ThreadsResponse;
    /// Frames of one thread, innermost first.
    StackTrace = "stackTrace" (StackTraceArguments) -> StackTraceResponse;
    /// Scopes of one frame.
    Scopes = "scopes" (FrameArguments) -> ScopesResponse;
    /// Children of a reference; some adapters ignore `start` and `count`.
    Variables = "variables" (VariablesArguments) -> VariablesResponse;
    /// Assigns a child of a reference.
    SetVariable = "setVariable" (SetVariableArguments) -> SetResponse,
        if Capabilities::set_variable;
    /// Assigns an expression.
    SetExpression = "setExpression" (SetExpressionArguments) -> SetResponse,
        if Capabilities::set_expression;
    /// Evaluates, in a frame or globally.
    Evaluate = "evaluate" (EvaluateArguments) -> EvaluateResponse;
    /// The exception of a thread's stop.
    ExceptionInfo = "exceptionInfo" (ExceptionInfoArguments) -> ExceptionInfoResponse,
        if Capabilities::exception_info;
    /// The text of a source that only the adapter has.
    SourceText = "source" (SourceArguments) -> SourceResponse;
    /// All sources.
    LoadedSources = "loadedSources" (NoArguments) -> LoadedSourcesResponse,
        if Capabilities::loaded_sources;
    /// All modules.
    Modules = "modules" (ModulesArguments) -> ModulesResponse, if Capabilities::modules;
    /// Bytes, base64.
    ReadMemory = "readMemory" (ReadMemoryArguments) -> ReadMemoryResponse,
        if Capabilities::read_memory;
    /// Bytes, base64.
    WriteMemory = "writeMemory" (WriteMemoryArguments) -> WriteMemoryResponse,
        if Capabilities::write_memory;
    /// Machine code around an address.
    Disassemble = "disassemble" (DisassembleArguments) -> DisassembleResponse,
        if Capabilities::disassemble;
    /// Completions of a text.
    Completions = "completions" (CompletionsArguments) -> CompletionsResponse,
        if Capabilities::completions;
    /// Requests the debuggee to end.
    Terminate = "terminate" (TerminateArguments) -> Ack, if Capabilities::terminate;
    /// Ends debugging.
    Disconnect = "disconnect" (DisconnectArguments) -> Ack;
    /// Restarts the debuggee in the adapter.
    Restart = "restart" (RestartArguments) -> Ack, if Capabilities::restart;
    /// Cancels a request.
    Cancel = "cancel" (CancelArguments) -> Ack, if Capabilities::cancel;
}
