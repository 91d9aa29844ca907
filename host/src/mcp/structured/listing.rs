//! Output and targets.

use schemars::JsonSchema;
use serde::Serialize;

use super::written;
use crate::model::plan::TargetKind;
use crate::model::{self, OutputLine, OutputNote, OutputPage};
use crate::session;

/// One line of output.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Line {
    /// `since` takes it.
    number: u64,
    stream: Stream,
    text: String,
    /// The line has ended.
    complete: bool,
}

/// adapter: a message of the debugger.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Stream {
    Stdout,
    Stderr,
    Log,
    Adapter,
}

impl Line {
    pub fn of(line: &OutputLine) -> Self {
        let stream = match line.stream {
            model::Stream::Stdout => Stream::Stdout,
            model::Stream::Stderr => Stream::Stderr,
            model::Stream::Log => Stream::Log,
            model::Stream::Adapter => Stream::Adapter,
        };
        let text = written::text(&line.text);
        Self { number: line.number, stream, text, complete: line.complete }
    }
}

/// Output since the previous stop.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct News {
    /// Number of lines.
    count: u64,
    /// Number of the oldest of them that are no longer stored.
    lost: u64,
    /// The last of them.
    last: Vec<Line>,
    /// `since` of debug_output for all of them.
    since: u64,
}

impl News {
    pub fn of(note: &OutputNote) -> Self {
        Self {
            count: note.lines,
            lost: note.lost,
            last: note.tail.iter().map(Line::of).collect(),
            since: note.since,
        }
    }
}

/// Data of `debug_output`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::mcp) struct Output {
    lines: Vec<Line>,
    /// `since` for the next page.
    next: u64,
    /// Number of lines that are no longer stored.
    lost: u64,
    /// Number of lines that match and are left out.
    skipped: u64,
    /// `since` for the page before.
    earlier: Option<u64>,
}

impl Output {
    pub fn of(page: &OutputPage) -> Self {
        Self {
            lines: page.lines.iter().map(Line::of).collect(),
            next: page.next,
            lost: page.lost,
            skipped: page.skipped,
            earlier: page.earlier,
        }
    }
}

/// A program or test.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Target {
    adapter: String,
    /// As debug_launch takes it.
    id: String,
    kind: Kind,
    label: String,
    file: Option<String>,
    line: Option<u32>,
    /// A launch builds it first.
    needs_build: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Kind {
    Program,
    Test,
    TestGroup,
    Module,
    Script,
    Process,
    Other,
}

/// An adapter that did not list its targets.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct FailedAdapter {
    adapter: String,
    reason: String,
}

/// Data of `debug_targets`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::mcp) struct Targets {
    targets: Vec<Target>,
    /// Number of those found beyond the limit.
    more: usize,
    /// Number of targets with other names and kinds, if none is found.
    others: usize,
    failed: Vec<FailedAdapter>,
}

impl Targets {
    pub fn of(targets: &session::Targets, limit: usize) -> Self {
        let mut listed = Vec::new();
        for (adapter, target) in targets.found.iter().take(limit) {
            listed.push(Target {
                adapter: adapter.clone(),
                id: target.id.clone(),
                kind: kind(target.kind),
                label: written::text(&target.label),
                file: target.file.clone(),
                line: target.line,
                needs_build: target.needs_build,
            });
        }
        let mut failed = Vec::new();
        for (adapter, reason) in &targets.failed {
            let reason = written::text(reason);
            failed.push(FailedAdapter { adapter: adapter.clone(), reason });
        }
        let more = targets.found.len() - listed.len();
        Self { targets: listed, more, others: targets.others, failed }
    }
}

fn kind(kind: TargetKind) -> Kind {
    match kind {
        TargetKind::Program => Kind::Program,
        TargetKind::Test => Kind::Test,
        TargetKind::TestGroup => Kind::TestGroup,
        TargetKind::Module => Kind::Module,
        TargetKind::Script => Kind::Script,
        TargetKind::Process => Kind::Process,
        TargetKind::Other => Kind::Other,
    }
}
