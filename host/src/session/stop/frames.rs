//! Frames with the names and kinds that the adapter and its plugin give them. Knows no thread.

use crate::dap::types;
use crate::model::{Frame, FrameKind, answer};
use crate::session::adapter::wire::Wire;
use crate::session::values::convert;

/// Frames as callers see them; the first one has this index on its stack.
pub(crate) async fn read(wire: &Wire, stack: &[types::StackFrame], first: u32) -> Vec<Frame> {
    let mut frames: Vec<Frame> =
        (first..).zip(stack).map(|(index, frame)| wire.quirks().frame(index, frame)).collect();
    if wire.plugin().wants_present("frames") {
        let hook_call = wire.hook_call().await;
        let views = wire.plugin().frames(&hook_call.view, &convert::frames_for_plugin(stack)).await;
        for (frame, view) in frames.iter_mut().zip(hook_call.degrade(views, Vec::new())) {
            frame.kind = match view.kind {
                answer::FrameKind::User => FrameKind::User,
                answer::FrameKind::Unknown => frame.kind,
                _ => FrameKind::Library,
            };
            frame.name = view.name.unwrap_or_else(|| frame.name.clone());
        }
    }
    frames
}
