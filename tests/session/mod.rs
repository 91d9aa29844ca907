//! Sessions with the fake adapter as a real process, through a real plugin: scenarios as tables.
//!
//! Time is real and nothing sleeps; durations only limit how long a failure takes.

mod breakpoints;
mod endings;
mod exceptions;
mod faults;
mod leaving;
mod log;
mod moves;
mod opened;
mod output;
mod pages;
mod reads;
mod start;
mod waits;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use dapdock::limits::Limits;
use dapdock::model::{
    Binding, Breakpoint, BreakpointEdit, BreakpointId, BreakpointSpec, Cursor, Exit, Granularity,
    Happening, LaunchRequest, LaunchTarget, Place, Resume, Step, StepKind, Stop,
};
use dapdock::plugin::{Adapter, Catalog, Engine, Options, Source};
use dapdock::process::{GuardProgram, Owner};
use dapdock::session::{BreakpointReport, Error, Handle, Sessions, Setup};
use serde_json::{Value, json};

/// Upper bound for anything that should happen soon, on a busy machine.
const SOON: Duration = Duration::from_secs(20);

async fn soon<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(SOON, what).await.expect("nothing came")
}

/// A project and its launch options.
pub(crate) struct Stage {
    dir: tempfile::TempDir,
    limits: Limits,
    options: Value,
    breakpoints: Vec<BreakpointSpec>,
    stop_on_entry: bool,
    /// Whether an adapter for `.lua` files is configured too.
    other_adapter: bool,
}

impl Stage {
    /// The script's places are lines of the one source file.
    pub(crate) fn new(script: Value) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let lines: String = (1..=40).map(|line| format!("code {line}\n")).collect();
        std::fs::write(dir.path().join("shop.fake"), &lines).unwrap();
        std::fs::write(dir.path().join("cart.fake"), &lines).unwrap();
        let mut stage = Self {
            dir,
            limits: Limits::default(),
            options: json!({}),
            breakpoints: Vec::new(),
            stop_on_entry: false,
            other_adapter: false,
        };
        let mut script = script;
        script["source"] = stage.source().to_str().into();
        stage.options = json!({"script": script, "heard": stage.root().join("heard.jsonl")});
        stage
    }

    /// With a breakpoint at each of these lines.
    pub(crate) fn at(mut self, lines: &[u32]) -> Self {
        self.breakpoints = lines.iter().map(|line| self.line(*line)).collect();
        self
    }

    pub(crate) fn with(mut self, key: &str, value: Value) -> Self {
        self.options[key] = value;
        self
    }

    fn root(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap()
    }

    fn source(&self) -> PathBuf {
        self.root().join("shop.fake")
    }

    fn place(&self, line: u32) -> Place {
        Place::Line { path: self.source(), line, column: None }
    }

    fn line(&self, line: u32) -> BreakpointSpec {
        BreakpointSpec::at(self.place(line))
    }

    fn sessions(&self) -> Arc<Sessions> {
        let limits = Arc::new(self.limits.clone());
        let guard = GuardProgram {
            program: env!("CARGO_BIN_EXE_dapdock").into(),
            args: vec!["guard".into()],
        };
        let owner = Owner::with_guard(limits.clone(), guard);
        let tools = [("fake-adapter", crate::fake::executable()), ("sh", "/bin/sh".into())];
        let options = Options {
            cache: Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiled")),
            limits: limits.clone(),
            owner: owner.clone(),
            env: BTreeMap::new(),
            tools: tools.map(|(name, path)| (name.to_owned(), path.into())).into(),
            adapters: None,
        };
        let source = Source::File(crate::plugin::component("fake"));
        let adapter = Adapter { source, languages: Vec::new(), settings: json!({}) };
        let mut adapters = BTreeMap::from([("fake".to_owned(), adapter)]);
        if self.other_adapter {
            let source = Source::File(crate::plugin::component("minimal"));
            adapters.insert(
                "other".to_owned(),
                Adapter { source, languages: Vec::new(), settings: json!({}) },
            );
        }
        let catalog = Catalog::new(Engine::new(options), adapters);
        let setup = Setup { catalog, limits, auto_install: false };
        Sessions::new(Box::new(move |_| Ok(setup.clone())), owner)
    }

    fn request(&self) -> LaunchRequest {
        LaunchRequest {
            target: LaunchTarget::Program(self.source()),
            args: Vec::new(),
            cwd: None,
            workspace: self.root(),
            env: Vec::new(),
            adapter: None,
            breakpoints: self.breakpoints.clone(),
            stop_on_entry: self.stop_on_entry,
            stdin: None,
            stdin_pipe: false,
            output_bytes: None,
            core: None,
            options: self.options.to_string(),
            again: "again".into(),
        }
    }

    /// Launches without waiting for a stop.
    pub(crate) async fn launch(self) -> Run {
        let sessions = self.sessions();
        let handle = soon(Box::pin(sessions.launch(self.request()))).await.unwrap();
        drop(sessions);
        Run { handle, cursor: Cursor::default(), stage: self }
    }

    /// Every message the adapter has received so far.
    fn received(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.root().join("heard.jsonl")).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn commands(&self) -> Vec<String> {
        self.received()
            .iter()
            .map(|message| message["command"].as_str().unwrap().to_owned())
            .collect()
    }

    /// The arguments of every request of a command.
    fn arguments(&self, command: &str) -> Vec<Value> {
        let received = self.received().into_iter().filter(|message| message["command"] == command);
        received.map(|mut message| message["arguments"].take()).collect()
    }

    /// Names of live processes whose working directory is the project's.
    fn processes(&self) -> Vec<String> {
        processes(&self.root())
    }
}

