//! Parses the operators of an expression by precedence and emits calls of `operators.py`. The
//! caller chooses between the precedence of Rust and of C.

use super::scan::{Scan, is_decimal, is_name_character, literal};

/// The language whose precedence applies.
#[derive(Clone, Copy, PartialEq)]
pub enum Reading {
    Rust,
    C,
}

/// Most nested parentheses, brackets and operators.
const DEPTH: u32 = 60;
/// `not` binds looser than comparisons.
const NOT: u8 = 3;
const CAST: u8 = 12;
/// The beginning of the error for a call.
pub const CANNOT_CALL: &str = "cannot call";
/// Methods of library types that only read, with the function that implements each and the number
/// of arguments.
const READERS: [(&str, &str, usize); 16] = [
    ("len", "length", 0),
    ("size", "length", 0),
    ("length", "length", 0),
    ("is_empty", "is_empty", 0),
    ("empty", "is_empty", 0),
    ("is_some", "is_some", 0),
    ("is_none", "is_none", 0),
    ("is_ok", "is_ok", 0),
    ("is_err", "is_err", 0),
    ("unwrap", "unwrapped", 0),
    ("front", "first", 0),
    ("back", "last", 0),
    ("abs", "absolute", 0),
    ("at", "element", 1),
    ("contains", "contains", 1),
    ("contains_key", "contains", 1),
];

/// Methods that runtime/library_reads.py implements for the types that it knows, and the number of
/// arguments.
const LIBRARY: [(&str, usize); 14] = [
    ("top", 0),
    ("value", 0),
    ("has_value", 0),
    ("get", 0),
    ("use_count", 0),
    ("expired", 0),
    ("count", 0),
    ("test", 1),
    ("load", 0),
    ("index", 0),
    ("what", 0),
    ("data", 0),
    ("c_str", 0),
    ("native", 0),
];

/// Binary operators, longest first, with their precedence in Rust and in C.
const BINARY: [(&str, u8, u8); 19] = [
    ("||", 1, 1),
    ("&&", 2, 2),
    ("<<", 9, 9),
    (">>", 9, 9),
    ("==", 4, 7),
    ("!=", 4, 7),
    ("<=", 4, 8),
    (">=", 4, 8),
    ("<", 4, 8),
    (">", 4, 8),
    ("|", 5, 4),
    ("^", 6, 5),
    ("&", 7, 6),
    ("+", 10, 10),
    ("-", 10, 10),
    ("*", 11, 11),
    ("/", 11, 11),
    ("%", 11, 11),
    ("@", ARRAY, ARRAY),
];

/// The precedence of `FIRST@COUNT`, which is gdb's.
const ARRAY: u8 = 12;

/// The whole text as calls, or an error message.
pub fn parse(text: &str, reading: Reading) -> Result<String, String> {
    let mut parser = Parser { scan: Scan::new(text), reading, depth: 0 };
    let calls = parser.value()?;
    parser.finished(calls)
}

/// `TARGET = VALUE` as one call.
pub fn assignment(text: &str, reading: Reading) -> Result<String, String> {
    let mut parser = Parser { scan: Scan::new(text), reading, depth: 0 };
    let target = parser.value()?;
    let target_text = text.trim()[..text.trim().len() - parser.scan.rest().len()].trim_end();
    match parser.scan.rest() {
        "" => return Err("it has no value".to_owned()),
        rest if !parser.scan.take("=") => return Err(unexpected(rest)),
        _ => {}
    }
    let value = parser.value()?;
    parser.finished(format!("assign({target}, {value}, {})", literal(target_text)))
}

fn unexpected(rest: &str) -> String {
    let compound = ["+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"];
    let assigns = (rest.starts_with('=') && !rest.starts_with("=="))
        || compound.iter().any(|sign| rest.starts_with(sign));
    let word: String = rest.chars().take_while(|letter| is_name_character(*letter)).collect();
    match rest.chars().next() {
        None => "a value is missing at the end".to_owned(),
        Some(_) if assigns => "it assigns, which debug_set does".to_owned(),
        Some(letter) if word.is_empty() => format!("`{letter}` is unexpected here"),
        Some(_) => format!("`{word}` is unexpected here"),
    }
}

