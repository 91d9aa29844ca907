//! Expressions with their values; a failed one has the debugger's words in place of its value.
//! Knows no rule of any language.

use super::text::{Text, block, cut_lines, cut_middle, one_line};
use super::{Call, cap, value};
use crate::model::{
    Assigned, Children, Evaluated, NoValue, OutputLine, OutputPage, Stream, Variable,
};

/// Characters of the value of a single expression, and of each of several.
const ALONE: usize = 20_000;
const AMONG: usize = 600;
/// Lines of output.
const PRINTED: usize = 3;

/// One line an expression; a single value may take several.
pub fn evaluations(results: &[Evaluated]) -> Text {
    let mut lines = Vec::new();
    let mut late = None;
    for evaluated in results {
        lines.extend(one(evaluated, results.len() == 1));
        if matches!(evaluated.result, Err(NoValue::TimedOut(_))) {
            late = late.or(Some(evaluated));
        }
    }
    if let Some(late) = late {
        let expression = cut_middle(&late.expression, 60).0;
        lines.push(format!(
            "note: the debugger may still be evaluating `{expression}`, and answers nothing else \
            until that is done"
        ));
    }
    cap(Text::lines(lines), &Call::new("debug_variables").with("count", 10))
}

/// What the program wrote while expressions ran its code; none: nothing.
pub fn printed(page: &OutputPage) -> Option<Text> {
    let own = |line: &&OutputLine| matches!(line.stream, Stream::Stdout | Stream::Stderr);
    let lines: Vec<&OutputLine> = page.lines.iter().filter(own).collect();
    let (first, rest) = lines.split_at(lines.len().min(PRINTED));
    if first.is_empty() {
        return None;
    }
    let quoted = first.iter().map(|line| format!("\"{}\"", cut_middle(&line.text, 120).0));
    let mut text = format!("the program printed: {}", quoted.collect::<Vec<_>>().join(" · "));
    if let Some(next) = rest.first() {
        text.push_str(&format!(" · … (debug_output since={})", next.number));
    }
    Some(Text::line(text))
}

/// The target of an assignment with its new and its old value.
pub fn assigned(assigned: &Assigned) -> Text {
    let text = |variable: &Variable| {
        // A number, such as a register's; the address of a pointer differs from run to run.
        let is_number = variable.address.is_none() && value::is_hexadecimal(&variable.value);
        if is_number { variable.value.clone() } else { value::value(variable, AMONG).text }
    };
    let (now, before) = (text(&assigned.after), assigned.before.as_ref().map(text));
    let target = cut_middle(&assigned.target, 200).0;
    Text::line(match before {
        None => format!("{target} = {now}  (new)"),
        Some(before) if before == now => format!("{target} = {now}  (as before)"),
        Some(before) => format!("{target} = {now}  (was {before})"),
    })
}

fn one(evaluated: &Evaluated, alone: bool) -> Vec<String> {
    let expression = cut_middle(&evaluated.expression, 200).0;
    let variable = match &evaluated.result {
        Ok(variable) => variable,
        Err(why) if alone => {
            let reason = none(why, |words| cut_lines(words, 4_000));
            // Indented, so that no line of it reads as one of dapdock's.
            return block(&format!("{expression} = "), &reason.replace('\n', "\n  "), "");
        }
        Err(why) => {
            return vec![format!(
                "{expression} = {}",
                none(why, |words| cut_middle(words, AMONG).0)
            )];
        }
    };
    if is_statement(variable) {
        return vec![format!("`{expression}`: done")];
    }
    let ty = variable
        .ty
        .as_ref()
        .filter(|ty| !ty.is_empty())
        .map(|ty| format!("  ({})", cut_middle(ty, 100).0))
        .unwrap_or_default();
    let text = match (variable.children, alone) {
        (Children::None, true) => cut_lines(&variable.value, ALONE),
        // The debugger's own text, with addresses: the caller named this expression.
        (Children::None, false) => cut_middle(&variable.value, AMONG).0,
        // A number, which some adapters can open.
        _ if value::is_hexadecimal(&variable.value) => variable.value.clone(),
        _ => value::value(variable, AMONG).text,
    };
    block(&format!("{expression} = "), &with_address(variable, text), &ty)
}

