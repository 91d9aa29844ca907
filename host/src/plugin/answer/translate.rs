//! The optional interface `translate`: rewrites a caller's text for the debugger. A refusal of the
//! plugin is an error.

use serde_json::Value;

use crate::model::answer::{
    BreakOn, BreakpointText, EvaluateIntent, Evaluation, ExceptionFilter, SessionView,
};
use crate::plugin::Plugin;
use crate::plugin::answer::convert;
use crate::plugin::answer::hooks::{Hooked, absent, has};
use crate::plugin::engine::bindings::{translate, types};
use crate::plugin::engine::call::{Call, Failure};
use crate::plugin::error::Cause;

impl Plugin {
    /// Does the plugin want this function of `translate` called?
    pub fn wants_translate(&self, function: &str) -> bool {
        has(&self.manifest().interests.translate, function)
    }

    /// The text to send; `None` is the host's default.
    pub async fn evaluation_text(
        &self,
        session: &SessionView,
        text: &str,
        intent: EvaluateIntent,
    ) -> Hooked<Option<Evaluation>> {
        if !self.wants_translate("evaluation-text") {
            return Ok((None, None));
        }
        let (text, intent) = (text.to_owned(), convert::intent(intent));
        self.hook("evaluation-text", session, move |call, lent| {
            Box::pin(async move {
                let translate = guest(call)?;
                let answer =
                    translate.call_evaluation_text(&mut call.store, lent, &text, intent).await?;
                Ok(answer.map_err(refused)?.map(|one| Evaluation {
                    expression: one.expression,
                    context: one.context,
                    risk: convert::risk(one.risk),
                }))
            })
        })
        .await
    }

    /// The texts of a breakpoint to send; unchanged without an interest. The plugin refuses a
    /// condition that does not parse.
    pub async fn breakpoint(
        &self,
        session: &SessionView,
        spec: &BreakpointText,
    ) -> Hooked<BreakpointText> {
        if !self.wants_translate("breakpoint") {
            return Ok((spec.clone(), None));
        }
        let spec = translate::BreakpointText {
            condition: spec.condition.clone(),
            log_message: spec.log_message.clone(),
            function: spec.function.clone(),
            at: None,
        };
        self.hook("breakpoint", session, move |call, lent| {
            Box::pin(async move {
                let answer = guest(call)?
                    .call_breakpoint(&mut call.store, lent, &spec)
                    .await?
                    .map_err(refused)?;
                Ok(BreakpointText {
                    condition: answer.condition,
                    log_message: answer.log_message,
                    function: answer.function,
                    at: answer.at.map(convert::place),
                })
            })
        })
        .await
    }

    /// The exception filters to set; `None` is the manifest's table. `types` are exception
    /// types by name, `offered` the adapter's `exceptionBreakpointFilters`.
    pub async fn exception_filters(
        &self,
        session: &SessionView,
        want: &[BreakOn],
        types: &[String],
        offered: &Value,
    ) -> Hooked<Option<Vec<ExceptionFilter>>> {
        if !self.wants_translate("exception-filters") {
            return Ok((None, None));
        }
        let want: Vec<_> = want.iter().copied().map(convert::break_on).collect();
        let (types, offered) = (types.to_vec(), offered.to_string());
        self.hook("exception-filters", session, move |call, lent| {
            Box::pin(async move {
                let translate = guest(call)?;
                let answer = translate
                    .call_exception_filters(&mut call.store, lent, &want, &types, &offered)
                    .await?;
                let filter = |one: translate::ExceptionFilter| ExceptionFilter {
                    filter: one.filter,
                    condition: one.condition,
                };
                Ok(answer.map_err(refused)?.map(|all| all.into_iter().map(filter).collect()))
            })
        })
        .await
    }
}

fn guest(call: &mut Call) -> Result<translate::Guest, Failure> {
    let code = call.code.clone();
    let indices = code.exports.translate.as_ref().ok_or_else(|| absent("translate"))?;
    Ok(indices.load(&mut call.store, &call.instance)?)
}

fn refused(error: types::Error) -> Failure {
    Cause::from(convert::refusal(error)).into()
}
