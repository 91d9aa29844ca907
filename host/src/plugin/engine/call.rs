//! One guest call: a fresh store and instance, with a deadline. The first tick runs in the caller's
//! task, where most calls end. A longer call goes on in a thread of its own, so that it delays no
//! other work of the host.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use futures_util::future::{Either, select};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::{JoinError, JoinHandle};
use tracing::Instrument;
use wasmtime::Store;
use wasmtime::component::Instance;

use crate::plugin::engine::clock::ExtraTime;
use crate::plugin::engine::code::Code;
use crate::plugin::engine::component::Component;
use crate::plugin::engine::store::Guest;
use crate::plugin::engine::trap;
use crate::plugin::error::{Cause, Error};

/// A guest ready to be called.
pub(crate) struct Call {
    pub code: Arc<Code>,
    pub store: Store<Guest>,
    pub instance: Instance,
}

/// The failure of a call, before [`trap::explain`].
pub(crate) enum Failure {
    /// A trap, or a host function that failed.
    Guest(wasmtime::Error),
    /// An answer that the host refuses.
    Cause(Cause),
}

impl From<wasmtime::Error> for Failure {
    fn from(error: wasmtime::Error) -> Self {
        Self::Guest(error)
    }
}

impl From<wasmtime::component::ResourceTableError> for Failure {
    fn from(error: wasmtime::component::ResourceTableError) -> Self {
        Self::Guest(error.into())
    }
}

impl From<Cause> for Failure {
    fn from(cause: Cause) -> Self {
        Self::Cause(cause)
    }
}

pub(crate) type Work<'a, T> = Pin<Box<dyn Future<Output = Result<T, Failure>> + Send + 'a>>;

/// Calls `function` by `work`, within the bounds of the engine's limits. Dropping the future ends
/// the guest.
pub(crate) async fn call<T, W>(
    component: &Arc<Component>,
    function: &'static str,
    work: W,
) -> Result<T, Error>
where
    T: Send + 'static,
    W: for<'a> FnOnce(&'a mut Call) -> Work<'a, T> + Send + 'static,
{
    let code = component.code().await?;
    let engine = &component.engine;
    let guest = Guest::new(component.name.clone(), engine.shared());
    let (extra, bound) = (guest.extra.clone(), engine.limits().guest_call);
    let machine = engine.machine(&component.name)?;
    let permit = machine.permit().await;
    let ticks = machine.begin_call();
    let began = tokio::time::Instant::now();
    let run = run(component.clone(), code, guest, function, work);
    // Ticks end an abandoned guest, too; the permit is returned when its memory is free again.
    let run = async move { (run.await, permit, ticks).0 }.in_current_span();
    let mut run = Box::pin(run);
    // Starting a thread takes longer than most calls.
    let outcome = match futures_util::poll!(run.as_mut()) {
        Poll::Ready(done) => Some(Ok(done)),
        Poll::Pending => deadline(&mut Thread::spawn(run), &extra, bound).await,
    };
    tracing::debug!(plugin = %component.name, function, took = ?began.elapsed(), "guest call");
    let cause = match outcome {
        None => Cause::TimedOut { function, after: bound },
        Some(Err(lost)) => Cause::Engine { reason: lost.to_string() },
        Some(Ok(Err(cause))) => cause,
        Some(Ok(Ok(answer))) => return Ok(answer),
    };
    let error = Error::new(&component.name, cause);
    tracing::debug!(%error, "guest call failed");
    Err(error)
}

async fn run<T, W>(
    component: Arc<Component>,
    code: Arc<Code>,
    guest: Guest,
    function: &'static str,
    work: W,
) -> Result<T, Cause>
where
    W: for<'a> FnOnce(&'a mut Call) -> Work<'a, T> + Send + 'static,
{
    let machine = component.engine.machine(&component.name).map_err(|error| *error.cause)?;
    let mut store = Store::new(&machine.engine, guest);
    store.limiter(|guest| &mut guest.memory);
    store.set_hostcall_fuel(component.engine.limits().guest_answer);
    store.set_epoch_deadline(1);
    store.epoch_deadline_async_yield_and_update(1);
    let instance = match code.pre.instantiate_async(&mut store).await {
        Ok(instance) => instance,
        Err(error) => return Err(trap::explain(function, &error, store.data())),
    };
    let mut call = Call { code, store, instance };
    match work(&mut call).await {
        Ok(answer) => Ok(answer),
        Err(Failure::Cause(cause)) => Err(cause),
        Err(Failure::Guest(error)) => Err(trap::explain(function, &error, call.store.data())),
    }
}

/// Waits until the thread is done or its time is over; time spent in probes moves the deadline.
async fn deadline<T>(
    thread: &mut Thread<T>,
    extra: &ExtraTime,
    bound: Duration,
) -> Option<Result<T, JoinError>> {
    let began = tokio::time::Instant::now();
    loop {
        let due = began + bound + extra.get();
        match tokio::time::timeout_at(due, &mut thread.done).await {
            Ok(done) => return done.transpose(),
            Err(_) if began + bound + extra.get() <= tokio::time::Instant::now() => return None,
            Err(_) => {}
        }
    }
}

/// The rest of a call that outlives its first tick. Dropping it ends the guest at its next tick.
struct Thread<T> {
    done: JoinHandle<Option<T>>,
    _alive: oneshot::Sender<()>,
}

impl<T: Send + 'static> Thread<T> {
    fn spawn(work: impl Future<Output = T> + Send + Unpin + 'static) -> Self {
        let (alive, dropped) = oneshot::channel();
        let runtime = Handle::current();
        let run = move || match runtime.block_on(select(dropped, work)) {
            Either::Left(_) => None,
            Either::Right((done, _)) => Some(done),
        };
        Self { done: tokio::task::spawn_blocking(run), _alive: alive }
    }
}
