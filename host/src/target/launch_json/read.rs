//! One configuration as a request: the keys that debuggers share, and those that a manifest gives a
//! meaning.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dapdock_schema::{Configurations, Manifest};
use serde_json::{Map, Value};

use super::{MAX, variables};
use crate::file;
use crate::model::{LaunchRequest, LaunchTarget};

/// Keys about an editor's windows: nothing is lost without them.
const OF_EDITORS: [&str; 9] = [
    "name",
    "type",
    "request",
    "presentation",
    "console",
    "terminal",
    "externalConsole",
    "internalConsoleOptions",
    "debugServer",
];

/// A request, and the keys that were not heeded.
pub(crate) struct Read {
    pub request: LaunchRequest,
    pub ignored: Vec<String>,
}

/// What the caller says itself: it is stronger than the file, whose keys for it are not looked at.
#[derive(Clone, Debug, Default)]
pub struct Stronger {
    /// Instead of `args`.
    pub args: Option<Vec<String>>,
    /// Instead of `cwd`.
    pub cwd: Option<PathBuf>,
    /// Instead of the adapter that `type` means.
    pub adapter: Option<String>,
    /// Instead of `stopOnEntry`.
    pub stop_on_entry: Option<bool>,
    /// A file for the program to read.
    pub stdin: Option<PathBuf>,
    /// A core file, instead of the file's.
    pub core: Option<PathBuf>,
    /// Beside `env`, and before it.
    pub env: Vec<(String, Option<String>)>,
    /// Answers to what only an editor knows, by what stands in `${…}`.
    pub inputs: Map<String, Value>,
}

impl Stronger {
    /// What of it means nothing to a program that runs already.
    pub(crate) fn of_a_launch(&self) -> impl Iterator<Item = &'static str> {
        let said = [
            ("args", self.args.is_some()),
            ("cwd", self.cwd.is_some()),
            ("env", !self.env.is_empty()),
            ("stdin", self.stdin.is_some()),
            ("core", self.core.is_some()),
        ];
        said.into_iter().filter(|(_, said)| *said).map(|(key, _)| key)
    }
}

/// Reads `configuration` for the adapter that the manifest is of, called `adapter` in the
/// configuration of ours.
///
/// # Errors
/// What is missing or ill-typed, in words.
pub(crate) fn request(
    configuration: &Map<String, Value>,
    manifest: &Manifest,
    adapter: &str,
    workspace: &Path,
    stronger: &Stronger,
) -> Result<Read, String> {
    let mut keys = Keys { left: configuration.clone(), workspace };
    keys.rename(&manifest.configurations.names);
    OF_EDITORS.iter().for_each(|key| drop(keys.left.shift_remove(*key)));
    let kind = configuration.get("request").and_then(Value::as_str).unwrap_or("launch");
    keys.drop_implied(kind, &manifest.configurations.implied);
    let attaches = kind == "attach";
    let mut options = options(&mut keys, kind, &manifest.configurations)?;
    let own_core = core(options.shift_remove("core"), workspace)?;
    let mut request = LaunchRequest {
        target: LaunchTarget::Command(Vec::new()),
        args: Vec::new(),
        cwd: None,
        workspace: workspace.to_owned(),
        env: Vec::new(),
        adapter: Some(adapter.to_owned()),
        breakpoints: Vec::new(),
        stop_on_entry: match stronger.stop_on_entry {
            Some(stop) => keys.forget("stopOnEntry", stop),
            None => keys.take("stopOnEntry")? == Some(Value::Bool(true)),
        },
        stdin: stronger.stdin.clone(),
        core: stronger.core.clone().or_else(|| own_core.clone()),
        options: Value::Object(options).to_string(),
        again: String::new(),
    };
    if attaches {
        request.target = attached(&mut keys)?;
        request.stdin = None;
        request.core = None;
        let own_core = own_core.map(|_| "core".to_owned());
        let of_the_call =
            stronger.of_a_launch().map(|key| format!("{key} of the call")).chain(own_core);
        return Ok(Read {
            request,
            ignored: keys.left.keys().cloned().chain(of_the_call).collect(),
        });
    }
    request.cwd = match &stronger.cwd {
        Some(cwd) => keys.forget("cwd", Some(cwd.clone())),
        None => keys.text("cwd")?.map(|cwd| workspace.join(cwd)),
    };
    request.args = match &stronger.args {
        Some(args) => keys.forget("args", args.clone()),
        None => keys.words("args")?,
    };
    let mut absent = Vec::new();
    if let Some(path) = keys.text("envFile")? {
        let read = env_file(&workspace.join(path))?;
        request.env = read.env;
        absent = read.absent;
    }
    request.env.extend(keys.env()?);
    request.env.extend(stronger.env.iter().cloned());
    request.target = launched(&mut keys, &manifest.configurations, request.cwd.as_deref())?;
    if let LaunchTarget::Command(words) = &mut request.target {
        words.append(&mut request.args);
    }
    let absent = absent.iter().map(|name| format!("${{{name}}} of envFile, which nothing defines"));
    Ok(Read { request, ignored: keys.left.keys().cloned().chain(absent).collect() })
}

