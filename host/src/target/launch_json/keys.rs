//! The keys of one configuration while it is read.
//!
//! Knows the types of values. Refuses to know what a key means.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::variables::{self, Surroundings};

/// The keys that are not read yet. Variables are replaced when a key is taken.
pub(super) struct Keys<'a> {
    pub(super) left: Map<String, Value>,
    pub(super) surroundings: Surroundings<'a>,
}

impl Keys<'_> {
    /// Removes a key and returns its value, variables replaced.
    pub(super) fn take(&mut self, key: &str) -> Result<Option<Value>, String> {
        let value = self.left.shift_remove(key).filter(|value| !value.is_null());
        value.map(|value| variables::fill(&value, self.surroundings)).transpose()
    }

    /// Renames the adapter's keys to the shared names, unless those are present.
    pub(super) fn rename(&mut self, names: &BTreeMap<String, String>) {
        for (theirs, shared) in names {
            if !self.left.contains_key(shared)
                && let Some(value) = self.cut(theirs)
            {
                self.left.insert(shared.clone(), value);
            }
        }
    }

    /// Removes keys with values that the adapter implies.
    pub(super) fn drop_implied(&mut self, kind: &str, implied: &BTreeMap<String, Vec<String>>) {
        let is_implied = |key: &str, value: &Value| {
            let here = implied.iter().filter(|(theirs, _)| of_request(theirs, kind) == Some(key));
            here.flat_map(|(_, values)| values).any(|one| value.as_str() == Some(one))
        };
        self.left.retain(|key, value| !is_implied(key, value));
    }

    /// Removes the value at `key` or `object.key`, and an object that becomes empty.
    fn cut(&mut self, path: &str) -> Option<Value> {
        let Some((object, key)) = path.split_once('.') else { return self.left.shift_remove(path) };
        let inner = self.left.get_mut(object)?.as_object_mut()?;
        let value = inner.shift_remove(key);
        if inner.is_empty() {
            self.left.shift_remove(object);
        }
        value
    }

    /// Removes a key that the call overrides; returns the value of the call.
    pub(super) fn forget<T>(&mut self, key: &str, instead: T) -> T {
        self.left.shift_remove(key);
        instead
    }

    pub(super) fn text(&mut self, key: &str) -> Result<Option<String>, String> {
        match self.take(key)? {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(format!("`{key}` must be a text, got {other}")),
        }
    }

    /// A list of words, or a line of words.
    pub(super) fn words(&mut self, key: &str) -> Result<Vec<String>, String> {
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

    /// A text as one word, a list as several.
    pub(super) fn words_of(&mut self, key: &str) -> Result<Vec<String>, String> {
        match self.left.get(key) {
            Some(Value::String(_)) => Ok(self.text(key)?.into_iter().collect()),
            _ => self.words(key),
        }
    }

    /// An object, or a list of `{"name", "value"}`.
    pub(super) fn env(&mut self) -> Result<Vec<(String, Option<String>)>, String> {
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

    pub(super) fn number(&mut self, key: &str, most: u64) -> Result<Option<u64>, String> {
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

/// The key of a table entry: `launch.KEY` and `attach.KEY` count for that request only.
pub(super) fn of_request<'a>(key: &'a str, kind: &str) -> Option<&'a str> {
    match key.split_once('.') {
        Some((of, key)) if of == kind => Some(key),
        Some(("launch" | "attach", _)) => None,
        _ => Some(key),
    }
}
