//! Makes the calls of a project's sessions and compares the answers. Each session has a host of its
//! own; after a step that fails, the rest of its session is skipped.

use std::net::TcpStream;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::places::{self, Facts};
use super::project::{Call, Project, Session, Step};
use super::{Host, http};
use crate::mcp::Client;

/// Longer than a server needs for its response once it runs.
const PATIENCE: Duration = Duration::from_secs(60);

/// Counts of steps.
#[derive(Debug, Default)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
    /// Steps that show a known fault.
    pub faults: usize,
}

impl Tally {
    pub fn add(&mut self, other: &Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.faults += other.faults;
    }
}

/// Runs all sessions and prints a line per step.
pub fn run(host: &Host, project: &Project, directory: &Path, facts: &Facts) -> Tally {
    let mut tally = Tally::default();
    for session in &project.session {
        println!("  {}", session.name);
        let counts = match Conversation::start(host, directory, facts) {
            Ok(conversation) => conversation.run(session),
            Err(error) => {
                println!("    {FAILED}  {error:#}");
                Tally { failed: 1, skipped: session.step.len() - 1, ..Tally::default() }
            }
        };
        tally.add(&counts);
    }
    tally
}

/// A host, and the last request to the program that it debugs.
struct Conversation<'a> {
    client: Client,
    directory: &'a Path,
    facts: Facts,
    response: Option<Receiver<Result<String>>>,
}

impl<'a> Conversation<'a> {
    fn start(host: &Host, directory: &'a Path, facts: &Facts) -> Result<Self> {
        let mut client = Client::start(&mut host.command(directory))?;
        client.initialize()?;
        let mut facts = facts.clone();
        facts.insert("port".to_owned(), http::free_port()?.to_string());
        Ok(Self { client, directory, facts, response: None })
    }

    fn run(mut self, session: &Session) -> Tally {
        let mut tally = Tally::default();
        for (index, step) in session.step.iter().enumerate() {
            let began = Instant::now();
            let (word, problem) = judge(step.fault(), self.make(step));
            let seconds = began.elapsed().as_secs_f32();
            println!("    {word:<7} {:<60} {seconds:5.1} s", title(step));
            if !problem.is_empty() {
                println!("{}", indented(&problem));
            }
            match word {
                OK => tally.passed += 1,
                FAULT => tally.faults += 1,
                _ => {
                    tally.failed += 1;
                    tally.skipped = session.step.len() - index - 1;
                    break;
                }
            }
        }
        if let Err(error) = self.client.close() {
            println!("    {FAILED}  the end of the host: {error:#}");
            tally.failed += 1;
        }
        tally
    }

    fn make(&mut self, step: &Step) -> Result<()> {
        match step {
            Step::Call(call) => self.call(call),
            Step::Request(request) => self.request(&request.request),
            Step::Response(response) => self.compare_response(&response.response),
        }
    }

    fn call(&mut self, call: &Call) -> Result<()> {
        let mut arguments = serde_json::to_value(&call.with).context("cannot read arguments")?;
        places::fill_value(&mut arguments, self.directory, &self.facts)?;
        let reply = self.client.call(&call.call, &arguments, |_| {})?;
        let line = || format!("{} {arguments}\n{}", call.call, reply.text);
        ensure!(reply.is_error == call.refused, "{}\n{}", refusal(call.refused), line());
        self.compare(&reply.text, &call.expect, &call.absent).with_context(line)
    }

    /// Fails with what is wrong about a text.
    fn compare(&self, text: &str, expect: &[String], absent: &[String]) -> Result<()> {
        for expected in expect {
            let expected = places::fill(expected, self.directory, &self.facts)?;
            ensure!(text.contains(&expected), "it lacks `{expected}`");
        }
        for unwanted in absent {
            let unwanted = places::fill(unwanted, self.directory, &self.facts)?;
            ensure!(!text.contains(&unwanted), "it has `{unwanted}`");
        }
        Ok(())
    }

    fn request(&mut self, path: &str) -> Result<()> {
        let path = places::fill(path, self.directory, &self.facts)?;
        let port = self.facts["port"].parse().context("a port is a number")?;
        let stream: TcpStream = http::connect(port)?;
        let (send, receive) = channel();
        std::thread::spawn(move || send.send(http::get(stream, &path)));
        self.response = Some(receive);
        Ok(())
    }

    fn compare_response(&mut self, expect: &[String]) -> Result<()> {
        let response = self.response.take().context("there was no request")?;
        let Ok(response) = response.recv_timeout(PATIENCE) else {
            bail!("no response within {} s", PATIENCE.as_secs())
        };
        let response = response?;
        self.compare(&response, expect, &[]).with_context(|| response.clone())
    }
}

const OK: &str = "ok";
const FAILED: &str = "FAILED";
const FAULT: &str = "fault";

/// The word for a step, and what is to be said about it.
fn judge(fault: Option<&str>, done: Result<()>) -> (&'static str, String) {
    match (fault, done) {
        (None, Ok(())) => (OK, String::new()),
        (None, Err(error)) => (FAILED, format!("{error:#}")),
        (Some(fault), Err(_)) => (FAULT, fault.to_owned()),
        (Some(fault), Ok(())) => (FAILED, format!("mended, so remove the key: {fault}")),
    }
}

fn refusal(expected: bool) -> &'static str {
    if expected { "the call was not refused" } else { "the call was refused" }
}

/// A step in one line.
fn title(step: &Step) -> String {
    let text = match step {
        Step::Call(call) => {
            let arguments = serde_json::to_value(&call.with).unwrap_or(Value::Null);
            format!("{} {}", call.call, arguments)
        }
        Step::Request(request) => format!("GET {}", request.request),
        Step::Response(response) => format!("response {}", response.response.join(", ")),
    };
    if text.chars().count() <= 60 {
        return text;
    }
    text.chars().take(59).chain(['…']).collect()
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("      | {line}")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_fault_is_no_failure_until_it_is_mended() {
        let bad = || Err(anyhow::anyhow!("it lacks `x`"));
        for (fault, done, word, text) in [
            (None, Ok(()), OK, ""),
            (None, bad(), FAILED, "it lacks `x`"),
            (Some("no x"), bad(), FAULT, "no x"),
            (Some("no x"), Ok(()), FAILED, "mended, so remove the key: no x"),
        ] {
            assert_eq!(judge(fault, done), (word, text.to_owned()));
        }
    }

    #[test]
    fn a_title_is_one_short_line() {
        let step: Step = toml::from_str(
            "call = 'debug_launch'\nexpect = []\nwith = { command = 'python manage.py runserver \
             --noreload 127.0.0.1:8000' }",
        )
        .unwrap();
        let title = title(&step);
        assert!(title.starts_with("debug_launch {\"command\":\"python"), "{title}");
        assert_eq!(title.chars().count(), 60);
    }
}
