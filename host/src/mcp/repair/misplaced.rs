//! Arguments of a tool that stand among its `options`, which are the adapter's.

use crate::mcp::arguments;
use crate::mcp::request::Request;
use crate::near::nearest;
use crate::session::{Error, Refused};
use crate::view::ErrorText;

/// What is debugged: one of them is given already. `options` holds no other.
const NEVER: [&str; 6] = ["program", "command", "test", "pid", "address", "options"];
/// Keys of `options` that are no adapter's; they are texts.
const OURS: [&str; 2] = ["stdin", "config"];

impl Request {
    /// The answer to a key that no adapter has and that is near to what the tool has itself.
    pub fn misplaced(&self, error: &Error) -> Option<ErrorText> {
        let Error::Plugin(Refused::Option { key, known: false, intended: None, .. }) = error else {
            return None;
        };
        let mut options = self.arguments.get("options")?.as_object()?.clone();
        let value = options.shift_remove(key)?;
        let tool = self.tool;
        let schema = tool.schema();
        let listed = schema.get("properties")?.as_object()?.keys().map(String::as_str);
        let takes = |name: &&str| !NEVER.contains(name) && !self.arguments.contains_key(*name);
        let names: Vec<_> = listed.chain(tool.unlisted.iter().copied()).filter(takes).collect();
        let ours =
            OURS.iter().filter(|name| tool.name == "debug_launch" && !options.contains_key(**name));
        let meant = nearest(key, names.iter().chain(ours).copied())?.to_owned();
        let is_argument = names.contains(&meant.as_str());
        if !is_argument && value.is_string() {
            options.insert(meant.clone(), value.clone());
        }
        let without = if options.is_empty() {
            self.without(&["options"])
        } else {
            self.with("options", options)
        };
        let with = || without.with(&meant, value.clone());
        let what = if is_argument { "the argument " } else { "" };
        // What it does not take there is left out.
        let fixed =
            if is_argument && arguments::takes(tool, with().arguments) { with() } else { without };
        let cause =
            format!("{}: `options` has no key `{key}`; did you mean {what}`{meant}`?", tool.name);
        Some(ErrorText::new("bad-argument", &cause, &fixed.text()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::mcp::registry::declaration;

    fn told(tool: &'static str, arguments: &Value, key: &str, known: bool) -> Option<String> {
        let error = Error::Plugin(Refused::Option {
            key: key.to_owned(),
            known,
            message: String::new(),
            intended: None,
        });
        let said =
            Request::new(declaration(tool), arguments.as_object().cloned().expect("an object"));
        said.misplaced(&error).map(|error| error.text.into())
    }

    #[test]
    fn an_argument_among_the_options_is_offered_beside_them() {
        for (tool, arguments, key, expect) in [
            (
                "debug_launch",
                json!({"program": "a", "options": {"stop_on_entr": true}}),
                "stop_on_entr",
                "the argument `stop_on_entry`? Try: debug_launch {\"program\": \"a\", \
                \"stop_on_entry\": true}",
            ),
            (
                "debug_launch",
                json!({"program": "a", "options": {"k": 1, "env": {"A": "1"}}}),
                "env",
                "the argument `env`? Try: debug_launch {\"program\": \"a\", \"options\": {\"k\": \
                1}, \"env\": {\"A\": \"1\"}}",
            ),
            (
                "debug_launch",
                json!({"program": "a", "options": {"stdn": "f"}}),
                "stdn",
                r#"`stdin`? Try: debug_launch {"program": "a", "options": {"stdin": "f"}}"#,
            ),
            (
                "debug_launch",
                json!({"program": "a", "options": {"timeout": "soon", "k": 1}}),
                "timeout",
                "the argument `timeout_s`? Try: debug_launch {\"program\": \"a\", \"options\": \
                {\"k\": 1}}",
            ),
            (
                "debug_launch",
                json!({"program": "a", "options": {"stdn": ["f"]}}),
                "stdn",
                r#"`stdin`? Try: debug_launch {"program": "a"}"#,
            ),
            (
                "debug_attach",
                json!({"pid": 7, "options": {"timeout": 5}}),
                "timeout",
                r#"the argument `timeout_s`? Try: debug_attach {"pid": 7, "timeout_s": 5}"#,
            ),
        ] {
            let expect = format!(
                "error[bad-argument] {tool}: `options` has no key `{key}`; did you mean {expect}"
            );
            assert_eq!(told(tool, &arguments, key, false), Some(expect));
            assert_eq!(told(tool, &arguments, key, true), None);
        }
        for (options, key) in [
            (json!({"nosuch": 1}), "nosuch"),
            (json!({"command": "a"}), "command"),
            (json!({}), "env"),
        ] {
            assert_eq!(
                told("debug_launch", &json!({"program": "a", "options": options}), key, false),
                None,
                "{key}"
            );
        }
        let both =
            json!({"program": "a", "stop_on_entry": false, "options": {"stop_on_entr": true}});
        assert_eq!(told("debug_launch", &both, "stop_on_entr", false), None);
    }
}
