//! All tools, by name: what each declares and the function that runs it.

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

use super::arguments;
use super::call::{Call, Reply};
use super::declared::{Arguments, Declared, Form};
use super::outcome::Outcome;
use super::problem::Problem;
use super::repair;
use super::search::search;
use super::structured;
use super::tool::Tool;
use super::tools;

type Run = for<'a> fn(&'a Call, Map<String, Value>) -> BoxFuture<'a, Result<Reply, Problem>>;

/// A tool without its type.
pub(super) struct Registered {
    pub declared: Declared,
    run: Run,
}

impl Registered {
    pub const fn of<T: Tool>() -> Self {
        let declared = Declared {
            name: T::NAME,
            title: T::TITLE,
            description: T::DESCRIPTION,
            toolset: T::TOOLSET,
            effect: T::EFFECT,
            verb: T::VERB,
            form: T::FORM,
            example: T::EXAMPLE,
            unlisted: T::UNLISTED,
            arguments: Arguments::of::<T::Arguments>(),
            output: match T::FORM {
                Form::Text | Form::Json => structured::of::<T::Data>,
                Form::Own(_) => structured::own::<T::Data>,
            },
        };
        Self { declared, run: |call, arguments| Box::pin(run::<T>(call, arguments)) }
    }

    /// Runs the tool. Its errors are replies.
    pub async fn reply(&'static self, call: &mut Call) -> Reply {
        let mut reply = match self.run(call).await {
            Ok(reply) => reply,
            Err(problem) => {
                if let Some(choice) = problem.choice() {
                    drop(call.lacks.set(choice));
                }
                repair::reply(search(problem, &call.workspace).await, call)
            }
        };
        match (self.declared.form, &reply.outcome) {
            (Form::Text, _) => {}
            (Form::Own(failure), Outcome::Failed(error)) => {
                reply = Reply::own(failure(error), true);
            }
            (Form::Json | Form::Own(_), _) => {
                let data = structured::answer(&reply, call).await.unwrap_or_default();
                reply = Reply::own(data, reply.is_error);
            }
        }
        reply
    }

    /// Checks and coerces the arguments of the call, then runs the tool.
    async fn run(&'static self, call: &mut Call) -> Result<Reply, Problem> {
        let fitting = arguments::fit(&self.declared, call.request.arguments.clone())?;
        call.request.arguments.clone_from(&fitting);
        (self.run)(call, fitting).await
    }
}

async fn run<T: Tool>(call: &Call, arguments: Map<String, Value>) -> Result<Reply, Problem> {
    let typed = serde_json::from_value(Value::Object(arguments))
        .map_err(|error| Problem::argument(format!("{}: {error}", T::NAME), T::NAME, T::EXAMPLE))?;
    T::run(call, typed).await
}

/// The declarations of all tools, sorted by name.
pub fn declared() -> impl Iterator<Item = &'static Declared> {
    registered().iter().map(|tool| &tool.declared)
}

/// The tool with this name.
pub(super) fn named(name: &str) -> Option<&'static Registered> {
    registered().iter().find(|tool| tool.declared.name == name)
}

#[cfg(test)]
pub(super) fn declaration(name: &str) -> &'static Declared {
    declared().find(|tool| tool.name == name).expect("the tool exists")
}

/// Every tool, sorted by name.
pub(super) fn registered() -> &'static [Registered] {
    const ALL: &[Registered] = &[
        Registered::of::<tools::dap_request::DapRequest>(),
        Registered::of::<tools::attach::Attach>(),
        Registered::of::<tools::breakpoints::Breakpoints>(),
        Registered::of::<tools::command::Command>(),
        Registered::of::<tools::resume::Continue>(),
        Registered::of::<tools::evaluate::Evaluate>(),
        Registered::of::<tools::exception::Exception>(),
        Registered::of::<tools::launch::Launch>(),
        Registered::of::<tools::output::Output>(),
        Registered::of::<tools::pause::Pause>(),
        Registered::of::<tools::restart::Restart>(),
        Registered::of::<tools::set::Set>(),
        Registered::of::<tools::stack::Stack>(),
        Registered::of::<tools::status::Status>(),
        Registered::of::<tools::step::Step>(),
        Registered::of::<tools::stop::Stop>(),
        Registered::of::<tools::targets::Targets>(),
        Registered::of::<tools::variables::Variables>(),
        Registered::of::<tools::wait::Wait>(),
    ];
    ALL
}
