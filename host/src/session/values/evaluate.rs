//! Evaluating expressions in a frame.
//!
//! Knows the plugin's translation and the contexts of the profile.

use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, pending};
use tokio::time::{Instant, timeout};

use crate::dap::arguments::EvaluateArguments;
use crate::dap::{self, types as wire};
use crate::model::answer::{EvaluateIntent, Risk};
use crate::model::{Effects, EvaluateQuery, Evaluated, Frame, NoValue, Variable};
use crate::session::Error;
use crate::session::values::frame::Target;
use crate::session::values::{children, convert, path};

/// Evaluates all expressions within one time, or until nobody waits any more; each has its own
/// answer. Where one runs out of it, those behind it are not asked, and `busy` says so until the
/// adapter has answered.
pub(crate) async fn evaluate(
    target: Target<'_>,
    query: EvaluateQuery,
    abandoned: impl Future<Output = ()>,
) -> (Vec<Evaluated>, Option<Late>) {
    let deadline = Instant::now() + query.patience;
    let over = timeout(query.patience, abandoned).map(drop).shared();
    let mut answers = Vec::with_capacity(query.expressions.len());
    let mut late = None;
    for expression in &query.expressions {
        let (result, left) = match late {
            Some(_) => (Err(NoValue::NotAsked), None),
            // What it does would be done for nobody.
            None if over.clone().now_or_never().is_some() => (Err(NoValue::NotAsked), None),
            None => {
                let left = deadline.saturating_duration_since(Instant::now());
                evaluate_until(&target, target.frame, expression, query.effects, left, over.clone())
                    .await
            }
        };
        late = late.or(left);
        let result = match result {
            Err(NoValue::TimedOut(_)) => Err(NoValue::TimedOut(query.patience)),
            result => result,
        };
        answers.push(Evaluated { expression: expression.clone(), result });
    }
    (answers, late)
}

/// Evaluates one expression within the limit of every request.
pub(crate) async fn evaluate_one(
    target: &Target<'_>,
    frame: Option<&Frame>,
    expression: &str,
    effects: Effects,
) -> Evaluated {
    let patience = target.wire.limit();
    let over = timeout(patience, pending::<()>()).map(drop);
    let (result, _) = evaluate_until(target, frame, expression, effects, patience, over).await;
    Evaluated { expression: expression.to_owned(), result }
}

/// An answer that did not come in time, and may still come.
pub(crate) struct Late {
    pub(crate) expression: String,
    pub(crate) answer: BoxFuture<'static, ()>,
}

/// An adapter that can leave an expression does so this much later than its caller hears that its
/// time is over.
const LEAVES: Duration = Duration::from_millis(20);

async fn evaluate_until(
    target: &Target<'_>,
    frame: Option<&Frame>,
    expression: &str,
    effects: Effects,
    patience: Duration,
    over: impl Future<Output = ()>,
) -> (Result<Variable, NoValue>, Option<Late>) {
    let (text, context) = match translated(target, expression, effects, patience).await {
        Ok(sent) => sent,
        Err(why) => return (Err(why), None),
    };
    let arguments = EvaluateArguments {
        expression: text,
        frame_id: frame.map(|frame| frame.id),
        context: Some(context),
        format: None,
    };
    let wire = target.wire.clone();
    let mut answer: BoxFuture<'static, _> =
        Box::pin(async move { wire.evaluate(arguments, patience + LEAVES).await });
    let told = tokio::select! {
        biased;
        told = &mut answer => Some(told),
        () = over => None,
    };
    match told {
        Some(Ok(told)) => (Ok(presented(target, convert::result(expression, told)).await), None),
        Some(Err(error)) => (Err(refusal(target, expression, effects, &error)), None),
        None => {
            target.wire.client().cancel("evaluate");
            let late = Late {
                expression: expression.to_owned(),
                answer: Box::pin(async move { drop(answer.await) }),
            };
            (Err(NoValue::TimedOut(patience)), Some(late))
        }
    }
}

/// An adapter that has a context of its own for statements refuses them in the one for values, in
/// words that tell nobody so.
fn refusal(target: &Target<'_>, expression: &str, effects: Effects, error: &dap::Error) -> NoValue {
    let words = convert::words(error, target.profile);
    let contexts = &target.profile.evaluate;
    let refused = matches!(error, dap::Error::Refused { .. });
    if let (true, false, Some((target, value))) =
        (refused, contexts.assigns, path::assignment(expression))
    {
        return NoValue::OnlySet { words, target, value };
    }
    match refused
        && contexts.assigns
        && effects == Effects::None
        && contexts.value != contexts.statement
        && path::assigns(expression)
    {
        true => NoValue::NeedsEffects(Some(words)),
        false => NoValue::Refused(words),
    }
}

/// What is sent for an expression, and in which context: the plugin's word, else the profile's.
async fn translated(
    target: &Target<'_>,
    expression: &str,
    effects: Effects,
    patience: Duration,
) -> Result<(String, String), NoValue> {
    let (context, intent) = match effects {
        Effects::None => (&target.profile.evaluate.value, EvaluateIntent::Value),
        Effects::Allow => (&target.profile.evaluate.statement, EvaluateIntent::Call),
    };
    let plugin = target.wire.plugin();
    if !plugin.wants_translate("evaluation-text") {
        return Ok((expression.to_owned(), context.clone()));
    }
    let mut turn = target.wire.turn().await;
    turn.view.patience = Some(patience + LEAVES);
    let answer = plugin.evaluation_text(&turn.view, expression, intent).await;
    if let Some(refusal) = answer.as_ref().err().and_then(crate::plugin::Error::refusal) {
        return Err(NoValue::Refused(refusal.message.clone()));
    }
    match turn.degrade(answer, None) {
        Some(told) if effects == Effects::None && told.risk >= Risk::WritesState => {
            Err(NoValue::NeedsEffects(None))
        }
        Some(told) => Ok((told.expression, told.context)),
        None => Ok((expression.to_owned(), context.clone())),
    }
}

/// The expression by which the plugin assigns, with its context; none where it leaves that to the
/// host.
pub(crate) async fn assignment(
    target: &Target<'_>,
    expression: &str,
    value: &str,
) -> Result<Option<(String, String)>, Error> {
    let plugin = target.wire.plugin();
    if !plugin.wants_translate("evaluation-text") {
        return Ok(None);
    }
    let text = format!("{expression} = {value}");
    let turn = target.wire.turn().await;
    let answer = plugin.evaluation_text(&turn.view, &text, EvaluateIntent::Assign).await;
    if let Some(refusal) = answer.as_ref().err().and_then(crate::plugin::Error::refusal) {
        return Err(Error::NotSet {
            target: expression.to_owned(),
            message: refusal.message.clone(),
        });
    }
    Ok(turn.degrade(answer, None).map(|told| (told.expression, told.context)))
}

/// A single value as the plugin shows it, with as many children as it asks for.
async fn presented(target: &Target<'_>, told: wire::Variable) -> Variable {
    let plain = convert::pointing(told.clone(), target.profile);
    let shown = children::shown(target, "", vec![told]).await;
    children::opened(target, shown).await.pop().unwrap_or(plain)
}
