//! Calls that take long as tasks, for callers that know them (MCP extension
//! `io.modelcontextprotocol/tasks`): the caller gets a name at once and asks for the answer later.
//!
//! Refuses to know what a call does. Tasks end with their connection.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use rmcp::ErrorData;
use rmcp::model::{
    CallToolResponse, CallToolResult, CreateTaskResult, DetailedTask, InputResponses, Task,
};
use rmcp::task_manager::{TaskContext, TaskExit, TaskManager, TaskOptions};
use tokio::sync::watch;
use tracing::Instrument;

use super::usage::{Usage, Use};

/// A call that is not answered by then is a task.
const AFTER: Duration = Duration::from_secs(2);

/// Tasks of one caller that run. Other calls are answered when they are done.
const RUNNING: usize = 64;

/// Answers of one caller that are stored. An answer that was read makes room; while too many are
/// unread, other calls are answered when they are done.
const ANSWERS: usize = 64;

/// Bytes of these answers.
const BYTES: usize = 1 << 20;

/// How long a task and its answer are stored: the longest wait takes half of it.
const STORED_MS: u64 = 2 * 3_600_000;

/// A call that can be made again with responses of the client.
pub(super) type Repeatable =
    Box<dyn Fn(InputResponses) -> BoxFuture<'static, CallToolResponse> + Send + Sync>;

/// The tasks of one caller, the oldest first.
#[derive(Default)]
pub(super) struct Tasks {
    all: Mutex<VecDeque<Known>>,
    /// Calls that run as tasks are uses: the caller has no other request open meanwhile.
    usage: watch::Sender<Usage>,
}

/// A task. Its manager has no other one: the library removes single tasks by their age only.
struct Known {
    id: String,
    manager: TaskManager,
    /// Of its answer, once it has one.
    bytes: Arc<OnceLock<usize>>,
    was_read: bool,
}

impl Known {
    /// `None`: it has expired.
    fn detail(&self) -> Option<DetailedTask> {
        self.manager.get_task(&self.id).ok()
    }
}

impl Tasks {
    /// `usage`: of the caller.
    pub fn new(usage: watch::Sender<Usage>) -> Self {
        Self { all: Mutex::default(), usage }
    }

    fn all(&self) -> MutexGuard<'_, VecDeque<Known>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer of a call, or a task that will have it.
    /// `call` makes it, again with the responses to what it required.
    pub async fn answer(&self, call: Repeatable, responses: InputResponses) -> CallToolResponse {
        let mut first = call(responses);
        if let Ok(response) = tokio::time::timeout(AFTER, &mut first).await {
            return response;
        }
        {
            let mut all = self.all();
            if make_room(&mut all) {
                let (task, known) = spawn(first, call, self.usage.clone());
                all.push_back(known);
                return CallToolResponse::Task(CreateTaskResult::new(task));
            }
        }
        first.await
    }

    /// # Errors
    /// There is no such task.
    pub fn get(&self, task: &str) -> Result<DetailedTask, ErrorData> {
        let mut all = self.all();
        let known = named(&mut all, task)?;
        let detail = known.manager.get_task(task)?;
        known.was_read |= detail.status().is_terminal();
        Ok(detail)
    }

    /// Drops the wait of a task's call, as a cancelled call does. The debuggee runs on.
    ///
    /// # Errors
    /// There is no such task.
    pub fn cancel(&self, task: &str) -> Result<(), ErrorData> {
        named(&mut self.all(), task)?.manager.cancel_task(task)
    }

    /// Gives a task the responses that it waits for.
    ///
    /// # Errors
    /// There is no such task.
    pub fn update(&self, task: &str, responses: InputResponses) -> Result<(), ErrorData> {
        named(&mut self.all(), task)?.manager.update_task(task, responses)
    }
}

fn spawn(
    first: BoxFuture<'static, CallToolResponse>,
    call: Repeatable,
    usage: watch::Sender<Usage>,
) -> (Task, Known) {
    let (manager, bytes) = (TaskManager::new(), Arc::<OnceLock<usize>>::default());
    let options = TaskOptions::new().with_ttl_ms(STORED_MS);
    let answered = bytes.clone();
    let task = manager.spawn(options, |context| {
        let work = async move {
            let result = tokio::select! {
                result = result(first, &call, &context, &usage) => result,
                () = context.cancelled() => Err(TaskExit::Cancelled),
            };
            let size = result.as_ref().map_or(0, size);
            answered.get_or_init(|| size);
            result
        };
        Box::pin(work.in_current_span())
    });
    let id = task.task_id.clone();
    (task, Known { id, manager, bytes, was_read: false })
}