/// What is left of a configuration while it is read; variables are filled in where a key is wanted.
struct Keys<'a> {
    left: Map<String, Value>,
    workspace: &'a Path,
}

impl Keys<'_> {
    fn take(&mut self, key: &str) -> Result<Option<Value>, String> {
        let value = self.left.shift_remove(key).filter(|value| !value.is_null());
        value.map(|value| variables::fill(&value, self.workspace)).transpose()
    }

    /// Gives keys the names that all share, where those are not there themselves.
    fn rename(&mut self, names: &BTreeMap<String, String>) {
        for (theirs, shared) in names {
            if !self.left.contains_key(shared)
                && let Some(value) = self.cut(theirs)
            {
                self.left.insert(shared.clone(), value);
            }
        }
    }

    /// Drops keys that say what is done anyway, of every request or of this kind.
    fn drop_implied(&mut self, kind: &str, implied: &BTreeMap<String, Vec<String>>) {
        let is_implied = |key: &str, value: &Value| {
            let here = implied.iter().filter(|(theirs, _)| of_request(theirs, kind) == Some(key));
            here.flat_map(|(_, values)| values).any(|one| value.as_str() == Some(one))
        };
        self.left.retain(|key, value| !is_implied(key, value));
    }

    /// Takes the value at `key` or `object.key` out; an object of which nothing is left goes with
    /// it.
    fn cut(&mut self, path: &str) -> Option<Value> {
        let Some((object, key)) = path.split_once('.') else { return self.left.shift_remove(path) };
        let inner = self.left.get_mut(object)?.as_object_mut()?;
        let value = inner.shift_remove(key);
        if inner.is_empty() {
            self.left.shift_remove(object);
        }
        value
    }

    /// The caller's word instead of this key.
    fn forget<T>(&mut self, key: &str, instead: T) -> T {
        self.left.shift_remove(key);
        instead
    }

    fn text(&mut self, key: &str) -> Result<Option<String>, String> {
        match self.take(key)? {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(format!("`{key}` must be a text, got {other}")),
        }
    }

    /// A list of words, or a line of them.
    fn words(&mut self, key: &str) -> Result<Vec<String>, String> {
        let wrong = || format!("`{key}` must be a list of texts");
        match self.take(key)? {
            None => Ok(Vec::new()),
            Some(Value::String(line)) => shell_words::split(&line).map_err(|_| wrong()),
            Some(Value::Array(items)) => items
                .iter()
                .map(|item| item.as_str().map(str::to_owned).ok_or_else(wrong))
                .collect(),
            Some(_) => Err(wrong()),
        }
    }

    /// A key's text as one word, its list as several.
    fn words_of(&mut self, key: &str) -> Result<Vec<String>, String> {
        match self.left.get(key) {
            Some(Value::String(_)) => Ok(self.text(key)?.into_iter().collect()),
            _ => self.words(key),
        }
    }

    /// An object, or a list of `{"name", "value"}`.
    fn env(&mut self) -> Result<Vec<(String, Option<String>)>, String> {
        let text = |value: &Value| match value {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        };
        let wrong = || "`env` must be an object, or a list of {\"name\", \"value\"}".to_owned();
        match self.take("env")? {
            None => Ok(Vec::new()),
            Some(Value::Object(object)) => {
                Ok(object.iter().map(|(name, value)| (name.clone(), text(value))).collect())
            }
            Some(Value::Array(items)) => {
                let named =
                    |item: &Value| Some((item["name"].as_str()?.to_owned(), text(&item["value"])));
                items.iter().map(|item| named(item).ok_or_else(wrong)).collect()
            }
            Some(_) => Err(wrong()),
        }
    }

    fn number(&mut self, key: &str, most: u64) -> Result<Option<u64>, String> {
        let number = match self.take(key)? {
            None => return Ok(None),
            Some(Value::String(text)) => text.parse().map_err(|_| text),
            Some(value) => value.as_u64().ok_or_else(|| value.to_string()),
        };
        let number =
            number.and_then(
                |number: u64| if number <= most { Ok(number) } else { Err(number.to_string()) },
            );
        number
            .map(Some)
            .map_err(|got| format!("`{key}` must be a number of at most {most}, got {got}"))
    }
}

