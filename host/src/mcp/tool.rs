//! A tool: what it declares and what a call of it does. Knows no particular tool.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::call::{Call, Reply};
use super::declared::{Effect, Form, Toolset};
use super::problem::Problem;
use super::verb::Verb;

/// One tool. Its schema is the type of its arguments.
pub(super) trait Tool: 'static {
    /// Doc comments are the descriptions that callers read.
    type Arguments: DeserializeOwned + JsonSchema + Send;
    /// The data of a result, where results have data.
    type Data: JsonSchema;
    const NAME: &'static str;
    const TITLE: &'static str;
    const DESCRIPTION: &'static str;
    const EFFECT: Effect;
    const TOOLSET: Toolset = Toolset::Default;
    const FORM: Form = Form::Text;
    /// On the command line; names of families are not there.
    const VERB: Option<Verb> = None;
    /// Arguments of a call that works, for errors and tests: a JSON object.
    const EXAMPLE: &'static str;
    /// Arguments that are accepted and not listed: models do badly with more than ten.
    const UNLISTED: &'static [&'static str] = &[];

    fn run(
        call: &Call,
        arguments: Self::Arguments,
    ) -> impl Future<Output = Result<Reply, Problem>> + Send;
}
