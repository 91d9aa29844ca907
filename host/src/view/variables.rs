//! Variables below a scope or a path, as a tree, with what pages on.

use super::text::{counted, cut_middle};
use super::{Lens, cap, value};
use crate::model::{Children, SessionId, Variable, VariablesPage, VariablesQuery};

/// Characters of a value in a list, and of one that was asked for by its own path.
const IN_LIST: usize = 200;
const ALONE: usize = 20_000;

/// A page of variables, opened as deep as the query asked.
pub fn variables(page: &VariablesPage, query: &VariablesQuery, session: &SessionId, lens: &Lens) -> String {
    let mut lines = vec![header(page, query)];
    if page.variables.is_empty() {
        lines.extend(nothing(page, query));
    }
    for variable in &page.variables {
        tree(variable, query.depth.max(1), 1, &mut lines);
    }
    lines.extend(paging(page, query, session, lens));
    let others = &page.other_scopes;
    if page.parent.is_none() && !others.is_empty() {
        lines.push(format!("other scopes: {}", others.join(", ")));
    }
    let fewer = lens.call("debug_variables", session).with("count", 10);
    cap(lines.join("\n"), &fewer)
}

fn header(page: &VariablesPage, query: &VariablesQuery) -> String {
    let frame = format!("frame #{} {}", page.frame.index, cut_middle(&page.frame.name, 60).0);
    match (&page.parent, &query.path) {
        (Some(parent), Some(path)) => format!("{path}{}{} · {frame}", ty(parent), size(parent)),
        _ => format!("{} · {frame}", page.scope),
    }
}

fn ty(variable: &Variable) -> String {
    variable
        .ty
        .as_ref()
        .filter(|ty| !ty.is_empty())
        .map(|ty| format!(": {}", cut_middle(ty, 100).0))
        .unwrap_or_default()
}

fn size(variable: &Variable) -> String {
    match variable.children {
        Children::Count(count) => format!(" · {count} inside"),
        Children::None | Children::Some => String::new(),
    }
}

/// A leaf that was asked for shows its value; an empty page says that it is empty.
fn nothing(page: &VariablesPage, query: &VariablesQuery) -> Option<String> {
    match (&page.parent, &query.filter) {
        (_, Some(filter)) => Some(format!("  nothing here contains `{filter}`")),
        (Some(parent), None) if parent.children == Children::None || (query.start == 0 && !parent.value.is_empty()) => {
            Some(cut_middle(&parent.value, ALONE).0)
        }
        _ => Some("  empty".to_owned()),
    }
}

fn tree(variable: &Variable, depth: u32, level: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(level);
    if depth > 1 && !variable.preview.is_empty() {
        lines.push(format!("{indent}{}{}{}", variable.name, ty(variable), size(variable)));
        for child in &variable.preview {
            tree(child, depth - 1, level + 1, lines);
        }
        if let Children::Count(count) = variable.children
            && count > variable.preview.len() as u64
        {
            lines.push(format!("{indent}  … {} more", count - variable.preview.len() as u64));
        }
    } else {
        lines.push(format!("{indent}{}{} = {}", variable.name, ty(variable), value::value(variable, IN_LIST).text));
    }
}

fn paging(page: &VariablesPage, query: &VariablesQuery, session: &SessionId, lens: &Lens) -> Vec<String> {
    let mut lines = Vec::new();
    let end = page.start + page.variables.len() as u64;
    if let Some(left) = page.total.and_then(|total| total.checked_sub(end)).filter(|left| *left > 0) {
        let mut call = lens.call("debug_variables", session);
        if let Some(path) = &query.path {
            call = call.with("path", path.as_str());
        }
        if let Some(filter) = &query.filter {
            call = call.with("filter", filter.as_str());
        }
        lines.push(format!("{left} more: {}", call.with("start", end)));
    }
    if page.capped {
        let known = page.total.map(|total| format!(" after {}", counted(total, "element"))).unwrap_or_default();
        lines.push(format!("the debugger lists no more{known}; debug_evaluate reaches the rest"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::sample::{self, item, leaf, lens, parent};

    fn query(path: Option<&str>, depth: u32) -> VariablesQuery {
        let path = path.map(str::to_owned);
        VariablesQuery { path, frame: None, scope: None, depth, start: 0, count: 2, filter: None }
    }

    fn page(parent: Option<Variable>, variables: Vec<Variable>) -> VariablesPage {
        let frame = sample::stop().frames.remove(0);
        let total = Some(variables.len() as u64);
        VariablesPage {
            frame,
            parent,
            scope: "Locals".into(),
            other_scopes: vec!["Globals".into()],
            variables,
            start: 0,
            total,
            capped: false,
        }
    }

    fn shown(page: &VariablesPage, query: &VariablesQuery) -> String {
        variables(page, query, &SessionId("py-1".into()), &lens())
    }

    #[test]
    fn a_scope_lists_names_types_and_values() {
        let mut it = page(None, vec![leaf("rate", "1.2"), item("item", "'pen'", "1.5")]);
        it.variables[0].ty = Some("float".into());
        assert_eq!(
            shown(&it, &query(None, 1)),
            "Locals · frame #0 apply_discount\n  rate: float = 1.2\n  item: cart.Item = Item{kind: 'pen', price: 1.5}\nother scopes: Globals"
        );
    }

    #[test]
    fn a_path_opens_as_deep_as_asked_and_pages_on() {
        let list = parent("items", "list", Children::Count(300), vec![]);
        let mut it = page(Some(list), vec![item("[0]", "'book'", "12.0"), leaf("[1]", "None")]);
        (it.total, it.capped) = (Some(300), true);
        assert_eq!(
            shown(&it, &query(Some("cart.items"), 2)),
            "cart.items: list · 300 inside · frame #0 apply_discount\n  \
               [0]: cart.Item · 2 inside\n    \
                 kind = 'book'\n    \
                 price = 12.0\n  \
               [1] = None\n\
             298 more: debug_variables path=cart.items start=2\n\
             the debugger lists no more after 300 elements; debug_evaluate reaches the rest"
        );
    }

    #[test]
    fn a_leaf_shows_all_of_its_value() {
        let text = "line\n".repeat(300);
        let it = page(Some(leaf("text", &text)), vec![]);
        assert_eq!(shown(&it, &query(Some("text"), 1)), format!("text · frame #0 apply_discount\n{text}"));
        let filtered = VariablesQuery { filter: Some("zz".into()), ..query(None, 1) };
        assert!(shown(&page(None, vec![]), &filtered).contains("nothing here contains `zz`"));
    }
}
