//! Capabilities of an adapter.
//!
//! Knows the names of DAP's capability flags. Does not know when to use them. The raw object is
//! stored: adapters advertise more than the host reads, and send further capabilities later in
//! `capabilities` events, which are merged member by member.

use serde_json::{Map, Value};

use super::lenient;
use super::types::ExceptionFilter;

/// The merged capabilities of one adapter; empty before the response to `initialize`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Capabilities {
    raw: Map<String, Value>,
}

macro_rules! flags {
    ($($method:ident = $($name:literal)|+;)*) => {
        impl Capabilities {
            $(
                #[doc = concat!("Whether the adapter advertises", $(" `", $name, "`",)+ ".")]
                pub fn $method(&self) -> bool {
                    $(self.has($name))||+
                }
            )*
        }

        /// What of them is read.
        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for Capabilities {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                "Capabilities".into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let mut known = Map::new();
                for flag in [$($($name,)+)*] {
                    let schema = generator.subschema_for::<bool>();
                    known.insert(flag.to_owned(), schema.to_value());
                }
                let filters = generator.subschema_for::<Vec<ExceptionFilter>>().to_value();
                known.insert("exceptionBreakpointFilters".to_owned(), filters);
                schemars::json_schema!({"type": "object", "description": "What an adapter says it \
                    can do.", "properties": known})
            }
        }
    };
}

flags! {
    breakpoint_locations = "supportsBreakpointLocationsRequest";
    cancel = "supportsCancelRequest";
    completions = "supportsCompletionsRequest";
    conditional_breakpoints = "supportsConditionalBreakpoints";
    configuration_done = "supportsConfigurationDoneRequest";
    data_breakpoints = "supportsDataBreakpoints";
    delayed_stack_trace_loading = "supportsDelayedStackTraceLoading";
    disassemble = "supportsDisassembleRequest";
    evaluate_for_hovers = "supportsEvaluateForHovers";
    exception_filter_options = "supportsExceptionFilterOptions";
    exception_info = "supportsExceptionInfoRequest";
    exception_options = "supportsExceptionOptions";
    function_breakpoints = "supportsFunctionBreakpoints";
    hit_conditional_breakpoints = "supportsHitConditionalBreakpoints";
    instruction_breakpoints = "supportsInstructionBreakpoints";
    loaded_sources = "supportsLoadedSourcesRequest";
    log_points = "supportsLogPoints";
    modules = "supportsModulesRequest";
    read_memory = "supportsReadMemoryRequest";
    restart = "supportsRestartRequest";
    restart_frame = "supportsRestartFrame";
    set_expression = "supportsSetExpression";
    set_variable = "supportsSetVariable";
    single_thread_execution = "supportsSingleThreadExecutionRequests";
    step_back = "supportsStepBack";
    step_in_targets = "supportsStepInTargetsRequest";
    stepping_granularity = "supportsSteppingGranularity";
    suspend_debuggee = "supportSuspendDebuggee";
    terminate = "supportsTerminateRequest";
    terminate_debuggee = "supportTerminateDebuggee" | "supportsTerminateDebuggee";
    value_formatting = "supportsValueFormattingOptions";
    write_memory = "supportsWriteMemoryRequest";
}

impl Capabilities {
    /// Is the flag of this name `true`? For flags without a method.
    pub fn has(&self, flag: &str) -> bool {
        self.raw.get(flag) == Some(&Value::Bool(true))
    }

    /// All capabilities as received.
    pub fn raw(&self) -> &Map<String, Value> {
        &self.raw
    }

    /// Filters that `setExceptionBreakpoints` accepts, in the adapter's order.
    pub fn exception_filters(&self) -> Vec<ExceptionFilter> {
        let filters = self.raw.get("exceptionBreakpointFilters");
        filters.and_then(|filters| lenient::decode(filters).ok()).unwrap_or_default()
    }

    /// Adds or replaces the members of `news`; ignores anything but an object.
    pub fn merge(&mut self, news: Value) {
        if let Value::Object(news) = news {
            self.raw.extend(news);
        }
    }
}

impl From<Value> for Capabilities {
    fn from(raw: Value) -> Self {
        let mut capabilities = Self::default();
        capabilities.merge(raw);
        capabilities
    }
}
