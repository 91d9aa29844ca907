//! Reads one `dapdock.toml`. Knows its keys; refuses to know other layers and who may set a key.

use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{Error, Problem};
use super::layer::{Layer, Over, Place};
use crate::limits::Limits;
use crate::model::ToolChoice;
use crate::near::nearest;
use crate::plugin::{Bundled, Source};

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
                "adapters" => self.adapters(item, &mut layer)?,
                "tools" => self.tools(item, &mut layer)?,
                "mcp" => {
                    for (key, item) in self.table("mcp", item)? {
                        self.tool_choice(key, item, &mut layer.tool_choice)?;
                    }
                    layer.own(self.place("mcp".to_owned(), key.span()));
                }
                "limits" => {
                    for (name, number) in self.table("limits", item)? {
                        layer.limits.push(self.limit(name, number)?);
                    }
                }
                "trust" => {
                    for path in self.texts("trust", item)? {
                        layer.trust.push(self.relative(&path));
                    }
                    layer.own(self.place("trust".to_owned(), key.span()));
                }
                "auto_install" => {
                    layer.auto_install = Some(self.boolean("auto_install", item)?);
                    layer.own(self.place("auto_install".to_owned(), key.span()));
                }
                _ => {
                    return Err(self.unknown(
                        "",
                        key,
                        &["adapters", "auto_install", "limits", "mcp", "tools", "trust"],
                    ));
                }
            }
        }
        Ok(layer)
    }

    fn adapters(&self, item: &Item<'_>, layer: &mut Layer) -> Result<(), Error> {
        for (name, item) in self.table("adapters", item)? {
            let over = self.adapter(name, item)?;
            if let Some(Source::File(_)) = over.plugin {
                let key = format!("adapters.{}.plugin", name.get_ref());
                layer.risk(self.place(key, name.span()));
            }
            layer.adapters.insert(name.get_ref().to_string(), over);
        }
        Ok(())
    }

    fn tools(&self, item: &Item<'_>, layer: &mut Layer) -> Result<(), Error> {
        for (name, tool) in self.table("tools", item)? {
            let place = self.place(format!("tools.{}.path", name.get_ref()), name.span());
            let path = self.tool(name, tool)?;
            layer.tools.insert(name.get_ref().to_string(), (path, place.line));
            layer.risk(place);
        }
        Ok(())
    }

    fn tool_choice(
        &self,
        key: &Key<'_>,
        item: &Item<'_>,
        choice: &mut ToolChoice,
    ) -> Result<(), Error> {
        const KEYS: [&str; 7] = [
            "allow_shell",
            "exclude_tools",
            "read_only",
            "slim",
            "structured",
            "tools",
            "toolsets",
        ];
        let path = format!("mcp.{}", key.get_ref());
        match &**key.get_ref() {
            "toolsets" => choice.toolsets = Some(self.texts(&path, item)?),
            "tools" => choice.tools = Some(self.texts(&path, item)?),
            "exclude_tools" => choice.exclude = Some(self.texts(&path, item)?),
            "read_only" => choice.read_only = Some(self.boolean(&path, item)?),
            "slim" => choice.slim = Some(self.boolean(&path, item)?),
            "structured" => choice.structured = Some(self.boolean(&path, item)?),
            "allow_shell" => choice.allow_shell = Some(self.boolean(&path, item)?),
            _ => return Err(self.unknown("mcp", key, &KEYS)),
        }
        Ok(())
    }

    fn limit(&self, name: &Key<'_>, item: &Item<'_>) -> Result<(&'static str, f64), Error> {
        let known = Limits::keys().find(|known| *known == name.get_ref().as_ref());
        let keys: Vec<_> = Limits::keys().collect();
        let known = known.ok_or_else(|| self.unknown("limits", name, &keys))?;
        let number = json(item.get_ref()).as_f64().unwrap_or_default();
        match Limits::expected(known, number) {
            Some(expected) => Err(self.mistyped(&format!("limits.{known}"), item, expected)),
            None => Ok((known, number)),
        }
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

    fn boolean(&self, key: &str, item: &Item<'_>) -> Result<bool, Error> {
        item.get_ref().as_bool().ok_or_else(|| self.mistyped(key, item, "a boolean"))
    }

    fn texts(&self, key: &str, item: &Item<'_>) -> Result<Vec<String>, Error> {
        let items =
            item.get_ref().as_array().ok_or_else(|| self.mistyped(key, item, "a list of texts"))?;
        items.iter().map(|item| self.text(key, item).map(str::to_owned)).collect()
    }

    /// A path from the file's directory.
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

/// The kind of a value with its article.
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

/// The value as JSON; dates and numbers that JSON cannot represent become text.
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
