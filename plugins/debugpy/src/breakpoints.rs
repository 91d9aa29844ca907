//! Translates logpoints, hit conditions and breakpoints on qualified functions to conditions.
//!
//! Log messages and hit counts in the host would need a stop for each hit, and stops lose hits of
//! other threads: a thread that is suspended on the line of a breakpoint because another thread
//! stopped passes the breakpoint when all are resumed (`pydevd_frame.py`,
//! `info.pydev_state != STATE_SUSPEND`). A `continue` that meets the stop of a second thread leaves
//! the first suspended for ever (`PyDB.set_suspend` marks threads one by one, `resume_threads`
//! without its lock). So both happen in the debuggee, in the thread that reaches the breakpoint:
//! the script `breakpoints.py` is part of the condition.
//!
//! pydevd knows functions by their last name only (`set_function_breakpoints`); what else it lacks
//! is in `functions.py`.
//!
//! Knows the marks of breakpoints (`log_points` and `hit_counts` of the profile).

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::dap::BreakpointMark as Mark;
use dapdock_plugin::schema::{LogPiece, log_pieces};

/// The script that runs in the debuggee.
const CODE: &str = include_str!("../runtime/breakpoints.py");

/// Line breakpoints for pydevd; none if the request can be sent unchanged.
pub fn lines(mut request: dap::SetBreakpointsArguments) -> Option<dap::SetBreakpointsArguments> {
    let mut changed = false;
    for breakpoint in &mut request.breakpoints {
        let call = call(
            breakpoint.condition.as_deref(),
            breakpoint.log_message.as_deref(),
            breakpoint.mark,
        );
        if call.is_some() {
            breakpoint.log_message = None;
            breakpoint.mark = None;
            breakpoint.condition = call;
            changed = true;
        }
    }
    changed.then_some(request)
}

/// Function breakpoints for pydevd; none if the request can be sent unchanged.
pub fn functions(
    mut request: dap::SetFunctionBreakpointsArguments,
) -> Option<dap::SetFunctionBreakpointsArguments> {
    let mut changed = false;
    for breakpoint in &mut request.breakpoints {
        let call = call(breakpoint.condition.as_deref(), None, breakpoint.mark);
        let condition = qualified(breakpoint, call.as_deref()).or(call);
        if condition.is_some() {
            breakpoint.mark = None;
            breakpoint.condition = condition;
            changed = true;
        }
    }
    changed.then_some(request)
}

const LIBRARY: &str = "this is a library's file, and libraries are debugged only after a start \
    with options={\"just_my_code\": false}";

/// The condition that replaces the condition, log message and mark of a breakpoint; none if it has
/// no mark.
fn call(condition: Option<&str>, log: Option<&str>, mark: Option<Mark>) -> Option<String> {
    let Mark { number, hits, .. } = mark?;
    let condition = python(condition);
    let call = match (log, hits) {
        (Some(log), _) => {
            let pieces: String = log_pieces(log).iter().map(piece).collect();
            format!("log({number}, ({pieces}), {condition}")
        }
        (None, Some(hits)) => {
            let operator = serde_json::to_string(&hits.operator).ok()?;
            format!("hit({number}, {}, {operator}, {}, {condition}", hits.earlier, hits.number)
        }
        (None, None) => return None,
    };
    Some(format!("{}.{call}, globals(), locals())", module()))
}

/// The condition of a breakpoint on a function with a qualified name, which is reduced to its last
/// part.
fn qualified(breakpoint: &mut dap::FunctionBreakpoint, condition: Option<&str>) -> Option<String> {
    let (_, last) = breakpoint.name.rsplit_once('.')?;
    let module = module();
    let condition = match condition {
        Some(condition) => condition.to_owned(),
        None => format!(
            "{module}.stop({}, globals(), locals())",
            python(breakpoint.condition.as_deref())
        ),
    };
    let name = text_of(&breakpoint.name);
    breakpoint.name = last.to_owned();
    Some(format!("{module}.is_function({name}, globals()) and {condition}"))
}

/// Says why libraries have no breakpoints in dapdock's words: pydevd names a key and a file of
/// another program (pydevd_process_net_command_json.py,
/// `_create_breakpoint_from_add_breakpoint_result`).
pub fn explain(breakpoints: &mut [dap::Breakpoint]) {
    for breakpoint in breakpoints {
        let message = breakpoint.message.as_deref().unwrap_or_default();
        if message.contains("excluded by filters") && message.contains("justMyCode") {
            breakpoint.message = Some(LIBRARY.to_owned());
        }
    }
}

