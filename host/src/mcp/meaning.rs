//! Calls of tools that do not exist, by what other debug servers mean by their names.
//!
//! `calls` knows the names, `arguments` knows what an argument means.

use serde_json::{Map, Value};

use super::arguments;
use super::calls::of_name;
use super::declared::Declared;
use super::request::Request;

/// The call for a tool of this name with these arguments; none if the name says nothing, or of a
/// tool that is not among `tools`.
pub(super) fn call(
    name: &str,
    given: Map<String, Value>,
    mut tools: impl Iterator<Item = &'static Declared>,
) -> Option<String> {
    let call = of_name(name)?;
    let (tool, own) = call.split_once(' ').unwrap_or((call, "{}"));
    let tool = tools.find(|declared| declared.name == tool)?;
    if given.is_empty() {
        return Some(call.to_owned());
    }
    let own: Map<String, Value> = serde_json::from_str(own).unwrap_or_default();
    let mut arguments = arguments::intended(tool, given);
    arguments.extend(own);
    Some(Request::new(tool, arguments).text())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::mcp::registry::declared;

    #[test]
    fn arguments_have_the_names_of_the_tool() {
        for (name, given, expected) in [
            ("eval_variable", json!({}), "debug_evaluate"),
            (
                "eval_variable",
                json!({"expression": "total"}),
                r#"debug_evaluate {"expressions": ["total"]}"#,
            ),
            (
                "get_variables",
                json!({"variable": "cart.items", "frame": "1"}),
                r#"debug_variables {"path": "cart.items", "frame": 1}"#,
            ),
            (
                "step_in",
                json!({"session": "py-1"}),
                r#"debug_step {"session": "py-1", "kind": "in"}"#,
            ),
            (
                "set_breakpoint",
                json!({"breakpoint": "a.py:3"}),
                r#"debug_breakpoints {"set": ["a.py:3"]}"#,
            ),
        ] {
            let given = given.as_object().cloned().unwrap();
            assert_eq!(call(name, given, declared()).as_deref(), Some(expected), "{name}");
        }
        assert_eq!(call("eval", Map::new(), std::iter::empty()), None);
    }
}