struct Parser<'a> {
    scan: Scan<'a>,
    reading: Reading,
    depth: u32,
}

impl Parser<'_> {
    fn finished(&self, calls: String) -> Result<String, String> {
        match self.scan.rest() {
            "" => Ok(calls),
            rest => Err(unexpected(rest)),
        }
    }

    /// A whole expression: `?:` binds loosest.
    fn value(&mut self) -> Result<String, String> {
        let condition = self.binary(0)?;
        if !self.scan.rest().starts_with('?') {
            return Ok(condition);
        }
        if self.reading == Reading::Rust {
            return Err(
                "`?:` is an operator of C; in Rust evaluate the condition and both values \
                separately"
                    .to_owned(),
            );
        }
        self.depth += 1;
        if self.depth > DEPTH {
            return Err("the expression is nested too deeply".to_owned());
        }
        self.scan.take("?");
        let yes = self.value()?;
        if !self.scan.take(":") {
            return Err("`?` has no `:`".to_owned());
        }
        let no = self.value()?;
        self.depth -= 1;
        Ok(format!("operators.choose({condition}, lambda: {yes}, lambda: {no})"))
    }

    /// The next operator, with its precedence.
    fn operator(&self) -> Result<Option<(&'static str, &'static str, u8)>, String> {
        let mut ahead = self.scan;
        for (word, sign, power) in [("or", "||", 1), ("and", "&&", 2), ("as", "as", CAST)] {
            if ahead.word(word) {
                return Ok(Some((word, sign, power)));
            }
        }
        let rest = self.scan.rest();
        if let Some(python) = ["//", "**"].into_iter().find(|sign| rest.starts_with(sign)) {
            return Err(format!(
                "`{python}` is not an operator here; `/` divides as the program does"
            ));
        }
        let found = BINARY.iter().find(|(sign, ..)| rest.starts_with(sign));
        let assigns = found.is_some_and(|(sign, ..)| {
            !sign.contains(['=', '!'])
                && !["<", ">"].contains(sign)
                && rest[sign.len()..].starts_with('=')
                && !rest[sign.len()..].starts_with("==")
        });
        if assigns || ["++", "--", "<<=", ">>="].iter().any(|sign| rest.starts_with(sign)) {
            return Err(unexpected(rest));
        }
        Ok(found.map(|(sign, rust, c)| {
            (*sign, *sign, if self.reading == Reading::Rust { *rust } else { *c })
        }))
    }

    fn binary(&mut self, floor: u8) -> Result<String, String> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err("the expression is nested too deeply".to_owned());
        }
        let mut left = self.unary()?;
        let mut compared = None;
        while let Some((word, sign, power)) = self.operator()?.filter(|(.., power)| *power >= floor)
        {
            let compares = sign.contains('=') || ["<", ">"].contains(&sign);
            if compares && compared == Some(power) {
                return Err(
                    "comparisons cannot be chained; write `a < b && b < c`, or use parentheses"
                        .to_owned(),
                );
            }
            compared = compares.then_some(power);
            self.scan.take(word);
            left = self.joined(left, sign, power)?;
        }
        self.depth -= 1;
        Ok(left)
    }

    fn joined(&mut self, left: String, sign: &str, power: u8) -> Result<String, String> {
        if sign == "as" {
            let kind = self.scan.rust_type().ok_or_else(|| unexpected(self.scan.rest()))?;
            return Ok(format!("operators.cast({left}, {})", literal(&kind)));
        }
        let right = self.binary(power + 1)?;
        Ok(match sign {
            "&&" | "||" => {
                let word = if sign == "&&" { "and" } else { "or" };
                format!("(operators.truth({left}) {word} operators.truth({right}))")
            }
            "==" | "!=" | "<=" | ">=" | "<" | ">" => {
                format!("operators.compare({}, {left}, {right})", literal(sign))
            }
            "@" => format!("operators.array({left}, {right})"),
            _ => format!("operators.compute({}, {left}, {right})", literal(sign)),
        })
    }

    fn unary(&mut self) -> Result<String, String> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err("the expression is nested too deeply".to_owned());
        }
        let calls = self.prefixed();
        self.depth -= 1;
        calls
    }

    fn prefixed(&mut self) -> Result<String, String> {
        if ["++", "--", "&&"].iter().any(|sign| self.scan.rest().starts_with(sign)) {
            return Err(unexpected(self.scan.rest()));
        }
        if self.scan.word("not") {
            return Ok(format!("(not operators.truth({}))", self.binary(NOT)?));
        }
        for (sign, call) in [
            ("-", "minus"),
            ("!", "inverted"),
            ("~", "flipped"),
            ("*", "pointee"),
            ("&", "address"),
        ] {
            if self.scan.take(sign) {
                let _ = sign == "&" && self.scan.word("mut");
                return Ok(format!("operators.{call}({})", self.unary()?));
            }
        }
        if self.scan.take("+") {
            return self.unary();
        }
        if self.scan.word("sizeof") {
            return self.size();
        }
        if let Some(kind) = self.scan.cast() {
            return Ok(format!("operators.cast({}, {})", self.unary()?, literal(&kind)));
        }
        let operand = self.operand()?;
        self.parts(operand)
    }

    /// After `sizeof`: a type in parentheses, or an operand.
    fn size(&mut self) -> Result<String, String> {
        match self.scan.type_in_parentheses() {
            Some(kind) => Ok(format!("operators.size_of_type({})", literal(&kind))),
            None => Ok(format!("operators.size_of({})", self.unary()?)),
        }
    }

    fn operand(&mut self) -> Result<String, String> {
        let rest = self.scan.rest();
        match rest.chars().next() {
            Some('(') => {
                self.scan.take("(");
                let inside = self.value()?;
                if self.scan.take(")") { Ok(inside) } else { Err(self.unclosed_error("(")) }
            }
            Some('"') => self
                .scan
                .quoted('"', false)
                .map(|text| format!("operators.Text({})", literal(&text))),
            Some('r') if rest.starts_with("r\"") => {
                self.scan.take("r");
                self.scan
                    .quoted('"', true)
                    .map(|text| format!("operators.Text({})", literal(&text)))
            }
            Some('b') if rest.starts_with("b'") => {
                self.scan.take("b");
                self.scan.quoted('\'', false).map(|text| character(&text))
            }
            Some('\'') => self.scan.quoted('\'', false).map(|text| character(&text)),
            Some('0'..='9') => self.scan.number().map(|(number, kind)| {
                let kind = kind.map(|kind| format!(", {}", literal(&kind))).unwrap_or_default();
                // In C such a literal is unsigned if only that type can represent it.
                let radix = if is_decimal(&number) { "" } else { ", unsigned=True" };
                format!("operators.number({number}{kind}{radix})")
            }),
            Some('$') => {
                self.scan.take("$");
                let name = self.scan.identifier().ok_or_else(|| unexpected(rest))?;
                Ok(format!("operators.register({})", literal(name)))
            }
            _ => self.name_or_call(),
        }
    }

    fn name_or_call(&mut self) -> Result<String, String> {
        let rest = self.scan.rest();
        let path = self.scan.path().ok_or_else(|| unexpected(rest))?;
        if self.scan.rest().starts_with(['(', '!']) && !self.scan.rest().starts_with("!=") {
            return Err(self.call_error(&path));
        }
        if let Some(arguments) = self.scan.template_of_call() {
            return self.template_call(&path, arguments);
        }
        Ok(match path.as_str() {
            "true" | "True" => "True".to_owned(),
            "false" | "False" => "False".to_owned(),
            "NULL" | "nullptr" => "operators.number(0)".to_owned(),
            _ => format!("operators.name({})", literal(&path)),
        })
    }

    /// After `name<…>` and before `(`: `std::get<1>` reads, others are calls.
    fn template_call(&mut self, path: &str, arguments: &str) -> Result<String, String> {
        let number = arguments.trim().parse::<u32>().ok().filter(|_| path == "std::get");
        let Some(number) = number.filter(|_| self.scan.take("(")) else {
            return Err(self.call_error(path));
        };
        let value = self.value()?;
        if !self.scan.take(")") {
            return Err(self.unclosed_error("("));
        }
        Ok(format!("operators.nth({value}, {number})"))
    }

    /// `.field`, `->field`, `.0`, `[index]` and methods that only read.
    fn parts(&mut self, mut value: String) -> Result<String, String> {
        loop {
            let is_arrow = self.scan.take("->");
            if is_arrow || self.scan.take(".") {
                let rest = self.scan.rest();
                let name = self
                    .scan
                    .digits()
                    .or_else(|| self.scan.identifier())
                    .ok_or_else(|| unexpected(rest))?;
                value = if self.scan.take("(") {
                    let owner = if is_arrow { format!("operators.behind({value})") } else { value };
                    self.method(&owner, name)?
                } else {
                    format!("operators.member({value}, {})", literal(name))
                };
            } else if self.scan.take("[") {
                value = format!("operators.element({value}, {})", self.index()?);
            } else {
                return Ok(value);
            }
        }
    }

    fn index(&mut self) -> Result<String, String> {
        let index = self.value()?;
        if self.scan.take("]") { Ok(index) } else { Err(self.unclosed_error("[")) }
    }

    /// After `value.name(`: a method that only reads.
    fn method(&mut self, value: &str, name: &str) -> Result<String, String> {
        let library = LIBRARY.iter().find(|(reader, _)| *reader == name);
        let reader = READERS.iter().find(|(reader, ..)| *reader == name);
        let (reads, count) = match (reader, library) {
            (Some((_, reads, count)), _) => (*reads, count),
            (None, Some((_, count))) => ("read_of", count),
            (None, None) => return Err(self.call_error(name)),
        };
        let mut arguments = vec![value.to_owned()];
        arguments.extend(library.map(|_| format!("{name:?}")));
        let given = arguments.len();
        if *count == 1 && !self.scan.rest().starts_with(')') {
            arguments.push(self.value()?);
        }
        if arguments.len() != count + given || !self.scan.take(")") {
            return Err(self.call_error(name));
        }
        Ok(format!("operators.{reads}({})", arguments.join(", ")))
    }

    fn call_error(&self, name: &str) -> String {
        let name = name.rsplit("::").next().unwrap_or(name);
        let readers = match self.reading {
            Reading::Rust => ".len(), .is_empty(), .contains() or .unwrap()",
            Reading::C => "operators, and of C++'s containers .size(), .empty() or .contains()",
        };
        format!(
            "{CANNOT_CALL} `{name}`: an expression calls no function of the program. Use fields, \
            indexing, {readers}"
        )
    }

    fn unclosed_error(&self, sign: &str) -> String {
        match self.scan.rest() {
            "" => format!("`{sign}` is not closed"),
            rest => unexpected(rest),
        }
    }
}