/// Debuggers answer a statement, which has no value, with an empty text of no type.
fn is_statement(variable: &Variable) -> bool {
    variable.value.trim().is_empty()
        && variable.ty.as_ref().is_none_or(String::is_empty)
        && variable.children == Children::None
}

/// A pointer with its address and its target: `0x7ffe… → 11`; a pointer to a text is the text.
fn with_address(variable: &Variable, text: String) -> String {
    let Some(address) = value::address(variable).map(one_line) else { return text };
    let hexadecimal = |c: char| c.is_ascii_hexdigit() || c == '…';
    match text.strip_prefix("0x") {
        Some(rest) => address + rest.trim_start_matches(hexadecimal),
        None => format!("{address} → {text}"),
    }
}

/// Whether the debugger's message names a name of the expression that is not among `locals`.
pub fn is_out_of_scope(evaluated: &Evaluated, locals: &[Variable]) -> bool {
    let Err(NoValue::Refused(words)) = &evaluated.result else { return false };
    let mentioned: Vec<&str> = words.split(|c| !is_name(c)).collect();
    for name in names(&evaluated.expression) {
        if mentioned.contains(&name) && !locals.iter().any(|local| local.name == name) {
            return true;
        }
    }
    false
}

/// Whether a character may stand in a name.
fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// The names that an expression begins with: no members, no functions that it calls, nothing in
/// quotes.
fn names(expression: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for text in expression.split(['"', '\'', '`']).step_by(2) {
        for (at, first) in text.match_indices(is_name) {
            let (before, word) = text.split_at(at);
            if before.ends_with(is_name) {
                continue;
            }
            let end = word.find(|c| !is_name(c)).unwrap_or(word.len());
            let is_member = before.ends_with(['.', ':', '>']);
            let is_number = first.starts_with(|c: char| c.is_ascii_digit());
            if !is_member && !is_number && !word[end..].starts_with('(') {
                names.push(&word[..end]);
            }
        }
    }
    names
}

/// Why an expression has no value, in a few words.
pub(super) fn reason(why: &NoValue) -> String {
    match why {
        NoValue::Refused(words) | NoValue::OnlySet { words, .. } => one_line(words.trim()),
        NoValue::NeedsEffects(_) => "it may run code of the program".to_owned(),
        NoValue::TimedOut(after) => format!("no answer within {} s", after.as_secs_f32()),
        NoValue::NotEvaluated => "no time was left".to_owned(),
    }
}