/// The key that an entry of a table is about, unless it is the other request's alone.
fn of_request<'a>(key: &'a str, kind: &str) -> Option<&'a str> {
    match key.split_once('.') {
        Some((of, key)) if of == kind => Some(key),
        Some(("launch" | "attach", _)) => None,
        _ => Some(key),
    }
}

/// Keys that the manifest calls options, by their names there.
fn options(
    keys: &mut Keys<'_>,
    kind: &str,
    table: &Configurations,
) -> Result<Map<String, Value>, String> {
    let mut options = Map::new();
    for (theirs, ours) in &table.options {
        let Some(theirs) = of_request(theirs, kind) else { continue };
        if let Some(value) = keys.take(theirs)? {
            options.insert(ours.clone(), value);
        }
    }
    Ok(options)
}

/// A file of the workspace, whatever the adapter calls the key.
fn core(told: Option<Value>, workspace: &Path) -> Result<Option<PathBuf>, String> {
    match told {
        None => Ok(None),
        Some(Value::String(file)) => Ok(Some(workspace.join(file))),
        Some(other) => Err(format!("the core file must be a text, got {other}")),
    }
}

fn launched(
    keys: &mut Keys<'_>,
    table: &Configurations,
    cwd: Option<&Path>,
) -> Result<LaunchTarget, String> {
    for command in &table.commands {
        let there = keys.left.get(&command.key).filter(|value| match &command.value {
            Some(wanted) => value.as_str() == Some(wanted),
            None => !value.is_null(),
        });
        if there.is_some() {
            let words = filled(keys, &command.words)?;
            drop(keys.left.shift_remove(&command.key));
            return Ok(LaunchTarget::Command(words));
        }
    }
    let program = keys.text("program")?.ok_or("it names no `program`")?;
    let (here, below) = (keys.workspace.join(&program), cwd.map(|cwd| cwd.join(&program)));
    // Of the working directory where only that has it, as in a call.
    Ok(LaunchTarget::Program(
        below.filter(|below| !here.exists() && below.exists()).unwrap_or(here),
    ))
}

/// The words of a command with those of the keys that they name.
fn filled(keys: &mut Keys<'_>, template: &[String]) -> Result<Vec<String>, String> {
    let mut words: Vec<String> = Vec::new();
    let mut after_option = false;
    for word in template {
        let Some(key) = word.strip_prefix('{').and_then(|word| word.strip_suffix('}')) else {
            after_option = word.starts_with('-');
            words.push(word.clone());
            continue;
        };
        let own = keys.words_of(key)?;
        if own.is_empty() && after_option {
            words.pop();
        }
        words.extend(own);
        after_option = false;
    }
    Ok(words)
}

fn attached(keys: &mut Keys<'_>) -> Result<LaunchTarget, String> {
    if let Some(pid) = keys.number("processId", i32::MAX as u64)? {
        return Ok(LaunchTarget::Process(u32::try_from(pid).unwrap_or_default()));
    }
    let host = keys.text("host")?;
    let port = keys.number("port", u64::from(u16::MAX))?;
    let port = port.ok_or("it names neither a process (`processId`) nor a `port`")?;
    Ok(LaunchTarget::Address(
        host.unwrap_or_else(|| "127.0.0.1".to_owned()),
        u16::try_from(port).unwrap_or_default(),
    ))
}

/// What an env file sets.
struct EnvFile {
    env: Vec<(String, Option<String>)>,
    /// Names in `${…}` that nothing defines.
    absent: Vec<String>,
}