/// One letter in quotes is a character, several are a string, as in Python.
fn character(text: &str) -> String {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => format!("operators.number({}, \"char\")", u32::from(letter)),
        _ => format!("operators.Text({})", literal(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls without `operators.` and quotes: `operators.name("a")` is `name(a)`.
    fn brief(text: &str) -> String {
        match parse(text, Reading::C) {
            Ok(calls) => calls.replace("operators.", "").replace('"', ""),
            Err(why) => why,
        }
    }

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(brief(text), expect, "{text}");
    }

    #[test]
    fn operators_have_the_precedence_of_the_language() {
        check("a + b * 2", "compute(+, name(a), compute(*, name(b), number(2)))");
        check("a - b - c", "compute(-, compute(-, name(a), name(b)), name(c))");
        check(
            "a && !b || not c == d",
            "(truth((truth(name(a)) and truth(inverted(name(b))))) or truth((not truth(compare(==, \
            name(c), name(d))))))",
        );
        check("a and b or c", "(truth((truth(name(a)) and truth(name(b)))) or truth(name(c)))");
        check("-a.b", "minus(member(name(a), b))");
        check("(a + b) % 3", "compute(%, compute(+, name(a), name(b)), number(3))");
        check(
            "a ? b : c ? 1 : 2",
            "choose(name(a), lambda: name(b), lambda: choose(name(c), lambda: number(1), lambda: \
            number(2)))",
        );
        check(
            "a < b ? a : b + 1",
            "choose(compare(<, name(a), name(b)), lambda: name(a), lambda: compute(+, name(b), \
            number(1)))",
        );
        check("a << 2 >= b", "compare(>=, compute(<<, name(a), number(2)), name(b))");
    }

    #[test]
    fn members_and_elements_nest() {
        check(
            "a->b.c[i + 1].0",
            "member(element(member(member(name(a), b), c), compute(+, name(i), number(1))), 0)",
        );
        check("*p == &q", "compare(==, pointee(name(p)), address(name(q)))");
        check("items.len() > 3", "compare(>, length(name(items)), number(3))");
        check("cart::LIMIT", "name(cart::LIMIT)");
        check("p->size()", "length(behind(name(p)))");
        check("std::get<1>(t) + 2", "compute(+, nth(name(t), 1), number(2))");
        check("a<b>c", "comparisons cannot be chained; write `a < b && b < c`, or use parentheses");
        check(
            "o.value() + b.test(3)",
            "compute(+, read_of(name(o), value), read_of(name(b), test, number(3)))",
        );
        check("m.at(2) + v.front()", "compute(+, element(name(m), number(2)), first(name(v)))");
        check(
            "sizeof(int) + sizeof x[0]",
            "compute(+, size_of_type(int), size_of(element(name(x), number(0))))",
        );
        check(
            "sizeof(struct item *) * sizeof(n)",
            "compute(*, size_of_type(struct item *), size_of(name(n)))",
        );
    }

    #[test]
    fn literals_and_casts() {
        check("0xff", "number(0xff, unsigned=True)");
        check("0b11u", "number(0b11, unsigned int, unsigned=True)");
        check("1_000u64", "number(1000, u64)");
        check("10UL", "number(10, unsigned long)");
        check("1.5f", "number(1.5, float)");
        check("2e-3", "number(2e-3)");
        check("t.0.1", "member(member(name(t), 0), 1)");
        check("'a'", "number(97, char)");
        check("'\\n'", "number(10, char)");
        check("name == 'Heft'", "compare(==, name(name), Text(Heft))");
        check("(int)a / 2", "compute(/, cast(name(a), int), number(2))");
        check("(struct item *)p", "cast(name(p), struct item *)");
        check("(uint8_t)-a", "cast(minus(name(a)), uint8_t)");
        check("(a) - b", "compute(-, name(a), name(b))");
        check("(int[5])*p", "cast(pointee(name(p)), int[5])");
        check("*(struct item (*)[2])p", "pointee(cast(name(p), struct item (*)[2]))");
        check("p[1]@3 ", "array(element(name(p), number(1)), number(3))");
        check("(a[1]) - b", "compute(-, element(name(a), number(1)), name(b))");
        check("a as u32 as f64", "cast(cast(name(a), u32), f64)");
        check("$rip", "register(rip)");
    }

    #[test]
    fn unsupported_syntax_is_explained() {
        check("a ? b", "`?` has no `:`");
        check("a +", "a value is missing at the end");
        check("", "a value is missing at the end");
        check("(a", "`(` is not closed");
        check("a b", "`b` is unexpected here");
        check("a = 1", "it assigns, which debug_set does");
        check("a += 1", "it assigns, which debug_set does");
        check("a++", "it assigns, which debug_set does");
        check(
            "0 < a < 9",
            "comparisons cannot be chained; write `a < b && b < c`, or use parentheses",
        );
        check("a // 2", "`//` is not an operator here; `/` divides as the program does");
        check("017", "`017` is octal in C and decimal in Rust; write 0o17 or 17");
        check("1x", "`1x` is not a number");
        check("\"a", "\" is not closed");
        for call in ["f(1)", "a.sum()", "a.len(1)", "matches!(a, b)", "std::get<int>(a)", "f<1>(a)"]
        {
            assert!(brief(call).starts_with("cannot call"), "{call}: {}", brief(call));
        }
        assert!(!brief("f(1)").contains("unwrap"));
        check(&"(".repeat(100), "the expression is nested too deeply");
    }
}
