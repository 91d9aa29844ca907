//! Variables (`${…}`) in a configuration and in its env file.
//!
//! A variable that only an editor knows is an error. Refuses to know keys.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value};

/// What the values of variables are taken from.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    /// Absolute.
    pub workspace: &'a Path,
    /// The caller's variables.
    pub environment: &'a BTreeMap<String, String>,
}

/// `value` with all variables in its texts replaced.
pub(super) fn fill(value: &Value, of: Surroundings<'_>) -> Result<Value, String> {
    Ok(match value {
        Value::String(text) => Value::String(filled(text, of)?),
        Value::Array(items) => {
            Value::Array(items.iter().map(|item| fill(item, of)).collect::<Result<_, _>>()?)
        }
        Value::Object(object) => {
            let fill = |(key, value): (&String, &Value)| Ok((key.clone(), fill(value, of)?));
            Value::Object(object.iter().map(fill).collect::<Result<Map<_, _>, String>>()?)
        }
        other => other.clone(),
    })
}

/// `configuration` with the caller's answers in place of variables. `NAME` alone answers
/// `${input:NAME}` too.
pub(crate) fn answered(
    configuration: &Map<String, Value>,
    answers: &Map<String, Value>,
) -> Map<String, Value> {
    let answer = |name: &str| {
        let answer = answers.get(name).or_else(|| answers.get(name.strip_prefix("input:")?))?;
        Some(answer.as_str().map_or_else(|| answer.to_string(), str::to_owned))
    };
    let pairs = configuration.iter().map(|(key, value)| (key.clone(), replaced(value, &answer)));
    pairs.collect()
}

fn replaced(value: &Value, answer: &impl Fn(&str) -> Option<String>) -> Value {
    match value {
        Value::String(text) => {
            let mut whole = String::new();
            for (before, name) in parts(text) {
                whole.push_str(before);
                whole.extend(
                    name.map(|name| answer(name).unwrap_or_else(|| format!("${{{name}}}"))),
                );
            }
            Value::String(whole)
        }
        Value::Array(items) => items.iter().map(|item| replaced(item, answer)).collect(),
        Value::Object(object) => {
            object.iter().map(|(key, value)| (key.clone(), replaced(value, answer))).collect()
        }
        other => other.clone(),
    }
}

/// The variables of a configuration that only an editor knows, each once.
pub(super) fn unknown(configuration: &Map<String, Value>) -> Vec<String> {
    let mut names = Vec::new();
    for value in configuration.values() {
        gather(value, &mut names);
    }
    names
}

fn gather(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            // Whether a variable is known does not depend on its value.
            let nowhere = Surroundings { workspace: Path::new("/"), environment: &BTreeMap::new() };
            let unknown = |name: &&str| {
                variable(name, nowhere).is_err() && !names.iter().any(|one| one == name)
            };
            let found: Vec<String> = parts(text)
                .filter_map(|(_, name)| name)
                .filter(unknown)
                .map(str::to_owned)
                .collect();
            names.extend(found);
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, names)),
        Value::Object(object) => object.values().for_each(|value| gather(value, names)),
        _ => {}
    }
}

/// The parts of a text: plain text and the variable after it; the last part has no variable.
fn parts(text: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let mut left = Some(text);
    std::iter::from_fn(move || {
        let rest = left.take()?;
        let cut = rest
            .split_once("${")
            .and_then(|(before, after)| Some((before, after.split_once('}')?)));
        Some(match cut {
            Some((before, (name, behind))) => {
                left = Some(behind);
                (before, Some(name))
            }
            None => (rest, None),
        })
    })
}

/// A value of an env file. `${NAME}` is the variable of `known`, else of the
/// environment; `${env:NAME}` is of the environment; `\$` is a dollar sign; other texts in braces
/// stay. Undefined names are empty and go to `absent`. Variables of launch.json do not exist there.
///
/// As editors do: vscode-go, `envUtils.ts`; vscode-python, `environment.ts`.
pub(super) fn of_env_file(
    text: &str,
    known: impl Fn(&str) -> Option<String>,
    environment: &BTreeMap<String, String>,
    absent: &mut Vec<String>,
) -> String {
    let mut whole = String::new();
    let unescaped = |text: &str| text.replace("\\$", "$");
    for (before, name) in parts(text) {
        let Some(name) = name else {
            whole.push_str(&unescaped(before));
            continue;
        };
        let plain = name.strip_prefix("env:").unwrap_or(name);
        if before.ends_with('\\') || !is_name(plain) {
            whole.push_str(&unescaped(&format!("{before}${{{name}}}")));
            continue;
        }
        whole.push_str(&unescaped(before));
        let own = if plain == name { known(name) } else { None };
        match own.or_else(|| environment.get(plain).cloned()) {
            Some(value) => whole.push_str(&value),
            None => absent.push(name.to_owned()),
        }
    }
    whole
}

