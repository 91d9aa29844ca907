//! Bounds and timeouts of sessions and of the processes that they start, passed explicitly. A bound
//! that users ([`Limits::keys`]) or tests set is a field; any other is a constant in its module.
//! Knows no policy: the user of a bound defines what happens when it is reached.

use std::time::Duration;

/// The bounds of one host. Sessions and plugins run with the defaults and the user's
/// [`Limits::keys`]. The MCP server starts before the configuration is read and has the defaults:
/// for a key of the user it asks `Sessions::limits`. Tests tighten single fields.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of an output stream of a process that are stored; older ones are dropped.
    pub tail_bytes: usize,
    /// Longest line for a reader of a stream, in bytes; longer ones are split.
    pub line_bytes: usize,
    /// From SIGTERM to SIGKILL.
    pub term_grace: Duration,
    /// From SIGKILL until a process counts as stuck.
    pub kill_grace: Duration,
    /// How long a family must have no process until it counts as ended: a process in `exec` has no
    /// mark for a moment.
    pub settle: Duration,
    /// From starting the guard process until it reports that it is ready.
    pub guard_start: Duration,
    /// Open sessions at most.
    pub sessions: usize,
    /// Ended sessions that are stored for their output.
    pub remembered: usize,
    /// Breakpoints of a session at most.
    pub breakpoints: usize,
    /// Debugged child processes of one debuggee at most.
    pub children: usize,
    /// Watches of a session at most.
    pub watches: usize,
    /// Stops that a session stores for waiting calls.
    pub stops: usize,
    /// Lines of a debuggee's output that are stored.
    pub output_lines: usize,
    /// Bytes of a debuggee's output that are stored.
    pub output_bytes: usize,
    /// Hits of log breakpoints that are stored.
    pub log_hits: usize,
    /// Lines of a session's own log that are stored.
    pub log_lines: usize,
    /// Longest message of the caller, in bytes. Once parsed, many small values take far more
    /// memory than their text.
    pub message: usize,
    /// Messages that may queue while a plugin reads one.
    pub queue: usize,
    /// Bytes of a build step's standard output that a plugin gets.
    pub build_output: usize,
    /// From starting an adapter to its connection.
    pub connect: Duration,
    /// From `initialize` to its answer.
    pub initialize: Duration,
    /// From `launch` to its answer, and to `initialized`.
    pub launch: Duration,
    /// From the start until the versions of the tools are checked, which may be too old.
    pub slow_start: Duration,
    /// From any other request to its answer.
    pub request: Duration,
    /// From DAP `terminate` to its answer.
    pub terminate: Duration,
    /// From `disconnect` to its answer, with the debuggee ended.
    pub disconnect: Duration,
    /// From a resuming request to its answer and the stop of its step: stops of other child
    /// processes wait that long.
    pub step: Duration,
    /// From `disconnect` to its answer, with the debuggee left running: some adapters take five
    /// seconds.
    pub detach: Duration,
    /// From closing the wire to SIGTERM.
    pub close_grace: Duration,
    /// From `exited` until the session ends without `terminated`.
    pub exit_settle: Duration,
    /// How long a call without `timeout_s` waits for a stop.
    pub wait: Duration,
    /// The longest wait that a caller may request.
    pub longest_wait: Duration,
    /// How long a host in the background waits for the next caller without an open session.
    pub host_idle: Duration,
    /// Once the caller of a host has gone: how long a session that a person has taken waits for the
    /// person's next call.
    pub left_claim: Duration,
    /// How long a person may take to agree to what a call needs.
    pub choice: Duration,
    /// Connections of the command line to one host at once.
    pub connections: usize,
    /// Connections by HTTP at once.
    pub http_connections: usize,
    /// Conversations by HTTP at once: clients that have sent `initialize`.
    pub http_clients: usize,
    /// Bytes of the last events of a client by HTTP, which are stored for a stream that it resumes.
    pub http_events: usize,
    /// From a connection by HTTP, or its last answer, to the head of the next request; then to the
    /// end of its body.
    pub http_read: Duration,
    /// From a part of an answer by HTTP that the client does not take to the end of its connection.
    pub http_untaken: Duration,
    /// A client by HTTP without an open request, a stream included, and without a session ends
    /// after this time.
    pub http_idle: Duration,
    /// A client by HTTP without an open request, a stream included, and with an open session ends
    /// after this time, and with it its sessions and their programs: whether its connection broke
    /// or it just sends nothing, it may be dead. Requests that name no client count as one.
    pub http_lost: Duration,
    /// The time of a session of `compat:viewport`.
    pub viewport_session: Duration,
    /// Calls of such a session at most.
    pub viewport_actions: usize,
    /// Such sessions at once.
    pub viewport_sessions: usize,
    /// The wait of one `debug_step` call there, for all its steps.
    pub viewport_step: Duration,
    /// Bytes of output that such a session stores.
    pub viewport_output_bytes: usize,
    /// One evaluation there.
    pub viewport_evaluate: Duration,
    /// From a pause to its stop: how long a call waits for it, unless the stacks of running threads
    /// can be read, and how long a pause is repeated.
    pub pause: Duration,
    /// From a pause to the next, if the adapter may drop one or a pause may find no frame of the
    /// program.
    pub pause_again: Duration,
    /// From a pause without a stop until the stacks of running threads are read, if the adapter
    /// can.
    pub pause_peek: Duration,
    /// The interval of progress notifications of a waiting call.
    pub progress_every: Duration,
    /// From the end of the caller's input to the end of this process: all sessions end and the last
    /// answers are written in this time.
    pub shutdown: Duration,
    /// A guard that died younger than this is not replaced before the next session.
    pub guard_young: Duration,
    /// One guest call, wall clock; the time of probes is not counted.
    pub guest_call: Duration,
    /// How often a computing guest yields and its time is checked.
    pub guest_tick: Duration,
    /// Guest calls at the same time; further ones wait.
    pub guest_calls: u16,
    /// Linear memory of one guest call, in bytes.
    pub guest_memory: usize,
    /// Handles alive in one guest call.
    pub guest_handles: usize,
    /// Bytes that one guest call may pass to the host at once, answers included.
    pub guest_answer: usize,
    /// Bytes that a guest may print: enough for the message of a panic.
    pub guest_stderr: usize,
    /// Longest log or progress line of a guest, in bytes.
    pub guest_line: usize,
    /// Largest component that is read from disk, in bytes.
    pub component: u64,
    /// One run of a package client that installs an adapter.
    pub install: Duration,
    /// Rounds of builds for one request.
    pub build_rounds: u32,
    /// The default timeout of a probe, and the longest that it may set.
    pub probe_time: Duration,
    /// Longest input of a probe, in bytes.
    pub probe_input: usize,
    /// Bytes of a probe's output that a guest gets.
    pub probe_output: usize,
    /// Most bytes of a workspace file that a guest reads at once.
    pub workspace_file: u64,
    /// Most entries of a directory or matches of a glob that a guest gets.
    pub workspace_entries: usize,
    /// Most directory entries that one glob or listing reads.
    pub workspace_visits: usize,
    /// How long a search for the own files of a project may take.
    pub workspace_search: Duration,
}

