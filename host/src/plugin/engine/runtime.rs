//! wasmtime, set up at the first use: [`Engine::new`] does nothing, and a host without a session
//! pays nothing.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wasmtime::component::{HasSelf, Linker};

use crate::limits::Limits;
use crate::plugin::engine::bindings::{host, types};
use crate::plugin::engine::cache::Cache;
use crate::plugin::engine::options::Options;
use crate::plugin::engine::pool;
use crate::plugin::engine::shared::Shared;
use crate::plugin::engine::store::Guest;
use crate::plugin::error::{Cause, Error};
use crate::plugin::grant::probe::Probes;

/// Compiles components and runs them. Cheap to clone.
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

struct Inner {
    shared: Arc<Shared>,
    machine: OnceLock<Result<Machine, String>>,
}

pub(crate) struct Machine {
    pub engine: wasmtime::Engine,
    pub linker: Linker<Guest>,
    /// One permit for each call that the engine has memory for.
    calls: Arc<Semaphore>,
    ticker: Arc<Ticker>,
}

impl Engine {
    /// Starts nothing.
    pub fn new(options: Options) -> Self {
        Self(Arc::new(Inner { shared: Arc::new(Shared::new(options)), machine: OnceLock::new() }))
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.0.shared
    }

    pub(crate) fn options(&self) -> &Options {
        &self.0.shared.options
    }

    pub(crate) fn cache(&self) -> Option<&Cache> {
        self.0.shared.cache.as_ref()
    }

    pub(crate) fn limits(&self) -> &Limits {
        self.0.shared.limits()
    }

    pub(crate) fn probes(&self) -> &Probes {
        &self.0.shared.probes
    }

    pub(crate) fn machine(&self, plugin: &str) -> Result<&Machine, Error> {
        self.made()
            .as_ref()
            .map_err(|reason| Error::new(plugin, Cause::Engine { reason: reason.clone() }))
    }

    fn made(&self) -> &Result<Machine, String> {
        self.0
            .machine
            .get_or_init(|| Machine::new(self.limits()).map_err(|error| format!("{error:#}")))
    }

    /// Starts the set-up in the background, before the first call of a plugin.
    pub(crate) fn begin(&self) {
        let engine = self.clone();
        drop(tokio::task::spawn_blocking(move || engine.made().is_ok()));
    }
}

impl Machine {
    fn new(limits: &Limits) -> wasmtime::Result<Self> {
        let mut config = wasmtime::Config::new();
        config.epoch_interruption(true);
        // Tables for profilers and debuggers of the host: they would be registered at each load.
        config.native_unwind_info(false);
        let engine = pool::engine(&mut config, limits)?;
        let mut linker = Linker::new(&engine);
        types::add_to_linker::<_, HasSelf<_>>(&mut linker, |guest: &mut Guest| guest)?;
        host::add_to_linker::<_, HasSelf<_>>(&mut linker, |guest: &mut Guest| guest)?;
        wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
        let ticker = Arc::new(Ticker::default());
        tick(&engine, &ticker, limits)?;
        let calls = Arc::new(Semaphore::new(limits.guest_calls.into()));
        Ok(Self { engine, linker, calls, ticker })
    }

    /// Waits until fewer than `limits.guest_calls` calls hold a permit.
    pub async fn permit(&self) -> Option<OwnedSemaphorePermit> {
        // An error means a closed semaphore; nothing closes it.
        self.calls.clone().acquire_owned().await.ok()
    }

    /// Makes ticks (epochs of wasmtime) until the returned value is dropped.
    pub fn begin_call(&self) -> ActiveCall {
        self.ticker.calls.fetch_add(1, Ordering::AcqRel);
        let mut pace = self.ticker.pace.lock().unwrap_or_else(PoisonError::into_inner);
        pace.has_begun = true;
        if std::mem::take(&mut pace.is_asleep) {
            self.ticker.wake.notify_one();
        }
        ActiveCall(self.ticker.clone())
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _pace = self.ticker.pace.lock().unwrap_or_else(PoisonError::into_inner);
        self.ticker.over.store(true, Ordering::Release);
        self.ticker.wake.notify_one();
    }
}

/// Lets epochs pass while calls run, and sleeps after a period without any: a call for each of many
/// events does not wake it each time.
#[derive(Default)]
struct Ticker {
    calls: AtomicUsize,
    over: AtomicBool,
    pace: Mutex<Pace>,
    wake: Condvar,
}

#[derive(Default)]
struct Pace {
    /// The thread waits for a call.
    is_asleep: bool,
    /// A call has begun since the last tick.
    has_begun: bool,
}

/// A call of a guest during which the engine ticks.
pub(crate) struct ActiveCall(Arc<Ticker>);

impl Drop for ActiveCall {
    fn drop(&mut self) {
        self.0.calls.fetch_sub(1, Ordering::AcqRel);
    }
}

/// A thread of its own: a runtime whose workers all run guests could not tick. It ends with its
/// machine.
fn tick(engine: &wasmtime::Engine, ticker: &Arc<Ticker>, limits: &Limits) -> wasmtime::Result<()> {
    let (engine, ticker, period) = (engine.clone(), ticker.clone(), limits.guest_tick);
    let work = move || {
        loop {
            let mut pace = ticker.pace.lock().unwrap_or_else(PoisonError::into_inner);
            if ticker.over.load(Ordering::Acquire) {
                return;
            }
            let has_begun = std::mem::take(&mut pace.has_begun);
            if has_begun || ticker.calls.load(Ordering::Acquire) > 0 {
                drop(ticker.wake.wait_timeout(pace, period));
            } else {
                pace.is_asleep = true;
                drop(ticker.wake.wait(pace));
                // The call that has begun gets a whole period before its first tick.
                continue;
            }
            engine.increment_epoch();
        }
    };
    std::thread::Builder::new().name("guest-ticker".into()).spawn(work)?;
    Ok(())
}
