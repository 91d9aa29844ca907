//! Breakpoints on Rust functions: the names that developers write, as regular expressions over
//! LLDB's names.
//!
//! rustc has two mangling schemes, and LLDB reports the same method as `cart::Stack<T>::push` or
//! `<cart::Stack<u8>>::push`, a method of a trait as `<cart::Item as cart::Price>::price`, or as
//! `cart::other::<impl cart::Price for u8>::price` if it is not in the module of its type, and the
//! body of an `async fn` as a closure. Instances of a generic function do not differ in what is
//! matched: they are one breakpoint. `runtime/function_breakpoints.py` selects among all matches.
//! Knows names; does not know which code is the user's.

use dapdock_plugin::hooks::{Request, RequestAction};
use dapdock_plugin::prelude::*;

use crate::runtime;

/// CodeLLDB's event with messages of Python; `runtime/function_breakpoints.py` reports by it which
/// breakpoints stop together.
pub const PYTHON_MESSAGE: &str = "_pythonMessage";
/// CodeLLDB's prefix of a regular expression.
const REGEX: &str = "/re ";
/// Suffix of a pattern: type arguments, the body of an `async fn` in the older and the newer
/// mangling, C++ parameters.
const BODY: &str = r"(::<.*>)?(::(\{\{closure\}\}|\{closure#0\}))?(\(.*)?$";
/// A superset of `BODY` that LLDB matches ten times faster against the names of a large program.
const SOME_BODY: &str = r"($|::\{[^:]*$|::<[^{]*$|\()";

/// The patterns of a name: one for LLDB's search, and one that selects among its results.
struct Pattern {
    coarse: String,
    exact: String,
}

impl Pattern {
    /// None if it is not a name of Rust.
    fn of(function: &str) -> Option<Self> {
        // rustc adds a C `main` around the program's.
        if matches!(function, "main" | "crate::main") {
            let main = "^[A-Za-z0-9_]+::main$";
            return Some(Self { coarse: main.into(), exact: main.into() });
        }
        if let Some((types, method)) =
            function.strip_prefix('<').and_then(|rest| rest.rsplit_once(">::"))
            && let Some((implementer, of)) = types.split_once(" as ")
        {
            return Some(Self::of_trait(&path(implementer)?, &path(of)?, &path(method)?));
        }
        let inner = function.strip_prefix("crate::");
        let path = path(inner.unwrap_or(function))?;
        let start = match inner {
            Some(_) => "(^|[^A-Za-z0-9_:])[A-Za-z0-9_]+::",
            None => "(^|[^A-Za-z0-9_])",
        };
        Some(match path.rsplit_once("::") {
            Some((of, method)) => Self {
                coarse: format!("{of}.*::{method}{SOME_BODY}"),
                exact: format!("{start}{of}(<.*>)?( (as|for) .*)?>?::{method}{BODY}"),
            },
            None => Self {
                coarse: format!("(^|::){path}{SOME_BODY}"),
                exact: format!("{start}{path}{BODY}"),
            },
        })
    }

    fn of_trait(implementer: &str, of: &str, method: &str) -> Self {
        let [one, other] =
            [implementer, of].map(|path| format!("([^>]*[^A-Za-z0-9_])?{path}(<.*>)?"));
        Self {
            coarse: format!("{implementer}.*::{method}{SOME_BODY}"),
            exact: format!("<({one} as {other}|impl {other} for {one})>::{method}{BODY}"),
        }
    }
}

/// The segments of a path without type arguments, and without `<` and `>` around a type.
fn path(text: &str) -> Option<String> {
    let mut depth = 0_u32;
    let mut plain = String::new();
    let whole = text.trim().trim_start_matches('<');
    for letter in whole.chars() {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(letter),
            _ => {}
        }
    }
    let segments: Vec<&str> = plain.split("::").filter(|segment| !segment.is_empty()).collect();
    let is_name =
        |segment: &&str| segment.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    (!segments.is_empty() && segments.iter().all(is_name)).then(|| segments.join("::"))
}

