//! `debug_targets`: lists programs and tests.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::{Call, Reply};
use super::super::declared::Effect;
use super::super::outcome::Outcome;
use super::super::problem::Problem;
use super::super::structured;
use super::super::tool::Tool;
use super::super::verb::{Verb, Words};
use super::super::wait;
use crate::model::plan::{TargetKind, TargetQuery};
use crate::view;

pub(in crate::mcp) struct Targets;

/// Default of `limit`.
const LIMIT: u32 = 50;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    /// Part of a name
    filter: Option<String>,
    /// Default: both
    kind: Option<Kind>,
    /// Most entries; default 50
    limit: Option<u32>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(in crate::mcp) enum Kind {
    Program,
    Test,
}

impl Tool for Targets {
    type Arguments = Arguments;
    type Data = structured::Targets;
    const NAME: &'static str = "debug_targets";
    const TITLE: &'static str = "Programs and tests";
    const DESCRIPTION: &'static str =
        "Lists programs and tests of the workspace, as debug_launch takes them.";
    const EFFECT: Effect = Effect::Reads;
    const VERB: Option<Verb> = Some(Verb::new("targets", Words::One("filter")));
    const EXAMPLE: &'static str = r#"{"filter": "NAME"}"#;

    async fn run(call: &Call, arguments: Arguments) -> Result<Reply, Problem> {
        let limit = arguments.limit.unwrap_or(LIMIT).clamp(1, 1_000);
        let query = TargetQuery {
            filter: arguments.filter.filter(|filter| !filter.is_empty()),
            kinds: kinds(arguments.kind),
            file: None,
            limit,
        };
        let found = call.sessions.targets(call.workspace.clone(), &query);
        let found = wait::reporting(call, found).await?;
        let text = view::targets(&found, limit as usize, &call.lens());
        Ok(Reply::new(text, Outcome::Targets(found, limit as usize)))
    }
}

fn kinds(kind: Option<Kind>) -> Vec<TargetKind> {
    match kind {
        None => Vec::new(),
        Some(Kind::Program) => vec![TargetKind::Program, TargetKind::Script, TargetKind::Module],
        Some(Kind::Test) => vec![TargetKind::Test, TargetKind::TestGroup],
    }
}
