//! Names of a function's parameters, from its declaration in the source. For adapters that list
//! arguments among the locals.
//!
//! Knows only what most languages share: a declaration is a line with the name of the function and
//! parentheses, and its body is indented more. Refuses to parse a language: its callers compare the
//! words with names of variables.

use std::collections::HashSet;

/// Lines of a list of parameters at most.
const LINES: usize = 16;

/// The words between the parentheses of the declaration of `function`; empty if there is none.
///
/// It is the outermost of the blocks around `line` (from 1) whose first line has the name, as a
/// block inside the function may begin with a call of it, or else the line itself.
pub(super) fn words(source: &str, line: u32, function: &str) -> HashSet<String> {
    let Some(name) = plain(function) else { return HashSet::new() };
    let lines: Vec<&str> = source.lines().collect();
    let Some(own) = (line as usize).checked_sub(1).filter(|own| *own < lines.len()) else {
        return HashSet::new();
    };
    let (mut limit, mut found) = (indentation(lines[own]), None);
    for at in (0..own).rev() {
        let indent = indentation(lines[at]);
        if lines[at].trim().is_empty() || indent >= limit {
            continue;
        }
        let words = declared(&lines[at..], name);
        if indent == 0 && (words.is_some() || (found.is_some() && begins_block(lines[at]))) {
            return words.or(found).unwrap_or_default();
        }
        limit = match (&words, begins_block(lines[at])) {
            (None, false) => indent + 1,
            _ => indent.max(1),
        };
        found = words.or(found);
    }
    found.or_else(|| declared(&lines[own..], name)).unwrap_or_default()
}

/// Whether a block begins or ends here, unlike on the later lines of a declaration, as `) -> T {`,
/// `{`, `where`.
fn begins_block(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('}') || (line.starts_with(is_word) && line.contains(['(', ':', '{', ';']))
}

/// The parameters of a declaration that begins on the first of these lines.
fn declared(lines: &[&str], name: &str) -> Option<HashSet<String>> {
    let (first, others) = lines.split_first()?;
    let after = after_name(first, name)?;
    let begins = after.trim_start();
    if !begins.is_empty() && !begins.starts_with(['(', '<', '[', '=', ':']) {
        return None;
    }
    let mut rest = vec![after];
    rest.extend(others.iter().take(LINES));
    parenthesized(&rest)
}

/// `main.(*Cart).Total`, `cart::total<u8>`, `Cart.total(int)`: the last name, without what follows
/// it.
fn plain(function: &str) -> Option<&str> {
    let end = function.rfind(['<', '(']).filter(|at| {
        let rest = &function[*at..];
        *at > 0 && (rest.ends_with('>') || rest.ends_with(')') || rest.ends_with("const"))
    });
    let head = function[..end.unwrap_or(function.len())].trim_end_matches("::");
    let name = head.rsplit(['.', ':', ' ', ')']).next()?;
    (!name.is_empty() && name.chars().all(is_word)).then_some(name)
}

/// The text after the name as a whole word.
fn after_name<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut from = 0;
    while let Some(at) = line[from..].find(name).map(|at| at + from) {
        let end = at + name.len();
        let is_whole = !line[..at].ends_with(is_word) && !line[end..].starts_with(is_word);
        if is_whole {
            return Some(&line[end..]);
        }
        from = end;
    }
    None
}

/// The words of the first list in parentheses, which may span lines; `None` before a bracket closes
/// or a statement ends: it is no declaration.
fn parenthesized(lines: &[&str]) -> Option<HashSet<String>> {
    let (mut depth, mut words, mut word) = (0, HashSet::new(), String::new());
    for line in lines {
        for c in line.chars().chain(['\n']) {
            if depth > 0 && is_word(c) {
                word.push(c);
                continue;
            }
            if !word.is_empty() {
                words.insert(std::mem::take(&mut word));
            }
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                ';' | '{' | '}' if depth == 0 => return None,
                _ => continue,
            }
            if depth <= 0 {
                return (depth == 0).then_some(words);
            }
        }
    }
    None
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn indentation(line: &str) -> usize {
    line.chars().take_while(|c| c.is_whitespace()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, line: u32, function: &str, names: &[&str], others: &[&str]) {
        let words = words(source, line, function);
        assert!(names.iter().all(|name| words.contains(*name)), "{words:?}");
        assert!(!others.iter().any(|name| words.contains(*name)), "{words:?}");
    }

    #[test]
    fn parameters_are_the_words_of_the_declaration() {
        let recursive = "def total(cart, rate=1):\n    rest = cart[1:]\n    sum = total(rest)\n    \
                         raise sum";
        check(recursive, 4, "total", &["cart", "rate"], &["rest", "sum"]);
        check(
            "function load(text) {\n  parse(text);\n  throw 1;\n}",
            3,
            "global.load",
            &["text"],
            &[],
        );
        check("const load = async (text, n) => {\n  throw 1;\n};", 2, "load", &["text", "n"], &[]);
        check(
            "static int sum(struct node *node) {\n    return 1;\n}",
            2,
            "::sum(node *)",
            &["node"],
            &[],
        );
        check(
            "func (c *Cart) Total(a,\n\tb int) int {\n\tpanic(1)\n}",
            3,
            "main.(*Cart).Total",
            &["a", "b"],
            &["c"],
        );
        check(
            "fn parse<T>(text: &str)\n-> T {\n    x(1)\n}",
            3,
            "cart::parse<u8>",
            &["text"],
            &["x"],
        );
        check("class A { int f(int x) { throw x; } };", 1, "A::f(int) const", &["x"], &["throw"]);
    }

    #[test]
    fn block_that_begins_with_a_call_is_no_declaration() {
        check(
            "def total(cart):\n    for one in total(rest):\n        raise one",
            3,
            "total",
            &["cart"],
            &["rest"],
        );
        check(
            "int sum(struct node *node)\n{\n    if (sum(next)) {\n        abort();\n    }\n}",
            4,
            "sum",
            &["node"],
            &["next"],
        );
        check(
            "fn walk<T>(tree: T)\nwhere\n    T: Tree,\n{\n    for x in walk(left) {\n        x()",
            6,
            "a::walk",
            &["tree"],
            &["left"],
        );
        // A function of this name outside of the class is another one.
        check(
            "def total(all):\n    pass\n\nclass Cart:\n    def total(self, rate):\n        \
             if total(rest):\n            raise 1",
            7,
            "Cart.total",
            &["self", "rate"],
            &["all", "rest"],
        );
        check(
            "describe('load', () => {\n  function load(text) {\n    throw 1;\n  }\n});",
            3,
            "load",
            &["text"],
            &[],
        );
        check(
            "class A\n{\n    int sum(int first)\n    {\n        while (sum(second)) {\n            \
             throw 1;",
            6,
            "A::sum",
            &["first"],
            &["second"],
        );
    }

    #[test]
    fn code_without_a_declaration_has_no_parameters() {
        for (source, line, function) in [
            ("run(a)\nboom(b)", 2, "<module>"),
            ("x = 1", 9, "x"),
            ("x = 1", 1, ""),
            ("total = 1; other(a)\n  b", 2, "total"),
            ("(((", 1, "f"),
            ("f(a", 1, "f"),
        ] {
            assert_eq!(words(source, line, function), HashSet::new(), "{source}");
        }
    }
}
