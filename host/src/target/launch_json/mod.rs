//! `.vscode/launch.json`: the configurations that a project's editors start, as requests of ours.
//!
//! Knows the file's grammar (comments, trailing commas), its variables and the keys that all
//! debuggers share; what is a debugger's own is in its plugin's manifest. Refuses what an editor
//! would have to ask a person for. Starts nothing.
//!
//! Grammar and keys: <https://code.visualstudio.com/docs/debugtest/debugging-configuration>;
//! variables: <https://code.visualstudio.com/docs/reference/variables-reference>.

mod read;
mod variables;

use std::path::{Path, PathBuf};

use jsonc_parser::ParseOptions;
use serde_json::{Map, Value};

pub use read::Stronger;
pub(crate) use read::{Read, request};
pub(crate) use variables::answered;

use crate::file;
use crate::model::{Fault, Next, Patch, Remedies};
use crate::near;

/// The largest file that is read, in bytes.
const MAX: u64 = 1 << 20;

/// Why a configuration is not used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {problem}", file.display())]
pub struct Problem {
    /// The file.
    pub file: PathBuf,
    /// What is wrong.
    pub problem: String,
    /// What helps.
    pub remedy: Remedy,
}

impl Problem {
    /// Stable code, for callers that branch on it.
    pub fn code(&self) -> &'static str {
        "launch-json"
    }

    /// Who has to act.
    pub fn fault(&self) -> Fault {
        Fault::Caller
    }

    /// What gets the caller on, the best first.
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

/// What helps against a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Another text in the file.
    File,
    /// Another name: those there are, the likeliest first.
    Name(Vec<String>),
    /// The caller's answers to what only an editor knows: what stands in `${…}`, and an answer that
    /// the file proposes.
    Answers(Vec<(String, Option<String>)>),
    /// The same without this argument of the call.
    Without(&'static str),
}

/// What editors take without a complaint.
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

/// All that a project's file says.
pub(crate) struct File {
    path: PathBuf,
    configurations: Vec<Map<String, Value>>,
    compounds: Vec<Map<String, Value>>,
    /// What an editor would ask for.
    inputs: Vec<Map<String, Value>>,
}

/// What a name stands for.
pub(crate) struct Named {
    /// The configuration, or all of the compound.
    pub configurations: Vec<Map<String, Value>>,
    /// Keys of the compound itself that were not heeded.
    pub ignored: Vec<String>,
}

/// Keys of a compound that are read, or mean nothing outside of an editor.
const OF_COMPOUNDS: [&str; 3] = ["name", "configurations", "presentation"];

impl File {
    /// Reads the workspace's file.
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

    /// The configuration of this name, or those of the compound, with what this system's own block
    /// says.
    pub fn named(&self, name: &str) -> Result<Named, Problem> {
        let is =
            |entry: &&Map<String, Value>| entry.get("name").and_then(Value::as_str) == Some(name);
        if let Some(one) = self.configurations.iter().find(is) {
            return Ok(Named { configurations: vec![own(one)], ignored: Vec::new() });
        }
        let Some(compound) = self.compounds.iter().find(is) else {
            let remedy = Remedy::Name(self.names_like(name));
            return Err(self.problem(format!("has no configuration `{name}`"), remedy));
        };
        let members =
            compound.get("configurations").and_then(Value::as_array).into_iter().flatten();
        // Of another folder: `{"folder": …, "name": …}`; a workspace of ours has one.
        let names =
            members.filter_map(|member| member.as_str().or_else(|| member["name"].as_str()));
        let configurations: Vec<_> =
            names.map(|member| self.member(name, member)).collect::<Result<_, _>>()?;
        if configurations.is_empty() {
            return Err(
                self.problem(format!("the compound `{name}` names no configuration"), Remedy::File)
            );
        }
        let told = compound.keys().filter(|key| !OF_COMPOUNDS.contains(&key.as_str()));
        let ignored = told.map(|key| format!("{key} of the compound")).collect();
        Ok(Named { configurations, ignored })
    }

