//! Does an expression write? Reads JavaScript as far as that takes: assignments, `++` and `--`,
//! `delete`, declarations.
//!
//! Refuses to know what functions do: a call may write, too. V8 can be asked to throw where
//! something is changed, but does so at most calls (`throwOnSideEffect`).

/// Does this text itself assign, count, delete or declare?
pub fn writes(text: &str) -> bool {
    let mut reader = Reader { rest: text, ..Reader::default() };
    while let Some(found) = reader.next() {
        if found == Found::Write {
            return true;
        }
    }
    reader.open.iter().any(|open| open.assigned)
}

/// Is this a statement, or several?
pub fn is_statement(text: &str) -> bool {
    let mut reader = Reader { rest: text, ..Reader::default() };
    let name = text.trim_start().split(|c: char| !c.is_alphanumeric()).next();
    if name.is_some_and(|name| STATEMENTS.contains(&name)) {
        return true;
    }
    while reader.next().is_some() {
        let begins = reader.open.is_empty() && reader.before == Before::Start;
        if begins && !reader.rest.trim_start().is_empty() {
            return true;
        }
    }
    false
}

/// What was read last, as far as it decides what comes.
#[derive(Clone, Copy, Default, PartialEq)]
enum Before {
    /// A statement begins.
    #[default]
    Start,
    /// A value ends: an operator follows, and `/` divides.
    Value,
    /// The dot of a member.
    Dot,
    /// A value is to come.
    Operator,
}

#[derive(PartialEq)]
enum Found {
    Write,
    Other,
}

/// A bracket that is not closed yet.
struct Open {
    with: char,
    /// A `=` was read inside: a write, unless these turn out to be parameters.
    assigned: bool,
}

#[derive(Default)]
struct Reader<'a> {
    rest: &'a str,
    before: Before,
    open: Vec<Open>,
    declares: Option<Declares>,
    /// Declared by functions within the text, each with how many brackets were open there: to write
    /// them changes nothing of the program's.
    own: Vec<(usize, &'a str)>,
    /// The name that was read last, of no member.
    name: Option<&'a str>,
}

/// `let` and its like within a function: names of its own.
#[derive(Clone, Copy)]
struct Declares {
    /// How many brackets are open there.
    at: usize,
    /// Behind the `=`.
    begun: bool,
}

/// Those with a `=` that assign nothing come first, the longest before its beginnings.
const COMPARES: [&str; 7] = ["===", "!==", "==", "!=", "=>", "<=", ">="];
const ASSIGNS: [&str; 17] = [
    ">>>=", "**=", "<<=", ">>=", "&&=", "||=", "??=", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
    "^=", "++", "--",
];
/// Words that a value follows.
const PREFIXES: [&str; 10] =
    ["return", "typeof", "case", "in", "of", "void", "new", "instanceof", "await", "yield"];