impl Limits {
    /// The keys of `[limits]` in dapdock.toml and their fields, sorted.
    const FIELDS: [(&str, Field); 16] = [
        ("breakpoints", Field::Count(|limits| &mut limits.breakpoints)),
        ("children", Field::Count(|limits| &mut limits.children)),
        ("connect_s", Field::Seconds(|limits| &mut limits.connect)),
        ("http_clients", Field::Count(|limits| &mut limits.http_clients)),
        ("http_idle_s", Field::Seconds(|limits| &mut limits.http_idle)),
        ("http_lost_s", Field::Seconds(|limits| &mut limits.http_lost)),
        ("initialize_s", Field::Seconds(|limits| &mut limits.initialize)),
        ("launch_s", Field::Seconds(|limits| &mut limits.launch)),
        ("request_s", Field::Seconds(|limits| &mut limits.request)),
        ("sessions", Field::Count(|limits| &mut limits.sessions)),
        ("viewport_actions", Field::Count(|limits| &mut limits.viewport_actions)),
        ("viewport_evaluate_s", Field::Seconds(|limits| &mut limits.viewport_evaluate)),
        ("viewport_output_bytes", Field::Count(|limits| &mut limits.viewport_output_bytes)),
        ("viewport_session_s", Field::Seconds(|limits| &mut limits.viewport_session)),
        ("viewport_sessions", Field::Count(|limits| &mut limits.viewport_sessions)),
        ("viewport_step_s", Field::Seconds(|limits| &mut limits.viewport_step)),
    ];

    /// The keys of `[limits]` in dapdock.toml, sorted: seconds with `_s`, counts without.
    pub fn keys() -> impl Iterator<Item = &'static str> {
        Self::FIELDS.iter().map(|(key, _)| *key)
    }

    /// What this key takes, if it does not take this number.
    pub fn expected(key: &str, number: f64) -> Option<&'static str> {
        match Self::FIELDS.iter().find(|(known, _)| *known == key)?.1 {
            Field::Count(_) if number < 1.0 || number.fract() != 0.0 => {
                Some("a whole number above 0")
            }
            Field::Seconds(_) if number <= 0.0 => Some("a number above 0"),
            _ => None,
        }
    }

    /// Sets the field of one of [`Limits::keys`]; another key changes nothing.
    pub fn set(&mut self, key: &str, number: f64) {
        match Self::FIELDS.iter().find(|(known, _)| *known == key) {
            Some((_, Field::Count(field))) => *field(self) = number as usize,
            Some((_, Field::Seconds(field))) => {
                *field(self) = Duration::try_from_secs_f64(number).unwrap_or(Duration::MAX);
            }
            None => {}
        }
    }
}

