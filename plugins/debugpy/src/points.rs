//! Breakpoints that write or count, and those on functions with qualified names, told as
//! conditions.
//!
//! A stop that nobody is to see costs hits where there are threads: one that stands at the line of
//! a breakpoint because another has stopped passes it when all go on (`pydevd_frame.py`,
//! `info.pydev_state != STATE_SUSPEND`), and a `continue` that meets a second thread's stop leaves
//! the first one standing for good (`PyDB.set_suspend` marks threads one by one, `resume_threads`
//! does so without its lock). So both are done in the debuggee, by the thread that comes by:
//! `points.py` is part of the condition.
//!
//! Functions are known to pydevd by their last name only (`set_function_breakpoints`); what else it
//! lacks of them is in `functions.py`.
//!
//! Knows the marks of `logMessage` and `hitCondition` (`log_points` and `hits` of the profile).

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::{LogPiece, log_pieces};

/// What runs in the debuggee.
const CODE: &str = include_str!("points.py");
/// Ends a mark.
const FIELD: char = '\u{1f}';

/// Breakpoints at lines in words that pydevd understands; none: they are.
pub fn lines(mut asked: dap::SetBreakpointsArguments) -> Option<dap::SetBreakpointsArguments> {
    let mut any = false;
    for one in &mut asked.breakpoints {
        let told = call(
            one.condition.as_deref(),
            one.log_message.as_deref(),
            one.hit_condition.as_deref(),
        );
        if let Some(told) = told {
            (one.log_message, one.hit_condition, one.condition) = (None, None, Some(told));
            any = true;
        }
    }
    any.then_some(asked)
}

/// The same of functions.
pub fn functions(
    mut asked: dap::SetFunctionBreakpointsArguments,
) -> Option<dap::SetFunctionBreakpointsArguments> {
    let mut any = false;
    for one in &mut asked.breakpoints {
        let told = call(one.condition.as_deref(), None, one.hit_condition.as_deref());
        if let Some(told) = qualified(one, told.as_deref()).or(told) {
            (one.hit_condition, one.condition) = (None, Some(told));
            any = true;
        }
    }
    any.then_some(asked)
}

/// The condition in place of a breakpoint's texts.
fn call(condition: Option<&str>, log: Option<&str>, hits: Option<&str>) -> Option<String> {
    let condition = python(condition);
    let call = match (log, hits) {
        (Some(log), _) => {
            let (mark, text) = log.split_at(log.find(FIELD)? + FIELD.len_utf8());
            let pieces: String = log_pieces(text).iter().map(piece).collect();
            format!("log({}, ({pieces}), {condition}", text_of(mark))
        }
        (None, Some(hits)) => {
            let (mark, hits) = hits.split_once(FIELD)?;
            let [before, operator, wanted] = hits.split(' ').collect::<Vec<_>>()[..] else {
                return None;
            };
            format!(
                "hit({}, {before}, {}, {wanted}, {condition}",
                mark.get(1..)?,
                text_of(operator)
            )
        }
        (None, None) => return None,
    };
    Some(format!("{}.{call}, globals(), locals())", module()))
}

/// The condition of a breakpoint on a function with a qualified name, which is told by its last
/// part.
fn qualified(breakpoint: &mut dap::FunctionBreakpoint, condition: Option<&str>) -> Option<String> {
    let (_, last) = breakpoint.name.rsplit_once('.')?;
    let module = module();
    let own = match condition {
        Some(condition) => condition.to_owned(),
        None => format!(
            "{module}.stop({}, globals(), locals())",
            python(breakpoint.condition.as_deref())
        ),
    };
    let within = format!("{module}.within({}, globals()) and {own}", text_of(&breakpoint.name));
    breakpoint.name = last.to_owned();
    Some(within)
}

/// What runs in the debuggee, made by the first who comes by.
fn module() -> String {
    let modules = "__import__('sys').modules";
    format!(
        "({modules}.get('dapdock_points') or (exec({}, {{}}), {modules}['dapdock_points'])[1])",
        text_of(CODE)
    )
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

/// A JSON string is one of Python's, too.
fn text_of(text: &str) -> String {
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: Value, expect: Option<&str>) {
        let breakpoint: dap::SourceBreakpoint = dap::lenient::decode(&body).unwrap();
        let told = lines(dap::SetBreakpointsArguments {
            breakpoints: vec![breakpoint],
            ..Default::default()
        });
        let told = told.map(|told| told.breakpoints[0].clone());
        let condition = told.as_ref().and_then(|one| one.condition.as_deref()).map(short);
        assert_eq!(condition.as_deref(), expect, "{body}");
        assert!(
            told.is_none_or(|one| one.log_message.is_none() && one.hit_condition.is_none()),
            "{body}"
        );
    }

    /// Of a function: what it is told by, and the condition.
    fn function(name: &str, hit_condition: Option<&str>) -> Option<(String, String)> {
        let hit_condition = hit_condition.map(str::to_owned);
        let one = dap::FunctionBreakpoint { name: name.into(), hit_condition, condition: None };
        let told = functions(dap::SetFunctionBreakpointsArguments { breakpoints: vec![one] })?
            .breakpoints
            .remove(0);
        assert_eq!(told.hit_condition, None);
        Some((told.name, short(&told.condition?)))
    }

    fn short(condition: &str) -> String {
        condition.replace(&module(), "M")
    }

    #[test]
    fn writing_and_counting_are_conditions() {
        check(json!({"line": 3, "condition": "x > 1"}), None);
        check(
            json!({"line": 3, "logMessage": "\u{1e}7\u{1f}x = {x} {{ü}}"}),
            Some(
                r#"M.log("\u001e7\u001f", ((1, "x = "), (0, "x"), (1, " {ü}"), ), None, globals(), locals())"#,
            ),
        );
        check(
            json!({"line": 3, "condition": "d['a'] > \"b\"", "hitCondition": "\u{1e}12\u{1f}5 >= 1000"}),
            Some(r#"M.hit(12, 5, ">=", 1000, "d['a'] > \"b\"", globals(), locals())"#),
        );
    }

    #[test]
    fn a_qualified_function_is_told_by_its_last_name() {
        assert_eq!(function("total", None), None);
        let stops = r#"M.within("Cart.total", globals()) and M.stop(None, globals(), locals())"#;
        assert_eq!(function("Cart.total", None), Some(("total".into(), stops.into())));
        let hit =
            r#"M.within("a.B.c", globals()) and M.hit(1, 0, "==", 2, None, globals(), locals())"#;
        assert_eq!(function("a.B.c", Some("\u{1e}1\u{1f}0 == 2")), Some(("c".into(), hit.into())));
    }
}