/// An expression for the module of the script, which the first evaluation creates.
fn module() -> String {
    let modules = "__import__('sys').modules";
    // A process that was attached to before may have the module of another version.
    let name = "'dapdock_breakpoints_3'";
    format!("({modules}.get({name}) or (exec({}, {{}}), {modules}[{name}])[1])", text_of(CODE))
}

fn piece(piece: &LogPiece) -> String {
    match piece {
        LogPiece::Text(text) => format!("(1, {}), ", text_of(text)),
        LogPiece::Expression(code) => format!("(0, {}), ", text_of(code)),
    }
}

fn python(text: Option<&str>) -> String {
    text.map_or_else(|| "None".to_owned(), text_of)
}

/// A string literal: JSON strings are valid in Python.
fn text_of(text: &str) -> String {
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: Value, expect: Option<&str>) {
        let breakpoint: dap::SourceBreakpoint = dap::lenient::decode(&body).unwrap();
        let changed = lines(dap::SetBreakpointsArguments {
            breakpoints: vec![breakpoint],
            ..Default::default()
        });
        let changed = changed.map(|request| request.breakpoints[0].clone());
        let condition = changed.as_ref().and_then(|one| one.condition.as_deref()).map(short);
        assert_eq!(condition.as_deref(), expect, "{body}");
        assert!(
            changed.is_none_or(|one| one.log_message.is_none() && one.mark.is_none()),
            "{body}"
        );
    }

    /// Name and condition that are sent for a function breakpoint.
    fn function(name: &str, mark: Option<Mark>) -> Option<(String, String)> {
        let one = dap::FunctionBreakpoint { name: name.into(), mark, ..Default::default() };
        let request = dap::SetFunctionBreakpointsArguments { breakpoints: vec![one] };
        let sent = functions(request)?.breakpoints.remove(0);
        assert_eq!(sent.mark, None);
        Some((sent.name, short(&sent.condition?)))
    }

    fn short(condition: &str) -> String {
        condition.replace(&module(), "M")
    }

    #[test]
    fn a_breakpoint_in_a_library_names_the_option() {
        let explained = |message: &str| {
            let message = Some(message.to_owned());
            let mut one = [dap::Breakpoint { message, ..Default::default() }];
            explain(&mut one);
            let [one] = one;
            one.message.unwrap()
        };
        let filtered = "Breakpoint in file excluded by filters.\nNote: may be excluded because of \
            \"justMyCode\" option (default == true).";
        assert_eq!(explained(filtered), LIBRARY);
        assert_eq!(
            explained("Breakpoint added to invalid line."),
            "Breakpoint added to invalid line."
        );
    }

    #[test]
    fn log_messages_and_hit_counts_become_conditions() {
        check(json!({"line": 3, "condition": "x > 1"}), None);
        check(
            json!({"line": 3, "logMessage": "x = {x} {{ü}}", "mark": {"number": 7}}),
            Some(concat!(
                r#"M.log(7, ((1, "x = "), (0, "x"), (1, " {ü}"), ), None, "#,
                "globals(), locals())",
            )),
        );
        check(
            json!({
                "line": 3,
                "condition": "d['a'] > \"b\"",
                "mark": {
                    "number": 12,
                    "hits": {"earlier": 5, "operator": ">=", "number": 1000},
                },
            }),
            Some(r#"M.hit(12, 5, ">=", 1000, "d['a'] > \"b\"", globals(), locals())"#),
        );
    }

    #[test]
    fn qualified_function_is_set_by_its_last_name() {
        assert_eq!(function("total", None), None);
        let stops =
            r#"M.is_function("Cart.total", globals()) and M.stop(None, globals(), locals())"#;
        assert_eq!(function("Cart.total", None), Some(("total".into(), stops.into())));
        let hit = concat!(
            r#"M.is_function("a.B.c", globals()) and "#,
            r#"M.hit(1, 0, "==", 2, None, globals(), locals())"#,
        );
        let hits = dap::HitCondition { number: 2, ..Default::default() };
        let mark = Mark { number: 1, hits: Some(hits), ..Mark::default() };
        assert_eq!(function("a.B.c", Some(mark)), Some(("c".into(), hit.into())));
    }
}