fn named<'a>(all: &'a mut VecDeque<Known>, task: &str) -> Result<&'a mut Known, ErrorData> {
    let found = all.iter_mut().find(|known| known.id == task);
    found.ok_or_else(|| ErrorData::invalid_params(format!("unknown task: {task}"), None))
}

/// Whether there is room for another task. The oldest answers that were read make it.
fn make_room(all: &mut VecDeque<Known>) -> bool {
    all.retain(|known| known.detail().is_some());
    let running = all.iter().filter(|known| known.bytes.get().is_none()).count();
    if running >= RUNNING {
        return false;
    }
    loop {
        let (mut answers, mut bytes) = (0, 0);
        for size in all.iter().filter_map(|known| known.bytes.get()) {
            answers += 1;
            bytes += size;
        }
        if answers < ANSWERS && bytes < BYTES {
            return true;
        }
        let Some(oldest) = all.iter().position(|known| known.was_read) else { return false };
        all.remove(oldest);
    }
}

/// Bytes of an answer: its texts, and its data as JSON.
fn size(result: &CallToolResult) -> usize {
    serde_json::to_string(result).map_or(0, |text| text.len())
}

/// The result of a task's call, which may need responses of the client first.
async fn result(
    first: BoxFuture<'static, CallToolResponse>,
    call: &Repeatable,
    context: &TaskContext,
    usage: &watch::Sender<Usage>,
) -> Result<CallToolResult, TaskExit> {
    let (mut running, mut responses) = (first, InputResponses::new());
    loop {
        // Not while it waits for the caller.
        let in_use = Use::begin(usage);
        let response = running.await;
        drop(in_use);
        let required = match response {
            CallToolResponse::Complete(result) => return Ok(result),
            CallToolResponse::InputRequired(required) => required,
            other => {
                let text = format!("a call in a task was answered with {other:?}");
                return Err(TaskExit::Error(ErrorData::internal_error(text, None)));
            }
        };
        for (key, request) in required.input_requests.into_iter().flatten() {
            responses.insert(key.clone(), context.request_input(key, request).await?);
        }
        running = call(responses.clone());
    }
}