/// `NAME=value` lines as editors read them: one pair of quotes around a value is not of it, `\n` in
/// double ones ends a line, `#` begins a line of remark, `${…}` is a name from above or of the
/// environment, and nothing else means anything. What a line holds may be a secret: an error tells
/// only its number.
fn env_file(path: &Path) -> Result<EnvFile, String> {
    let fail = |why: String| format!("`envFile` {}: {why}", path.display());
    let bytes = file::read(path, MAX).map_err(|error| fail(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| fail("is not UTF-8".to_owned()))?;
    let mut read = EnvFile { env: Vec::new(), absent: Vec::new() };
    for (line, number) in text.trim_start_matches('\u{feff}').lines().map(str::trim).zip(1..) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (name, value) =
            line.split_once('=').ok_or_else(|| fail(format!("line {number} is no NAME=value")))?;
        let name = name.strip_prefix("export ").unwrap_or(name).trim();
        let value = value.trim();
        let quoted = |quote| value.strip_prefix(quote)?.strip_suffix(quote);
        let lines = quoted('"').map(|value| value.replace("\\n", "\n"));
        let value = lines.unwrap_or_else(|| quoted('\'').unwrap_or(value).to_owned());
        let known = |name: &str| read.env.iter().rev().find(|(one, _)| one == name)?.1.clone();
        let value = variables::of_env_file(&value, known, &mut read.absent);
        read.env.push((name.to_owned(), Some(value)));
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use dapdock_schema::ConfiguredCommand;
    use serde_json::json;

    use super::*;

    fn manifest() -> Manifest {
        let module = ConfiguredCommand {
            key: "module".into(),
            value: None,
            words: ["run".into(), "-m".into(), "{module}".into()].to_vec(),
        };
        let test = ConfiguredCommand {
            key: "mode".into(),
            value: Some("test".into()),
            words: ["t", "-C", "{at}", "{flags}"].map(str::to_owned).into(),
        };
        let names = [
            ("environment", "env"),
            ("stopAtEntry", "stopOnEntry"),
            ("to.port", "port"),
            ("to.name", "host"),
        ];
        let names = names.map(|(theirs, shared)| (theirs.to_owned(), shared.to_owned())).into();
        let options = [("ownCode", "own_code"), ("dump", "core"), ("attach.symbols", "file")];
        let options = options.map(|(theirs, ours)| (theirs.to_owned(), ours.to_owned())).into();
        Manifest {
            configurations: Configurations {
                types: vec!["x".into()],
                names,
                options,
                implied: [("mode", "plain"), ("launch.how", "here"), ("attach.how", "there")]
                    .map(|(key, value)| (key.to_owned(), vec![value.to_owned()]))
                    .into(),
                commands: vec![module, test],
            },
            ..Manifest::default()
        }
    }

    #[test]
    fn a_core_file_is_of_the_workspace() {
        let core =
            |value| read(value).map(|read| (read.request.core, read.request.options, read.ignored));
        let dumped = json!({"program": "a", "dump": "core.1"});
        assert_eq!(core(dumped), Ok((Some("/w/core.1".into()), "{}".into(), Vec::new())));
        let joined = json!({"request": "attach", "processId": 7, "dump": "core.1"});
        assert_eq!(core(joined), Ok((None, "{}".into(), vec!["core".to_owned()])));
        assert_eq!(
            core(json!({"program": "a", "dump": 1})),
            Err("the core file must be a text, got 1".into())
        );
    }

    #[test]
    fn what_one_request_implies_means_nothing_to_the_other() {
        let ignored = |value| read(value).unwrap().ignored;
        let launch = |how: &str| ignored(json!({"program": "a", "how": how, "mode": "plain"}));
        assert_eq!((launch("here"), launch("there")), (vec![], vec!["how".to_owned()]));
        let attach = |how: &str| {
            ignored(json!({"request": "attach", "port": 1, "how": how, "mode": "plain"}))
        };
        assert_eq!((attach("here"), attach("there")), (vec!["how".to_owned()], vec![]));
    }

    #[test]
    fn an_option_of_one_request_is_none_of_the_other() {
        let options = |value| read(value).map(|read| (read.request.options, read.ignored)).unwrap();
        let joined = json!({"request": "attach", "port": 1, "symbols": "a"});
        assert_eq!(options(joined), (r#"{"file":"a"}"#.to_owned(), Vec::new()));
        let started = json!({"program": "a", "symbols": "a"});
        assert_eq!(options(started), ("{}".to_owned(), vec!["symbols".to_owned()]));
    }

    fn read(value: Value) -> Result<Read, String> {
        read_with(value, &Stronger::default())
    }

    fn read_with(value: Value, stronger: &Stronger) -> Result<Read, String> {
        let Value::Object(map) = value else { panic!("an object") };
        request(&map, &manifest(), "mine", Path::new("/w"), stronger)
    }

    #[test]
    fn the_caller_is_stronger_than_the_file() {
        let given = json!({"module": "app", "args": ["${input:x}"], "cwd": "${file}",
            "stopOnEntry": true, "env": {"A": "1"}});
        let stronger = Stronger {
            inputs: Map::new(),
            args: Some(vec!["mine".into()]),
            cwd: Some("/else".into()),
            stop_on_entry: Some(false),
            adapter: None,
            core: Some("/c".into()),
            stdin: None,
            env: vec![("A".into(), Some("mine".into()))],
        };
        let Read { request: asked, ignored } = read_with(given.clone(), &stronger).unwrap();
        assert_eq!(ignored, [""; 0]);
        let words = ["run", "-m", "app", "mine"].map(str::to_owned).to_vec();
        assert_eq!((asked.target, asked.args), (LaunchTarget::Command(words), Vec::new()));
        assert_eq!((asked.cwd, asked.stop_on_entry), (Some("/else".into()), false));
        assert_eq!(asked.core, Some("/c".into()));
        assert_eq!(asked.env.last(), Some(&("A".to_owned(), Some("mine".to_owned()))));
        let why = read(given).err().unwrap();
        assert_eq!(why, "`${file}` is not known without an editor; options.inputs answers it");
    }

    #[test]
    fn an_env_file_is_read_as_editors_do() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x.env");
        let lines = "# remark\n\nexport A=\"b\\nc\"\nB=pa$word # no \
            remark\nC='${A}\\n/x'\nA=2\nD=${A}${C}\nE=\nF=${E}${NONE}\n";
        std::fs::write(&file, lines).unwrap();
        let text = |name: &str, value: &str| (name.to_owned(), Some(value.to_owned()));
        let read = env_file(&file).unwrap();
        let (first, second) = (
            [text("A", "b\nc"), text("B", "pa$word # no remark")],
            [text("C", "b\nc\\n/x"), text("A", "2")],
        );
        let third = [text("D", "2b\nc\\n/x"), text("E", ""), text("F", "")];
        assert_eq!(
            (read.env, read.absent),
            ([&first[..], &second, &third].concat(), vec!["NONE".to_owned()])
        );
        let told = self::read(json!({"program": "a", "envFile": file})).unwrap();
        assert_eq!(told.ignored, ["${NONE} of envFile, which nothing defines"]);
        std::fs::write(&file, "A=1\nsecret\n").unwrap();
        let why = env_file(&file).err().unwrap();
        assert_eq!(why, format!("`envFile` {}: line 2 is no NAME=value", file.display()));
    }

    #[test]
    fn shared_keys_and_options_are_heeded_and_the_rest_is_told() {
        let read = read(json!({
            "name": "a", "type": "x", "request": "launch", "program": "b.x", "args": ["1", "a b"],
                "cwd": "sub",
            "env": {"A": "1", "B": null}, "stopOnEntry": true, "ownCode": false,
                "preLaunchTask": "build", "console": "c",
        }))
        .unwrap();
        let asked = read.request;
        assert_eq!(asked.target, LaunchTarget::Program("/w/b.x".into()));
        assert_eq!(
            (asked.args, asked.cwd),
            (vec!["1".to_owned(), "a b".to_owned()], Some("/w/sub".into()))
        );
        assert_eq!(asked.env, [("A".to_owned(), Some("1".to_owned())), ("B".to_owned(), None)]);
        assert_eq!((asked.options.as_str(), asked.stop_on_entry), (r#"{"own_code":false}"#, true));
        assert_eq!(
            (asked.adapter.as_deref(), read.ignored),
            (Some("mine"), vec!["preLaunchTask".to_owned()])
        );
    }

    #[test]
    fn a_manifest_names_what_is_shared_in_its_own_words() {
        let asked = json!({"program": "a", "environment": [{"name": "A", "value": "1"}],
            "stopAtEntry": true});
        let asked = read(asked).unwrap();
        assert_eq!(asked.request.env, [("A".to_owned(), Some("1".to_owned()))]);
        assert_eq!((asked.request.stop_on_entry, asked.ignored), (true, Vec::new()));
        let both =
            read(json!({"program": "a", "stopAtEntry": true, "stopOnEntry": false})).unwrap();
        assert_eq!(
            (both.request.stop_on_entry, both.ignored),
            (false, vec!["stopAtEntry".to_owned()])
        );
        let (args, file) = (Some(Vec::new()), Some(PathBuf::from("/x")));
        let stronger = Stronger { args, stdin: file.clone(), core: file, ..Stronger::default() };
        let attach = read_with(json!({"request": "attach", "port": 1}), &stronger).unwrap();
        assert_eq!(
            (attach.request.stdin.or(attach.request.core), attach.ignored),
            (None, ["args", "stdin", "core"].map(|key| format!("{key} of the call")).to_vec())
        );
        let rest = read(json!({"request": "attach", "to": {"port": 1, "more": 2}})).unwrap();
        assert_eq!(rest.ignored, ["to"]);
    }

    #[test]
    fn a_manifest_can_make_a_command_of_keys() {
        for (given, words) in [
            (
                json!({"module": "app", "args": "one 'two three'"}),
                vec!["run", "-m", "app", "one", "two three"],
            ),
            (
                json!({"mode": "test", "flags": ["-a", "-b"], "args": ["c"]}),
                vec!["t", "-a", "-b", "c"],
            ),
            (json!({"mode": "test", "at": "x y"}), vec!["t", "-C", "x y"]),
        ] {
            let words = words.into_iter().map(str::to_owned).collect();
            let Read { request, ignored } = read(given).unwrap();
            assert_eq!((request.target, ignored), (LaunchTarget::Command(words), Vec::new()));
        }
        let other = read(json!({"mode": "debug", "program": "a"})).unwrap();
        assert_eq!(
            (other.request.target, other.ignored),
            (LaunchTarget::Program("/w/a".into()), vec!["mode".to_owned()])
        );
        assert_eq!(read(json!({"mode": "plain", "program": "a"})).unwrap().ignored, [""; 0]);
    }

    #[test]
    fn a_program_is_of_the_working_directory_where_only_that_has_it() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("sub")).unwrap();
        for path in ["both", "sub/both", "sub/below"] {
            std::fs::write(dir.path().join(path), "").unwrap();
        }
        for (program, want) in [("both", "both"), ("below", "sub/below"), ("none", "none")] {
            let Value::Object(given) = json!({"program": program, "cwd": "sub"}) else {
                panic!("an object")
            };
            let asked = request(&given, &manifest(), "mine", dir.path(), &Stronger::default())
                .unwrap()
                .request;
            assert_eq!(asked.target, LaunchTarget::Program(dir.path().join(want)), "{program}");
        }
    }

    #[test]
    fn attaching_is_by_process_or_port() {
        for (given, want) in [
            (json!({"processId": "17"}), LaunchTarget::Process(17)),
            (json!({"to": {"name": "h", "port": 5678}}), LaunchTarget::Address("h".into(), 5678)),
            (json!({"port": 9229}), LaunchTarget::Address("127.0.0.1".into(), 9229)),
        ] {
            let mut given = given;
            given["request"] = "attach".into();
            assert_eq!(read(given).unwrap().request.target, want);
        }
    }

    #[test]
    fn what_is_missing_or_ill_typed_is_told() {
        for (given, why) in [
            (json!({}), "it names no `program`"),
            (json!({"program": 3}), "`program` must be a text, got 3"),
            (json!({"program": "a", "args": [1]}), "`args` must be a list of texts"),
            (
                json!({"request": "attach", "port": 70_000}),
                "`port` must be a number of at most 65535, got 70000",
            ),
            (
                json!({"program": "a", "environment": [{"A": "1"}]}),
                "`env` must be an object, or a list of {\"name\", \"value\"}",
            ),
            (json!({"request": "attach"}), "it names neither a process (`processId`) nor a `port`"),
        ] {
            assert_eq!(read(given).err().as_deref(), Some(why));
        }
    }
}
