//! The optional interface `present`: how stops, frames, threads and variables are displayed.
//! `None` is the host's default.

use crate::model::answer::{
    Frame, FrameView, Reaction, SessionView, StopFacts, StopView, Thread, ThreadView, Variable,
    VariableView,
};
use crate::plugin::answer::hooks::{Hooked, absent, has};
use crate::plugin::engine::bindings::present;
use crate::plugin::engine::call::{Call, Failure};
use crate::plugin::error::Cause;
use crate::plugin::{Plugin, answer::convert};

impl Plugin {
    /// Does the plugin want this function of `present` called?
    pub fn wants_present(&self, function: &str) -> bool {
        has(&self.manifest().interests.present, function)
    }

    /// How the variables of a scope are displayed. Indices are checked.
    pub async fn variables(
        &self,
        session: &SessionView,
        scope: &str,
        variables: &[Variable],
    ) -> Hooked<Option<Vec<VariableView>>> {
        if !self.wants_present("variables") {
            return Ok((None, None));
        }
        let (scope, variables) =
            (scope.to_owned(), variables.iter().map(variable).collect::<Vec<_>>());
        self.hook("variables", session, move |call, lent| {
            Box::pin(async move {
                let views =
                    guest(call)?.call_variables(&mut call.store, lent, &scope, &variables).await?;
                Ok(views.map(|views| variable_views(views, variables.len())).transpose()?)
            })
        })
        .await
    }

    /// Whose code each frame is, by position; a shorter list leaves the rest to the host.
    pub async fn frames(&self, session: &SessionView, frames: &[Frame]) -> Hooked<Vec<FrameView>> {
        if !self.wants_present("frames") {
            return Ok((Vec::new(), None));
        }
        let frames: Vec<_> = frames.iter().map(frame).collect();
        self.hook("frames", session, move |call, lent| {
            Box::pin(async move {
                let views = guest(call)?.call_frames(&mut call.store, lent, &frames).await?;
                let view = |one: present::FrameView| FrameView {
                    kind: convert::frame_kind(one.kind),
                    name: one.name,
                };
                Ok(views.into_iter().take(frames.len()).map(view).collect())
            })
        })
        .await
    }

    /// The class and title of a stop.
    pub async fn stop(&self, session: &SessionView, facts: &StopFacts) -> Hooked<Option<StopView>> {
        if !self.wants_present("stop") {
            return Ok((None, None));
        }
        let (body, info) = (facts.body.to_string(), facts.info.as_ref().map(ToString::to_string));
        let (top, output) = (facts.top.iter().map(frame).collect::<Vec<_>>(), facts.output.clone());
        self.hook("stop", session, move |call, lent| {
            Box::pin(async move {
                let present = guest(call)?;
                let view = present
                    .call_stop(&mut call.store, lent, &body, info.as_ref(), &top, &output)
                    .await?;
                Ok(view.map(stop_view))
            })
        })
        .await
    }

    /// How threads are displayed, by position; a shorter list leaves the rest to the host.
    pub async fn threads(
        &self,
        session: &SessionView,
        threads: &[Thread],
    ) -> Hooked<Vec<ThreadView>> {
        if !self.wants_present("threads") {
            return Ok((Vec::new(), None));
        }
        let thread = |one: &Thread| present::Thread { id: one.id, name: one.name.clone() };
        let threads: Vec<_> = threads.iter().map(thread).collect();
        self.hook("threads", session, move |call, lent| {
            Box::pin(async move {
                let views = guest(call)?.call_threads(&mut call.store, lent, &threads).await?;
                let view = |one: present::ThreadView| ThreadView {
                    label: one.label,
                    hidden: one.hidden,
                    rank: one.rank,
                };
                Ok(views.into_iter().take(threads.len()).map(view).collect())
            })
        })
        .await
    }
}

fn guest(call: &mut Call) -> Result<present::Guest, Failure> {
    let code = call.code.clone();
    let indices = code.exports.present.as_ref().ok_or_else(|| absent("present"))?;
    Ok(indices.load(&mut call.store, &call.instance)?)
}

fn variable_views(
    views: Vec<present::VariableView>,
    count: usize,
) -> Result<Vec<VariableView>, Cause> {
    if let Some((at, wrong)) =
        views.iter().enumerate().find(|(_, view)| view.index as usize >= count)
    {
        let reason = format!("{} is not one of the {count} variables", wrong.index);
        return Err(Cause::answer("variables", format!("[{at}].index"), reason));
    }
    let view = |one: present::VariableView| VariableView {
        index: one.index,
        summary: one.summary,
        prefetch: one.prefetch,
        elements: one.elements,
        secret: one.secret,
    };
    Ok(views.into_iter().map(view).collect())
}

fn stop_view(view: present::StopView) -> StopView {
    StopView {
        class: convert::stop_class(view.class),
        title: view.title,
        detail: view.detail,
        skip_frames: view.skip_frames,
        reaction: match view.reaction {
            present::Reaction::Report => Reaction::Report,
            present::Reaction::Resume => Reaction::Resume,
            present::Reaction::PauseAgain => Reaction::PauseAgain,
            present::Reaction::StepOut => Reaction::StepOut,
        },
    }
}

fn variable(variable: &Variable) -> present::Variable {
    present::Variable {
        name: variable.name.clone(),
        value: variable.value.clone(),
        ty: variable.ty.clone(),
        evaluate_name: variable.evaluate_name.clone(),
        has_children: variable.has_children,
        named: variable.named,
        indexed: variable.indexed,
    }
}

fn frame(frame: &Frame) -> present::Frame {
    present::Frame {
        name: frame.name.clone(),
        path: frame.path.clone(),
        line: frame.line,
        module: frame.module.clone(),
    }
}
