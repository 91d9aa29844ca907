//! `${…}` in a configuration. What an editor knows and we do not is refused by name.

use std::path::Path;

use serde_json::{Map, Value};

/// `value` with every variable of every text in it filled in.
pub(super) fn fill(value: &Value, workspace: &Path) -> Result<Value, String> {
    Ok(match value {
        Value::String(text) => Value::String(filled(text, workspace)?),
        Value::Array(items) => Value::Array(items.iter().map(|item| fill(item, workspace)).collect::<Result<_, _>>()?),
        Value::Object(object) => {
            let fill = |(key, value): (&String, &Value)| Ok((key.clone(), fill(value, workspace)?));
            Value::Object(object.iter().map(fill).collect::<Result<Map<_, _>, String>>()?)
        }
        other => other.clone(),
    })
}

fn filled(text: &str, workspace: &Path) -> Result<String, String> {
    let (mut whole, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, behind)) = after.split_once('}') else { break };
        whole.push_str(before);
        whole.push_str(&variable(name, workspace)?);
        rest = behind;
    }
    Ok(whole + rest)
}

fn variable(name: &str, workspace: &Path) -> Result<String, String> {
    let path = |path: &Path| path.to_string_lossy().into_owned();
    let base = || workspace.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    match name.split_once(':').unwrap_or((name, "")) {
        ("workspaceFolder" | "workspaceRoot" | "cwd", "") => Ok(path(workspace)),
        ("workspaceFolder", folder) if folder == base() => Ok(path(workspace)),
        ("workspaceFolderBasename", "") => Ok(base()),
        ("userHome", "") => Ok(std::env::var("HOME").unwrap_or_default()),
        ("pathSeparator" | "/", "") => Ok(std::path::MAIN_SEPARATOR.to_string()),
        // Absent is empty, as there.
        ("env", name) => Ok(std::env::var(name).unwrap_or_default()),
        ("input" | "command", _) => Err(format!("`${{{name}}}` asks a person; give the value itself")),
        ("config", _) => Err(format!("`${{{name}}}` is a setting of an editor; give the value itself")),
        _ => Err(format!("`${{{name}}}` is not known without an editor; give the value itself")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn variables_are_filled_in_everywhere() {
        let given = json!({"a": "${workspaceFolder}/x${pathSeparator}${workspaceFolderBasename}", "b": [{"c": "$ {x} $x ${"}], "n": 3});
        let want = json!({"a": "/w/shop/x/shop", "b": [{"c": "$ {x} $x ${"}], "n": 3});
        assert_eq!(fill(&given, Path::new("/w/shop")), Ok(want));
    }

    #[test]
    fn what_only_an_editor_knows_is_refused_by_name() {
        for (text, why) in [
            ("${file}", "`${file}` is not known without an editor; give the value itself"),
            (
                "${workspaceFolder:api}",
                "`${workspaceFolder:api}` is not known without an editor; give the value itself",
            ),
            ("a ${input:x y} b", "`${input:x y}` asks a person; give the value itself"),
            ("${command:pickProcess}", "`${command:pickProcess}` asks a person; give the value itself"),
            ("${config:a.b}", "`${config:a.b}` is a setting of an editor; give the value itself"),
        ] {
            assert_eq!(fill(&json!([text]), Path::new("/")), Err(why.to_owned()));
        }
    }
}
