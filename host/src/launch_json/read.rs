//! One configuration as a request: the keys that debuggers share, and those that a manifest gives a meaning.

use std::path::Path;

use dapdock_schema::{Configurations, Manifest};
use serde_json::{Map, Value};

use super::MAX;
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

/// Reads `configuration` for the adapter that the manifest is of, called `adapter` in the configuration of ours.
///
/// # Errors
/// What is missing or ill-typed, in words.
pub(crate) fn request(
    configuration: &Map<String, Value>,
    manifest: &Manifest,
    adapter: &str,
    workspace: &Path,
) -> Result<Read, String> {
    let mut keys = Keys(configuration.clone());
    let cwd = keys.text("cwd")?.map(|cwd| workspace.join(cwd));
    let args = keys.words("args")?;
    let options = options(&mut keys, &manifest.configurations);
    let mut env = match keys.text("envFile")? {
        Some(path) => env_file(&workspace.join(path))?,
        None => Vec::new(),
    };
    env.extend(keys.env()?);
    let stops = ["stopOnEntry", "stopAtEntry", "stopAtBeginningOfMainSubprogram"];
    let stops: Vec<Value> = stops.iter().filter_map(|key| keys.take(key)).collect();
    let stop_on_entry = stops.iter().any(|value| value == true);
    let target = match configuration.get("request").and_then(Value::as_str) {
        Some("attach") => attached(&mut keys)?,
        _ => launched(&mut keys, &manifest.configurations, workspace)?,
    };
    let args = if matches!(target, LaunchTarget::Command(_)) { (Vec::new(), args) } else { (args, Vec::new()) };
    let target = match target {
        LaunchTarget::Command(words) => LaunchTarget::Command(words.into_iter().chain(args.1).collect()),
        other => other,
    };
    OF_EDITORS.iter().for_each(|key| drop(keys.take(key)));
    let request = LaunchRequest {
        target,
        args: args.0,
        cwd,
        workspace: workspace.to_owned(),
        env,
        adapter: Some(adapter.to_owned()),
        breakpoints: Vec::new(),
        stop_on_entry,
        options: Value::Object(options).to_string(),
        again: String::new(),
    };
    Ok(Read { request, ignored: keys.0.keys().cloned().collect() })
}

/// What stays of a configuration while it is read.
struct Keys(Map<String, Value>);

impl Keys {
    fn take(&mut self, key: &str) -> Option<Value> {
        self.0.shift_remove(key).filter(|value| !value.is_null())
    }

    fn text(&mut self, key: &str) -> Result<Option<String>, String> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(format!("`{key}` must be a text, got {other}")),
        }
    }

    /// A list of words, or a line of them.
    fn words(&mut self, key: &str) -> Result<Vec<String>, String> {
        let wrong = || format!("`{key}` must be a list of texts");
        match self.take(key) {
            None => Ok(Vec::new()),
            Some(Value::String(line)) => shell_words::split(&line).map_err(|_| wrong()),
            Some(Value::Array(items)) => {
                items.iter().map(|item| item.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
            }
            Some(_) => Err(wrong()),
        }
    }

    /// `env` is an object, `environment` a list of `{"name", "value"}`.
    fn env(&mut self) -> Result<Vec<(String, Option<String>)>, String> {
        let text = |value: &Value| match value {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        };
        let mut env: Vec<_> = match self.take("env") {
            None => Vec::new(),
            Some(Value::Object(object)) => object.iter().map(|(name, value)| (name.clone(), text(value))).collect(),
            Some(_) => return Err("`env` must be an object".to_owned()),
        };
        if let Some(Value::Array(items)) = self.take("environment") {
            let one = |item: &Value| Some((item["name"].as_str()?.to_owned(), text(&item["value"])));
            env.extend(items.iter().filter_map(one));
        }
        Ok(env)
    }

    fn number(&mut self, key: &str) -> Result<Option<u64>, String> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::Number(number)) if number.is_u64() => Ok(number.as_u64()),
            Some(Value::String(text)) if text.parse::<u64>().is_ok() => Ok(text.parse().ok()),
            Some(other) => Err(format!("`{key}` must be a number, got {other}")),
        }
    }
}

/// Keys that the manifest calls options, by their names there.
fn options(keys: &mut Keys, table: &Configurations) -> Map<String, Value> {
    let renamed = |(theirs, ours): (&String, &String)| Some((ours.clone(), keys.take(theirs)?));
    table.options.iter().filter_map(renamed).collect()
}

