//! `.vscode/launch.json`: the configurations of a project's editor, as requests.
//!
//! Knows the file's grammar (comments, trailing commas), its variables and the keys that all
//! debuggers share; the manifest of a plugin has the others. Starts nothing. Refuses to know
//! values that an editor requests from a person.
//!
//! Grammar and keys: <https://code.visualstudio.com/docs/debugtest/debugging-configuration>;
//! variables: <https://code.visualstudio.com/docs/reference/variables-reference>.

mod env_file;
mod keys;
mod read;
mod variables;

use std::path::{Path, PathBuf};

use jsonc_parser::ParseOptions;
use serde_json::{Map, Value};

pub use read::Overrides;
pub(crate) use read::{Read, request};
pub(crate) use variables::{Surroundings, answered};

use crate::file;
use crate::model::{Fault, Next, Patch, Remedies};
use crate::near;

/// The largest file that is read, in bytes.
const MAX: u64 = 1 << 20;

/// The reason why a configuration is not used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {problem}", file.display())]
pub struct Problem {
    /// The file.
    pub file: PathBuf,
    /// A sentence.
    pub problem: String,
    /// The way past it.
    pub remedy: Remedy,
}

impl Problem {
    /// Stable code, for callers that branch on it.
    pub fn code(&self) -> &'static str {
        "launch-json"
    }

    /// The party that has to act.
    pub fn fault(&self) -> Fault {
        Fault::Caller
    }

    /// Remedies, the best first.
    pub fn remedies(&self) -> Remedies {
        let patch = match &self.remedy {
            Remedy::File => {
                return Remedies::from(Patch::StartAgain)
                    .or(Next::Targets)
                    .note("once the file is corrected");
            }
            Remedy::Name(names) => {
                names.first().map(|name| Patch::SetOption("config", name.as_str().into()))
            }
            Remedy::Answers(inputs) => Some(Patch::Inputs(inputs.clone())),
            Remedy::Without("stdin") => Some(Patch::RemoveOption("stdin".to_owned())),
            Remedy::Without("core") => {
                return Remedies::from(Patch::RemoveOption("core".to_owned()))
                    .or(Patch::Remove("core"))
                    .or(Next::Targets);
            }
            Remedy::Without(argument) => Some(Patch::Remove(argument)),
        };
        Remedies::from(patch).or(Next::Targets)
    }
}

/// The way past a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// A correction of the file.
    File,
    /// Another name: all names, the most similar first.
    Name(Vec<String>),
    /// Values of variables that only an editor knows: the text in `${…}`, and a value that the file
    /// proposes.
    Answers(Vec<(String, Option<String>)>),
    /// The same call without this argument.
    Without(&'static str),
}

/// The grammar that editors accept.
const GRAMMAR: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The content of a project's file.
pub(crate) struct File {
    path: PathBuf,
    configurations: Vec<Map<String, Value>>,
    compounds: Vec<Map<String, Value>>,
    /// Descriptions of `${input:…}`.
    inputs: Vec<Map<String, Value>>,
}

/// The configurations of a name.
pub(crate) struct Named {
    /// One configuration, or those of a compound.
    pub configurations: Vec<Map<String, Value>>,
    /// Keys of the compound that were ignored.
    pub ignored: Vec<String>,
}

/// Keys of a compound that are read, or are about the editor.
const OF_COMPOUNDS: [&str; 3] = ["name", "configurations", "presentation"];

