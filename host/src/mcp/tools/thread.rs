//! A thread as callers name it: by number or by name.

use super::super::call::Problem;
use crate::model::{StackQuery, ThreadId};
use crate::session::{Error, Handle};

/// The thread that `text` means.
pub(in crate::mcp) async fn thread(handle: &Handle, text: Option<&str>) -> Result<Option<ThreadId>, Problem> {
    let Some(text) = text else { return Ok(None) };
    if let Ok(number) = text.trim().parse() {
        return Ok(Some(ThreadId(number)));
    }
    let stacks = handle.stack(StackQuery { all_threads: true, count: 1, ..StackQuery::default() }).await?;
    match stacks.iter().find(|stack| stack.thread.name == text) {
        Some(stack) => Ok(Some(stack.thread.id)),
        None => {
            let known = stacks.iter().map(|stack| format!("{} {}", stack.thread.id.0, stack.thread.name));
            Err(Error::NoSuchThread { asked: text.to_owned(), known: known.collect() }.into())
        }
    }
}
