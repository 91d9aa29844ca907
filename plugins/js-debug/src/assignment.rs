//! Detects assignments in JavaScript, as far as that needs its syntax: `=` and its relatives, `++`
//! and `--`, `delete`, declarations.
//!
//! Does not know what functions do: a call may assign too. V8 could evaluate without side effects
//! (`throwOnSideEffect`), but then throws at most calls.

/// Whether the text itself assigns, increments, deletes or declares.
pub fn writes(text: &str) -> bool {
    let mut reader = Reader { rest: text, ..Reader::default() };
    while let Some(token) = reader.next() {
        if token == Token::Write {
            return true;
        }
    }
    reader.open.iter().any(|open| open.assigned)
}

/// The previous token, as far as the meaning of the next one depends on it.
#[derive(Clone, Copy, Default, PartialEq)]
enum Before {
    /// A statement begins.
    #[default]
    Start,
    /// The end of a value: an operator follows, and `/` divides.
    Value,
    /// The dot of a member.
    Dot,
    /// A value follows.
    Operator,
}

#[derive(PartialEq)]
enum Token {
    Write,
    Other,
}

/// An open bracket.
struct Open {
    bracket: char,
    /// A `=` was read inside: a write, unless the brackets contain parameters.
    assigned: bool,
}

#[derive(Default)]
struct Reader<'a> {
    rest: &'a str,
    before: Before,
    open: Vec<Open>,
    declaration: Option<Declaration>,
    /// Names declared by functions in the text, each with the number of brackets open there. To
    /// assign them changes nothing in the program.
    locals: Vec<(usize, &'a str)>,
    /// The previous token, if it is a name and not that of a member.
    name: Option<&'a str>,
}

/// A `let`, `const` or `var` in a function of the text.
#[derive(Clone, Copy)]
struct Declaration {
    /// The number of open brackets.
    depth: usize,
    /// The `=` was read.
    has_value: bool,
}

/// Operators with a `=` that do not assign, longer ones first.
const COMPARES: [&str; 7] = ["===", "!==", "==", "!=", "=>", "<=", ">="];
const ASSIGNS: [&str; 17] = [
    ">>>=", "**=", "<<=", ">>=", "&&=", "||=", "??=", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
    "^=", "++", "--",
];
/// Keywords before a value.
const PREFIXES: [&str; 10] =
    ["return", "typeof", "case", "in", "of", "void", "new", "instanceof", "await", "yield"];
const DECLARES: [&str; 3] = ["let", "const", "var"];

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<Token> {
        self.skip_space();
        let first = self.rest.chars().next()?;
        Some(match first {
            '"' | '\'' => self.skip(quoted(self.rest, first), Before::Value),
            '`' => {
                self.rest = &self.rest[1..];
                self.template()
            }
            '/' if self.rest.starts_with("//") => {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                self.skip(end, self.before)
            }
            '/' if self.rest.starts_with("/*") => {
                let end = self.rest[2..].find("*/").map_or(self.rest.len(), |at| at + 4);
                self.skip(end, self.before)
            }
            '/' if !matches!(self.before, Before::Value) => {
                self.skip(regex(self.rest), Before::Value)
            }
            c if is_name(c) => {
                let end = self.rest.find(|c| !is_name(c)).unwrap_or(self.rest.len());
                let word = &self.rest[..end];
                self.word(word)
            }
            '(' | '[' | '{' => {
                self.open.push(Open { bracket: first, assigned: false });
                self.skip(1, if first == '{' { Before::Start } else { Before::Operator })
            }
            ')' | ']' | '}' => self.close(first),
            _ => self.operator(first),
        })
    }

    /// Skips white space; a new line may end a statement.
    fn skip_space(&mut self) {
        let rest = self.rest.trim_start();
        let ends = self.rest[..self.rest.len() - rest.len()].contains('\n')
            && self.before == Before::Value;
        if ends && rest.starts_with(|c: char| c.is_alphabetic() || "_$[({".contains(c)) {
            self.before = Before::Start;
            if self.declaration.is_some_and(|declaration| declaration.depth == self.open.len()) {
                self.declaration = None;
            }
        }
        self.rest = rest;
    }

    fn skip(&mut self, length: usize, before: Before) -> Token {
        (self.rest, self.before, self.name) = (&self.rest[length..], before, None);
        Token::Other
    }

    fn word(&mut self, word: &'a str) -> Token {
        let (begins, member) = (self.before == Before::Start, self.before == Before::Dot);
        let after = self.rest[word.len()..].trim_start();
        // The name of a member, or of a property.
        if member || (after.starts_with(':') && !self.open.is_empty()) {
            return self.skip(word.len(), Before::Value);
        }
        let declares = DECLARES.contains(&word)
            && after.starts_with(|c: char| c.is_alphabetic() || "_${[".contains(c));
        let named = matches!(word, "function" | "class")
            || (word == "async" && after.starts_with("function"));
        if word == "delete" || (self.open.is_empty() && begins && (declares || named)) {
            return Token::Write;
        }
        let depth = self.open.len();
        if declares {
            self.declaration = Some(Declaration { depth, has_value: false });
            return self.skip(word.len(), Before::Operator);
        }
        let declaration = self.declaration.filter(|one| !one.has_value && one.depth == depth);
        if declaration.is_some() {
            self.locals.push((depth, word));
        }
        let before = if PREFIXES.contains(&word) { Before::Operator } else { Before::Value };
        let token = self.skip(word.len(), before);
        self.name = Some(word);
        token
    }

    /// Whether the previous token is a name declared in a function of the text.
    fn is_local(&self) -> bool {
        self.name.is_some_and(|name| self.locals.iter().any(|(_, local)| *local == name))
    }

    fn operator(&mut self, first: char) -> Token {
        if let Some(same) = COMPARES.iter().find(|operator| self.rest.starts_with(**operator)) {
            return self.skip(same.len(), Before::Operator);
        }
        if let Some(operator) = ASSIGNS.iter().find(|operator| self.rest.starts_with(**operator)) {
            if !self.is_local() {
                return Token::Write;
            }
            let is_step = matches!(*operator, "++" | "--");
            return self
                .skip(operator.len(), if is_step { Before::Value } else { Before::Operator });
        }
        if first == '=' {
            return self.assign();
        }
        if let (',', Some(declaration)) = (first, &mut self.declaration) {
            declaration.has_value &= declaration.depth != self.open.len();
        }
        if first == ';' {
            self.declaration = None;
            return self.skip(1, Before::Start);
        }
        let before = match first {
            '.' => Before::Dot,
            _ => Before::Operator,
        };
        self.skip(first.len_utf8(), before)
    }

    /// A plain `=`: the first value of a local, the default of a parameter, or a write.
    fn assign(&mut self) -> Token {
        let depth = self.open.len();
        let declared = self.declaration.is_some_and(|declaration| !declaration.has_value);
        if let Some(declaration) = &mut self.declaration {
            declaration.has_value |= declaration.depth == depth;
        }
        let is_local = declared || self.is_local();
        match self.open.last_mut() {
            None => return Token::Write,
            Some(_) if is_local => {}
            Some(open) => open.assigned = true,
        }
        self.skip(1, Before::Operator)
    }

    fn close(&mut self, closing: char) -> Token {
        let open = self.open.pop();
        let depth = self.open.len();
        self.locals.retain(|(at, _)| *at <= depth);
        if self.declaration.is_some_and(|declaration| declaration.depth > depth) {
            self.declaration = None;
        }
        if let Some(open) = open.as_ref().filter(|open| open.bracket == '`') {
            if open.assigned {
                return Token::Write;
            }
            self.rest = &self.rest[1..];
            return self.template();
        }
        let after = self.rest[1..].trim_start();
        let parameters = closing == ')' && (after.starts_with("=>") || after.starts_with('{'));
        if open.is_some_and(|open| open.assigned) && !parameters {
            match self.open.last_mut() {
                Some(outer) => outer.assigned = true,
                None => return Token::Write,
            }
        }
        self.skip(1, Before::Value)
    }

    /// The text of a template literal, up to its end or the next `${`.
    fn template(&mut self) -> Token {
        let bytes = self.rest.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'\\' => at += 1,
                b'`' => return self.skip(at + 1, Before::Value),
                b'$' if bytes.get(at + 1) == Some(&b'{') => {
                    self.open.push(Open { bracket: '`', assigned: false });
                    return self.skip(at + 2, Before::Operator);
                }
                _ => {}
            }
            at += 1;
        }
        self.skip(self.rest.len(), Before::Value)
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '#')
}

