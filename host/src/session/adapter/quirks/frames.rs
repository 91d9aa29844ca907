//! Frames and threads as the adapter reports them.

use std::path::{Path, PathBuf};

use dapdock_schema::Stacks;

use super::Quirks;
use crate::dap::arguments::EvaluateArguments;
use crate::dap::types;
use crate::model::{Effects, Frame, FrameKind};

impl Quirks {
    /// A frame at its index.
    pub(crate) fn frame(&self, index: u32, frame: &types::StackFrame) -> Frame {
        let path = frame.source.as_ref().and_then(|source| source.path.clone()).map(PathBuf::from);
        let kind = if self.is_library(frame, path.as_deref()) {
            FrameKind::Library
        } else {
            FrameKind::User
        };
        let number = |n: i64| u32::try_from(n).unwrap_or(0);
        Frame {
            index,
            id: frame.id,
            name: self.plain_name(&frame.name).to_owned(),
            path,
            line: number(frame.line),
            column: number(frame.column),
            kind,
            pc: frame.instruction_pointer_reference.clone(),
        }
    }

    /// The name of a frame or an exception without what the adapter appends to it.
    pub(crate) fn plain_name<'a>(&self, name: &'a str) -> &'a str {
        let suffixes = self.0.frames.suffixes.iter();
        let starts = suffixes.filter_map(|suffix| name.find(suffix.as_str()));
        name[..starts.min().unwrap_or(name.len())].trim_end()
    }

    fn is_library(&self, frame: &types::StackFrame, path: Option<&Path>) -> bool {
        let subtle = |hint: &Option<String>| {
            matches!(hint.as_deref(), Some("subtle" | "label" | "deemphasize"))
        };
        let Some(path) = path.map(Path::to_string_lossy) else { return true };
        let functions = &self.0.frames.library.functions;
        subtle(&frame.presentation_hint)
            || frame.source.as_ref().is_some_and(|source| subtle(&source.presentation_hint))
            || self.is_in_library(&path)
            || functions.iter().any(|start| frame.name.starts_with(start.as_str()))
    }

    /// Whether a text names a path of the libraries.
    pub(crate) fn is_in_library(&self, text: &str) -> bool {
        self.0.frames.library.paths.iter().any(|part| text.contains(part.as_str()))
    }

    /// The expression that says why the thread with this frame on top waits.
    pub(crate) fn wait_reason(&self, top: &Frame) -> Option<EvaluateArguments> {
        let rule = self.0.frames.waits.as_ref()?;
        let may_wait =
            if rule.function.is_empty() { !top.is_user() } else { rule.function == top.name };
        if top.index != 0 || !may_wait {
            return None;
        }
        Some(EvaluateArguments {
            expression: rule.reason.clone(),
            frame_id: Some(top.id),
            context: Some(self.context(Effects::None).to_owned()),
            format: None,
        })
    }

    /// How many threads the adapter lists at most, if it may have left some out of this many.
    pub(crate) fn listing_limit(&self, listed: usize) -> Option<u32> {
        self.0.frames.threads_at_most.filter(|most| listed >= *most as usize)
    }

    /// The adapter answers `threads` and `stackTrace` for a running debuggee, too.
    pub(crate) fn has_stacks_while_running(&self) -> bool {
        self.0.frames.stacks == Stacks::Running
    }
}

/// How many frames of the stack are live. Below a separator (DAP, `presentationHint`: `label`)
/// come frames of calls that have returned, as the callers of an asynchronous task.
pub(crate) fn live_frames(stack: &[types::StackFrame]) -> usize {
    let is_label = |frame: &types::StackFrame| frame.presentation_hint.as_deref() == Some("label");
    stack.iter().position(is_label).unwrap_or(stack.len())
}

#[cfg(test)]
impl Quirks {
    /// An adapter for which paths with this part are libraries.
    pub(crate) fn with_library(path: &str) -> Self {
        let mut profile = dapdock_schema::Profile::default();
        profile.frames.library.paths = vec![path.to_owned()];
        Self::new(profile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_below_a_label_are_not_live() {
        let frame = |hint: Option<&str>| types::StackFrame {
            presentation_hint: hint.map(str::to_owned),
            ..types::StackFrame::default()
        };
        assert_eq!(
            live_frames(&[frame(None), frame(Some("subtle")), frame(Some("label")), frame(None)]),
            2
        );
        assert_eq!(live_frames(&[frame(None), frame(Some("normal"))]), 2);
    }
}
