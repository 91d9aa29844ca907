//! Breakpoints that write or count, and those on functions with qualified names, told as conditions.
//!
//! A stop that nobody is to see costs hits where there are threads: one that stands at the line of a breakpoint because
//! another has stopped passes it when all go on (`pydevd_frame.py`, `info.pydev_state != STATE_SUSPEND`), and a
//! `continue` that meets a second thread's stop leaves the first one standing for good (`PyDB.set_suspend` marks
//! threads one by one, `resume_threads` does so without its lock). So both are done in the debuggee, by the thread that
//! comes by: `points.py` is part of the condition.
//!
//! Functions are known to pydevd by their last name only (`set_function_breakpoints`); what else it lacks of them is in
//! `functions.py`.
//!
//! Knows the marks of `logMessage` and `hitCondition` (`log_points` and `hits` of the profile).

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::{LogPiece, log_pieces};

/// What runs in the debuggee.
const CODE: &str = include_str!("points.py");
/// Ends a mark.
const FIELD: char = '\u{1f}';

/// The arguments of `setBreakpoints` or `setFunctionBreakpoints` in words that pydevd understands; none: they are.
pub fn reworded(mut arguments: Value) -> Option<Value> {
    let mut any = false;
    for breakpoint in arguments["breakpoints"].as_array_mut().into_iter().flatten() {
        let condition = call(breakpoint).map(|call| format!("{}.{call}", module()));
        let condition = qualified(breakpoint, condition.as_deref()).or(condition);
        if let (Some(condition), Some(words)) = (condition, breakpoint.as_object_mut()) {
            words.remove("logMessage");
            words.remove("hitCondition");
            words.insert("condition".into(), condition.into());
            any = true;
        }
    }
    any.then_some(arguments)
}

/// The condition in place of a breakpoint's texts.
fn call(breakpoint: &Value) -> Option<String> {
    let condition = python(&breakpoint["condition"]);
    let call = match (breakpoint["logMessage"].as_str(), breakpoint["hitCondition"].as_str()) {
        (Some(log), _) => {
            let (mark, text) = log.split_at(log.find(FIELD)? + FIELD.len_utf8());
            let pieces: String = log_pieces(text).iter().map(piece).collect();
            format!("log({}, ({pieces}), {condition}", text_of(mark))
        }
        (None, Some(hits)) => {
            let (mark, hits) = hits.split_once(FIELD)?;
            let [before, operator, wanted] = hits.split(' ').collect::<Vec<_>>()[..] else { return None };
            format!("hit({}, {before}, {}, {wanted}, {condition}", mark.get(1..)?, text_of(operator))
        }
        (None, None) => return None,
    };
    Some(format!("{call}, globals(), locals())"))
}

/// The condition of a breakpoint on a function with a qualified name, which is told by its last part.
fn qualified(breakpoint: &mut Value, condition: Option<&str>) -> Option<String> {
    let name = breakpoint["name"].as_str()?.to_owned();
    let (_, last) = name.rsplit_once('.')?;
    let module = module();
    let own = match condition {
        Some(condition) => condition.to_owned(),
        None => format!("{module}.stop({}, globals(), locals())", python(&breakpoint["condition"])),
    };
    breakpoint["name"] = last.into();
    Some(format!("{module}.within({}, globals()) and {own}", text_of(&name)))
}

/// What runs in the debuggee, made by the first who comes by.
fn module() -> String {
    let modules = "__import__('sys').modules";
    format!("({modules}.get('dapdock_points') or (exec({}, {{}}), {modules}['dapdock_points'])[1])", text_of(CODE))
}

fn piece(piece: &LogPiece) -> String {
    match piece {
        LogPiece::Text(text) => format!("(1, {}), ", text_of(text)),
        LogPiece::Expression(code) => format!("(0, {}), ", text_of(code)),
    }
}

fn python(text: &Value) -> String {
    text.as_str().map_or_else(|| "None".to_owned(), text_of)
}

/// A JSON string is one of Python's, too.
fn text_of(text: &str) -> String {
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(breakpoint: Value, expect: Option<&str>) {
        let said = reworded(json!({"breakpoints": [breakpoint.clone()]}));
        let said = said.map(|said| said["breakpoints"][0]["condition"].as_str().unwrap_or_default().to_owned());
        let short = said.map(|said| said.replace(&module(), "M"));
        assert_eq!(short.as_deref(), expect, "{breakpoint}");
    }

    #[test]
    fn writing_and_counting_are_conditions() {
        check(json!({"line": 3, "condition": "x > 1"}), None);
        check(
            json!({"line": 3, "logMessage": "\u{1e}7\u{1f}x = {x} {{ü}}"}),
            Some(r#"M.log("\u001e7\u001f", ((1, "x = "), (0, "x"), (1, " {ü}"), ), None, globals(), locals())"#),
        );
        check(
            json!({"line": 3, "condition": "d['a'] > \"b\"", "hitCondition": "\u{1e}12\u{1f}5 >= 1000"}),
            Some(r#"M.hit(12, 5, ">=", 1000, "d['a'] > \"b\"", globals(), locals())"#),
        );
    }

    #[test]
    fn a_qualified_function_is_told_by_its_last_name() {
        check(json!({"name": "total"}), None);
        check(
            json!({"name": "Cart.total"}),
            Some(r#"M.within("Cart.total", globals()) and M.stop(None, globals(), locals())"#),
        );
        let said = reworded(json!({"breakpoints": [{"name": "a.B.c", "hitCondition": "\u{1e}1\u{1f}0 == 2"}]}));
        let said = said.unwrap_or_default()["breakpoints"][0].take();
        assert_eq!(said["name"], "c");
        let condition = said["condition"].as_str().unwrap_or_default().replace(&module(), "M");
        assert_eq!(condition, r#"M.within("a.B.c", globals()) and M.hit(1, 0, "==", 2, None, globals(), locals())"#);
    }
}
