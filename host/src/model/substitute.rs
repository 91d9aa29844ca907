//! References in a plan: `${value:NAME}` and `${asset:NAME}` inside any string, and the pieces of
//! an argument. Any other text after `${` is no reference.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::plan::{Command, EnvChanges, Piece, Port};

/// Values of references.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Values by name: `host`, `port:NAME`, captures of ready lines.
    pub values: BTreeMap<String, String>,
    /// The directory of the plan's assets; `None` without assets.
    pub assets: Option<PathBuf>,
    /// Texts of the caller, which are no references.
    pub literals: BTreeSet<String>,
}

/// A command line without references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// Absolute path.
    pub program: PathBuf,
    /// Arguments.
    pub args: Vec<String>,
    /// Changes to the environment.
    pub env: EnvChanges,
    /// Directory; `None`: the workspace root.
    pub cwd: Option<PathBuf>,
}

/// A reference that cannot be replaced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownName {
    /// No value has this name yet.
    #[error("value {0:?} is not known at this step")]
    Value(String),
    /// The plan has no asset of this name.
    #[error("the plan has no asset {0:?}")]
    Asset(String),
    /// The value is no TCP port.
    #[error("value {name:?} is {found:?}, not a port")]
    Port {
        /// The value's name.
        name: String,
        /// The value.
        found: String,
    },
}

impl Names {
    /// A string with its references replaced.
    pub fn text(&self, text: &str) -> Result<String, UnknownName> {
        if self.literals.contains(text) {
            return Ok(text.to_owned());
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, reference, after)) = next_reference(rest) {
            out.push_str(before);
            out.push_str(&self.piece(&reference)?);
            rest = after;
        }
        out.push_str(rest);
        Ok(out)
    }

    /// JSON with the references in its strings replaced; keys stay.
    pub fn json(&self, value: &Value) -> Result<Value, UnknownName> {
        Ok(match value {
            Value::String(text) => Value::String(self.text(text)?),
            Value::Array(items) => {
                items.iter().map(|item| self.json(item)).collect::<Result<_, _>>()?
            }
            Value::Object(map) => Value::Object(
                map.iter()
                    .map(|(key, item)| Ok((key.clone(), self.json(item)?)))
                    .collect::<Result<_, _>>()?,
            ),
            other => other.clone(),
        })
    }

    /// A whole command line.
    pub fn command(&self, command: &Command) -> Result<CommandLine, UnknownName> {
        Ok(CommandLine {
            program: command.program.clone(),
            args: command
                .args
                .iter()
                .map(|pieces| self.argument(pieces))
                .collect::<Result<_, _>>()?,
            env: self.env(&command.env)?,
            cwd: command.cwd.clone(),
        })
    }

    /// The concatenation of an argument's pieces.
    pub fn argument(&self, pieces: &[Piece]) -> Result<String, UnknownName> {
        pieces.iter().map(|piece| self.piece(piece)).collect()
    }

    /// Environment changes with references replaced.
    pub fn env(&self, env: &EnvChanges) -> Result<EnvChanges, UnknownName> {
        env.iter()
            .map(|(name, value)| {
                Ok((name.clone(), value.as_deref().map(|text| self.text(text)).transpose()?))
            })
            .collect()
    }

    /// The number of a port.
    pub fn port(&self, port: &Port) -> Result<u16, UnknownName> {
        match port {
            Port::Number(number) => Ok(*number),
            Port::Value(name) => {
                let found = self.value(name)?;
                found
                    .parse()
                    .map_err(|_| UnknownName::Port { name: name.clone(), found: found.to_owned() })
            }
        }
    }

    fn piece(&self, piece: &Piece) -> Result<String, UnknownName> {
        match piece {
            Piece::Text(text) => Ok(text.clone()),
            Piece::Value(name) => self.value(name).map(str::to_owned),
            Piece::Asset(name) => self.asset(name),
        }
    }

    fn value(&self, name: &str) -> Result<&str, UnknownName> {
        self.values.get(name).map(String::as_str).ok_or_else(|| UnknownName::Value(name.to_owned()))
    }

    fn asset(&self, name: &str) -> Result<String, UnknownName> {
        let unknown = || UnknownName::Asset(name.to_owned());
        let directory = self.assets.as_deref().ok_or_else(unknown)?;
        let path = if name == "." {
            directory.to_owned()
        } else {
            directory.join(plain_name(name).ok_or_else(unknown)?)
        };
        Ok(path.to_string_lossy().into_owned())
    }
}