fn launched(keys: &mut Keys, table: &Configurations, workspace: &Path) -> Result<LaunchTarget, String> {
    for command in &table.commands {
        let there = keys.0.get(&command.key).filter(|value| match &command.value {
            Some(wanted) => value.as_str() == Some(wanted),
            None => !value.is_null(),
        });
        if there.is_some() {
            let mut words = Vec::new();
            for word in &command.words {
                match word.strip_prefix('{').and_then(|word| word.strip_suffix('}')) {
                    Some(key) => words.extend(keys.words_of(key)?),
                    None => words.push(word.clone()),
                }
            }
            drop(keys.take(&command.key));
            return Ok(LaunchTarget::Command(words));
        }
    }
    let program = keys.text("program")?.ok_or("it names no `program`")?;
    Ok(LaunchTarget::Program(workspace.join(program)))
}

impl Keys {
    /// A key's text as one word, its list as several.
    fn words_of(&mut self, key: &str) -> Result<Vec<String>, String> {
        match self.0.get(key) {
            Some(Value::String(_)) => Ok(self.text(key)?.into_iter().collect()),
            _ => self.words(key),
        }
    }
}

fn attached(keys: &mut Keys) -> Result<LaunchTarget, String> {
    for key in ["processId", "pid"] {
        if let Some(pid) = keys.number(key)? {
            let pid = u32::try_from(pid).map_err(|_| format!("`{key}` is no process"))?;
            return Ok(LaunchTarget::Process(pid));
        }
    }
    if let Some(Value::Object(connect)) = keys.take("connect") {
        keys.0.extend(connect);
    }
    let host = match keys.text("host")? {
        Some(host) => Some(host),
        None => keys.text("address")?,
    };
    let port = keys.number("port")?.and_then(|port| u16::try_from(port).ok());
    let port = port.ok_or("it names neither a process (`processId`) nor a `port`")?;
    Ok(LaunchTarget::Address(host.unwrap_or_else(|| "127.0.0.1".to_owned()), port))
}

/// `NAME=value` lines.
fn env_file(path: &Path) -> Result<Vec<(String, Option<String>)>, String> {
    let fail = |why: String| format!("`envFile` {}: {why}", path.display());
    let bytes = file::read(path, MAX).map_err(|error| fail(error.to_string()))?;
    let pairs = dotenvy::Iter::new(bytes.as_slice());
    pairs.map(|pair| pair.map(|(name, value)| (name, Some(value))).map_err(|error| fail(error.to_string()))).collect()
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
            words: vec!["t".into(), "{flags}".into()],
        };
        let options = [("ownCode".to_owned(), "own_code".to_owned())].into();
        Manifest {
            configurations: Configurations { types: vec!["x".into()], options, commands: vec![module, test] },
            ..Manifest::default()
        }
    }

    fn read(value: Value) -> Result<Read, String> {
        let Value::Object(map) = value else { panic!("an object") };
        request(&map, &manifest(), "mine", Path::new("/w"))
    }

    #[test]
    fn shared_keys_and_options_are_heeded_and_the_rest_is_told() {
        let read = read(json!({
            "name": "a", "type": "x", "request": "launch", "program": "b.x", "args": ["1", "a b"], "cwd": "sub",
            "env": {"A": "1", "B": null}, "stopOnEntry": true, "ownCode": false, "preLaunchTask": "build", "console": "c",
        }))
        .unwrap();
        let asked = read.request;
        assert_eq!(asked.target, LaunchTarget::Program("/w/b.x".into()));
        assert_eq!((asked.args, asked.cwd), (vec!["1".to_owned(), "a b".to_owned()], Some("/w/sub".into())));
        assert_eq!(asked.env, [("A".to_owned(), Some("1".to_owned())), ("B".to_owned(), None)]);
        assert_eq!((asked.options.as_str(), asked.stop_on_entry), (r#"{"own_code":false}"#, true));
        assert_eq!((asked.adapter.as_deref(), read.ignored), (Some("mine"), vec!["preLaunchTask".to_owned()]));
    }

    #[test]
    fn a_manifest_can_make_a_command_of_keys() {
        for (given, words) in [
            (json!({"module": "app", "args": "one 'two three'"}), vec!["run", "-m", "app", "one", "two three"]),
            (json!({"mode": "test", "flags": ["-a", "-b"], "args": ["c"]}), vec!["t", "-a", "-b", "c"]),
        ] {
            let words = words.into_iter().map(str::to_owned).collect();
            assert_eq!(read(given).unwrap().request.target, LaunchTarget::Command(words));
        }
    }

    #[test]
    fn attaching_is_by_process_or_port() {
        for (given, want) in [
            (json!({"processId": "17"}), LaunchTarget::Process(17)),
            (json!({"connect": {"host": "h", "port": 5678}}), LaunchTarget::Address("h".into(), 5678)),
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
            (json!({"request": "attach"}), "it names neither a process (`processId`) nor a `port`"),
        ] {
            assert_eq!(read(given).err().as_deref(), Some(why));
        }
    }
}