const DECLARES: [&str; 3] = ["let", "const", "var"];
/// What only statements begin with, beside those that declare functions.
const STATEMENTS: [&str; 11] =
    ["let", "const", "var", "if", "for", "while", "do", "switch", "try", "throw", "debugger"];

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<Found> {
        self.skip_space();
        let first = self.rest.chars().next()?;
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '#');
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
                self.open.push(Open { with: first, assigned: false });
                self.skip(1, if first == '{' { Before::Start } else { Before::Operator })
            }
            ')' | ']' | '}' => self.close(first),
            _ => self.operator(first),
        })
    }

    /// A line's end may end a statement.
    fn skip_space(&mut self) {
        let rest = self.rest.trim_start();
        let ends = self.rest[..self.rest.len() - rest.len()].contains('\n')
            && self.before == Before::Value;
        if ends && rest.starts_with(|c: char| c.is_alphabetic() || "_$[({".contains(c)) {
            (self.before, self.declares) =
                (Before::Start, self.declares.filter(|declares| declares.at != self.open.len()));
        }
        self.rest = rest;
    }

    fn skip(&mut self, length: usize, before: Before) -> Found {
        (self.rest, self.before, self.name) = (&self.rest[length..], before, None);
        Found::Other
    }

    fn word(&mut self, word: &'a str) -> Found {
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
            return Found::Write;
        }
        if declares {
            self.declares = Some(Declares { at: self.open.len(), begun: false });
            return self.skip(word.len(), Before::Operator);
        }
        if let Some(declares) =
            self.declares.filter(|declares| !declares.begun && declares.at == self.open.len())
        {
            self.own.push((declares.at, word));
        }
        let found = self.skip(
            word.len(),
            if PREFIXES.contains(&word) { Before::Operator } else { Before::Value },
        );
        self.name = Some(word);
        found
    }

    /// Is what was read last a name of a function within the text?
    fn is_own(&self) -> bool {
        self.name.is_some_and(|name| self.own.iter().any(|(_, own)| *own == name))
    }

    fn operator(&mut self, first: char) -> Found {
        if let Some(same) = COMPARES.iter().find(|operator| self.rest.starts_with(**operator)) {
            return self.skip(same.len(), Before::Operator);
        }
        if let Some(operator) = ASSIGNS.iter().find(|operator| self.rest.starts_with(**operator)) {
            let behind =
                if matches!(*operator, "++" | "--") { Before::Value } else { Before::Operator };
            return if self.is_own() { self.skip(operator.len(), behind) } else { Found::Write };
        }
        if first == '=' {
            return self.assign();
        }
        if let (',', Some(declares)) = (first, &mut self.declares) {
            declares.begun &= declares.at != self.open.len();
        }
        if first == ';' {
            self.declares = None;
            return self.skip(1, Before::Start);
        }
        let before = match first {
            '.' => Before::Dot,
            _ => Before::Operator,
        };
        self.skip(first.len_utf8(), before)
    }

    /// A plain `=`: what a name of the function's own begins with, a parameter's default, or a
    /// write.
    fn assign(&mut self) -> Found {
        let depth = self.open.len();
        let declared = self.declares.is_some_and(|declares| !declares.begun);
        if let Some(declares) = &mut self.declares {
            declares.begun |= declares.at == depth;
        }
        let own = declared || self.is_own();
        match self.open.last_mut() {
            None => return Found::Write,
            Some(_) if own => {}
            Some(open) => open.assigned = true,
        }
        self.skip(1, Before::Operator)
    }

    fn close(&mut self, closing: char) -> Found {
        let open = self.open.pop();
        let depth = self.open.len();
        self.own.retain(|(at, _)| *at <= depth);
        if self.declares.is_some_and(|declares| declares.at > self.open.len()) {
            self.declares = None;
        }
        if let Some(open) = open.as_ref().filter(|open| open.with == '`') {
            if open.assigned {
                return Found::Write;
            }
            self.rest = &self.rest[1..];
            return self.template();
        }
        let after = self.rest[1..].trim_start();
        let parameters = closing == ')' && (after.starts_with("=>") || after.starts_with('{'));
        if open.is_some_and(|open| open.assigned) && !parameters {
            match self.open.last_mut() {
                Some(outer) => outer.assigned = true,
                None => return Found::Write,
            }
        }
        self.skip(1, Before::Value)
    }

    /// The text of a template, up to its end or to what is computed in it.
    fn template(&mut self) -> Found {
        let bytes = self.rest.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'\\' => at += 1,
                b'`' => return self.skip(at + 1, Before::Value),
                b'$' if bytes.get(at + 1) == Some(&b'{') => {
                    self.open.push(Open { with: '`', assigned: false });
                    return self.skip(at + 2, Before::Operator);
                }
                _ => {}
            }
            at += 1;
        }
        self.skip(self.rest.len(), Before::Value)
    }
}

/// The length of a text in quotes.
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

/// The length of a regular expression; a slash within brackets is no end.
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
    fn what_writes_is_seen() {
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
    fn what_only_reads_is_let_through() {
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
