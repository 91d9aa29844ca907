//! Exceptions that stop: by the adapter's filters, and by the names of their types.
//!
//! debugpy has no conditions on filters (`filterOptions`), but `exceptionOptions`, which say the
//! same of every filter and of types (`on_setexceptionbreakpoints_request`): with types, all is
//! said by those. `exceptions.py` has a type known by its name alone, whenever it is defined.

use dapdock_plugin::prelude::*;
use dapdock_plugin::translate::{BreakOn, ExceptionFilter};

/// The filters for the caller's words; none: the manifest's table. pytest and unittest catch what a
/// test raises, so that `uncaught` never fires there: `catches`.
pub fn filters(
    want: &[BreakOn],
    words: &[String],
    offered: &[dap::ExceptionFilter],
    catches: bool,
) -> Option<Vec<ExceptionFilter>> {
    let is_filter = |word: &&String| offered.iter().any(|one| one.filter == **word);
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
    let typed = types
        .into_iter()
        .map(|name| ExceptionFilter { filter: "raised".into(), condition: Some(name.clone()) });
    Some(plain.chain(typed).collect())
}

/// The names of types among what is asked for; none: there are no conditions.
pub fn types(asked: &dap::SetExceptionBreakpointsArguments) -> Option<Vec<String>> {
    let options = asked.filter_options.as_ref()?;
    Some(options.iter().filter_map(|one| one.condition.clone()).collect())
}

/// The same with these types, in words that pydevd understands.
pub fn options(
    asked: &dap::SetExceptionBreakpointsArguments,
    types: Vec<String>,
) -> dap::SetExceptionBreakpointsArguments {
    let segment = |names| dap::ExceptionPathSegment { names, negate: None };
    let all = || segment(vec!["Python Exceptions".to_owned()]);
    let plain = asked.filters.iter().map(|filter| {
        let mode = match filter.as_str() {
            "raised" => "always",
            "uncaught" => "unhandled",
            _ => "userUnhandled",
        };
        dap::ExceptionOptions { path: vec![all()], break_mode: mode.into() }
    });
    let typed =
        dap::ExceptionOptions { path: vec![all(), segment(types)], break_mode: "always".into() };
    let options = plain.chain([typed]).collect();
    dap::SetExceptionBreakpointsArguments { exception_options: Some(options), ..Default::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The filters as `filter` or `filter(type)`.
    fn told(want: &[BreakOn], words: &[&str], catches: bool) -> Option<String> {
        let offered = ["raised", "uncaught", "userUnhandled"]
            .map(|filter| dap::ExceptionFilter { filter: filter.into(), ..Default::default() });
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
        assert_eq!(
            told(&[], &["KeyError", "a.B"], false).as_deref(),
            Some("raised(KeyError) raised(a.B)")
        );
        let beside = told(&[BreakOn::Uncaught], &["userUnhandled", "KeyError"], false);
        assert_eq!(beside.as_deref(), Some("uncaught userUnhandled raised(KeyError)"));
    }

    #[test]
    fn filters_and_types_are_said_as_options() {
        let asked = |body: Value| dap::lenient::decode(&body).unwrap();
        assert_eq!(types(&asked(json!({"filters": ["raised"]}))), None);
        let options = json!([{"filterId": "raised", "condition": "KeyError"}, {"filterId": "raised", "condition": "a.B"}]);
        let asked = asked(json!({"filters": ["uncaught"], "filterOptions": options}));
        let types = types(&asked).unwrap();
        assert_eq!(types, ["KeyError", "a.B"]);
        let all = json!({"names": ["Python Exceptions"]});
        let want = json!({"filters": [], "exceptionOptions": [
            {"path": [all], "breakMode": "unhandled"},
            {"path": [all, {"names": ["KeyError", "a.B"]}], "breakMode": "always"},
        ]});
        assert_eq!(json!(super::options(&asked, types)), want);
    }
}
