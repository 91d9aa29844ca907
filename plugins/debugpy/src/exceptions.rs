//! Exception breakpoints: by the adapter's filters, and by names of exception types.
//!
//! debugpy has no conditions on filters (`filterOptions`), but `exceptionOptions`, which express
//! both filters and types (`on_setexceptionbreakpoints_request`). A request with types is
//! translated to those. The script `exceptions.py` matches a type by its name, whenever the type is
//! defined.

use dapdock_plugin::prelude::*;
use dapdock_plugin::translate::{BreakOn, ExceptionFilter};

/// The adapter's filters for the caller's words; none where the manifest's table is enough. For
/// `uncaught`, what a test runner or a server catches and reports counts too (`failures.py`).
pub fn filters(
    want: &[BreakOn],
    words: &[String],
    offered: &[dap::ExceptionFilter],
) -> Option<Vec<ExceptionFilter>> {
    let is_filter = |word: &&String| offered.iter().any(|one| one.filter == **word);
    let (named, types): (Vec<&String>, Vec<&String>) = words.iter().partition(is_filter);
    if types.is_empty() {
        return None;
    }
    let mut filters = Vec::new();
    for word in want {
        match word {
            BreakOn::Uncaught => filters.push(filter("uncaught", None)),
            BreakOn::All => filters.push(filter("raised", None)),
            _ => {}
        }
    }
    filters.extend(named.into_iter().map(|name| filter(name, None)));
    filters.extend(types.into_iter().map(|name| filter("raised", Some(name.clone()))));
    Some(filters)
}

fn filter(filter: &str, condition: Option<String>) -> ExceptionFilter {
    ExceptionFilter { filter: filter.into(), condition }
}

/// The exception types of a request; none if it has no `filterOptions`.
pub fn types(request: &dap::SetExceptionBreakpointsArguments) -> Option<Vec<String>> {
    let options = request.filter_options.as_ref()?;
    Some(options.iter().filter_map(|one| one.condition.clone()).collect())
}

/// The same request with these types, as `exceptionOptions`.
pub fn options(
    request: &dap::SetExceptionBreakpointsArguments,
    types: Vec<String>,
) -> dap::SetExceptionBreakpointsArguments {
    let mut options = Vec::new();
    for filter in &request.filters {
        let break_mode = match filter.as_str() {
            "raised" => "always",
            "uncaught" => "unhandled",
            _ => "userUnhandled",
        };
        let path = vec![segment(vec![ALL_EXCEPTIONS.to_owned()])];
        options.push(dap::ExceptionOptions { path, break_mode: break_mode.into() });
    }
    let path = vec![segment(vec![ALL_EXCEPTIONS.to_owned()]), segment(types)];
    options.push(dap::ExceptionOptions { path, break_mode: "always".into() });
    dap::SetExceptionBreakpointsArguments { exception_options: Some(options), ..Default::default() }
}

/// The category of all exceptions in `exceptionOptions`.
const ALL_EXCEPTIONS: &str = "Python Exceptions";

fn segment(names: Vec<String>) -> dap::ExceptionPathSegment {
    dap::ExceptionPathSegment { names, negate: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The filters as `filter` or `filter(type)`.
    fn text(want: &[BreakOn], words: &[&str]) -> Option<String> {
        let offered = ["raised", "uncaught", "userUnhandled"]
            .map(|filter| dap::ExceptionFilter { filter: filter.into(), ..Default::default() });
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let mut texts = Vec::new();
        for one in filters(want, &words, &offered)? {
            texts.push(match one.condition {
                Some(name) => format!("{}({name})", one.filter),
                None => one.filter,
            });
        }
        Some(texts.join(" "))
    }

    #[test]
    fn types_are_conditions_of_filters() {
        assert_eq!(text(&[BreakOn::Uncaught], &[]), None);
        assert_eq!(text(&[BreakOn::All], &["userUnhandled"]), None);
        assert_eq!(
            text(&[], &["KeyError", "a.B"]).as_deref(),
            Some("raised(KeyError) raised(a.B)")
        );
        let both = text(&[BreakOn::Uncaught], &["userUnhandled", "KeyError"]);
        assert_eq!(both.as_deref(), Some("uncaught userUnhandled raised(KeyError)"));
    }

    #[test]
    fn filters_and_types_become_exception_options() {
        let request = |body: Value| dap::lenient::decode(&body).unwrap();
        assert_eq!(types(&request(json!({"filters": ["raised"]}))), None);
        let options = json!([
            {"filterId": "raised", "condition": "KeyError"},
            {"filterId": "raised", "condition": "a.B"},
        ]);
        let request = request(json!({"filters": ["uncaught"], "filterOptions": options}));
        let types = types(&request).unwrap();
        assert_eq!(types, ["KeyError", "a.B"]);
        let all = json!({"names": ["Python Exceptions"]});
        let want = json!({"filters": [], "exceptionOptions": [
            {"path": [all], "breakMode": "unhandled"},
            {"path": [all, {"names": ["KeyError", "a.B"]}], "breakMode": "always"},
        ]});
        assert_eq!(json!(super::options(&request, types)), want);
    }
}