fn processes(root: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let alive = stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']));
        if alive && std::fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == root) {
            names.push(stat.split(['(', ')']).nth(1).unwrap_or_default().to_owned());
        }
    }
    names.sort();
    names
}

/// A session and the position of the last event read from it.
pub(crate) struct Run {
    handle: Handle,
    cursor: Cursor,
    stage: Stage,
}

impl Run {
    /// The next event.
    async fn next(&mut self) -> Result<Happening, Error> {
        let (happening, cursor) = soon(self.handle.wait(self.cursor)).await?;
        self.cursor = cursor;
        Ok(happening)
    }

    #[track_caller]
    pub(crate) fn stop(&mut self) -> impl Future<Output = Arc<Stop>> {
        let caller = std::panic::Location::caller();
        async move {
            match self.next().await {
                Ok(Happening::Stopped(stop)) => stop,
                other => panic!("no stop but {other:?} ({caller})"),
            }
        }
    }

    #[track_caller]
    fn exit(&mut self) -> impl Future<Output = Arc<Exit>> {
        let caller = std::panic::Location::caller();
        async move {
            match self.next().await {
                Ok(Happening::Ended(exit)) => exit,
                other => panic!("no end but {other:?} ({caller})"),
            }
        }
    }

    /// The next event as text.
    async fn outcome(&mut self) -> String {
        match self.next().await {
            Ok(Happening::Stopped(stop)) => self.word(&stop).await,
            Ok(Happening::Ended(exit)) => format!("ended {:?} {:?}", exit.status, exit.rung),
            Err(error) => format!("error {error}"),
        }
    }

    /// `Breakpoint main:3 #1`, with breakpoints numbered in the session's order.
    pub(crate) async fn word(&self, stop: &Stop) -> String {
        let known: Vec<BreakpointId> = self.breakpoints().await.iter().map(|one| one.id).collect();
        let number =
            |id: &BreakpointId| known.iter().position(|one| one == id).map_or(0, |at| at + 1);
        let top = &stop.frames[stop.focus];
        let hit: String = stop.hit.iter().map(|id| format!(" #{}", number(id))).collect();
        format!("{:?} {}:{}{hit}", stop.class, top.name, top.line)
    }

    async fn resume(&mut self, how: Resume) -> Result<(), Error> {
        self.cursor = soon(self.handle.resume(how, None)).await?;
        Ok(())
    }

    /// Resumes and returns the next event as text.
    async fn go(&mut self, how: Resume) -> String {
        match self.resume(how).await {
            Ok(()) => self.outcome().await,
            Err(error) => format!("error {error}"),
        }
    }

    async fn edit(&self, edit: BreakpointEdit) -> Result<BreakpointReport, Error> {
        soon(self.handle.breakpoints(edit)).await
    }

    async fn set(&self, set: Vec<BreakpointSpec>) -> BreakpointReport {
        self.edit(BreakpointEdit { set, ..BreakpointEdit::default() }).await.unwrap()
    }

    async fn breakpoints(&self) -> Vec<Breakpoint> {
        soon(self.handle.status()).await.unwrap().breakpoints
    }

    /// The binding of every breakpoint as text.
    pub(crate) async fn bindings(&self) -> Vec<String> {
        self.breakpoints().await.iter().map(binding).collect()
    }

    /// Waits until the session's progress is `word`.
    async fn until(&self, word: &str) {
        soon(self.handle.progress().wait_for(|now| now == word)).await.unwrap();
    }

    async fn log(&self) -> String {
        soon(self.handle.log()).await.unwrap().lines.join("\n")
    }
}

fn binding(breakpoint: &Breakpoint) -> String {
    match &breakpoint.binding {
        Binding::Pending => "pending".into(),
        Binding::Unconfirmed => "unconfirmed".into(),
        Binding::Bound { line } => format!("bound {}", line.unwrap_or(0)),
        Binding::Refused { reason, .. } => format!("refused {reason}"),
        Binding::BadCondition { why } => format!("bad condition {why}"),
        Binding::Foreign { adapter } => format!("left by {adapter}"),
        Binding::SetByCommand { number, .. } => format!("set by a command as {number}"),
    }
}

fn step(kind: StepKind) -> Resume {
    Resume::Step(Step { kind, granularity: Granularity::Line })
}

/// The lines of each `setBreakpoints` request, separated by spaces.
fn lines_sent(calls: &[Value]) -> Vec<String> {
    let mut sent = Vec::new();
    for call in calls {
        let breakpoints = call["breakpoints"].as_array().unwrap();
        let lines: Vec<_> = breakpoints.iter().map(|one| one["line"].to_string()).collect();
        sent.push(lines.join(" "));
    }
    sent
}

/// A program of bare lines.
fn lines(lines: &[u32]) -> Value {
    lines.iter().map(|line| json!({"line": line})).collect()
}
