//! Builders for the records that a plugin returns.

use serde_json::{Value, json};

use crate::adapter::{
    Asset, BuildPlan, BuildResult, Command, EnvVar, Error, ErrorKind, Executable, LaunchPlan,
    Piece, Process, RequestKind, Resolution, Role, Transport, Workspace,
};
use crate::schema::{Ending, Manifest, Profile};

/// JSON from the other side; `null` if it does not parse.
pub(crate) fn value(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

/// A manifest as JSON. Its maps have only string keys, so serialising cannot fail; the host rejects
/// an empty text.
pub(crate) fn manifest_json(manifest: &Manifest) -> String {
    let json = |manifest| serde_json::to_value(manifest).unwrap_or_default();
    without_defaults(json(manifest), &json(&Manifest::default())).to_string()
}

/// The object without the members that have their default: a host that is older than this crate
/// refuses keys that it does not know, also those that the plugin leaves alone.
fn without_defaults(value: Value, default: &Value) -> Value {
    let Value::Object(members) = value else { return value };
    let mut own = serde_json::Map::new();
    for (name, member) in members {
        match default.get(&name) {
            Some(default) if *default == member => {}
            Some(default) => drop(own.insert(name, without_defaults(member, default))),
            None => drop(own.insert(name, member)),
        }
    }
    Value::Object(own)
}

/// Exit code of a program of the plugin if the system denies permission (`EX_NOPERM` of
/// sysexits.h).
pub const NOT_PERMITTED: i32 = 77;

macro_rules! kinds {
    ($($name:ident $kind:ident: $words:literal,)+) => {$(
        #[doc = $words]
        pub fn $name(message: impl Into<String>) -> Self {
            Self { kind: ErrorKind::$kind, message: message.into(), hint: None, detail: None }
        }
    )+};
}

impl Error {
    kinds! {
        invalid_request InvalidRequest: "The request is invalid.",
        invalid_config InvalidConfig: "A setting is invalid in a way that its schema cannot \
            express.",
        tool_missing ToolMissing: "A program or library is missing.",
        tool_too_old ToolTooOld: "A program is too old.",
        target_missing TargetMissing: "There is no such program, file or test.",
        target_ambiguous TargetAmbiguous: "Several targets match; the message lists them.",
        build_failed BuildFailed: "The build failed; the message has the compiler's output.",
        not_permitted NotPermitted: "The system denies permission; the host adds how to grant it.",
        unsupported Unsupported: "The adapter cannot do this.",
        internal Internal: "The plugin or the host is at fault.",
    }

    /// Reads an error from the last two lines that a program of the plugin printed: cause and hint.
    /// With exit code [`NOT_PERMITTED`] the last line is the cause, and there is no hint.
    pub fn from_output(result: &BuildResult) -> Self {
        let mut lines = result.stderr_tail.lines().rev().filter(|line| !line.trim().is_empty());
        match (lines.next().unwrap_or_default(), lines.next()) {
            (why, _) if result.exit_code == NOT_PERMITTED => Self::not_permitted(why),
            (helps, Some(why)) => Self::invalid_request(why).hint(helps),
            (alone, None) => Self::internal(alone),
        }
    }

    /// The one next step that fixes it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl From<&str> for Piece {
    fn from(manifest_json: &str) -> Self {
        Self::Text(manifest_json.into())
    }
}

impl From<String> for Piece {
    fn from(manifest_json: String) -> Self {
        Self::Text(manifest_json)
    }
}

impl Piece {
    /// A named value: `port:NAME`, or a capture of an earlier ready line.
    pub fn named(name: &str) -> Self {
        Self::Value(name.into())
    }
}

impl Command {
    /// Runs `program` without arguments. Without [`Command::cwd`] an adapter starts in a folder of
    /// no project, and anything else in the workspace's root.
    pub fn new(program: Executable) -> Self {
        Self { program, args: Vec::new(), env: Vec::new(), cwd: None }
    }

    /// Adds one argument of a single piece.
    #[must_use]
    pub fn arg(mut self, argument: impl Into<Piece>) -> Self {
        self.args.push(vec![argument.into()]);
        self
    }

    /// Adds one argument for each text.
    #[must_use]
    pub fn args<T: Into<Piece>>(mut self, arguments: impl IntoIterator<Item = T>) -> Self {
        self.args.extend(arguments.into_iter().map(|one| vec![one.into()]));
        self
    }

    /// Adds one argument whose pieces are joined.
    #[must_use]
    pub fn joined(mut self, pieces: impl IntoIterator<Item = Piece>) -> Self {
        self.args.push(pieces.into_iter().collect());
        self
    }

    /// Sets a variable of its environment.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl Into<String>) -> Self {
        self.env.push(EnvVar { name: name.into(), value: Some(value.into()) });
        self
    }

    /// Removes variables from its environment.
    #[must_use]
    pub fn without_env<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        let unset = |name: &str| EnvVar { name: name.into(), value: None };
        self.env.extend(names.into_iter().map(unset));
        self
    }

    /// Runs in this directory.
    #[must_use]
    pub fn cwd(mut self, directory: impl Into<String>) -> Self {
        self.cwd = Some(directory.into());
        self
    }
}