impl Drop for Tasks {
    fn drop(&mut self) {
        self.all().iter().for_each(|known| known.manager.shutdown());
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use rmcp::model::{ContentBlock, InputRequiredResult, TaskPayload};
    use serde_json::json;
    use tokio::sync::oneshot;

    use super::*;

    fn result(text: &str) -> CallToolResult {
        CallToolResult::success(vec![ContentBlock::text(text)])
    }

    /// Calls that are answered in order, each when its sender sends.
    fn pending<const N: usize>() -> ([oneshot::Sender<CallToolResponse>; N], Repeatable) {
        let (senders, receivers): (Vec<_>, VecDeque<_>) =
            (0..N).map(|_| oneshot::channel()).unzip();
        let receivers = Mutex::new(receivers);
        let call: Repeatable = Box::new(move |_| {
            let next = receivers.lock().unwrap().pop_front().expect("no further call");
            async { next.await.unwrap_or_else(|_| result("dropped").into()) }.boxed()
        });
        (senders.try_into().expect("as many"), call)
    }

    async fn task(tasks: &Tasks, call: Repeatable) -> String {
        let answer = tasks.answer(call, InputResponses::new()).await;
        let CallToolResponse::Task(created) = answer else { panic!("a task") };
        created.task.task_id
    }

    #[tokio::test(start_paused = true)]
    async fn quick_call_is_answered_itself() {
        let tasks = Tasks::default();
        let call: Repeatable = Box::new(|_| async { result("done").into() }.boxed());
        let answer = tasks.answer(call, InputResponses::new()).await;
        assert!(matches!(answer, CallToolResponse::Complete(_)), "{answer:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn long_call_is_a_task_with_its_answer() {
        let tasks = Tasks::default();
        let ([send], call) = pending();
        let id = task(&tasks, call).await;
        assert_eq!(tasks.get(&id).unwrap().payload, TaskPayload::Working);
        send.send(result("■ stopped").into()).unwrap();
        // The task runs before the next timer.
        tokio::time::advance(Duration::from_millis(1)).await;
        let TaskPayload::Completed { result } = tasks.get(&id).unwrap().payload else {
            panic!("an answer")
        };
        assert_eq!(result["content"][0]["text"], "■ stopped");
        assert!(tasks.get("unknown").is_err() && tasks.cancel("unknown").is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn task_waits_for_the_responses_that_its_call_requires() {
        let tasks = Tasks::default();
        let ([first, second], call) = pending();
        let id = task(&tasks, call).await;
        let required: InputRequiredResult = serde_json::from_value(json!({
            "resultType": "input_required",
            "inputRequests": {"install x": {
                "method": "elicitation/create",
                "params": {
                    "message": "Install it?",
                    "requestedSchema": {"type": "object", "properties": {}},
                },
            }},
        }))
        .unwrap();
        first.send(required.into()).unwrap();
        tokio::time::advance(Duration::from_millis(1)).await;
        let TaskPayload::InputRequired { input_requests } = tasks.get(&id).unwrap().payload else {
            panic!("a question")
        };
        assert_eq!(input_requests.keys().collect::<Vec<_>>(), ["install x"]);
        let response =
            InputResponses::from([("install x".to_owned(), json!({"action": "accept"}))]);
        tasks.update(&id, response).unwrap();
        second.send(result("■ stopped").into()).unwrap();
        tokio::time::advance(Duration::from_millis(1)).await;
        let TaskPayload::Completed { result } = tasks.get(&id).unwrap().payload else {
            panic!("an answer")
        };
        assert_eq!(result["content"][0]["text"], "■ stopped");
    }

    #[tokio::test(start_paused = true)]
    async fn cancelled_task_drops_its_call() {
        let tasks = Tasks::default();
        let ([mut send], call) = pending();
        let id = task(&tasks, call).await;
        tasks.cancel(&id).unwrap();
        send.closed().await;
        tokio::time::advance(Duration::from_millis(1)).await;
        assert_eq!(tasks.get(&id).unwrap().payload, TaskPayload::Cancelled);
    }

    #[tokio::test(start_paused = true)]
    async fn call_of_a_task_is_a_use_until_it_is_answered() {
        let usage = watch::Sender::<Usage>::default();
        let open = || usage.borrow().open;
        let tasks = Tasks::new(usage.clone());
        let ([send], call) = pending();
        task(&tasks, call).await;
        let ([mut cancelled], call) = pending();
        let id = task(&tasks, call).await;
        tokio::time::advance(Duration::from_millis(1)).await;
        assert_eq!(open(), 2);
        tasks.cancel(&id).unwrap();
        cancelled.closed().await;
        tokio::time::advance(Duration::from_millis(1)).await;
        assert_eq!(open(), 1);
        send.send(result("■ stopped").into()).unwrap();
        tokio::time::advance(Duration::from_millis(1)).await;
        assert_eq!(open(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn tasks_end_with_their_connection() {
        let tasks = Tasks::default();
        let ([mut send], call) = pending();
        task(&tasks, call).await;
        drop(tasks);
        send.closed().await;
    }

    /// A task whose answer has that many bytes and a few more, and which has it.
    async fn answered(tasks: &Tasks, bytes: usize) -> Option<String> {
        let ([send], call) = pending();
        let (answer, ()) = tokio::join!(tasks.answer(call, InputResponses::new()), async {
            // A call that is no task is answered when it is done.
            tokio::time::advance(AFTER + Duration::from_millis(1)).await;
            tokio::task::yield_now().await;
            send.send(result(&"x".repeat(bytes)).into()).unwrap();
        });
        let CallToolResponse::Task(created) = answer else { return None };
        tokio::time::advance(Duration::from_millis(1)).await;
        Some(created.task.task_id)
    }

    #[tokio::test(start_paused = true)]
    async fn answers_are_bounded_and_those_that_were_read_make_room() {
        for (bytes, most) in [(10, ANSWERS), (BYTES / 4, 4)] {
            let tasks = Tasks::default();
            let mut unread = Vec::new();
            while let Some(id) = answered(&tasks, bytes).await {
                unread.push(id);
                assert!(unread.len() <= most, "{bytes}");
            }
            assert_eq!(unread.len(), most, "{bytes}");
            assert!(unread.iter().all(|id| tasks.get(id).is_ok()));
            assert!(answered(&tasks, bytes).await.is_some());
            assert!(tasks.get(&unread[0]).is_err() && tasks.get(&unread[1]).is_ok());
        }
    }
}
