//! Causes of an exception, found in its value by a rule of the profile.
//!
//! Reads variables and evaluates one expression of the profile. Refuses to call code of the
//! program: a message that only a method knows is missing.

use dapdock_schema::CauseRule;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::dap::types::ExceptionDetails;
use crate::model::{Effects, Frame, Variable};
use crate::session::values::elements;
use crate::session::values::evaluate::evaluate_one;
use crate::session::values::reader::FrameReader;

/// Values between an exception and its fields, and levels of causes.
const DEPTH: usize = 8;

/// Exceptions that are read at most.
const READ: usize = 100;

/// The exception of these frames as DAP describes it, with at most `most` causes.
pub(super) async fn read(
    reader: &FrameReader<'_>,
    frames: &[Frame],
    most: u32,
) -> Option<ExceptionDetails> {
    let rule = reader.profile.causes.as_ref()?;
    let frame = frames.iter().find(|frame| frame.name == rule.function)?;
    let value = evaluate_one(reader, Some(frame), &rule.value, Effects::None).await.result.ok()?;
    let mut left = (most as usize).saturating_add(1).min(READ);
    Some(describe(reader, rule, value, &mut left, 0).await)
}

/// Describes a value and takes one from `left` for it and for each of its causes.
fn describe<'a>(
    reader: &'a FrameReader<'a>,
    rule: &'a CauseRule,
    value: Variable,
    left: &'a mut usize,
    depth: usize,
) -> BoxFuture<'a, ExceptionDetails> {
    async move {
        *left = left.saturating_sub(1);
        let (value, fields) = opened(reader, rule, value).await;
        let mut details = ExceptionDetails {
            type_name: value.ty.clone(),
            message: message(rule, &value, &fields),
            ..ExceptionDetails::default()
        };
        for (cause, link) in causes(reader, rule, fields).await {
            if *left == 0 || depth >= DEPTH {
                break;
            }
            let mut one = describe(reader, rule, cause, left, depth + 1).await;
            one.link = link.map(str::to_owned);
            details.inner_exception.push(one);
        }
        details
    }
    .boxed()
}

/// The value behind pointers and interfaces, with its fields.
async fn opened(
    reader: &FrameReader<'_>,
    rule: &CauseRule,
    mut value: Variable,
) -> (Variable, Vec<Variable>) {
    let mut fields = rows(reader, &value).await;
    for _ in 0..DEPTH {
        match fields.as_slice() {
            [only] if rule.through.contains(&only.name) => {
                value = only.clone();
                fields = rows(reader, &value).await;
            }
            _ => break,
        }
    }
    (value, fields)
}

async fn rows(reader: &FrameReader<'_>, value: &Variable) -> Vec<Variable> {
    elements::listed(reader, value).await.map(|listed| listed.rows).unwrap_or_default()
}

/// The field with the message, or else the value itself if it is no struct.
fn message(rule: &CauseRule, value: &Variable, fields: &[Variable]) -> Option<String> {
    let field = fields.iter().find(|field| rule.messages.contains(&field.name));
    let text = match field {
        Some(field) => &field.value,
        None if fields.iter().any(|field| is_cause(rule, field)) => return None,
        None => &value.value,
    };
    Some(serde_json::from_str(text).unwrap_or_else(|_| text.clone()))
}

fn is_cause(rule: &CauseRule, field: &Variable) -> bool {
    let starts = |starts: &[String]| {
        let ty = field.ty.as_deref().unwrap_or_default();
        starts.iter().any(|start| ty.starts_with(start.as_str()))
    };
    starts(&rule.causes) || starts(&rule.lists)
}

/// The fields with causes, and the members of those with lists of causes.
async fn causes(
    reader: &FrameReader<'_>,
    rule: &CauseRule,
    fields: Vec<Variable>,
) -> Vec<(Variable, Option<&'static str>)> {
    let mut all = Vec::new();
    for field in fields.into_iter().filter(|field| is_cause(rule, field) && field.reference > 0) {
        let ty = field.ty.as_deref().unwrap_or_default();
        if rule.lists.iter().any(|start| ty.starts_with(start.as_str())) {
            let members = rows(reader, &field).await.into_iter().filter(|one| one.reference > 0);
            all.extend(members.map(|member| (member, Some("member"))));
        } else {
            all.push((field, None));
        }
    }
    all
}
