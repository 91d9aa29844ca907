//! Calls that take long as tasks, for callers that know them (MCP extension
//! `io.modelcontextprotocol/tasks`): the caller gets a name at once and asks for the answer later.
//!
//! Refuses to know what a call does. Tasks end with their connection.

use std::time::Duration;

use futures_util::future::BoxFuture;
use rmcp::ErrorData;
use rmcp::model::{CallToolResponse, CallToolResult, CreateTaskResult, DetailedTask};
use rmcp::task_manager::{TaskExit, TaskManager, TaskOptions};

/// A call that is not answered by then is a task.
const AFTER: Duration = Duration::from_secs(2);

/// Tasks of one caller that run. Other calls are answered when they are done.
const RUNNING: usize = 64;

/// How long a task and its answer are stored: the longest wait takes half of it.
const STORED_MS: u64 = 2 * 3_600_000;

/// The tasks of one caller.
#[derive(Default)]
pub(super) struct Tasks(TaskManager);

impl Tasks {
    /// The answer of a call, or a task that will have it.
    pub async fn answer(&self, mut call: BoxFuture<'static, CallToolResult>) -> CallToolResponse {
        if self.0.running_task_count() >= RUNNING {
            return call.await.into();
        }
        if let Ok(result) = tokio::time::timeout(AFTER, &mut call).await {
            return result.into();
        }
        let options = TaskOptions::new().with_ttl_ms(STORED_MS);
        let task = self.0.spawn(options, |context| {
            Box::pin(async move {
                tokio::select! {
                    result = call => Ok(result),
                    () = context.cancelled() => Err(TaskExit::Cancelled),
                }
            })
        });
        CallToolResponse::Task(CreateTaskResult::new(task))
    }

    /// # Errors
    /// There is no such task.
    pub fn get(&self, task: &str) -> Result<DetailedTask, ErrorData> {
        self.0.get_task(task)
    }

    /// Drops the wait of a task's call, as a cancelled call does. The debuggee runs on.
    ///
    /// # Errors
    /// There is no such task.
    pub fn cancel(&self, task: &str) -> Result<(), ErrorData> {
        self.0.cancel_task(task)
    }

    /// No task of ours waits for input: responses are ignored.
    ///
    /// # Errors
    /// There is no such task.
    pub fn update(&self, task: &str) -> Result<(), ErrorData> {
        self.0.update_task(task, [])
    }
}

impl Drop for Tasks {
    fn drop(&mut self) {
        self.0.shutdown();
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use rmcp::model::{ContentBlock, TaskPayload};
    use tokio::sync::oneshot;

    use super::*;

    fn result(text: &str) -> CallToolResult {
        CallToolResult::success(vec![ContentBlock::text(text)])
    }

    /// A call that is answered when the sender sends.
    fn pending() -> (oneshot::Sender<CallToolResult>, BoxFuture<'static, CallToolResult>) {
        let (send, receive) = oneshot::channel();
        (send, async { receive.await.unwrap_or_else(|_| result("dropped")) }.boxed())
    }

    async fn task(tasks: &Tasks, call: BoxFuture<'static, CallToolResult>) -> String {
        let CallToolResponse::Task(created) = tasks.answer(call).await else { panic!("a task") };
        created.task.task_id
    }

    #[tokio::test(start_paused = true)]
    async fn quick_call_is_answered_itself() {
        let tasks = Tasks::default();
        let answer = tasks.answer(async { result("done") }.boxed()).await;
        assert!(matches!(answer, CallToolResponse::Complete(_)), "{answer:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn long_call_is_a_task_with_its_answer() {
        let tasks = Tasks::default();
        let (send, call) = pending();
        let id = task(&tasks, call).await;
        assert_eq!(tasks.get(&id).unwrap().payload, TaskPayload::Working);
        send.send(result("■ stopped")).unwrap();
        // The task runs before the next timer.
        tokio::time::advance(Duration::from_millis(1)).await;
        let TaskPayload::Completed { result } = tasks.get(&id).unwrap().payload else {
            panic!("an answer")
        };
        assert_eq!(result["content"][0]["text"], "■ stopped");
        assert!(tasks.get("unknown").is_err() && tasks.cancel("unknown").is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn cancelled_task_drops_its_call() {
        let tasks = Tasks::default();
        let (mut send, call) = pending();
        let id = task(&tasks, call).await;
        tasks.cancel(&id).unwrap();
        send.closed().await;
        tokio::time::advance(Duration::from_millis(1)).await;
        assert_eq!(tasks.get(&id).unwrap().payload, TaskPayload::Cancelled);
    }

    #[tokio::test(start_paused = true)]
    async fn tasks_end_with_their_connection() {
        let tasks = Tasks::default();
        let (mut send, call) = pending();
        task(&tasks, call).await;
        drop(tasks);
        send.closed().await;
    }
}
