//! The debuggee's threads, named and ordered as the plugin wants them.

use crate::dap::{NoArguments, request, types};
use crate::model::{Thread, ThreadId, answer};
use crate::session::Error;
use crate::session::adapter::wire::Wire;
use crate::session::values;

/// All threads; `keep` is among them even if the plugin hides it.
pub(crate) async fn all(wire: &Wire, keep: Option<ThreadId>) -> Result<Vec<Thread>, Error> {
    let answer =
        wire.call::<request::Threads>(NoArguments).await.map_err(|error| wire.error(&error))?;
    Ok(named(wire, answer.threads, keep).await)
}

/// The thread that a caller names by its number or by its name. `stopped` is never hidden.
pub(crate) async fn find(
    wire: &Wire,
    stopped: Option<ThreadId>,
    number: Option<ThreadId>,
    name: String,
) -> Result<ThreadId, Error> {
    let all = all(wire, number.or(stopped)).await?;
    if number.is_some() {
        let limit = wire.quirks().listing_limit(all.len());
        return by_number(all, number, limit).map(|thread| thread.id);
    }
    match all.iter().find(|thread| thread.name == name) {
        Some(thread) => Ok(thread.id),
        None => Err(values::Error::no_such_thread(name, &all).into()),
    }
}

/// The thread with this number. One that is not listed may exist if the listing has a limit.
pub(super) fn by_number(
    threads: Vec<Thread>,
    wanted: Option<ThreadId>,
    limit: Option<u32>,
) -> Result<Thread, Error> {
    let id = wanted.unwrap_or(ThreadId(0));
    match threads.iter().find(|thread| thread.id == id) {
        Some(thread) => Ok(thread.clone()),
        None if limit.is_some() => Ok(Thread { id, name: format!("thread {}", id.0) }),
        None => Err(values::Error::no_such_thread(id.0.to_string(), &threads).into()),
    }
}

/// This thread, or the first that the adapter lists; 0 if it lists none while the debuggee runs.
pub(crate) async fn or_first(wire: &Wire, thread: Option<ThreadId>) -> ThreadId {
    if let Some(thread) = thread {
        return thread;
    }
    let listed = wire.call::<request::Threads>(NoArguments).await;
    ThreadId(listed.ok().map_or(0, |answer| answer.threads.first().map_or(0, |one| one.id)))
}

/// Threads as the plugin names and orders them, without those it hides: `keep` is never hidden.
pub(crate) async fn named(
    wire: &Wire,
    listed: Vec<types::Thread>,
    keep: Option<ThreadId>,
) -> Vec<Thread> {
    let mut threads = Vec::with_capacity(listed.len());
    for thread in listed {
        let name =
            if thread.name.is_empty() { format!("thread {}", thread.id) } else { thread.name };
        threads.push(Thread { id: ThreadId(thread.id), name });
    }
    if !wire.plugin().wants_present("threads") {
        return threads;
    }
    let given: Vec<answer::Thread> = threads
        .iter()
        .map(|thread| answer::Thread { id: thread.id.0, name: thread.name.clone() })
        .collect();
    let hook_call = wire.hook_call().await;
    let views = wire.plugin().threads(&hook_call.view, &given).await;
    let mut views = hook_call.degrade(views, Vec::new()).into_iter();
    let mut ranked: Vec<(u8, Thread)> = Vec::with_capacity(threads.len());
    for thread in threads {
        match views.next() {
            Some(view) if view.hidden && keep != Some(thread.id) => {}
            Some(view) => ranked.push((view.rank, Thread { name: view.label, ..thread })),
            None => ranked.push((u8::MAX, thread)),
        }
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, thread)| thread).collect()
}
