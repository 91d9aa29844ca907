//! Which published stop is the current one, and with which the next one is compared.
//!
//! Knows nothing of what a stop holds.

use std::mem::take;

/// The published stops, as far as they are still needed.
#[derive(Debug)]
pub(crate) struct History<S> {
    /// The stop that the debuggee is at.
    current: Option<S>,
    /// The latest published stop, current or left.
    last: Option<S>,
    /// The one before it, with which it was compared.
    before_last: Option<S>,
    /// No caller has received `last`, so the next stop is compared with the one before.
    is_last_skipped: bool,
}

impl<S> Default for History<S> {
    fn default() -> Self {
        Self { current: None, last: None, before_last: None, is_last_skipped: false }
    }
}

impl<S: Clone> History<S> {
    pub(crate) fn current(&self) -> Option<&S> {
        self.current.as_ref()
    }

    pub(crate) fn last(&self) -> Option<&S> {
        self.last.as_ref()
    }

    pub(crate) fn before_last(&self) -> Option<&S> {
        self.before_last.as_ref()
    }

    pub(crate) fn is_last_skipped(&self) -> bool {
        self.is_last_skipped
    }

    /// A move is to leave the last stop; `received`: a caller has it.
    pub(crate) fn on_resume(&mut self, received: bool) {
        self.is_last_skipped = !received;
    }

    /// The debuggee is no longer at a published stop.
    pub(crate) fn leave(&mut self) {
        self.current = None;
    }

    /// The adapter refused the move: the debuggee is still at the last stop.
    pub(crate) fn stay(&mut self) {
        self.current.clone_from(&self.last);
    }

    /// The stop with which the next one is compared. A stop that no caller received is forgotten.
    pub(crate) fn compared(&mut self) -> Option<&S> {
        if take(&mut self.is_last_skipped) {
            self.last = self.before_last.take();
        }
        self.last.as_ref()
    }

    pub(crate) fn publish(&mut self, stop: S) {
        self.current = Some(stop.clone());
        self.before_last = self.last.replace(stop);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug)]
    enum Event {
        /// A stop with this number is compared and published.
        Stop(u32),
        /// A move leaves the stop, which a caller received or not.
        Resume {
            received: bool,
        },
        Refused,
    }

    /// The stops with which those of these events were compared, and the current one.
    fn after(events: &[Event]) -> (Vec<Option<u32>>, Option<u32>) {
        let (mut history, mut compared) = (History::default(), Vec::new());
        for event in events {
            match *event {
                Event::Stop(number) => {
                    compared.push(history.compared().copied());
                    history.publish(number);
                }
                Event::Resume { received } => {
                    history.on_resume(received);
                    history.leave();
                }
                Event::Refused => history.stay(),
            }
        }
        (compared, history.current().copied())
    }

    #[test]
    fn stop_is_compared_with_the_last_one_that_a_caller_received() {
        use Event::{Refused, Resume, Stop};
        let (received, unseen) = (Resume { received: true }, Resume { received: false });
        for (events, compared, current) in [
            (&[Stop(1)][..], &[None][..], Some(1)),
            (&[Stop(1), received], &[None], None),
            (&[Stop(1), received, Refused], &[None], Some(1)),
            (&[Stop(1), received, Stop(2)], &[None, Some(1)], Some(2)),
            // A second thread stops while the first stop is current.
            (&[Stop(1), Stop(2)], &[None, Some(1)], Some(2)),
            (&[Stop(1), received, Stop(2), unseen, Stop(3)], &[None, Some(1), Some(1)], Some(3)),
            (&[Stop(1), unseen, Stop(2)], &[None, None], Some(2)),
            (
                &[Stop(1), received, Stop(2), unseen, Stop(3), received, Stop(4)],
                &[None, Some(1), Some(1), Some(3)],
                Some(4),
            ),
        ] {
            assert_eq!(after(events), (compared.to_vec(), current), "{events:?}");
        }
    }
}
