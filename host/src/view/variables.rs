//! Variables below a scope or a path, as a tree, with the call for the next page.

use super::text::{Text, block, counted, cut_lines, cut_middle};
use super::{Call, Lens, cap, value};
use crate::model::{Children, PageText, SessionId, Variable, VariablesPage, VariablesQuery};

/// Characters of a value in a list.
const IN_LIST: usize = 200;

/// A page of variables, opened to the depth of the query, or a page of a text.
pub fn variables(
    page: &VariablesPage,
    query: &VariablesQuery,
    session: &SessionId,
    lens: &Lens,
) -> Text {
    let mut lines = vec![header(page, query)];
    match &page.text {
        Some(text) => lines.extend(characters(text, query, session, lens)),
        None if page.variables.is_empty() => lines.extend(empty(page, query)),
        None => {}
    }
    for variable in &page.variables {
        tree(variable, query, query.depth.max(1), 1, &mut lines);
    }
    lines.extend(paging(page, query, session, lens));
    // A search names the scopes it did not read; in a plain list of locals that would be noise.
    if !page.hidden.is_empty() && (query.filter.is_some() || query.scope.is_some()) {
        let read = Call::new("debug_evaluate");
        lines.push(format!("left out: {}; {read} reads them", page.hidden.join(", ")));
    }
    let others = &page.other_scopes;
    if page.parent.is_none() && !others.is_empty() {
        lines.push(format!("other scopes: {}", others.join(", ")));
    }
    let fewer = lens.call("debug_variables", session).with("count", 10);
    cap(Text::lines(lines), &fewer)
}

