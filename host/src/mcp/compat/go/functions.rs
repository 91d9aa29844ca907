//! The function around a line of a Go source, as the debugger names it: DAP has no such request,
//! and a filter is for breakpoints that were not hit yet, too.
//!
//! Knows the layout of `gofmt`: declarations begin and end in the first column.

use std::path::Path;

/// `main.main`, `cart.(*Cart).Total`; `None`: the line is in no function.
pub(super) fn around(file: &Path, line: u64) -> Option<String> {
    in_source(&std::fs::read_to_string(file).ok()?, line)
}

fn in_source(source: &str, line: u64) -> Option<String> {
    let package = source.lines().find_map(|line| line.strip_prefix("package "))?.trim();
    let mut lines = source.lines().take(usize::try_from(line).ok()?).collect::<Vec<_>>();
    let last = lines.pop()?;
    let is_declaration = |line: &str| line.starts_with("func ");
    let first = if is_declaration(last) {
        last
    } else {
        let bound = |line: &&str| is_declaration(line) || line.starts_with('}');
        let outer = lines.iter().copied().rfind(bound)?;
        // One on a single line has ended there.
        Some(outer).filter(|outer| !outer.trim_end().ends_with('}'))?
    };
    let rest = first.strip_prefix("func ")?;
    let name = |text: &str| {
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        Some(text[..end].to_owned()).filter(|name| !name.is_empty())
    };
    let Some(rest) = rest.strip_prefix('(') else {
        return Some(format!("{package}.{}", name(rest)?));
    };
    let (receiver, rest) = rest.split_once(')')?;
    let method = name(rest.trim_start())?;
    let ty = receiver.rsplit(' ').next()?;
    let ty = ty.split('[').next().unwrap_or(ty);
    match ty.strip_prefix('*') {
        Some(ty) => Some(format!("{package}.(*{ty}).{method}")),
        None => Some(format!("{package}.{ty}.{method}")),
    }
}

/// Whether a caller's name is that of a function: with the path of its package, with the package,
/// or alone.
pub(super) fn is_named(function: &str, name: &str) -> bool {
    let last = function.rsplit_once('/').map_or(function, |(_, last)| last);
    let alone = last.split_once('.').map_or(last, |(_, alone)| alone);
    [function, last, alone].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::{in_source, is_named};

    #[test]
    fn function_around_a_line_is_named_as_by_the_debugger() {
        let source = "// x\npackage cart\n\nvar a = 1\n\nfunc main() {\n\tf()\n}\n\n\
            func (c *Cart) Total(n int) int {\n\treturn func() int {\n\t\treturn 1\n\t}()\n}\n\n\
            func (Box[T]) get() {}\n\nvar b = 2\n";
        for (line, expect) in [
            (4, None),
            (6, Some("cart.main")),
            (7, Some("cart.main")),
            (8, Some("cart.main")),
            (9, None),
            (10, Some("cart.(*Cart).Total")),
            (12, Some("cart.(*Cart).Total")),
            (16, Some("cart.Box.get")),
            (99, None),
        ] {
            assert_eq!(in_source(source, line).as_deref(), expect, "{line}");
        }
    }

    #[test]
    fn function_has_three_names() {
        for name in ["example.com/shop/cart.(*Cart).Total", "cart.(*Cart).Total", "(*Cart).Total"] {
            assert!(is_named("example.com/shop/cart.(*Cart).Total", name), "{name}");
        }
        assert!(!is_named("main.main", "mai"));
    }
}