/// Sets the breakpoints, selects their locations, and sets them again to read the result. Each gets
/// a condition that decides at every hit: an `async fn` is entered once for each poll.
pub fn on_request(mut arguments: dap::SetFunctionBreakpointsArguments) -> RequestAction {
    let mut patterns: Vec<Value> = Vec::new();
    for breakpoint in &mut arguments.breakpoints {
        let Some(mut pattern) = Pattern::of(breakpoint.name.trim()) else { continue };
        // The adapter would treat two equal names as one breakpoint, and the first of them would
        // have no owner.
        while patterns.iter().any(|other| other[0] == pattern.coarse) {
            pattern.coarse.push_str("|^$");
        }
        breakpoint.name = format!("{REGEX}{}", pattern.coarse);
        let condition = breakpoint.condition.as_deref().and_then(|text| text.strip_prefix("/py "));
        patterns.push(json!([pattern.coarse, pattern.exact, u8::from(condition.is_some())]));
        let entered = condition.map(|text| format!("lambda: {text}")).unwrap_or_default();
        breakpoint.condition = Some(format!("/py function_breakpoints.entered({entered})"));
    }
    let select = runtime::evaluate(
        format!("/py function_breakpoints.settle({})", Value::from(patterns)),
        "watch",
    );
    let set = Request::new::<dap::SetFunctionBreakpoints>(arguments);
    RequestAction::in_turn([set.clone(), Request::new::<dap::Evaluate>(select), set])
}

