//! What a tool is, and all of them, sorted by name.

use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::call::{Call, Problem, Reply};
use super::{arguments, schema, tools};

/// What a client may assume about a tool. None reaches beyond this machine's debuggees:
/// `openWorldHint` is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Changes nothing.
    Reads,
    /// Adds to what there is; the same call again adds nothing.
    Sets,
    /// Moves the debuggee; the same call again moves it further.
    Moves,
    /// Ends or overwrites something.
    Destroys,
}

/// One tool: the arguments are the schema, the function does the work.
pub(super) trait Tool: 'static {
    /// Doc comments are the descriptions that callers read.
    type Arguments: DeserializeOwned + JsonSchema + Send;
    const NAME: &'static str;
    const TITLE: &'static str;
    const DESCRIPTION: &'static str;
    const EFFECT: Effect;
    /// Arguments of a call that works, for errors and tests: a JSON object.
    const EXAMPLE: &'static str;
    /// Arguments that are understood and not listed: a list of more than ten wears callers out.
    const UNLISTED: &'static [&'static str] = &[];

    fn run(
        call: &Call,
        arguments: Self::Arguments,
    ) -> impl Future<Output = Result<Reply, Problem>> + Send;
}

type Run = for<'a> fn(&'a Call, Map<String, Value>) -> BoxFuture<'a, Result<Reply, Problem>>;

/// A tool without its type.
pub struct Declared {
    /// `debug_step`.
    pub name: &'static str,
    /// For people.
    pub title: &'static str,
    /// For the model.
    pub description: &'static str,
    pub(super) effect: Effect,
    pub(super) example: &'static str,
    pub(super) unlisted: &'static [&'static str],
    schema: fn() -> Map<String, Value>,
    reads: fn(Map<String, Value>) -> bool,
    run: Run,
}

impl Declared {
    const fn of<T: Tool>() -> Self {
        Self {
            name: T::NAME,
            title: T::TITLE,
            description: T::DESCRIPTION,
            effect: T::EFFECT,
            example: T::EXAMPLE,
            unlisted: T::UNLISTED,
            schema: schema::of::<T::Arguments>,
            reads: |arguments| {
                serde_json::from_value::<T::Arguments>(Value::Object(arguments)).is_ok()
            },
            run: |call, arguments| Box::pin(run::<T>(call, arguments)),
        }
    }

    /// JSON Schema of the arguments.
    pub fn schema(&self) -> Map<String, Value> {
        (self.schema)()
    }

    /// Are these arguments that it takes?
    pub(super) fn takes(&self, given: Map<String, Value>) -> bool {
        arguments::fit(self, given).is_ok_and(self.reads)
    }

    /// Checks and coerces the arguments, then does the work.
    pub(super) async fn run(
        &self,
        call: &Call,
        given: Map<String, Value>,
    ) -> Result<Reply, Problem> {
        let fitting = arguments::fit(self, given)?;
        (self.run)(call, fitting).await
    }
}

async fn run<T: Tool>(call: &Call, arguments: Map<String, Value>) -> Result<Reply, Problem> {
    let typed = serde_json::from_value(Value::Object(arguments))
        .map_err(|error| Problem::argument(format!("{}: {error}", T::NAME), T::NAME, T::EXAMPLE))?;
    T::run(call, typed).await
}

/// Every tool, sorted by name.
pub fn declared() -> &'static [Declared] {
    const ALL: &[Declared] = &[
        Declared::of::<tools::attach::Attach>(),
        Declared::of::<tools::breakpoints::Breakpoints>(),
        Declared::of::<tools::resume::Continue>(),
        Declared::of::<tools::evaluate::Evaluate>(),
        Declared::of::<tools::launch::Launch>(),
        Declared::of::<tools::output::Output>(),
        Declared::of::<tools::pause::Pause>(),
        Declared::of::<tools::restart::Restart>(),
        Declared::of::<tools::set::Set>(),
        Declared::of::<tools::stack::Stack>(),
        Declared::of::<tools::status::Status>(),
        Declared::of::<tools::step::Step>(),
        Declared::of::<tools::stop::Stop>(),
        Declared::of::<tools::targets::Targets>(),
        Declared::of::<tools::variables::Variables>(),
        Declared::of::<tools::wait::Wait>(),
    ];
    ALL
}
