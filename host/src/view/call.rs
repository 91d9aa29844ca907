//! A next call, as text: `debug_output since=14` inside a view, JSON arguments in an error. Knows
//! how values are written; refuses to know which tools exist.

use std::borrow::Cow;
use std::fmt;

use serde_json::{Map, Value};

use super::characters::{is_hidden, json_escape, visible};

/// One literal tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    tool: &'static str,
    arguments: Vec<(Cow<'static, str>, Literal)>,
}

/// An argument's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// A number.
    Number(i64),
    /// A truth value.
    Truth(bool),
    /// Text.
    Text(String),
    /// A list of texts.
    Texts(Vec<String>),
    /// JSON, written as it is.
    Json(String),
}

/// Tools that take no session.
const OF_NO_SESSION: [&str; 3] = ["debug_attach", "debug_launch", "debug_targets"];

/// Around a call in an answer for a command line, which writes calls as commands. Characters of
/// private use, so that no text of a program has them.
pub const MARKS: [char; 2] = ['\u{10fdd0}', '\u{10fdd1}'];

tokio::task_local! {
    /// Set while an answer for a command line is written.
    static MARKED: ();
}

/// Runs `writing` with [`MARKS`] around the calls that it writes.
pub async fn marked<F: Future>(writing: F) -> F::Output {
    MARKED.scope((), writing).await
}

/// A text without [`MARKS`].
pub fn unmarked(text: &str) -> String {
    text.replace(MARKS, "")
}

fn with_marks(call: String) -> String {
    if is_marked() { format!("{}{call}{}", MARKS[0], MARKS[1]) } else { call }
}

fn is_marked() -> bool {
    MARKED.try_with(|()| ()).is_ok()
}

/// A call that was written before, as text without marks.
pub(super) fn written(call: &str) -> String {
    with_marks(unmarked(call))
}

/// Adds `options` to the text of a call. A text with shortened arguments is no JSON: it stays as it
/// is.
pub(super) fn with_options(call: &str, options: &str) -> String {
    let call = unmarked(call);
    let more: Map<String, Value> = serde_json::from_str(options).unwrap_or_default();
    let Some((tool, arguments)) = call.split_once(' ') else { return with_marks(call) };
    let Ok(mut arguments) = serde_json::from_str::<Map<String, Value>>(arguments) else {
        return with_marks(call);
    };
    let all = arguments.entry("options").or_insert_with(|| Map::new().into());
    if let Some(all) = all.as_object_mut() {
        all.extend(more);
    }
    with_marks(format!("{tool} {}", spaced_json(&arguments.into())))
}

/// JSON with a space after commas and colons.
pub fn spaced_json(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            format!("[{}]", items.iter().map(spaced_json).collect::<Vec<_>>().join(", "))
        }
        Value::Object(fields) => {
            let mut texts = Vec::with_capacity(fields.len());
            for (name, value) in fields {
                texts.push(format!("{}: {}", Value::from(name.as_str()), spaced_json(value)));
            }
            format!("{{{}}}", texts.join(", "))
        }
        plain => plain.to_string(),
    }
}

/// Whether a text begins with a tool's name: all of it then, where it is a call.
fn first_name(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_lowercase() && c != '_').unwrap_or(text.len());
    let name = &text[..end];
    let is_name = name.len() > "debug_".len() && name.starts_with("debug_");
    (is_name || name == "dap_request").then_some(name)
}

/// A text of ours that may be a call.
pub(super) fn perhaps_call(text: &str) -> Cow<'_, str> {
    match first_name(text) {
        Some(_) if is_marked() => with_marks(text.to_owned()).into(),
        _ => text.into(),
    }
}

/// A text that may begin with the name of a tool.
pub(super) fn named_first(text: &str) -> Cow<'_, str> {
    match first_name(text) {
        Some(name) if is_marked() => {
            format!("{}{}", with_marks(name.to_owned()), &text[name.len()..]).into()
        }
        _ => text.into(),
    }
}

/// A text of ours that may have names of tools among its words.
pub(super) fn named(text: &str) -> Cow<'_, str> {
    if !is_marked() {
        return text.into();
    }
    let words = text.split_inclusive(' ').map(named_first);
    words.collect::<String>().into()
}

impl Call {
    /// A call without arguments.
    pub fn new(tool: &'static str) -> Self {
        Self { tool, arguments: Vec::new() }
    }