/// All references in a text.
pub(crate) fn references<'a>(
    text: &'a str,
    literals: &BTreeSet<String>,
) -> impl Iterator<Item = Piece> + use<'a> {
    let mut rest = if literals.contains(text) { "" } else { text };
    std::iter::from_fn(move || {
        let (_, reference, after) = next_reference(rest)?;
        rest = after;
        Some(reference)
    })
}

/// A file name without any directory.
pub(crate) fn plain_name(name: &str) -> Option<&str> {
    let plain = Path::new(name).file_name().is_some_and(|last| last == name);
    plain.then_some(name)
}

/// The text before the first reference, the reference, and the text after it.
fn next_reference(text: &str) -> Option<(&str, Piece, &str)> {
    let mut from = 0;
    while let Some(start) = text[from..].find("${").map(|at| at + from) {
        let body = &text[start + 2..];
        if let Some(end) = body.find('}')
            && let Some(reference) = parse(&body[..end])
        {
            return Some((&text[..start], reference, &body[end + 1..]));
        }
        from = start + 2;
    }
    None
}

fn parse(body: &str) -> Option<Piece> {
    match body.split_once(':')? {
        ("value", name) => Some(Piece::Value(name.to_owned())),
        ("asset", name) => Some(Piece::Asset(name.to_owned())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let values = [("port:dap", "4711"), ("host", "127.0.0.1")]
            .map(|(k, v)| (k.to_owned(), v.to_owned()));
        let literals = ["${value:host}!".to_owned()].into();
        Names { values: values.into(), assets: Some("/run/a".into()), literals }
    }

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(names().text(text).unwrap(), expect);
    }

    #[test]
    fn references_are_replaced_and_other_text_stays() {
        check("${value:host}:${value:port:dap}", "127.0.0.1:4711");
        check("a ${asset:x.py} b", "a /run/a/x.py b");
        check("${asset:.}", "/run/a");
        check("${HOME} ${ ${value:host}", "${HOME} ${ 127.0.0.1");
        check("é${", "é${");
        check("${value:host}!", "${value:host}!");
        check("${value:host}!!", "127.0.0.1!!");
        check("${other:${value:host}}", "${other:127.0.0.1}");
    }

    #[test]
    fn json_strings_are_replaced_at_any_depth() {
        let json = serde_json::json!({"a": [{"b": "${value:port:dap}"}], "${value:host}": 1});
        let expect = serde_json::json!({"a": [{"b": "4711"}], "${value:host}": 1});
        assert_eq!(names().json(&json).unwrap(), expect);
    }

    #[test]
    fn unknown_names_are_errors() {
        assert_eq!(names().text("${value:x}"), Err(UnknownName::Value("x".into())));
        assert_eq!(names().text("${asset:../x}"), Err(UnknownName::Asset("../x".into())));
        assert_eq!(Names::default().text("${asset:x}"), Err(UnknownName::Asset("x".into())));
    }

    #[test]
    fn ports_are_numbers() {
        assert_eq!(names().port(&Port::Value("port:dap".into())), Ok(4711));
        let found = "127.0.0.1".into();
        assert_eq!(
            names().port(&Port::Value("host".into())),
            Err(UnknownName::Port { name: "host".into(), found })
        );
    }
}