/// A field that users set.
#[derive(Clone, Copy)]
enum Field {
    Count(fn(&mut Limits) -> &mut usize),
    Seconds(fn(&mut Limits) -> &mut Duration),
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            tail_bytes: 64 * 1024,
            line_bytes: 16 * 1024,
            term_grace: Duration::from_millis(500),
            kill_grace: Duration::from_secs(2),
            settle: Duration::from_millis(5),
            guard_start: Duration::from_secs(5),
            sessions: 16,
            remembered: 4,
            breakpoints: 500,
            children: 32,
            watches: 20,
            stops: 64,
            output_lines: 100_000,
            output_bytes: 4 << 20,
            log_hits: 10_000,
            log_lines: 500,
            message: 4 << 20,
            queue: 10_000,
            build_output: 8 << 20,
            connect: Duration::from_secs(15),
            initialize: Duration::from_secs(15),
            launch: Duration::from_secs(30),
            slow_start: Duration::from_secs(3),
            request: Duration::from_secs(10),
            terminate: Duration::from_millis(500),
            disconnect: Duration::from_secs(1),
            step: Duration::from_secs(1),
            detach: Duration::from_secs(8),
            close_grace: Duration::from_millis(300),
            exit_settle: Duration::from_secs(1),
            wait: Duration::from_secs(30),
            longest_wait: Duration::from_secs(3600),
            host_idle: Duration::from_secs(600),
            left_claim: Duration::from_secs(2 * 3600),
            choice: Duration::from_secs(300),
            connections: 256,
            http_connections: 256,
            http_clients: 64,
            http_events: 1 << 20,
            http_read: Duration::from_secs(10),
            http_untaken: Duration::from_secs(60),
            http_idle: Duration::from_secs(600),
            http_lost: Duration::from_secs(300),
            viewport_session: Duration::from_secs(300),
            viewport_actions: 200,
            viewport_sessions: 3,
            viewport_step: Duration::from_secs(30),
            viewport_output_bytes: 1 << 20,
            viewport_evaluate: Duration::from_secs(5),
            pause: Duration::from_secs(10),
            pause_again: Duration::from_millis(250),
            pause_peek: Duration::from_secs(2),
            progress_every: Duration::from_secs(2),
            shutdown: Duration::from_secs(10),
            guard_young: Duration::from_secs(1),
            guest_call: Duration::from_secs(2),
            guest_tick: Duration::from_millis(10),
            guest_calls: 64,
            guest_memory: 64 << 20,
            guest_handles: 10_000,
            guest_answer: 16 << 20,
            guest_stderr: 4096,
            guest_line: 4096,
            component: 64 << 20,
            install: Duration::from_secs(1200),
            build_rounds: 3,
            probe_time: Duration::from_secs(10),
            probe_input: 64 * 1024,
            probe_output: 256 * 1024,
            workspace_file: 4 << 20,
            workspace_entries: 10_000,
            workspace_visits: 100_000,
            workspace_search: Duration::from_secs(10),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Limits;

    /// The lines of a debug text that differ from the defaults.
    fn changed(limits: &Limits) -> Vec<String> {
        let (now, before) = (format!("{limits:#?}"), format!("{:#?}", Limits::default()));
        let lines = now.lines().zip(before.lines());
        lines.filter(|(now, before)| now != before).map(|(now, _)| now.trim().to_owned()).collect()
    }

    #[test]
    fn each_key_sets_the_field_of_its_name() {
        for key in Limits::keys() {
            let mut limits = Limits::default();
            limits.set(key, 77.0);
            let line = match key.strip_suffix("_s") {
                Some(name) => format!("{name}: 77s,"),
                None => format!("{key}: 77,"),
            };
            assert_eq!(changed(&limits), [line]);
        }
    }

    #[test]
    fn a_count_is_whole_and_a_time_is_above_zero() {
        let refused = |key, number| Limits::expected(key, number).is_some();
        assert!(refused("breakpoints", 0.5) && refused("breakpoints", 0.0));
        assert!(refused("request_s", 0.0) && !refused("request_s", 0.5));
        assert!(!refused("breakpoints", 2.0));
    }

    #[test]
    fn unknown_key_changes_nothing() {
        let mut limits = Limits::default();
        limits.set("request", 77.0);
        assert_eq!(changed(&limits), [""; 0]);
    }
}