/// The text in place of a missing value; `cut` shortens the debugger's words.
pub(super) fn none(why: &NoValue, cut: impl Fn(&str) -> String) -> String {
    match why {
        NoValue::Refused(words) => format!("<error: {}>", cut(words.trim())),
        NoValue::NeedsEffects(None) => {
            "<error: this changes the program; repeat with effects=allow>".to_owned()
        }
        NoValue::NeedsEffects(Some(words)) => {
            format!(
                "<error: {}; a statement that changes the program needs effects=allow>",
                cut(words.trim())
            )
        }
        NoValue::OnlySet { words, target, value } => {
            let set = Call::new("debug_set")
                .with("target", target.as_str())
                .with("value", value.as_str());
            format!("<error: {}; to assign: {}>", cut(words.trim()), set.json())
        }
        NoValue::TimedOut(after) => format!("<timed out after {} s>", after.as_secs_f32()),
        NoValue::NotEvaluated => {
            "<not evaluated: the previous expression used all the time>".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::sample::{item, leaf};

    fn evaluated(expression: &str, result: Result<Variable, &str>) -> Evaluated {
        Evaluated {
            expression: expression.into(),
            result: result.map_err(|words| NoValue::Refused(words.to_owned())),
        }
    }

    #[test]
    fn several_expressions_answer_side_by_side() {
        let results = [
            evaluated("item", Ok(item("item", "'pen'", "1.5"))),
            evaluated("nope", Err("name 'nope'\nis not defined")),
            evaluated(
                "hex(id(x))",
                Ok(Variable { ty: Some("str".into()), ..leaf("", "'0x7f00aabbccdd'") }),
            ),
        ];
        assert_eq!(
            evaluations(&results),
            "item = Item{kind: 'pen', price: 1.5}  (cart.Item)\n\
             nope = <error: name 'nope'\\nis not defined>\n\
             hex(id(x)) = '0x7f00aabbccdd'  (str)"
        );
        let failed = |why| Evaluated { expression: "x = 1".into(), result: Err(why) };
        let results = [
            failed(NoValue::NeedsEffects(None)),
            failed(NoValue::NeedsEffects(Some("invalid syntax\n".into()))),
            failed(NoValue::TimedOut(std::time::Duration::from_millis(1_500))),
            failed(NoValue::NotEvaluated),
        ];
        assert_eq!(
            evaluations(&results),
            "x = 1 = <error: this changes the program; repeat with effects=allow>\n\
             x = 1 = <error: invalid syntax; a statement that changes the program needs \
             effects=allow>\n\
             x = 1 = <timed out after 1.5 s>\n\
             x = 1 = <not evaluated: the previous expression used all the time>\n\
             note: the debugger may still be evaluating `x = 1`, and answers nothing else until \
             that is done"
        );
        assert_eq!(evaluations(&[evaluated("s", Ok(leaf("", "a\nb")))]), "s = a\nb");
        let statement = evaluated("import os", Ok(leaf("", "")));
        assert_eq!(evaluations(&[statement]), "`import os`: done");
        let number = Variable { children: Children::Some, ..leaf("", "0x00000000000003e8") };
        assert_eq!(evaluations(&[evaluated("net,x", Ok(number))]), "net,x = 0x00000000000003e8");
    }

    #[test]
    fn a_pointer_is_where_it_points() {
        let pointer = |value: &str, children| Variable {
            address: Some("0x7ffe12345678".into()),
            ty: Some("T *".into()),
            children,
            ..leaf("", value)
        };
        for (value, children, expect) in [
            ("11", Children::Some, "0x7ffe12345678 → 11"),
            (
                "{v = 1, next = 0x7ffe00000000}",
                Children::Some,
                "0x7ffe12345678 → {v = 1, next = 0x…}",
            ),
            ("0x00007ffe12345678", Children::Some, "0x7ffe12345678"),
            ("0x7ffe12345678 <f>", Children::None, "0x7ffe12345678 <f>"),
            ("<f>", Children::None, "0x7ffe12345678 → <f>"),
            ("\"text\"", Children::None, "\"text\""),
            ("{name = \"x\"}", Children::Some, "0x7ffe12345678 → {name = \"x\"}"),
        ] {
            let rendered = evaluations(&[evaluated("p", Ok(pointer(value, children)))]);
            assert_eq!(rendered, format!("p = {expect}  (T *)"));
        }
    }

    #[test]
    fn lines_that_an_evaluation_printed_are_quoted() {
        let line = |number, stream, text: &str| OutputLine {
            number,
            stream,
            text: text.into(),
            complete: true,
        };
        let mut page = OutputPage::default();
        assert!(printed(&page).is_none());
        page.lines = vec![line(7, Stream::Log, "#1.1: x"), line(8, Stream::Stdout, "a")];
        assert_eq!(printed(&page).unwrap(), "the program printed: \"a\"");
        page.lines.extend((9..13).map(|number| line(number, Stream::Stderr, "b")));
        let more = "the program printed: \"a\" · \"b\" · \"b\" · … (debug_output since=11)";
        assert_eq!(printed(&page).unwrap(), more);
    }

    #[test]
    fn name_out_of_scope_differs_from_a_fault() {
        let locals = [leaf("d", "{}"), leaf("item", "1")];
        for (expression, words, out) in [
            ("x", "NameError: name 'x' is not defined", true),
            ("x + item", "ReferenceError: x is not defined", true),
            ("len(x[item].y)", "No symbol \"x\" in current context.", true),
            ("d['zz']", "KeyError: 'zz'", false),
            ("item.price", "'int' object has no attribute 'price'", false),
            ("item->price", "no member named 'price'", false),
            ("total(d)", "total() takes 2 arguments", false),
            ("d", "d is optimized out", false),
        ] {
            assert_eq!(
                is_out_of_scope(&evaluated(expression, Err(words)), &locals),
                out,
                "{expression}"
            );
        }
        let assigned =
            Assigned { target: "d['k']".into(), before: None, after: leaf("d['k']", "5") };
        assert_eq!(super::assigned(&assigned), "d['k'] = 5  (new)");
    }
}