fn is_name(text: &str) -> bool {
    let letters = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    letters && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn filled(text: &str, of: Surroundings<'_>) -> Result<String, String> {
    let mut whole = String::new();
    for (before, name) in parts(text) {
        whole.push_str(before);
        if let Some(name) = name {
            whole.push_str(&variable(name, of)?);
        }
    }
    Ok(whole)
}

fn variable(name: &str, of: Surroundings<'_>) -> Result<String, String> {
    let Surroundings { workspace, environment } = of;
    let defined = |name: &str| environment.get(name).cloned().unwrap_or_default();
    let path = |path: &Path| path.to_string_lossy().into_owned();
    let base = || {
        workspace.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    };
    match name.split_once(':').unwrap_or((name, "")) {
        ("workspaceFolder" | "workspaceRoot" | "cwd", "") => Ok(path(workspace)),
        ("workspaceFolder", folder) if folder == base() => Ok(path(workspace)),
        ("workspaceFolderBasename", "") => Ok(base()),
        ("userHome", "") => Ok(defined("HOME")),
        ("pathSeparator" | "/", "") => Ok(std::path::MAIN_SEPARATOR.to_string()),
        // An undefined variable is empty, as in editors.
        ("env", name) => Ok(defined(name)),
        ("input" | "command", _) => {
            Err(format!("`${{{name}}}` asks a person; options.inputs answers it"))
        }
        ("config", _) => {
            Err(format!("`${{{name}}}` is a setting of an editor; options.inputs answers it"))
        }
        _ => {
            Err(format!("`${{{name}}}` is not known without an editor; options.inputs answers it"))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn environment() -> BTreeMap<String, String> {
        [("HOME", "/h"), ("PATH", "/bin")].map(|(name, value)| (name.into(), value.into())).into()
    }

    fn fill(value: &Value, workspace: &str) -> Result<Value, String> {
        let environment = environment();
        let workspace = Path::new(workspace);
        super::fill(value, Surroundings { workspace, environment: &environment })
    }

    #[test]
    fn variables_are_replaced_everywhere() {
        let given = json!({"a": "${workspaceFolder}/x${pathSeparator}${workspaceFolderBasename}",
            "b": [{"c": "$ {x} $x ${"}], "n": 3, "p": "${env:PATH}:${userHome}${env:NO}"});
        let want =
            json!({"p": "/bin:/h", "a": "/w/shop/x/shop", "b": [{"c": "$ {x} $x ${"}], "n": 3});
        assert_eq!(fill(&given, "/w/shop"), Ok(want));
    }

    #[test]
    fn a_name_in_an_env_file_is_an_earlier_one_or_of_the_environment() {
        let environment = environment();
        let known = |name: &str| ["A", "PATH"].contains(&name).then(|| "1 ${B}".to_owned());
        for (text, want, unknown) in [
            ("x${A}y${A}", "x1 ${B}y1 ${B}".to_owned(), ""),
            ("${env:PATH}", "/bin".to_owned(), ""),
            ("${HOME}", "/h".to_owned(), ""),
            ("\\${A} \\$5 $A $", "${A} $5 $A $".to_owned(), ""),
            ("${a-b}${input:x}${}${A", "${a-b}${input:x}${}${A".to_owned(), ""),
            ("${NOT_THERE_AT_ALL}/${A}", "/1 ${B}".to_owned(), "NOT_THERE_AT_ALL"),
        ] {
            let mut absent = Vec::new();
            assert_eq!(
                (of_env_file(text, known, &environment, &mut absent), absent.join(" ")),
                (want, unknown.to_owned()),
                "{text}"
            );
        }
    }

    #[test]
    fn variables_of_an_editor_are_errors() {
        for (text, why) in [
            ("${file}", "`${file}` is not known without an editor; options.inputs answers it"),
            (
                "${workspaceFolder:api}",
                "`${workspaceFolder:api}` is not known without an editor; options.inputs answers \
                it",
            ),
            ("a ${input:x y} b", "`${input:x y}` asks a person; options.inputs answers it"),
            (
                "${command:pickProcess}",
                "`${command:pickProcess}` asks a person; options.inputs answers it",
            ),
            (
                "${config:a.b}",
                "`${config:a.b}` is a setting of an editor; options.inputs answers it",
            ),
        ] {
            assert_eq!(fill(&json!([text]), "/"), Err(why.to_owned()));
        }
    }
}
