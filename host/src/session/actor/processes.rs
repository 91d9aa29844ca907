//! The processes of a session, from the first that the launch starts until all are reaped.

use std::sync::{Arc, OnceLock};

use super::pipes::Pipes;
use crate::model::Stream;
use crate::process::{Family, Process};
use crate::session::launch::order::Resources;

pub(super) struct Processes {
    pub(super) resources: Option<Resources>,
    /// Output pipes that are followed.
    pub(super) pipes: Pipes,
    /// The family that the launch fills.
    family: Arc<OnceLock<Family>>,
}

impl Processes {
    pub(super) fn new(family: Arc<OnceLock<Family>>) -> Self {
        Self { resources: None, pipes: Pipes::default(), family }
    }

    /// The processes of a launch; these streams of the adapter are followed, each with room for so
    /// many unread bytes.
    pub(super) fn on_prepared(&mut self, resources: Resources, streams: &[Stream], room: usize) {
        if let Some(adapter) = resources.adapter() {
            self.pipes = Pipes::of(adapter, streams, room);
        }
        self.resources = Some(resources);
    }

    pub(super) fn family(&self) -> Option<&Family> {
        self.family.get()
    }

    /// The adapter's process.
    pub(super) fn adapter(&self) -> Option<&Process> {
        self.resources.as_ref()?.adapter()
    }

    /// All of them are reaped.
    pub(super) fn forget(&mut self) {
        self.resources = None;
        self.family = Arc::default();
    }

    /// Drives the family of connections, which ends only when it is dropped.
    pub(super) async fn connections(resources: &mut Option<Resources>) {
        match resources {
            Some(resources) if !resources.connections.is_empty() => {
                futures_util::future::join_all(resources.connections.iter_mut()).await;
                resources.connections.clear();
            }
            _ => std::future::pending().await,
        }
    }
}