/// The stop with all breakpoints hit, or as the end of a step; None if the adapter reports it
/// correctly.
pub fn stopped(hits: &Value, mut body: dap::Stopped) -> Option<dap::Stopped> {
    let id = body.hit_breakpoint_ids.first()?.to_string();
    let all = hits.get(&id)?.as_array()?;
    body.hit_breakpoint_ids = all.iter().filter_map(Value::as_i64).collect();
    if all.is_empty() {
        body.reason = "step".into();
    }
    Some(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn finds(function: &str, of_lldb: &[&str]) {
        let pattern = Pattern::of(function).unwrap();
        let [coarse, exact] =
            [&pattern.coarse, &pattern.exact].map(|text| regex::Regex::new(text).unwrap());
        let found: Vec<&str> =
            ALL.into_iter().filter(|name| coarse.is_match(name) && exact.is_match(name)).collect();
        assert_eq!(found, of_lldb, "{function}: {coarse} {exact}");
    }

    const ALL: [&str; 14] = [
        "cart::run",
        "cart::deep::run",
        "cart::deep::run::{{closure}}",
        "cart::deep::run::{{closure}}::{{closure}}",
        "cart::rerun",
        "std::thread::run::<u32>",
        "cart::Stack<T>::push",
        "<cart::Stack<u8>>::push",
        "<cart::Stack<u8> as cart::Grow>::push",
        "<cart::Item as cart::shop::Price>::price",
        "cart::other::<impl cart::shop::Price for u8>::price",
        "cart::shop::Price::price",
        "cart::other::<impl cart::Item>::push",
        "cart::main",
    ];

    #[test]
    fn names_match_what_developers_mean() {
        finds(
            "run",
            &[
                "cart::run",
                "cart::deep::run",
                "cart::deep::run::{{closure}}",
                "std::thread::run::<u32>",
            ],
        );
        finds(
            "run::<u32>",
            &[
                "cart::run",
                "cart::deep::run",
                "cart::deep::run::{{closure}}",
                "std::thread::run::<u32>",
            ],
        );
        finds("deep::run", &["cart::deep::run", "cart::deep::run::{{closure}}"]);
        finds("crate::run", &["cart::run"]);
        finds("crate::deep::run", &["cart::deep::run", "cart::deep::run::{{closure}}"]);
        finds(
            "Stack::push",
            &[
                "cart::Stack<T>::push",
                "<cart::Stack<u8>>::push",
                "<cart::Stack<u8> as cart::Grow>::push",
            ],
        );
        finds(
            "cart::Stack<T>::push",
            &[
                "cart::Stack<T>::push",
                "<cart::Stack<u8>>::push",
                "<cart::Stack<u8> as cart::Grow>::push",
            ],
        );
        finds(
            "<Stack>::push",
            &[
                "cart::Stack<T>::push",
                "<cart::Stack<u8>>::push",
                "<cart::Stack<u8> as cart::Grow>::push",
            ],
        );
        finds("Grow::push", &["<cart::Stack<u8> as cart::Grow>::push"]);
        finds("<Stack<u8> as cart::Grow>::push", &["<cart::Stack<u8> as cart::Grow>::push"]);
        finds("Item::price", &["<cart::Item as cart::shop::Price>::price"]);
        finds("Item::push", &["cart::other::<impl cart::Item>::push"]);
        finds("u8::price", &["cart::other::<impl cart::shop::Price for u8>::price"]);
        finds("<u8 as Price>::price", &["cart::other::<impl cart::shop::Price for u8>::price"]);
        let all = [
            "<cart::Item as cart::shop::Price>::price",
            "cart::other::<impl cart::shop::Price for u8>::price",
            "cart::shop::Price::price",
        ];
        finds("Price::price", &all);
        finds("main", &["cart::main"]);
    }

    fn sent(breakpoints: Value) -> Vec<String> {
        match on_request(dap::lenient::decode(&json!({"breakpoints": breakpoints})).unwrap()) {
            RequestAction::Expand(requests) => {
                requests.into_iter().map(|one| one.arguments).collect()
            }
            _ => Vec::new(),
        }
    }

    #[test]
    fn regular_expression_stays_unchanged() {
        let sent = sent(json!([{"name": "/re ^x$"}]));
        assert_eq!(sent[0], r#"{"breakpoints":[{"name":"/re ^x$"}]}"#);
        let select: Value = serde_json::from_str(&sent[1]).unwrap_or_default();
        assert_eq!(
            select,
            json!({"context": "watch", "expression": "/py function_breakpoints.settle([])"})
        );
    }

    #[test]
    fn equal_patterns_stay_separate_breakpoints() {
        let sent = sent(json!([{"name": "main"}, {"name": "crate::main", "condition": "/py x"}]));
        let main = "^[A-Za-z0-9_]+::main$";
        let patterns = json!([[main, main, 0], [format!("{main}|^$"), main, 1]]);
        let select: Value = serde_json::from_str(&sent[1]).unwrap();
        assert_eq!(select["expression"], format!("/py function_breakpoints.settle({patterns})"));
        let set: Value = serde_json::from_str(&sent[0]).unwrap();
        assert_eq!(
            set["breakpoints"][0],
            json!({"name": format!("/re {main}"), "condition": "/py \
                function_breakpoints.entered()"})
        );
        assert_eq!(
            set["breakpoints"][1]["condition"],
            "/py function_breakpoints.entered(lambda: x)"
        );
        assert_eq!((sent.len(), &sent[0]), (3, &sent[2]));
    }

    #[test]
    fn stop_names_all_breakpoints_that_stop_together() {
        let hits = json!({"3": [3, 4], "5": [3], "7": []});
        let stop = |id: i64| {
            let body = dap::Stopped {
                reason: "breakpoint".into(),
                hit_breakpoint_ids: vec![id],
                ..Default::default()
            };
            stopped(&hits, body).map(|body| (body.reason, body.hit_breakpoint_ids))
        };
        let at = |reason: &str, ids: &[i64]| Some((reason.to_owned(), ids.to_vec()));
        assert_eq!((stop(3), stop(5)), (at("breakpoint", &[3, 4]), at("breakpoint", &[3])));
        assert_eq!((stop(6), stop(7)), (None, at("step", &[])));
    }
}
