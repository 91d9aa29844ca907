//! One `dapdock.toml`. A mistake is told by file, line, column and key, in one line.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::limits::Limits;
use crate::near::nearest;
use crate::plugin::{Bundled, Source};

/// A configuration file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// It is not there, or not ours to read.
    #[error("cannot read {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's words.
        reason: String,
    },
    /// Something in it is wrong.
    #[error("{}:{line}:{column}: {problem}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
        /// What.
        problem: Box<Problem>,
    },
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Not TOML.
    #[error("{0}")]
    Syntax(String),
    /// A key that means nothing here.
    #[error("unknown key `{key}`{}", did_you_mean(near.as_deref()))]
    UnknownKey {
        /// The key with its tables.
        key: String,
        /// What was probably meant.
        near: Option<String>,
    },
    /// A value of the wrong kind.
    #[error("`{key}` is {found}, expected {expected}")]
    WrongType {
        /// The key with its tables.
        key: String,
        /// What it is.
        found: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// A key that has to be there.
    #[error("`{key}` is missing: \"builtin:NAME\" or the path of a component")]
    NoPlugin {
        /// The key with its tables.
        key: String,
    },
    /// `builtin:NAME` without such a plugin.
    #[error("`{key}`: no plugin `{name}` is built in; there are {}{}", known.join(", "),
        did_you_mean(near.as_deref()))]
    NotBuiltIn {
        /// The key with its tables.
        key: String,
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<String>,
        /// What was probably meant.
        near: Option<String>,
    },
    /// A key that has a program of the project's choice run.
    #[error(
        "`{key}` chooses what runs, and this project is not trusted: read it, then add trust = \
        [{}] to {}, \
         or start dapdock with --trust",
        format_args!("{:?}", project.display().to_string()),
        user.as_deref().unwrap_or(Path::new("your own dapdock.toml")).display()
    )]
    NotTrusted {
        /// The key with its tables.
        key: String,
        /// The file's directory.
        project: PathBuf,
        /// The user's own file.
        user: Option<PathBuf>,
    },
    /// A key that only the user's own words can hold.
    #[error("`{key}` is the user's to say, not the project's: it counts in {}",
        user.as_deref().unwrap_or(Path::new("your own dapdock.toml")).display())]
    NotYours {
        /// The key.
        key: String,
        /// The user's own file.
        user: Option<PathBuf>,
    },
    /// A plugin by URL.
    #[error("`{key}`: plugins by URL are not supported yet; download it and give its path")]
    Remote {
        /// The key with its tables.
        key: String,
    },
}

fn did_you_mean(near: Option<&str>) -> String {
    near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
}

/// What one file says.
#[derive(Debug, Default)]
pub(super) struct Layer {
    pub adapters: BTreeMap<String, Over>,
    /// Path and line.
    pub tools: BTreeMap<String, (PathBuf, usize)>,
    /// Key and number, in the file's order.
    pub limits: Vec<(&'static str, f64)>,
    /// Directories whose projects may choose what runs.
    pub trust: Vec<PathBuf>,
    /// `auto_install`.
    pub auto_install: Option<bool>,
    /// The first key that counts only in the user's own words.
    pub own: Option<Place>,
    /// The first key that chooses a program or a plugin's file.
    pub risk: Option<Place>,
}

/// Where a key stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// The key with its tables.
    pub key: String,
}

impl Place {
    /// What is wrong here, in the file of that path.
    pub fn wrong(self, path: &Path, problem: impl FnOnce(String) -> Problem) -> Error {
        let Self { line, column, key } = self;
        Error::Wrong { path: path.to_owned(), line, column, problem: Box::new(problem(key)) }
    }
}

/// What one file says of one adapter, perhaps over what a file before it said.
#[derive(Debug)]
pub(super) struct Over {
    pub plugin: Option<Source>,
    pub languages: Option<Vec<String>>,
    pub settings: Value,
    /// The error if no layer names the plugin.
    pub missing: Error,
}

type Key<'i> = Spanned<Cow<'i, str>>;
type Item<'i> = Spanned<DeValue<'i>>;