impl Process {
    /// The adapter, ready as soon as it runs.
    pub fn adapter(command: Command) -> Self {
        Self { role: Role::Adapter, command, ready: None, takes_stdin: false }
    }
}

impl LaunchPlan {
    /// Starts `adapter` and speaks DAP over its stdin and stdout.
    pub fn stdio(adapter: Command, arguments: Value) -> Self {
        Self::new(Transport::Stdio, arguments).process(Process::adapter(adapter))
    }

    /// Starts `adapter`, which connects to the reserved port `name` (`Piece::named("port:NAME")` in
    /// its arguments).
    pub fn dials_back(adapter: Command, name: &str, arguments: Value) -> Self {
        Self::new(Transport::Listen(name.into()), arguments).process(Process::adapter(adapter))
    }

    /// A launch request without processes.
    pub fn new(transport: Transport, arguments: Value) -> Self {
        Self {
            processes: Vec::new(),
            assets: Vec::new(),
            transport,
            request: RequestKind::Launch,
            arguments: arguments.to_string(),
            initialize: None,
            program: None,
            profile: None,
            state: None,
            notes: Vec::new(),
        }
    }

    /// The adapter gets the request's `stdin` and passes it to the program.
    #[must_use]
    pub fn passes_stdin(mut self) -> Self {
        for process in &mut self.processes {
            process.takes_stdin |= matches!(process.role, Role::Adapter);
        }
        self
    }

    /// Adds a process to start before the connection.
    #[must_use]
    pub fn process(mut self, process: Process) -> Self {
        self.processes.push(process);
        self
    }

    /// Adds a file for the adapter or the debuggee; `${asset:NAME}` is its path. It is deleted with
    /// the session, unless `start.assets` of the profile keeps it in the cache.
    #[must_use]
    pub fn asset(mut self, name: &str, content: &[u8]) -> Self {
        self.assets.push(Asset { name: name.into(), content: content.into() });
        self
    }

    /// Sends `attach` instead of `launch`.
    #[must_use]
    pub fn attach(mut self) -> Self {
        self.request = RequestKind::Attach;
        self
    }

    /// The debuggee's file, which the host checks.
    #[must_use]
    pub fn program(mut self, program: Executable) -> Self {
        self.program = Some(program);
        self
    }

    /// Replaces all keys of the manifest's profile for this session: start from the manifest's. A
    /// host that is older than this crate refuses the plan if the crate knows a newer key.
    #[must_use]
    pub fn profile(mut self, profile: &Profile) -> Self {
        self.profile = serde_json::to_string(profile).ok();
        self
    }

    /// Adds meanings of the debuggee's last output; the rest of its profile does not change.
    #[must_use]
    pub fn with_endings(self, endings: impl IntoIterator<Item = Ending>) -> Self {
        let endings: Vec<Ending> = endings.into_iter().collect();
        if endings.is_empty() { self } else { self.with_key("output", "endings", json!(endings)) }
    }

    /// Launch options with which the same request debugs what follows this debuggee; the rest of
    /// its profile does not change.
    #[must_use]
    pub fn followed_by(self, options: &Value) -> Self {
        self.with_key("start", "following", options.to_string().into())
    }

    fn with_key(mut self, section: &str, key: &str, key_value: Value) -> Self {
        let mut profile = self.profile.as_deref().map_or_else(|| json!({}), value);
        profile[section][key] = key_value;
        self.profile = Some(profile.to_string());
        self
    }

    /// One sentence for the caller.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

impl From<LaunchPlan> for Resolution {
    fn from(plan: LaunchPlan) -> Self {
        Self::Ready(plan)
    }
}

impl From<BuildPlan> for Resolution {
    fn from(plan: BuildPlan) -> Self {
        Self::Build(plan)
    }
}

impl Workspace {
    /// [`Workspace::settings`], parsed.
    pub fn settings_value(&self) -> Value {
        value(&self.settings())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifest_has_only_what_the_plugin_sets() {
        let mut manifest = Manifest { name: "lua".into(), ..Manifest::default() };
        manifest.profile.output.reasons = vec!["a".into()];
        let expect = json!({"name": "lua", "profile": {"output": {"reasons": ["a"]}}});
        assert_eq!(value(&manifest_json(&manifest)), expect);
        assert_eq!(serde_json::from_value::<Manifest>(expect).unwrap(), manifest);
    }

    #[test]
    fn last_lines_are_cause_and_hint() {
        let ended = |exit_code, manifest_json: &str| {
            Error::from_output(&BuildResult {
                step: 0,
                exit_code,
                stdout: String::new(),
                stderr_tail: manifest_json.into(),
            })
        };
        let from_output =
            ended(1, "(node:7) Warning\nthere is no process 7\nname a process that runs\n\n");
        let result = (from_output.kind, from_output.message.as_str(), from_output.hint.as_deref());
        assert!(matches!(
            result,
            (ErrorKind::InvalidRequest, "there is no process 7", Some("name a process that runs"))
        ));
        assert_eq!(ended(137, "Killed\n").message, "Killed");
        let refused = ended(NOT_PERMITTED, "(node:7) Warning\nptrace: Operation not permitted\n");
        let result = (refused.kind, refused.message.as_str(), refused.hint);
        assert!(matches!(
            result,
            (ErrorKind::NotPermitted, "ptrace: Operation not permitted", None)
        ));
    }
}