    fn member(&self, compound: &str, name: &str) -> Result<Map<String, Value>, Problem> {
        let is =
            |entry: &&Map<String, Value>| entry.get("name").and_then(Value::as_str) == Some(name);
        match self.configurations.iter().find(is) {
            Some(one) => Ok(own(one)),
            None => {
                let problem =
                    format!("the compound `{compound}` names `{name}`, which is not there");
                Err(self.problem(problem, Remedy::File))
            }
        }
    }

    /// A problem of this file.
    pub fn problem(&self, problem: String, remedy: Remedy) -> Problem {
        Problem { file: self.path.clone(), problem, remedy }
    }

    /// All names, those like this one first.
    fn names_like(&self, name: &str) -> Vec<String> {
        let all = self.configurations.iter().chain(&self.compounds);
        let names = all.filter_map(|entry| entry.get("name")?.as_str());
        near::ranked(name, names).into_iter().map(str::to_owned).collect()
    }

    /// What of `configuration` the caller is to answer, where it is that which hinders; else
    /// another text helps.
    pub fn remedy(&self, configuration: &Map<String, Value>) -> Remedy {
        let asked = variables::asked(configuration);
        if asked.is_empty() {
            Remedy::File
        } else {
            Remedy::Answers(
                asked.into_iter().map(|name| (name.clone(), self.proposed(&name))).collect(),
            )
        }
    }

    /// The first answer that an editor would propose.
    fn proposed(&self, name: &str) -> Option<String> {
        let id = name.strip_prefix("input:")?;
        let input =
            self.inputs.iter().find(|input| input.get("id").and_then(Value::as_str) == Some(id))?;
        let first = || input.get("options")?.as_array()?.first();
        let proposed = input.get("default").or_else(first)?;
        Some(proposed.as_str().or_else(|| proposed["value"].as_str())?.to_owned())
    }
}

/// The system's own block overrides.
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
    fn what_is_no_json_is_refused_with_its_place() {
        let refused = |text| opened(text).1.err().map(|problem| problem.problem);
        let missing =
            refused("{\n  \"configurations\": [{\"name\": \"a\" \"type\": \"x\"}]\n}").unwrap();
        assert!(missing.contains("line 2") && missing.contains("comma"), "{missing}");
        for text in ["{'configurations': []}", "{configurations: []}", "{\"configurations\": ["] {
            assert!(refused(text).is_some(), "{text}");
        }
    }

    #[test]
    fn a_configuration_is_found_by_name_and_a_compound_is_all_of_its_members() {
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
    fn what_an_editor_would_ask_for_is_asked_of_the_caller() {
        let (_dir, file) = opened(
            r#"{"configurations": [{"name": "a", "args": ["${input:n}", "${input:x}${file}"],
                "cwd": "${workspaceFolder}"}],
                "inputs": [{"id": "n", "options": [{"value": "3"}, "4"]}, {"id": "x",
                    "default": "y", "options": ["z"]}]}"#,
        );
        let file = file.unwrap();
        let one = file.named("a").unwrap().configurations.remove(0);
        let text = |text: &str| text.to_owned();
        let asked = [("input:n", Some(text("3"))), ("input:x", Some(text("y"))), ("file", None)];
        let asked = asked.map(|(name, proposed)| (text(name), proposed)).to_vec();
        assert_eq!(file.remedy(&one), Remedy::Answers(asked));
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
    fn what_cannot_be_used_is_named() {
        let (_dir, file) = opened(&format!("\u{feff}{TEXT}"));
        let file = file.unwrap();
        let wrong = file.named("wroker").err().unwrap();
        let Remedy::Name(names) = &wrong.remedy else { panic!("{wrong:?}") };
        assert_eq!(
            (wrong.problem.as_str(), names[0].as_str()),
            ("has no configuration `wroker`", "worker")
        );
        for (name, problem) in [
            ("lost", "the compound `lost` names `no`, which is not there"),
            ("none", "the compound `none` names no configuration"),
        ] {
            let wrong = file.named(name).err().unwrap();
            assert_eq!((wrong.problem.as_str(), wrong.remedy), (problem, Remedy::File));
        }
        let (_dir, broken) = opened("{\"configurations\": [");
        assert!(broken.err().unwrap().problem.contains("line 1"), "the place is told");
    }
}