    /// The same call with an argument added or replaced.
    pub fn with(mut self, name: impl Into<Cow<'static, str>>, value: impl Into<Literal>) -> Self {
        let (name, value) = (name.into(), value.into());
        match self.arguments.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.arguments.push((name, value)),
        }
        self
    }

    /// The same call with this session, if its tool takes one and it has none.
    pub fn of(self, session: &str) -> Self {
        let adapters = Literal::Text("adapters".to_owned());
        let named =
            self.arguments.iter().any(|(name, value)| name == "session" || *value == adapters);
        if named || OF_NO_SESSION.contains(&self.tool) {
            self
        } else {
            self.with("session", session)
        }
    }

    /// [`json`](Self::json) in at most `max` characters: the longest arguments are left out, and
    /// their names follow.
    pub fn bounded(mut self, max: usize) -> String {
        let mut left_out = Vec::new();
        while self.json().chars().count() > max && !self.arguments.is_empty() {
            let lengths = self.arguments.iter().map(|(_, value)| value.json().len()).enumerate();
            let longest = lengths.max_by_key(|(_, length)| *length).map_or(0, |(at, _)| at);
            left_out.push(self.arguments.remove(longest).0);
        }
        if left_out.is_empty() {
            self.json()
        } else {
            format!("{} (and the same {})", self.json(), left_out.join(", "))
        }
    }

    /// With its arguments as one JSON object: `debug_output {"since": 14}`.
    pub fn json(&self) -> String {
        if self.arguments.is_empty() {
            return with_marks(self.tool.to_owned());
        }
        let arguments: Vec<_> = self
            .arguments
            .iter()
            .map(|(name, value)| format!("\"{name}\": {}", value.json()))
            .collect();
        with_marks(format!("{} {{{}}}", self.tool, arguments.join(", ")))
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut call = self.tool.to_owned();
        for (name, value) in &self.arguments {
            call.push_str(&match value {
                Literal::Text(text) if is_word(text) => format!(" {name}={text}"),
                value => format!(" {name}={}", value.json()),
            });
        }
        f.write_str(&with_marks(call))
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| (c.is_alphanumeric() && !is_hidden(c)) || "_-./:#[]".contains(c))
        && !text.starts_with('[')
}

impl Literal {
    fn json(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Truth(truth) => truth.to_string(),
            Self::Text(text) => json_text(text),
            Self::Texts(texts) => {
                format!(
                    "[{}]",
                    texts.iter().map(|text| json_text(text)).collect::<Vec<_>>().join(", ")
                )
            }
            // JSON has such a character only inside a text.
            Self::Json(json) => visible(json, "", json_escape).into_owned(),
        }
    }
}

pub(super) fn json_text(text: &str) -> String {
    let mut json = String::from('"');
    // Quotes first, or an escape's own backslash would be escaped again.
    let quoted = text.replace('\\', "\\\\").replace('"', "\\\"");
    json.push_str(&visible(&quoted, "", json_escape));
    json.push('"');
    json
}

impl From<&str> for Literal {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Literal {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<String>> for Literal {
    fn from(texts: Vec<String>) -> Self {
        Self::Texts(texts)
    }
}

impl From<bool> for Literal {
    fn from(truth: bool) -> Self {
        Self::Truth(truth)
    }
}

impl From<i64> for Literal {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<i32> for Literal {
    fn from(number: i32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u32> for Literal {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u64> for Literal {
    fn from(number: u64) -> Self {
        Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_reads_short_in_views_and_literal_in_errors() {
        let call = Call::new("debug_breakpoints")
            .with("set", vec!["a \"b\".c:4".to_owned()])
            .with("clear", true);
        assert_eq!(call.json(), r#"debug_breakpoints {"set": ["a \"b\".c:4"], "clear": true}"#);
        assert_eq!(
            Call::new("debug_output").with("since", 14).to_string(),
            "debug_output since=14"
        );
        assert_eq!(
            Call::new("debug_variables").with("path", "a['b c']").to_string(),
            r#"debug_variables path="a['b c']""#
        );
        assert_eq!(Call::new("debug_pause").json(), "debug_pause");
    }

    #[tokio::test]
    async fn names_of_tools_have_marks_for_a_command_line() {
        let visible = |text: Cow<'_, str>| text.replace(MARKS[0], "«").replace(MARKS[1], "»");
        for (text, expect) in [
            ("debug_stop ends it", "«debug_stop» ends it"),
            ("later; debug_stop ends it", "later; «debug_stop» ends it"),
            ("read it with debug_output, and quote", "read it with «debug_output», and quote"),
            (
                "no debugger, a debug_ and an x_debug_stop",
                "no debugger, a debug_ and an x_debug_stop",
            ),
        ] {
            assert_eq!(named(text), text);
            let marked = marked(async { visible(named(text)) }).await;
            assert_eq!(marked, expect);
        }
        marked(async {
            let call = "debug_status {\"detail\": \"log\"}";
            assert_eq!(visible(perhaps_call(call)), format!("«{call}»"));
            assert_eq!(visible(perhaps_call("install it")), "install it");
            assert_eq!(visible(named_first("dap_request: `x`")), "«dap_request»: `x`");
            assert_eq!(visible(named_first("x debug_stop")), "x debug_stop");
        })
        .await;
    }

    #[test]
    fn a_call_that_is_too_long_names_what_it_leaves_out() {
        let call =
            Call::new("debug_launch").with("program", "a.py").with("args", vec!["x".repeat(90)]);
        let call = call.with("cwd", "old").with("cwd", "sub");
        let whole = call.json();
        assert!(whole.ends_with(r#", "cwd": "sub"}"#), "{whole}");
        assert_eq!(call.clone().bounded(whole.len()), whole);
        let short = r#"debug_launch {"program": "a.py", "cwd": "sub"} (and the same args)"#;
        assert_eq!(call.bounded(whole.len() - 1), short);
    }
}