/// Reads `text`, the contents of `path`.
pub(super) fn read(path: &Path, text: &str, bundled: &'static [Bundled]) -> Result<Layer, Error> {
    let reader = Reader { path, text, bundled };
    let table = DeTable::parse(text).map_err(|error| {
        let problem =
            Problem::Syntax(error.message().split_whitespace().collect::<Vec<_>>().join(" "));
        reader.wrong(error.span().unwrap_or_default(), problem)
    })?;
    reader.top(table.get_ref())
}

impl Layer {
    fn risk(&mut self, place: Place) {
        self.risk = Some(self.risk.take().map_or(place.clone(), |first| first.min(place)));
    }

    fn own(&mut self, place: Place) {
        self.own = Some(self.own.take().map_or(place.clone(), |first| first.min(place)));
    }
}

struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
    bundled: &'static [Bundled],
}

impl Reader<'_> {
    fn top(&self, table: &DeTable<'_>) -> Result<Layer, Error> {
        let mut layer = Layer::default();
        for (key, item) in table {
            match &**key.get_ref() {
                "adapters" => {
                    for (name, item) in self.table("adapters", item)? {
                        let over = self.adapter(name, item)?;
                        if let Some(Source::File(_)) = over.plugin {
                            layer.risk(
                                self.place(
                                    format!("adapters.{}.plugin", name.get_ref()),
                                    name.span(),
                                ),
                            );
                        }
                        layer.adapters.insert(name.get_ref().to_string(), over);
                    }
                }
                "tools" => {
                    for (name, tool) in self.table("tools", item)? {
                        let place =
                            self.place(format!("tools.{}.path", name.get_ref()), name.span());
                        layer.tools.insert(
                            name.get_ref().to_string(),
                            (self.tool(name, tool)?, place.line),
                        );
                        layer.risk(place);
                    }
                }
                "limits" => {
                    for (name, number) in self.table("limits", item)? {
                        layer.limits.push(self.limit(name, number)?);
                    }
                }
                "trust" => {
                    layer.trust =
                        self.texts("trust", item)?.iter().map(|path| self.relative(path)).collect();
                    layer.own(self.place("trust".to_owned(), key.span()));
                }
                "auto_install" => {
                    let value = item.get_ref().as_bool();
                    layer.auto_install = Some(
                        value.ok_or_else(|| self.mistyped("auto_install", item, "a boolean"))?,
                    );
                    layer.own(self.place("auto_install".to_owned(), key.span()));
                }
                _ => {
                    return Err(self.unknown(
                        "",
                        key,
                        &["adapters", "auto_install", "limits", "tools", "trust"],
                    ));
                }
            }
        }
        Ok(layer)
    }

    fn limit(&self, name: &Key<'_>, item: &Item<'_>) -> Result<(&'static str, f64), Error> {
        let known = Limits::KEYS.iter().find(|known| **known == name.get_ref().as_ref());
        let known = known.ok_or_else(|| self.unknown("limits", name, &Limits::KEYS))?;
        let number = json(item.get_ref()).as_f64().filter(|number| *number > 0.0);
        let number = number
            .ok_or_else(|| self.mistyped(&format!("limits.{known}"), item, "a number above 0"))?;
        Ok((known, number))
    }

    fn adapter(&self, name: &Key<'_>, item: &Item<'_>) -> Result<Over, Error> {
        let table = format!("adapters.{}", name.get_ref());
        let missing = self.wrong(name.span(), Problem::NoPlugin { key: format!("{table}.plugin") });
        let mut over = Over {
            plugin: None,
            languages: None,
            settings: Value::Object(serde_json::Map::new()),
            missing,
        };
        for (key, item) in self.table(&table, item)? {
            let path = format!("{table}.{}", key.get_ref());
            match &**key.get_ref() {
                "plugin" => over.plugin = Some(self.plugin(&path, item)?),
                "languages" => over.languages = Some(self.texts(&path, item)?),
                "settings" => {
                    self.table(&path, item)?;
                    over.settings = json(item.get_ref());
                }
                _ => return Err(self.unknown(&table, key, &["plugin", "languages", "settings"])),
            }
        }
        Ok(over)
    }

    fn tool(&self, name: &Key<'_>, item: &Item<'_>) -> Result<PathBuf, Error> {
        let table = format!("tools.{}", name.get_ref());
        let mut path = None;
        for (key, item) in self.table(&table, item)? {
            match &**key.get_ref() {
                "path" => path = Some(self.relative(self.text(&format!("{table}.path"), item)?)),
                _ => return Err(self.unknown(&table, key, &["path"])),
            }
        }
        let wanted = Problem::WrongType {
            key: table,
            found: "without `path`",
            expected: "a table with a path",
        };
        path.ok_or_else(|| self.wrong(name.span(), wanted))
    }

    fn plugin(&self, key: &str, item: &Item<'_>) -> Result<Source, Error> {
        if item.get_ref().is_table() {
            return self.remote(key, item);
        }
        let text = self.text(key, item)?;
        let Some(name) = text.strip_prefix("builtin:") else {
            return Ok(Source::File(self.relative(text)));
        };
        if let Some(plugin) = self.bundled.iter().find(|plugin| plugin.name == name) {
            return Ok(Source::Bundled(plugin));
        }
        let known = self.bundled.iter().map(|plugin| plugin.name);
        let near = nearest(name, known.clone()).map(str::to_owned);
        let known = known.map(str::to_owned).collect();
        let problem =
            Problem::NotBuiltIn { key: key.to_owned(), name: name.to_owned(), known, near };
        Err(self.wrong(item.span(), problem))
    }

    fn remote(&self, key: &str, item: &Item<'_>) -> Result<Source, Error> {
        for (inner, value) in self.table(key, item)? {
            match &**inner.get_ref() {
                "url" | "sha256" => self.text(&format!("{key}.{}", inner.get_ref()), value)?,
                _ => return Err(self.unknown(key, inner, &["url", "sha256"])),
            };
        }
        Err(self.wrong(item.span(), Problem::Remote { key: key.to_owned() }))
    }

    fn table<'t, 'i>(&self, key: &str, item: &'t Item<'i>) -> Result<&'t DeTable<'i>, Error> {
        item.get_ref().as_table().ok_or_else(|| self.mistyped(key, item, "a table"))
    }

    fn text<'t>(&self, key: &str, item: &'t Item<'_>) -> Result<&'t str, Error> {
        item.get_ref().as_str().ok_or_else(|| self.mistyped(key, item, "text"))
    }

    fn texts(&self, key: &str, item: &Item<'_>) -> Result<Vec<String>, Error> {
        let items =
            item.get_ref().as_array().ok_or_else(|| self.mistyped(key, item, "a list of texts"))?;
        items.iter().map(|item| self.text(key, item).map(str::to_owned)).collect()
    }

    /// Paths start at the file's directory.
    fn relative(&self, path: &str) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("/")).join(path)
    }

    fn mistyped(&self, key: &str, item: &Item<'_>, expected: &'static str) -> Error {
        let found = article(item.get_ref());
        self.wrong(item.span(), Problem::WrongType { key: key.to_owned(), found, expected })
    }

    fn unknown(&self, table: &str, key: &Key<'_>, known: &[&str]) -> Error {
        let near = nearest(key.get_ref(), known.iter().copied()).map(str::to_owned);
        let dot = if table.is_empty() { "" } else { "." };
        self.wrong(
            key.span(),
            Problem::UnknownKey { key: format!("{table}{dot}{}", key.get_ref()), near },
        )
    }

    fn wrong(&self, span: Range<usize>, problem: Problem) -> Error {
        self.place(String::new(), span).wrong(self.path, |_| problem)
    }

    fn place(&self, key: String, span: Range<usize>) -> Place {
        let before = &self.text[..self.text.floor_char_boundary(span.start)];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.matches('\n').count() + 1;
        Place { line, column: before[line_start..].chars().count() + 1, key }
    }
}

fn article(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// Dates and numbers that JSON cannot hold become text.
fn json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(number) => {
            let parsed = i64::from_str_radix(number.as_str(), number.radix());
            parsed.map_or_else(|_| Value::String(number.as_str().to_owned()), Value::from)
        }
        DeValue::Float(number) => {
            let parsed = number.as_str().parse().ok().and_then(serde_json::Number::from_f64);
            parsed.map_or_else(|| Value::String(number.as_str().to_owned()), Value::Number)
        }
        DeValue::Boolean(value) => Value::Bool(*value),
        DeValue::Datetime(date) => Value::String(date.to_string()),
        DeValue::Array(items) => items.iter().map(|item| json(item.get_ref())).collect(),
        DeValue::Table(table) => table
            .iter()
            .map(|(key, item)| (key.get_ref().to_string(), json(item.get_ref())))
            .collect(),
    }
}
