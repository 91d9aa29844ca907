//! Answers the expressions of a caller, a watch or a log text: their values, or those at paths of
//! displayed names.
//!
//! Knows how long a caller waits. Refuses to know how an adapter evaluates.

use std::slice;

use futures_util::FutureExt;
use tokio::time::{Instant, timeout};

use crate::model::{Effects, EvaluateQuery, Evaluated, NoValue};
use crate::session::values::address;
use crate::session::values::below::open_below;
use crate::session::values::evaluate::{Late, evaluate_one, evaluate_until};
use crate::session::values::named;
use crate::session::values::reader::FrameReader;

/// Evaluates the expressions one after the other, all in the time that the query gives and until
/// its caller is gone. If one is late, those after it are not evaluated; the late answer is
/// returned, so that the adapter counts as busy until it arrives.
pub(crate) async fn evaluate(
    reader: FrameReader<'_>,
    query: EvaluateQuery,
    abandoned: impl Future<Output = ()>,
) -> (Vec<Evaluated>, Option<Late>) {
    let deadline = Instant::now() + query.patience;
    let until = timeout(query.patience, abandoned).map(drop).shared();
    let mut answers = Vec::with_capacity(query.expressions.len());
    let mut late = None;
    for expression in &query.expressions {
        let mut result = Err(NoValue::NotEvaluated);
        // An expression may have effects: none is evaluated after its caller is gone.
        if late.is_none() && until.clone().now_or_never().is_none() {
            let left = deadline.saturating_duration_since(Instant::now());
            let (reader, until) = (&reader, until.clone());
            (result, late) =
                evaluate_until(reader, reader.frame, expression, query.effects, left, until).await;
            if let Err(NoValue::Refused(_)) = result
                && let Ok(Some(found)) = timeout(left, named::value(reader, expression)).await
            {
                result = Ok(found);
            }
        }
        match &mut result {
            Err(NoValue::TimedOut(after)) => *after = query.patience,
            Ok(variable) => {
                if query.effects == Effects::None {
                    address::read(&reader, variable).await;
                }
                open_below(&reader, slice::from_mut(variable), query.depth).await;
            }
            Err(_) => {}
        }
        answers.push(Evaluated { expression: expression.clone(), result });
    }
    (answers, late)
}

/// Evaluates one expression, or follows it as a path of displayed names, within the usual limit of
/// a request.
pub(crate) async fn evaluate_or_find(reader: &FrameReader<'_>, expression: &str) -> Evaluated {
    let evaluated = evaluate_one(reader, reader.frame, expression, Effects::None).await;
    if let Err(NoValue::Refused(_)) = evaluated.result
        && let Ok(Some(found)) =
            timeout(reader.wire.limit(), named::value(reader, expression)).await
    {
        return Evaluated { result: Ok(found), ..evaluated };
    }
    evaluated
}
