//! A thread by number or name.

use super::super::problem::Problem;
use crate::model::ThreadId;
use crate::session::Handle;

/// The thread with this number or name.
pub(in crate::mcp) async fn thread(
    handle: &Handle,
    text: Option<&str>,
) -> Result<Option<ThreadId>, Problem> {
    match text {
        None => Ok(None),
        Some(text) => Ok(Some(handle.thread(text.to_owned()).await?)),
    }
}
