//! Sessions over the fake adapter as a real process, through a real plugin: scenarios as tables.
//! Time is real, so nothing sleeps; durations only bound what fails.

mod breakpoints;
mod endings;
mod faults;
mod log;
mod moves;
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

/// Longest wait for something that is about to happen on a busy machine.
const SOON: Duration = Duration::from_secs(20);

async fn soon<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(SOON, what).await.expect("nothing came")
}

/// A project and the options of its launch.
pub(crate) struct Stage {
    dir: tempfile::TempDir,
    limits: Limits,
    options: Value,
    breakpoints: Vec<BreakpointSpec>,
    stop_on_entry: bool,
    /// There is an adapter for `.lua` files too.
    others: bool,
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
            others: false,
        };
        let mut script = script;
        script["source"] = stage.source().to_str().into();
        stage.options = json!({"script": script, "heard": stage.root().join("heard.jsonl")});
        stage
    }

    /// With a breakpoint at every one of these lines.
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
        if self.others {
            let source = Source::File(crate::plugin::component("minimal"));
            adapters.insert(
                "other".to_owned(),
                Adapter { source, languages: Vec::new(), settings: json!({}) },
            );
        }
        let catalog = Catalog::new(Engine::new(options), adapters);
        let setup = Setup { catalog, limits, auto_install: false };
        Sessions::new(Box::new(move || Ok(setup.clone())), owner)
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
            core: None,
            options: self.options.to_string(),
            again: "again".into(),
        }
    }

    /// Launches; waits for nothing.
    pub(crate) async fn launch(self) -> Run {
        let sessions = self.sessions();
        let handle = soon(sessions.launch(self.request())).await.unwrap();
        drop(sessions);
        Run { handle, cursor: Cursor::default(), stage: self }
    }

    /// Everything the adapter has heard so far.
    fn heard(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.root().join("heard.jsonl")).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn commands(&self) -> Vec<String> {
        self.heard().iter().map(|message| message["command"].as_str().unwrap().to_owned()).collect()
    }

    /// The arguments of every request of a command.
    fn arguments(&self, command: &str) -> Vec<Value> {
        let heard = self.heard().into_iter().filter(|message| message["command"] == command);
        heard.map(|mut message| message["arguments"].take()).collect()
    }

    /// Names of the living processes whose working directory is the project's.
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

/// A session and how far it has been followed.
pub(crate) struct Run {
    handle: Handle,
    cursor: Cursor,
    stage: Stage,
}

impl Run {
    /// The next happening.
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

    /// The next happening in words.
    async fn told(&mut self) -> String {
        match self.next().await {
            Ok(Happening::Stopped(stop)) => self.word(&stop).await,
            Ok(Happening::Ended(exit)) => format!("ended {:?} {:?}", exit.status, exit.rung),
            Err(error) => format!("error {error}"),
        }
    }

    /// `Breakpoint main:3 #1`, breakpoints numbered as the session has them.
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

    /// Resumes and tells what comes.
    async fn go(&mut self, how: Resume) -> String {
        match self.resume(how).await {
            Ok(()) => self.told().await,
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

    /// What became of every breakpoint, in words.
    pub(crate) async fn bindings(&self) -> Vec<String> {
        self.breakpoints().await.iter().map(binding).collect()
    }

    /// Waits until the session's progress says so.
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
    }
}

fn step(kind: StepKind) -> Resume {
    Resume::Step(Step { kind, granularity: Granularity::Line })
}

/// A program of bare lines.
fn lines(lines: &[u32]) -> Value {
    lines.iter().map(|line| json!({"line": line})).collect()
}
