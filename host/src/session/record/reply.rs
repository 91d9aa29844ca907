//! The way back to a caller. A dropped reply answers with an error: no caller waits for ever
//! because a flow was cancelled.

use tokio::sync::oneshot;

use crate::session::Error;

/// Where an answer goes. Dropped without one it answers [`Error::Superseded`], or
/// [`Error::HostFault`] during a panic.
pub(crate) struct Reply<T>(Option<oneshot::Sender<Result<T, Error>>>);

impl<T> Reply<T> {
    pub(crate) fn new() -> (Self, oneshot::Receiver<Result<T, Error>>) {
        let (sender, receiver) = oneshot::channel();
        (Self(Some(sender)), receiver)
    }

    pub(crate) fn send(self, answer: Result<T, Error>) {
        self.deliver(answer);
    }

    /// Answers; false if the caller is gone.
    pub(crate) fn deliver(mut self, answer: Result<T, Error>) -> bool {
        self.0.take().is_some_and(|sender| sender.send(answer).is_ok())
    }

    /// Waits until the caller is gone.
    pub(crate) async fn abandoned(&mut self) {
        if let Some(sender) = &mut self.0 {
            sender.closed().await;
        }
    }

    /// Is the caller gone?
    pub(crate) fn is_abandoned(&self) -> bool {
        self.0.as_ref().is_none_or(oneshot::Sender::is_closed)
    }
}

impl<T> Drop for Reply<T> {
    fn drop(&mut self) {
        if let Some(sender) = self.0.take() {
            let why = if std::thread::panicking() { Error::HostFault } else { Error::Superseded };
            let _ = sender.send(Err(why));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dropped(by: impl FnOnce(Reply<()>)) -> Error {
        let (reply, mut answer) = Reply::new();
        by(reply);
        answer.try_recv().unwrap().unwrap_err()
    }

    #[test]
    fn dropped_reply_answers_with_the_reason() {
        assert!(matches!(dropped(drop), Error::Superseded));
        let broken = dropped(|reply| {
            let doing = std::panic::AssertUnwindSafe(move || {
                let _reply = reply;
                std::panic::resume_unwind(Box::new("a test's"));
            });
            assert!(std::panic::catch_unwind(doing).is_err());
        });
        assert!(matches!(broken, Error::HostFault), "{broken}");
    }
}