impl File {
    /// Reads the file of the workspace.
    pub fn open(workspace: &Path) -> Result<Self, Problem> {
        let path = workspace.join(".vscode/launch.json");
        let fail = |problem: String| Problem { file: path.clone(), problem, remedy: Remedy::File };
        let bytes = file::read(&path, MAX).map_err(|error| fail(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|_| fail("is not UTF-8".to_owned()))?;
        let text = text.trim_start_matches('\u{feff}');
        let parsed = jsonc_parser::parse_to_serde_value::<Value>(text, &GRAMMAR);
        let parsed = parsed.map_err(|error| fail(error.to_string()))?;
        let list = |key: &str| {
            let entries = parsed[key].as_array().into_iter().flatten();
            entries.filter_map(Value::as_object).cloned().collect()
        };
        let (configurations, compounds) = (list("configurations"), list("compounds"));
        Ok(Self { configurations, compounds, inputs: list("inputs"), path })
    }

    /// The configuration of this name, or those of the compound of this name, with the keys for
    /// this operating system.
    pub fn named(&self, name: &str) -> Result<Named, Problem> {
        let is =
            |entry: &&Map<String, Value>| entry.get("name").and_then(Value::as_str) == Some(name);
        if let Some(one) = self.configurations.iter().find(is) {
            return Ok(Named { configurations: vec![own(one)], ignored: Vec::new() });
        }
        let Some(compound) = self.compounds.iter().find(is) else {
            let remedy = Remedy::Name(self.ranked_names(name));
            return Err(self.problem(format!("has no configuration `{name}`"), remedy));
        };
        let members =
            compound.get("configurations").and_then(Value::as_array).into_iter().flatten();
        // `{"folder": …, "name": …}` names one of another folder; a workspace here has one folder.
        let names =
            members.filter_map(|member| member.as_str().or_else(|| member["name"].as_str()));
        let configurations: Vec<_> =
            names.map(|member| self.member(name, member)).collect::<Result<_, _>>()?;
        if configurations.is_empty() {
            return Err(
                self.problem(format!("the compound `{name}` names no configuration"), Remedy::File)
            );
        }
        let unknown = compound.keys().filter(|key| !OF_COMPOUNDS.contains(&key.as_str()));
        let ignored = unknown.map(|key| format!("{key} of the compound")).collect();
        Ok(Named { configurations, ignored })
    }

    fn member(&self, compound: &str, name: &str) -> Result<Map<String, Value>, Problem> {
        let is =
            |entry: &&Map<String, Value>| entry.get("name").and_then(Value::as_str) == Some(name);
        match self.configurations.iter().find(is) {
            Some(one) => Ok(own(one)),
            None => {
                let problem =
                    format!("the compound `{compound}` names `{name}`, which does not exist");
                Err(self.problem(problem, Remedy::File))
            }
        }
    }

    /// A problem of this file.
    pub fn problem(&self, problem: String, remedy: Remedy) -> Problem {
        Problem { file: self.path.clone(), problem, remedy }
    }

    /// All names, the most similar first.
    fn ranked_names(&self, name: &str) -> Vec<String> {
        let all = self.configurations.iter().chain(&self.compounds);
        let names = all.filter_map(|entry| entry.get("name")?.as_str());
        near::ranked(name, names).into_iter().map(str::to_owned).collect()
    }

    /// Values for the variables of `configuration` that only an editor knows; without such
    /// variables the file needs a correction.
    pub fn remedy(&self, configuration: &Map<String, Value>) -> Remedy {
        let mut answers = Vec::new();
        for name in variables::unknown(configuration) {
            let proposed = self.proposed(&name);
            answers.push((name, proposed));
        }
        if answers.is_empty() { Remedy::File } else { Remedy::Answers(answers) }
    }

    /// The value that the file proposes for a variable.
    fn proposed(&self, name: &str) -> Option<String> {
        let id = name.strip_prefix("input:")?;
        let input =
            self.inputs.iter().find(|input| input.get("id").and_then(Value::as_str) == Some(id))?;
        let first = || input.get("options")?.as_array()?.first();
        let proposed = input.get("default").or_else(first)?;
        Some(proposed.as_str().or_else(|| proposed["value"].as_str())?.to_owned())
    }
}

/// The configuration with the keys for this operating system.
fn own(configuration: &Map<String, Value>) -> Map<String, Value> {
    let mut whole = configuration.clone();
    if let Some(Value::Object(own)) = whole.shift_remove(SYSTEM) {
        whole.extend(own);
    }
    OTHER_SYSTEMS.iter().for_each(|other| drop(whole.shift_remove(*other)));
    whole
}

#[cfg(target_os = "linux")]
const SYSTEM: &str = "linux";
#[cfg(target_os = "macos")]
const SYSTEM: &str = "osx";
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
const SYSTEM: &str = "windows";
const OTHER_SYSTEMS: [&str; 3] = ["linux", "osx", "windows"];

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{
        // As editors write it.
        "version": "0.2.0",
        "configurations": [
            {"name": "api", "type": "x", "request": "launch", "program": "${workspaceFolder}/api",
                "linux": {"args": ["-l"]}, "windows": {"args": ["/w"]},},
            {"name": "worker", "type": "x", "request": "attach", "port": 5678, /* here */},
            {"name": "ask", "type": "x", "request": "launch", "program": "${input:which}"},
        ],
        "compounds": [{"name": "both", "configurations": ["api", "worker"], "stopAll": true,
            "presentation": {}}, {"name": "lost", "configurations": ["no"]}, {"name": "none"}],
    }"#;

