//! Work on files for a guest call, on a thread that may block. Knows when the call is over. Knows
//! nothing of the work, which has to check for that end.

use std::sync::{Arc, Weak};

/// The call that work is done for.
#[derive(Clone, Debug)]
pub(crate) struct Waiter(Weak<()>);

impl Waiter {
    /// A waiter and the guard of its call: the call is over when the guard is dropped.
    pub fn new() -> (Arc<()>, Self) {
        let call = Arc::new(());
        let waiter = Self(Arc::downgrade(&call));
        (call, waiter)
    }

    /// Whether the call is over: it timed out or was dropped.
    pub fn is_gone(&self) -> bool {
        self.0.strong_count() == 0
    }
}

/// Runs `work` on another thread. It has to end soon after its waiter is gone.
pub(crate) async fn run<T: Send + 'static>(
    work: impl FnOnce(&Waiter) -> T + Send + 'static,
) -> wasmtime::Result<T> {
    let (call, waiter) = Waiter::new();
    let result = tokio::task::spawn_blocking(move || work(&waiter)).await;
    drop(call);
    Ok(result?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_ends_with_its_call() {
        let (begun, begins) = tokio::sync::oneshot::channel();
        let (ended, ends) = tokio::sync::oneshot::channel();
        let call = run(move |waiter| {
            begun.send(()).unwrap();
            while !waiter.is_gone() {
                std::thread::yield_now();
            }
            ended.send(()).unwrap();
        });
        tokio::select! {
            _ = call => panic!("the work ended before its call"),
            begun = begins => begun.unwrap(),
        }
        ends.await.unwrap();
    }
}
