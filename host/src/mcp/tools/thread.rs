//! A thread as callers name it: by number or by name.

use super::super::call::Problem;
use crate::model::ThreadId;
use crate::session::{Error, Handle};

/// The thread that `text` means.
pub(in crate::mcp) async fn thread(handle: &Handle, text: Option<&str>) -> Result<Option<ThreadId>, Problem> {
    let Some(text) = text else { return Ok(None) };
    if let Ok(number) = text.trim().parse() {
        return Ok(Some(ThreadId(number)));
    }
    let threads = handle.threads().await?;
    match threads.iter().find(|thread| thread.name == text) {
        Some(thread) => Ok(Some(thread.id)),
        None => Err(Error::no_such_thread(text.to_owned(), &threads).into()),
    }
}