fn header(page: &VariablesPage, query: &VariablesQuery) -> String {
    let frame = format!("frame #{} {}", page.frame.index, cut_middle(&page.frame.name, 60).0);
    match (&page.parent, &query.path) {
        (Some(parent), Some(path)) => format!(
            "{path}{}{}{}{} · {frame}",
            ty(parent),
            value::address(parent).map(|address| format!(" = {address}")).unwrap_or_default(),
            variant(parent),
            size(parent) + &page.text.as_ref().map(length).unwrap_or_default()
        ),
        _ if page.scope.is_empty() => format!("no locals · {frame}"),
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

/// The name before the parts of an opened value if its type does not contain it: an enum's variant,
/// a subclass.
fn variant(variable: &Variable) -> String {
    let value = variable.value.as_str();
    let end = value
        .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .unwrap_or(value.len());
    let (name, parts) = value.split_at(end);
    let opens = parts.trim_start().starts_with(['{', '(']);
    let of_type = variable.ty.as_deref().is_some_and(|ty| ty.contains(name));
    if variable.children != Children::None && opens && !name.is_empty() && !of_type {
        format!(" = {name}")
    } else {
        String::new()
    }
}

fn size(variable: &Variable) -> String {
    match variable.children {
        Children::Count(count) => format!(" · {count} inside"),
        Children::None | Children::Some => String::new(),
    }
}

fn length(text: &PageText) -> String {
    match size_of(text) {
        (length, "character") if length <= IN_LIST as u64 => String::new(),
        (length, unit) => format!(" · {}", counted(length, unit)),
    }
}

/// The length of a whole text, and the unit in which it is counted.
fn size_of(text: &PageText) -> (u64, &'static str) {
    match text.bytes {
        Some(bytes) => (bytes, "byte"),
        None => (text.text.chars().count() as u64, "character"),
    }
}

/// The longest text that is written in full when the page starts after its end.
const AT_ONCE: u64 = 40;

/// A page of a text, with the call for the next one.
fn characters(
    page: &PageText,
    query: &VariablesQuery,
    session: &SessionId,
    lens: &Lens,
) -> Vec<String> {
    let (length, unit) = size_of(page);
    let (start, text) = (query.start, &page.text);
    if start > length {
        return vec![match length {
            0..AT_ONCE => format!("  nothing at {start}: the whole text is {text}"),
            _ => format!("  it has only {}", counted(length, unit)),
        }];
    }
    let end = start.saturating_add(query.characters()).min(length);
    let part: String = match page.bytes {
        Some(_) => text.clone(),
        None => text.chars().skip(start as usize).take((end - start) as usize).collect(),
    };
    let mut lines = block("", &part, "");
    if end < length {
        let path = query.path.clone().unwrap_or_default();
        let call = lens.call("debug_variables", session).with("path", path).with("start", end);
        lines.push(format!("{} more: {call}", counted(length - end, unit)));
    }
    lines
}

/// The lines of a page without variables.
fn empty(page: &VariablesPage, query: &VariablesQuery) -> Vec<String> {
    match (&page.parent, &query.filter) {
        (_, Some(filter)) => {
            let deeper = if query.depth > 1 { "" } else { " (depth=2 also looks inside)" };
            vec![format!("  nothing here contains `{filter}`{deeper}")]
        }
        (_, None) if query.start > 0 => {
            vec![format!("  it has only {}", counted(page.total, "element"))]
        }
        (Some(parent), None) if query.start == 0 && !parent.value.is_empty() => {
            block("", &cut_lines(&parent.value, IN_LIST), "")
        }
        (None, None) if page.scope.is_empty() => Vec::new(),
        _ => vec!["  empty".to_owned()],
    }
}

fn tree(
    variable: &Variable,
    query: &VariablesQuery,
    depth: u32,
    level: usize,
    lines: &mut Vec<String>,
) {
    let indent = "  ".repeat(level);
    if depth > 1 && !variable.preview.is_empty() {
        lines.push(format!(
            "{indent}{}{}{}{}",
            variable.name,
            ty(variable),
            variant(variable),
            size(variable)
        ));
        for child in &variable.preview {
            tree(child, query, depth - 1, level + 1, lines);
        }
        // Of those that a filter searched the others do not match.
        let read = match query.filter {
            Some(_) => VariablesQuery::SEARCHED_BELOW,
            None => variable.preview.len() as u64,
        };
        if let Children::Count(count) = variable.children
            && count > read
        {
            lines.push(format!("{indent}  … {} more", count - read));
        }
    } else {
        // An address tells whether two pointers are the same.
        let text = if variable.preview.is_empty() && value::is_number(&variable.value) {
            variable.value.clone()
        } else {
            value::value(variable, IN_LIST).text
        };
        lines.push(format!("{indent}{}{} = {text}", variable.name, ty(variable)));
    }
}

fn paging(
    page: &VariablesPage,
    query: &VariablesQuery,
    session: &SessionId,
    lens: &Lens,
) -> Vec<String> {
    let mut lines = Vec::new();
    let end = page.start + page.variables.len() as u64;
    if page.capped {
        let known = counted(end, "element");
        lines.push(format!(
            "the debugger lists only {known} of {}; {} reads the rest",
            page.total,
            Call::new("debug_evaluate"),
        ));
    } else if page.total > end {
        let mut call = lens.call("debug_variables", session);
        if let Some(path) = &query.path {
            call = call.with("path", path.as_str());
        }
        if let Some(scope) = &query.scope {
            call = call.with("scope", scope.as_str());
        }
        if let Some(filter) = &query.filter {
            call = call.with("filter", filter.as_str());
        }
        lines.push(format!("{} more: {}", page.total - end, call.with("start", end)));
    }
    if let Some(looked_at) = page.looked_at {
        lines.push(format!(
            "the filter searched only the first {looked_at}; {} reads the rest",
            Call::new("debug_evaluate"),
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::sample::{self, item, leaf, lens, parent};

    fn query(path: Option<&str>, depth: u32) -> VariablesQuery {
        let path = path.map(str::to_owned);
        VariablesQuery {
            path,
            thread: None,
            frame: None,
            scope: None,
            depth,
            start: 0,
            count: Some(2),
            filter: None,
            arguments: false,
        }
    }

    fn page(parent: Option<Variable>, variables: Vec<Variable>) -> VariablesPage {
        let frame = sample::stop().frames.remove(0);
        let total = variables.len() as u64;
        VariablesPage {
            frame,
            parent,
            scope: "Locals".into(),
            other_scopes: vec!["Globals".into()],
            variables,
            start: 0,
            total,
            capped: false,
            looked_at: None,
            hidden: vec![],
            text: None,
            arguments: Vec::new(),
        }
    }

    fn displayed(page: &VariablesPage, query: &VariablesQuery) -> Text {
        variables(page, query, &SessionId("py-3f9c".into()), &lens())
    }

    #[test]
    fn a_scope_lists_names_types_and_values() {
        let mut it = page(None, vec![leaf("rate", "1.2"), item("item", "'pen'", "1.5")]);
        it.variables[0].ty = Some("float".into());
        assert_eq!(
            displayed(&it, &query(None, 1)),
            "Locals · frame #0 apply_discount\n  rate: float = 1.2\n  item: cart.Item = Item{kind: \
            'pen', price: 1.5}\nother scopes: Globals"
        );
    }

    #[test]
    fn numbers_are_complete() {
        let values = ["0x00007fffe4c0a5d8", "0x00007fffe4c0a5d8 (was 0xd)", "Some(0x5555555d3ae0)"];
        let it = page(None, values.map(|value| leaf("rax", value)).to_vec());
        assert_eq!(
            displayed(&it, &query(None, 1)),
            "Locals · frame #0 apply_discount\n  rax = 0x00007fffe4c0a5d8\n  rax = \
            0x00007fffe4c0a5d8 (was 0xd)\n  rax = Some(0x…)\nother scopes: Globals"
        );
        let registers = VariablesQuery { scope: Some("registers".into()), ..query(None, 1) };
        let next = displayed(&VariablesPage { total: 9, ..it }, &registers).to_string();
        assert!(next.contains("debug_variables scope=registers start=3"), "{next}");
    }

    #[test]
    fn a_frame_without_scopes_of_its_own_says_so() {
        let it = VariablesPage { scope: String::new(), ..page(None, vec![]) };
        assert_eq!(
            displayed(&it, &query(None, 1)),
            "no locals · frame #0 apply_discount\nother scopes: Globals"
        );
    }

    #[test]
    fn path_opens_to_the_requested_depth_in_pages() {
        let list = parent("items", "list", Children::Count(300), vec![]);
        let mut it = page(Some(list), vec![item("[0]", "'book'", "12.0"), leaf("[1]", "None")]);
        it.total = 300;
        assert_eq!(
            displayed(&it, &query(Some("cart.items"), 2)),
            "cart.items: list · 300 inside · frame #0 apply_discount\n  \
               [0]: cart.Item · 2 inside\n    \
                 kind = 'book'\n    \
                 price = 12.0\n  \
               [1] = None\n\
             298 more: debug_variables path=cart.items start=2"
        );
        it.capped = true;
        assert_eq!(
            displayed(&it, &query(Some("cart.items"), 1)).lines().last(),
            Some("the debugger lists only 2 elements of 300; debug_evaluate reads the rest")
        );
    }

    #[test]
    fn children_that_a_filter_rejected_are_not_more() {
        let listed = |count, filter: Option<&str>| {
            let item = parent("[0]", "Item", Children::Count(count), vec![leaf("price", "9")]);
            let filter = filter.map(str::to_owned);
            let query = VariablesQuery { filter, ..query(None, 2) };
            let text = displayed(&page(None, vec![item]), &query).to_string();
            text.lines().filter(|line| line.starts_with("    ")).collect::<Vec<_>>().join("|")
        };
        assert_eq!(listed(5, None), "    price = 9|    … 4 more");
        assert_eq!(listed(5, Some("pric")), "    price = 9");
        assert_eq!(listed(250, Some("pric")), "    price = 9|    … 150 more");
    }

    #[test]
    fn an_opened_variant_is_named() {
        let header = |value: &str, ty: &str| {
            let mut opened = parent("it", ty, Children::Some, vec![]);
            opened.value = value.into();
            let text =
                displayed(&page(Some(opened), vec![leaf("code", "9")]), &query(Some("it"), 1));
            text.lines().next().unwrap_or_default().to_owned()
        };
        assert_eq!(
            header("Named{code:9}", "cart::Coupon"),
            "it: cart::Coupon = Named · frame #0 apply_discount"
        );
        assert_eq!(
            header("Some(9)", "Option<u32>"),
            "it: Option<u32> = Some · frame #0 apply_discount"
        );
        assert_eq!(header("Item(code=9)", "cart.Item"), "it: cart.Item · frame #0 apply_discount");
        assert_eq!(header("size=1", "Vec<u32>"), "it: Vec<u32> · frame #0 apply_discount");
    }

    #[test]
    fn text_has_pages() {
        let text = |length: usize| Some(PageText { text: "日".repeat(length), bytes: None });
        let mut it =
            VariablesPage { text: text(300), ..page(Some(leaf("text", "日…日")), vec![]) };
        let all = VariablesQuery { count: None, ..query(Some("text"), 1) };
        let whole = "日".repeat(300);
        assert_eq!(
            displayed(&it, &all),
            format!("text · 300 characters · frame #0 apply_discount\n{whole}")
        );
        it.text = text(6_500);
        let page_of = |start, count| {
            let text = displayed(&it, &VariablesQuery { start, count, ..all.clone() });
            let lines: Vec<&str> = text.lines().collect();
            (lines[1].chars().count(), lines.get(2).map(|line| (*line).to_owned()))
        };
        let more = |left: u64, start: u64| {
            Some(format!("{left} characters more: debug_variables path=text start={start}"))
        };
        assert_eq!(page_of(0, None), (4_000, more(2_500, 4_000)));
        assert_eq!(page_of(4_000, None), (2_500, None));
        assert_eq!(page_of(10, Some(5)), (5, more(6_485, 15)));
        assert_eq!(page_of(9_000, None), ("  it has only 6500 characters".len(), None));
    }

    #[test]
    fn page_of_a_very_long_text_counts_bytes() {
        let text = Some(PageText { text: "日x".into(), bytes: Some(1 << 30) });
        let it = VariablesPage { text, ..page(Some(leaf("text", "日…日")), vec![]) };
        let at = |start| VariablesQuery { start, count: Some(4), ..query(Some("text"), 1) };
        assert_eq!(
            displayed(&it, &at(1_000_000_000)),
            "text · 1073741824 bytes · frame #0 apply_discount\n日x\n73741820 bytes more: \
             debug_variables path=text start=1000000004"
        );
        assert_eq!(displayed(&it, &at((1 << 30) - 4)).lines().count(), 2);
        assert!(displayed(&it, &at(1 << 31)).ends_with("it has only 1073741824 bytes"));
    }

    #[test]
    fn filter_counts_values_it_did_not_search() {
        let filtered = VariablesQuery { filter: Some("zz".into()), ..query(None, 1) };
        let mut it = page(None, vec![]);
        let nothing = "nothing here contains `zz` (depth=2 also looks inside)";
        assert!(displayed(&it, &filtered).contains(nothing));
        let deep = VariablesQuery { filter: Some("zz".into()), ..query(None, 2) };
        assert!(!displayed(&it, &deep).contains("looks inside"));
        it.looked_at = Some(1_000);
        assert!(displayed(&it, &filtered).contains("the filter searched only the first 1000"));
        it.hidden = vec!["function variables".into()];
        let left_out = "\nleft out: function variables; debug_evaluate reads them";
        assert!(displayed(&it, &filtered).contains(left_out));
        assert!(!displayed(&it, &query(None, 1)).contains(left_out));
        assert!(
            displayed(&it, &VariablesQuery { scope: Some("Globals".into()), ..query(None, 1) })
                .contains(left_out)
        );
    }
}