    fn opened(text: &str) -> (tempfile::TempDir, Result<File, Problem>) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join(".vscode")).unwrap();
        std::fs::write(dir.path().join(".vscode/launch.json"), text).unwrap();
        let file = File::open(dir.path());
        (dir, file)
    }

    #[test]
    fn invalid_json_is_refused_with_its_place() {
        let refused = |text| opened(text).1.err().map(|problem| problem.problem);
        let missing =
            refused("{\n  \"configurations\": [{\"name\": \"a\" \"type\": \"x\"}]\n}").unwrap();
        assert!(missing.contains("line 2") && missing.contains("comma"), "{missing}");
        for text in ["{'configurations': []}", "{configurations: []}", "{\"configurations\": ["] {
            assert!(refused(text).is_some(), "{text}");
        }
    }

    #[test]
    fn a_name_finds_a_configuration_or_all_of_a_compound() {
        let (_dir, file) = opened(TEXT);
        let file = file.unwrap();
        let api = file.named("api").unwrap().configurations.remove(0);
        assert_eq!(api["program"], "${workspaceFolder}/api");
        #[cfg(target_os = "linux")]
        assert_eq!((&api["args"], api.get("windows")), (&serde_json::json!(["-l"]), None));
        let both = file.named("both").unwrap();
        let names: Vec<_> =
            both.configurations.into_iter().map(|one| one["name"].clone()).collect();
        assert_eq!(
            (names, both.ignored),
            (vec!["api".into(), "worker".into()], vec!["stopAll of the compound".into()])
        );
    }

    #[test]
    fn variables_of_an_editor_need_answers() {
        let (_dir, file) = opened(
            r#"{"configurations": [{"name": "a", "args": ["${input:n}", "${input:x}${file}"],
                "cwd": "${workspaceFolder}"}],
                "inputs": [{"id": "n", "options": [{"value": "3"}, "4"]}, {"id": "x",
                    "default": "y", "options": ["z"]}]}"#,
        );
        let file = file.unwrap();
        let one = file.named("a").unwrap().configurations.remove(0);
        let text = |text: &str| text.to_owned();
        let answers = [("input:n", Some(text("3"))), ("input:x", Some(text("y"))), ("file", None)];
        let answers = answers.map(|(name, proposed)| (text(name), proposed)).to_vec();
        assert_eq!(file.remedy(&one), Remedy::Answers(answers));
        let answers = [("n", "3"), ("input:x", "${file}"), ("file", "f.x")];
        let answers =
            answers.iter().map(|(name, answer)| ((*name).to_owned(), (*answer).into())).collect();
        let one = answered(&one, &answers);
        assert_eq!(
            one["args"],
            serde_json::json!(["3", "${file}f.x"]),
            "an answer is not read again"
        );
        assert_eq!(one["cwd"], "${workspaceFolder}");
    }

    #[test]
    fn unusable_names_are_errors() {
        let (_dir, file) = opened(&format!("\u{feff}{TEXT}"));
        let file = file.unwrap();
        let wrong = file.named("wroker").err().unwrap();
        let Remedy::Name(names) = &wrong.remedy else { panic!("{wrong:?}") };
        assert_eq!(
            (wrong.problem.as_str(), names[0].as_str()),
            ("has no configuration `wroker`", "worker")
        );
        for (name, problem) in [
            ("lost", "the compound `lost` names `no`, which does not exist"),
            ("none", "the compound `none` names no configuration"),
        ] {
            let wrong = file.named(name).err().unwrap();
            assert_eq!((wrong.problem.as_str(), wrong.remedy), (problem, Remedy::File));
        }
        let (_dir, broken) = opened("{\"configurations\": [");
        assert!(broken.err().unwrap().problem.contains("line 1"), "the place is reported");
    }
}