/// The length of a string literal.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a regular expression; a slash in brackets does not end it.
fn regex(text: &str) -> usize {
    let (mut escaped, mut class) = (false, false);
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => class = true,
            ']' => class = false,
            '/' if !class => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_are_found() {
        for text in [
            "cart.items.length = 2",
            "x=1",
            "i++",
            "--i",
            "o.n -= 1",
            "a ??= b",
            "a >>>= 1",
            "a / b /= 2",
            "let q=1",
            "let q",
            "const {a} = o",
            "var z",
            "function f() {}",
            "async function f() {}",
            "class A {}",
            "1; class A {}",
            "delete o.x",
            "delete(o.x)",
            "(a = 5)",
            "f(a = 5)",
            "[a, b] = [b, a]",
            "items.forEach(x => { sum += x })",
            "items.forEach((x = 1) => { sum = x })",
            "`${i++}`",
            "`a ${`b ${c = 1}`}`",
            "/=/.test(s) && (s = 1)",
            "/* = */ a = 1",
            "x = 'a' // b",
            "(() => { const y = 1; z = y })()",
            "new Map([[k = 1, 2]])",
            "f(() => { const y = (z = 1) })",
            "f(() => { const y = 1\n z = y })",
            "a\nlet b",
            "[1].map(x => { let y; o.y = x })",
            "[1].map(x => { let y }) && (y = 1)",
        ] {
            assert!(writes(text), "{text}");
        }
    }

    #[test]
    fn other_texts_do_not_write() {
        for text in [
            "a == b",
            "items.reduce((a, b) => { let t = 0; t += b.p; return a + t }, 0)",
            "[1, 2].map(x => { let y; y = x; y++; return y })",
            "a === b && c !== d || e != f",
            "a <= b",
            "a >= b",
            "a < b > c",
            "a >> 1 << 2 >>> 3",
            "'x = 1'",
            "\"i++ \\\" = \"",
            "`a = ${b} ++ \\` =`",
            "`${`${a}`} = 1`",
            "/a=b++/.test(s)",
            "/[/=]=/g.exec(s)",
            "s.match(/\\/=/)",
            "a / b / c",
            "items.map(x => x.price * x.qty)",
            "items.map((x = 1) => x)",
            "items.map(({a = 1, b}) => a + b)",
            "items.map(x => { const y = x * 2, z = y; return y })",
            "items.map(x => { let [y = 1] = x; return y === 1 })",
            "(function (a = 1) { return a })()",
            "map.delete(k)",
            "o?.delete(k)",
            "({delete: 1, let: 2, class: 3})",
            "a - -b + +c",
            "a // = 1",
            "a /* i++ */ + 1",
            "o.class",
            "typeof x",
            "(class {})",
            "[...a, ...b].length",
            "let_ + variable",
            "x ? y : z",
            "{a: 1}",
            "",
        ] {
            assert!(!writes(text), "{text}");
        }
    }
}
