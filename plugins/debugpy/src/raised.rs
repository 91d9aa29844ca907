//! Exceptions that stop: by the adapter's filters, and by the names of their types.
//!
//! debugpy has no conditions on filters (`filterOptions`), but `exceptionOptions`, which say the same of every filter
//! and of types (`on_setexceptionbreakpoints_request`): with types, all is said by those. `exceptions.py` has a type known by
//! its name alone, whenever it is defined.

use dapdock_plugin::prelude::*;
use dapdock_plugin::translate::{BreakOn, ExceptionFilter};

/// The filters for the caller's words; none: the manifest's table. pytest and unittest catch what a test raises, so that
/// `uncaught` never fires there: `catches`.
pub fn filters(want: &[BreakOn], words: &[String], offered: &Value, catches: bool) -> Option<Vec<ExceptionFilter>> {
    let is_filter =
        |word: &&String| offered.as_array().is_some_and(|all| all.iter().any(|one| one["filter"] == **word));
    let (named, types): (Vec<&String>, Vec<&String>) = words.iter().partition(is_filter);
    let uncaught = if catches { "userUnhandled" } else { "uncaught" };
    let only_uncaught = words.is_empty() && matches!(want, [BreakOn::Uncaught]);
    if types.is_empty() && !(catches && only_uncaught) {
        return None;
    }
    let known = want.iter().filter_map(|word| match word {
        BreakOn::Uncaught => Some(uncaught),
        BreakOn::All => Some("raised"),
        _ => None,
    });
    let plain = known.chain(named.into_iter().map(String::as_str));
    let plain = plain.map(|filter| ExceptionFilter { filter: filter.into(), condition: None });
    let typed =
        types.into_iter().map(|name| ExceptionFilter { filter: "raised".into(), condition: Some(name.clone()) });
    Some(plain.chain(typed).collect())
}

/// The arguments of `setExceptionBreakpoints` with types among them, in words that pydevd understands.
pub fn options(arguments: &Value) -> Option<Value> {
    let types: Vec<&Value> = arguments["filterOptions"].as_array()?.iter().map(|one| &one["condition"]).collect();
    let all = json!({"names": ["Python Exceptions"]});
    let plain = arguments["filters"].as_array().into_iter().flatten().map(|filter| {
        let mode = match filter.as_str() {
            Some("raised") => "always",
            Some("uncaught") => "unhandled",
            _ => "userUnhandled",
        };
        json!({"path": [all], "breakMode": mode})
    });
    let typed = json!({"path": [all, {"names": types}], "breakMode": "always"});
    let options: Vec<Value> = plain.chain([typed]).collect();
    Some(json!({"filters": [], "exceptionOptions": options}))
}

/// The names of types among these options.
pub fn types(options: &Value) -> &Value {
    options["exceptionOptions"]
        .as_array()
        .and_then(|all| all.last())
        .map_or(&Value::Null, |typed| &typed["path"][1]["names"])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The filters as `filter` or `filter(type)`.
    fn told(want: &[BreakOn], words: &[&str], catches: bool) -> Option<String> {
        let offered = json!([{"filter": "raised"}, {"filter": "uncaught"}, {"filter": "userUnhandled"}]);
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let filters = filters(want, &words, &offered, catches)?;
        let one = |one: ExceptionFilter| match one.condition {
            Some(name) => format!("{}({name})", one.filter),
            None => one.filter,
        };
        Some(filters.into_iter().map(one).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn types_stand_beside_filters() {
        assert_eq!(told(&[BreakOn::Uncaught], &[], false), None);
        assert_eq!(told(&[BreakOn::All], &["userUnhandled"], false), None);
        assert_eq!(told(&[BreakOn::Uncaught], &[], true).as_deref(), Some("userUnhandled"));
        assert_eq!(told(&[BreakOn::All], &[], true), None);
        assert_eq!(told(&[], &["KeyError", "a.B"], false).as_deref(), Some("raised(KeyError) raised(a.B)"));
        let beside = told(&[BreakOn::Uncaught], &["userUnhandled", "KeyError"], false);
        assert_eq!(beside.as_deref(), Some("uncaught userUnhandled raised(KeyError)"));
    }

    #[test]
    fn filters_and_types_are_said_as_options() {
        assert_eq!(options(&json!({"filters": ["raised"]})), None);
        let types =
            json!([{"filterId": "raised", "condition": "KeyError"}, {"filterId": "raised", "condition": "a.B"}]);
        let all = json!({"names": ["Python Exceptions"]});
        let options = options(&json!({"filters": ["uncaught"], "filterOptions": types}));
        let want = json!({"filters": [], "exceptionOptions": [
            {"path": [all], "breakMode": "unhandled"},
            {"path": [all, {"names": ["KeyError", "a.B"]}], "breakMode": "always"},
        ]});
        assert_eq!(options.as_ref(), Some(&want));
        assert_eq!(super::types(&want), &json!(["KeyError", "a.B"]));
    }
}
