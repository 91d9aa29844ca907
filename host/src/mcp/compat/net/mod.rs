//! `compat:net`: the names of a server for .NET programs, for every debugger. Answers are JSON:
//! `success` beside the documented keys, errors as `{success: false, error: {code, message,
//! details}}`.
//!
//! Knows documented names, parameters, defaults and keys. Refuses to read the debugger: answers are
//! made of what our tools came to and of the state that the session remembers.
//!
//! Files: `answer` (the form of answers), `facts` (objects that several answers have), then one
//! file for each group of names.

mod answer;
mod breakpoints;
mod context;
mod evaluate;
mod exceptions;
mod facts;
mod input;
mod moves;
mod output;
mod prompts;
mod safe;
mod sessions;
mod setting;
mod stacks;
#[cfg(test)]
mod tests;
mod timeline;
mod tracepoints;
mod variables;
mod wait;

pub(super) use self::prompts::PROMPTS;
use super::{Family, Follows, Name, Resource};
use crate::mcp::declared::Toolset;

pub(super) const TOOLSET: Toolset = Toolset::Family("compat:net");

pub(super) const FAMILY: Family = Family {
    toolset: TOOLSET,
    names: &[
        Name::of::<breakpoints::Enable>(),
        Name::of::<breakpoints::List>(),
        Name::of::<breakpoints::Remove>(),
        Name::of::<breakpoints::Set>(),
        Name::of::<exceptions::SetException>(),
        Name::of::<wait::Wait>(),
        Name::of::<sessions::Attach>(),
        Name::of::<moves::Continue>(),
        Name::of::<sessions::Disconnect>(),
        Name::of::<sessions::Launch>(),
        Name::of::<moves::Pause>(),
        Name::of::<sessions::State>(),
        Name::of::<moves::Step>(),
        Name::of::<evaluate::Evaluate>(),
        Name::of::<safe::EvaluateSafe>(),
        Name::of::<context::GetContext>(),
        Name::of::<output::ReadOutput>(),
        Name::of::<input::WriteInput>(),
        Name::of::<stacks::StackTrace>(),
        Name::of::<stacks::Threads>(),
        Name::of::<timeline::Query>(),
        Name::of::<tracepoints::SetTracepoint>(),
        Name::of::<variables::Variables>(),
    ],
};

/// Addresses of the documents.
pub(super) const RESOURCES: &[Resource] = &[
    Resource {
        toolset: TOOLSET,
        uri: "debugger://session",
        name: "debugger session",
        description: "The process, its state, and where it is paused.",
        tool: "debug_state",
        follows: Follows::Sessions,
    },
    Resource {
        toolset: TOOLSET,
        uri: "debugger://breakpoints",
        name: "debugger breakpoints",
        description: "All breakpoints, tracepoints and exception breakpoints.",
        tool: "breakpoint_list",
        follows: Follows::Breakpoints,
    },
    Resource {
        toolset: TOOLSET,
        uri: "debugger://threads",
        name: "debugger threads",
        description: "All threads, each with its innermost frame.",
        tool: "threads_list",
        follows: Follows::Sessions,
    },
    Resource {
        toolset: TOOLSET,
        uri: "debugger://timeline",
        name: "debugger timeline",
        description: "Hits, tracepoint texts and changes of state in order.",
        tool: "timeline_query",
        follows: Follows::Sessions,
    },
];

/// Declares a name: `Type(Arguments) -> Data`, then the constants of its
/// [`Tool`](crate::mcp::tool::Tool). The type has a function `answer` from the call and its
/// arguments to the data.
macro_rules! name {
    (
        $type:ident($arguments:ty) -> $data:ty,
        $name:literal, $title:literal, $effect:ident, $example:literal, $description:literal
    ) => {
        pub(super) struct $type;

        impl crate::mcp::tool::Tool for $type {
            type Arguments = $arguments;
            type Data = super::answer::Answer<$data>;
            const NAME: &'static str = $name;
            const TITLE: &'static str = $title;
            const DESCRIPTION: &'static str = $description;
            const EFFECT: crate::mcp::declared::Effect = crate::mcp::declared::Effect::$effect;
            const TOOLSET: crate::mcp::declared::Toolset = super::TOOLSET;
            const FORM: crate::mcp::declared::Form =
                crate::mcp::declared::Form::Own(super::answer::failure);
            const EXAMPLE: &'static str = $example;

            async fn run(
                call: &crate::mcp::call::Call,
                arguments: $arguments,
            ) -> Result<crate::mcp::call::Reply, crate::mcp::problem::Problem> {
                super::timeline::follow(call);
                let data: Result<$data, _> = Self::answer(call, arguments).await;
                super::answer::reply(data)
            }
        }
    };
}
use name;
