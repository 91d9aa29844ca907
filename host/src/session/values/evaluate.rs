//! Evaluates expressions in a frame.
//!
//! Knows the plugin's hook that translates them, the contexts of the adapter, and how long a caller
//! waits. Refuses to find a value in any other way than by its expression.

use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, pending};
use tokio::time::timeout;

use crate::dap::arguments::EvaluateArguments;
use crate::dap::{self, types};
use crate::model::answer::{EvaluateIntent, Risk};
use crate::model::{Effects, Evaluated, Frame, NoValue, Variable};
use crate::session::Error;
use crate::session::values;
use crate::session::values::reader::FrameReader;
use crate::session::values::{children, convert, path};

/// Evaluates one expression within the usual limit of a request.
pub(crate) async fn evaluate_one(
    reader: &FrameReader<'_>,
    frame: Option<&Frame>,
    expression: &str,
    effects: Effects,
) -> Evaluated {
    let patience = reader.wire.limit();
    let until = timeout(patience, pending::<()>()).map(drop);
    let (result, _) = evaluate_until(reader, frame, expression, effects, patience, until).await;
    Evaluated { expression: expression.to_owned(), result }
}

/// An evaluation whose answer is late and may still arrive.
pub(crate) struct Late {
    pub(crate) expression: String,
    pub(crate) answer: BoxFuture<'static, ()>,
}

/// In place of a value whose text the plugin could not check.
const UNCHECKED: &str = "the plugin could not check whether this changes the program";

/// The plugin's deadline is this much later than the caller's: the caller hears of the timeout
/// before an adapter that can abort an expression aborts it.
const ABORT_DELAY: Duration = Duration::from_millis(20);

/// Evaluates one expression. If `until` completes first, the request is cancelled (DAP, `cancel`)
/// and its answer is late.
pub(super) async fn evaluate_until(
    reader: &FrameReader<'_>,
    frame: Option<&Frame>,
    expression: &str,
    effects: Effects,
    patience: Duration,
    until: impl Future<Output = ()>,
) -> (Result<Variable, NoValue>, Option<Late>) {
    let (text, context) = match translated(reader, expression, effects, patience).await {
        Ok(translated) => translated,
        Err(why) => return (Err(why), None),
    };
    let arguments = EvaluateArguments {
        expression: text,
        frame_id: frame.map(|frame| frame.id),
        context: Some(context),
        format: None,
    };
    let wire = reader.wire.clone();
    let mut answer: BoxFuture<'static, _> =
        Box::pin(async move { wire.evaluate(arguments, patience + ABORT_DELAY).await });
    let in_time = tokio::select! {
        biased;
        response = &mut answer => Some(response),
        () = until => None,
    };
    match in_time {
        Some(Ok(response)) => {
            (Ok(presented(reader, convert::result(expression, response)).await), None)
        }
        Some(Err(error)) => (Err(refusal(reader, expression, effects, &error)), None),
        None => {
            reader.wire.client().cancel("evaluate");
            let late = Late {
                expression: expression.to_owned(),
                answer: Box::pin(async move { drop(answer.await) }),
            };
            (Err(NoValue::TimedOut(patience)), Some(late))
        }
    }
}

/// What an adapter's refusal means. An adapter that takes statements in a context of their own
/// refuses an assignment in the one for values, with a message that does not say so.
fn refusal(
    reader: &FrameReader<'_>,
    expression: &str,
    effects: Effects,
    error: &dap::Error,
) -> NoValue {
    let words = reader.wire.quirks().message(error);
    if !matches!(error, dap::Error::Refused { .. }) {
        return NoValue::Refused(words);
    }
    let quirks = reader.wire.quirks();
    if !quirks.assigns() {
        return match path::assignment(expression) {
            Some((target, value)) => NoValue::OnlySet { words, target, value },
            None => NoValue::Refused(words),
        };
    }
    let is_unclear = !words.contains("effects=allow");
    let is_statement = quirks.has_statement_context() && path::assigns(expression);
    if effects == Effects::None && is_statement && is_unclear {
        NoValue::NeedsEffects(Some(words))
    } else {
        NoValue::Refused(words)
    }
}

/// The text and the context to send for an expression, by the plugin's hook or the adapter's
/// quirks.
async fn translated(
    reader: &FrameReader<'_>,
    expression: &str,
    effects: Effects,
    patience: Duration,
) -> Result<(String, String), NoValue> {
    let context = reader.wire.quirks().context(effects).to_owned();
    let intent = match effects {
        Effects::None => EvaluateIntent::Value,
        Effects::Allow => EvaluateIntent::Call,
    };
    let plugin = reader.wire.plugin();
    if !plugin.wants_translate("evaluation-text") {
        return Ok((expression.to_owned(), context));
    }
    let mut hook_call = reader.wire.hook_call().await;
    hook_call.view.patience = Some(patience + ABORT_DELAY);
    let answer = plugin.evaluation_text(&hook_call.view, expression, intent).await;
    if let Some(refusal) = answer.as_ref().err().and_then(crate::plugin::Error::refusal) {
        return Err(NoValue::Refused(refusal.with_hint()));
    }
    let is_unchecked = answer.is_err() && effects == Effects::None;
    match hook_call.degrade(answer, None) {
        Some(text) if effects == Effects::None && text.risk >= Risk::WritesState => {
            Err(NoValue::NeedsEffects(None))
        }
        None if is_unchecked => Err(NoValue::NeedsEffects(Some(UNCHECKED.to_owned()))),
        Some(text) => Ok((text.expression, text.context)),
        None => Ok((expression.to_owned(), context)),
    }
}

/// The plugin's expression that assigns, with its context; none if the plugin leaves assigning to
/// the host.
pub(crate) async fn assignment(
    reader: &FrameReader<'_>,
    expression: &str,
    value: &str,
) -> Result<Option<(String, String)>, Error> {
    let plugin = reader.wire.plugin();
    if !plugin.wants_translate("evaluation-text") {
        return Ok(None);
    }
    let text = format!("{expression} = {value}");
    let hook_call = reader.wire.hook_call().await;
    let answer = plugin.evaluation_text(&hook_call.view, &text, EvaluateIntent::Assign).await;
    if let Some(refusal) = answer.as_ref().err().and_then(crate::plugin::Error::refusal) {
        return Err(Error::Values(values::Error::NotSet {
            target: expression.to_owned(),
            message: refusal.message.clone(),
            text: None,
        }));
    }
    Ok(hook_call.degrade(answer, None).map(|text| (text.expression, text.context)))
}

/// A value as the plugin presents it, with its preview.
async fn presented(reader: &FrameReader<'_>, value: types::Variable) -> Variable {
    let plain = reader.wire.quirks().variable(value.clone());
    let presented = children::present(reader, "", vec![value]).await;
    children::with_previews(reader, presented).await.pop().unwrap_or(plain)
}
