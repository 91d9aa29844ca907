//! Expressions with their values. One that fails says so in the debugger's words beside those that did not.

use super::text::{cut_middle, one_line};
use super::{Call, cap, value};
use crate::model::{Assigned, Children, Evaluated, Variable};

/// Characters of a value when one expression was asked for, and of each among several.
const ALONE: usize = 20_000;
const AMONG: usize = 600;

/// One line an expression; a single value may take several.
pub fn evaluations(results: &[Evaluated]) -> String {
    let lines: Vec<_> = results.iter().map(|evaluated| one(evaluated, results.len() == 1)).collect();
    cap(lines.join("\n"), &Call::new("debug_variables").with("count", 10))
}

/// What an assignment did: the value now, and what it was.
pub fn assigned(assigned: &Assigned) -> String {
    let text = |variable: &Variable| value::value(variable, AMONG).text;
    let (now, before) = (text(&assigned.after), text(&assigned.before));
    let target = cut_middle(&one_line(&assigned.target), 200).0;
    match now == before {
        true => format!("{target} = {now}  (as before)"),
        false => format!("{target} = {now}  (was {before})"),
    }
}

fn one(evaluated: &Evaluated, alone: bool) -> String {
    let expression = cut_middle(&one_line(&evaluated.expression), 200).0;
    let variable = match &evaluated.result {
        Ok(variable) => variable,
        Err(error) if alone => return format!("{expression} = <error: {}>", cut_middle(error.trim(), 4_000).0),
        Err(error) => return format!("{expression} = <error: {}>", cut_middle(&one_line(error), AMONG).0),
    };
    let ty = variable.ty.as_ref().filter(|ty| !ty.is_empty()).map(|ty| format!("  ({})", cut_middle(ty, 100).0));
    let text = match (variable.children, alone) {
        (Children::None, true) => cut_middle(&variable.value, ALONE).0,
        // Asked for on purpose: the debugger's own text, addresses included, unless only the children tell anything.
        (Children::None, false) => cut_middle(&one_line(&variable.value), AMONG).0,
        _ => value::value(variable, AMONG).text,
    };
    format!("{expression} = {text}{}", ty.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::sample::{item, leaf};

    fn evaluated(expression: &str, result: Result<Variable, &str>) -> Evaluated {
        Evaluated { expression: expression.into(), result: result.map_err(str::to_owned) }
    }

    #[test]
    fn several_expressions_answer_side_by_side() {
        let results = [
            evaluated("item", Ok(item("item", "'pen'", "1.5"))),
            evaluated("nope", Err("name 'nope'\nis not defined")),
            evaluated("hex(id(x))", Ok(Variable { ty: Some("str".into()), ..leaf("", "'0x7f00aabbccdd'") })),
        ];
        assert_eq!(
            evaluations(&results),
            "item = Item{kind: 'pen', price: 1.5}  (cart.Item)\n\
             nope = <error: name 'nope'\\nis not defined>\n\
             hex(id(x)) = '0x7f00aabbccdd'  (str)"
        );
        assert_eq!(evaluations(&[evaluated("s", Ok(leaf("", "a\nb")))]), "s = a\nb");
    }
}
