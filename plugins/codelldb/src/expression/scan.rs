//! The tokens of an expression: names, literals, types. Explains malformed ones; does not know
//! operators.

use dapdock_plugin::prelude::*;

/// Words that begin a type in C.
const TYPE_WORDS: [&str; 16] = [
    "void", "bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned",
    "const", "struct", "enum", "union", "size_t", "ssize_t",
];

/// The rest of the text.
#[derive(Clone, Copy)]
pub struct Scan<'a> {
    rest: &'a str,
}

impl<'a> Scan<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { rest: text.trim() }
    }

    pub fn rest(&self) -> &'a str {
        self.rest
    }

    /// Takes `sign` if it comes next.
    pub fn take(&mut self, sign: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(sign) else { return false };
        self.rest = rest.trim_start();
        true
    }

    /// Takes the whole word `word` if it comes next.
    pub fn word(&mut self, word: &str) -> bool {
        let whole =
            self.rest.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_name_character));
        whole && self.take(word)
    }

    fn split(&mut self, end: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        taken
    }

    fn while_is(&self, fits: impl Fn(char) -> bool) -> usize {
        self.rest.find(|letter| !fits(letter)).unwrap_or(self.rest.len())
    }

    /// A name without `::`. The debug information has no `r#` of a name that is a word of Rust.
    pub fn identifier(&mut self) -> Option<&'a str> {
        if let Some(rest) = self.rest.strip_prefix("r#")
            && rest.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
        {
            self.rest = rest;
        }
        let starts = self
            .rest
            .starts_with(|letter: char| is_name_character(letter) && !letter.is_ascii_digit());
        starts.then(|| self.split(self.while_is(is_name_character)))
    }

    /// `cart::LIMIT`, `crate::LIMIT`, `::limit`.
    pub fn path(&mut self) -> Option<String> {
        let mut path = if self.take("::") { "::".to_owned() } else { String::new() };
        path.push_str(self.identifier()?);
        while self.rest.starts_with("::") {
            let mut ahead = *self;
            ahead.take("::");
            let next = ahead.identifier()?;
            *self = ahead;
            path = format!("{path}::{next}");
        }
        Some(path)
    }

    /// `<…>` between a name and the parenthesis of a call: the text inside.
    pub fn template_of_call(&mut self) -> Option<&'a str> {
        let end = self.rest.starts_with('<').then(|| self.rest.find('('))??;
        let inside = self.rest[..end].strip_prefix('<')?.strip_suffix('>')?;
        let is_type = |letter: char| {
            is_name_character(letter) || matches!(letter, ':' | ',' | ' ' | '*' | '<' | '>')
        };
        if !inside.chars().all(is_type) {
            return None;
        }
        self.split(end);
        Some(inside)
    }

    /// Digits only: the field of a tuple.
    pub fn digits(&mut self) -> Option<&'a str> {
        let end = self.while_is(|letter| letter.is_ascii_digit());
        (end > 0).then(|| self.split(end))
    }

    /// A number as Python writes it, and its type if it has a suffix: `10u8`, `1.5f`, `0xffUL`.
    pub fn number(&mut self) -> Result<(String, Option<String>), String> {
        let end = self
            .while_is(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '\'');
        let mut digits = self.split(end).replace(['_', '\''], "");
        let radix = !is_decimal(&digits);
        let fraction =
            self.rest.strip_prefix('.').filter(|rest| !radix && !rest.starts_with(['.', '_']));
        if fraction.is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_alphabetic())) {
            self.take(".");
            digits = format!(
                "{digits}.{}",
                self.split(self.while_is(|letter| letter.is_ascii_alphanumeric()))
            );
        }
        if digits.ends_with(['e', 'E']) && self.rest.starts_with(['+', '-']) {
            let sign = self.split(1);
            digits = format!("{digits}{sign}{}", self.digits().unwrap_or_default());
        }
        let (number, suffix) = split_suffix(&digits);
        let octal = number.len() > 1
            && number.starts_with('0')
            && number.bytes().all(|digit| digit.is_ascii_digit());
        if octal {
            return Err(format!(
                "`{number}` is octal in C and decimal in Rust; write 0o{} or {}",
                &number[1..],
                number.trim_start_matches('0')
            ));
        }
        if !parses(number) {
            return Err(format!("`{digits}` is not a number"));
        }
        match suffix {
            "" => Ok((number.to_owned(), None)),
            _ => Ok((
                number.to_owned(),
                Some(
                    suffix_type(suffix)
                        .ok_or_else(|| format!("`{digits}` is not a number"))?
                        .to_owned(),
                ),
            )),
        }
    }

    /// The text up to the closing quote, with escape sequences replaced.
    pub fn quoted(&mut self, quote: char, raw: bool) -> Result<String, String> {
        let mut text = String::new();
        let mut letters = self.rest.char_indices().skip(1);
        while let Some((at, letter)) = letters.next() {
            match letter {
                _ if letter == quote => {
                    self.split(at + 1);
                    return Ok(text);
                }
                '\\' if !raw => text.push(escape_sequence(&mut letters)?),
                _ => text.push(letter),
            }
        }
        Err(format!("{quote} is not closed"))
    }

    /// The type of a cast in parentheses, if it is certainly a cast.
    pub fn cast(&mut self) -> Option<String> {
        let (_, after) = self.parenthesized()?;
        let operand = after
            .trim_start()
            .starts_with(|letter: char| is_name_character(letter) || "(*&!~-\"'$".contains(letter));
        if operand { self.type_in_parentheses() } else { None }
    }

    /// A type in parentheses, if it is certainly a type.
    pub fn type_in_parentheses(&mut self) -> Option<String> {
        let (inside, after) = self.parenthesized()?;
        let element = without_lengths(inside);
        let name = element.trim_end_matches([' ', '*', '&']);
        let is_name = !name.is_empty()
            && name.chars().all(|letter| is_name_character(letter) || " :<>,".contains(letter));
        let first = name.split([' ', '*']).next().unwrap_or_default();
        let plain = TYPE_WORDS.contains(&first) || (first.ends_with("_t") && first.contains("int"));
        let pointer = element.trim_end().ends_with('*');
        if !is_name || !(plain || pointer || name.ends_with('>')) {
            return None;
        }
        self.rest = after.trim_start();
        Some(inside.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// The text in parentheses, and what follows them.
    fn parenthesized(&self) -> Option<(&'a str, &'a str)> {
        let inside = self.rest.strip_prefix('(')?;
        let mut open = 1;
        for (at, letter) in inside.char_indices() {
            match letter {
                '(' => open += 1,
                ')' => open -= 1,
                _ => {}
            }
            if open == 0 {
                return Some((&inside[..at], &inside[at + 1..]));
            }
        }
        None
    }

    /// The type after `as`.
    pub fn rust_type(&mut self) -> Option<String> {
        let mut stars = String::new();
        while let Some(star) =
            ["*const", "*mut", "&mut", "&"].iter().find(|star| self.rest.starts_with(**star))
        {
            self.take(star);
            stars.push_str(" *");
        }
        Some(format!("{}{stars}", self.path()?))
    }
}

/// The type of the elements of `int[2][3]` and `int (*)[3]`; other types as they are.
fn without_lengths(ty: &str) -> &str {
    let is_length = |letter: char| letter.is_ascii_digit() || "[]".contains(letter);
    let element = ty.trim_end().trim_end_matches(is_length);
    if element.len() == ty.trim_end().len() || !ty.trim_end().ends_with(']') {
        return ty;
    }
    let element = element.trim_end();
    let inside = element.strip_suffix(')').map(str::trim_end).and_then(|it| it.strip_suffix('*'));
    inside.and_then(|it| it.trim_end().strip_suffix('(')).unwrap_or(element)
}

/// Can the character be part of a name?
pub fn is_name_character(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Is the number decimal?
pub fn is_decimal(number: &str) -> bool {
    !["0x", "0X", "0b", "0B", "0o"].iter().any(|start| number.starts_with(start))
}

/// A string literal of Python.
pub fn literal(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

fn escape_sequence(letters: &mut impl Iterator<Item = (usize, char)>) -> Result<char, String> {
    let mut next = || letters.next().map(|(_, letter)| letter);
    Ok(match next() {
        Some('n') => '\n',
        Some('t') => '\t',
        Some('r') => '\r',
        Some('0') => '\0',
        Some(letter @ ('\\' | '\'' | '"')) => letter,
        Some('x') => {
            let digits: String = [next(), next()].into_iter().flatten().collect();
            u8::from_str_radix(&digits, 16)
                .map(char::from)
                .map_err(|_| format!("`\\x{digits}` is not a character"))?
        }
        Some('u') => {
            next();
            let digits: String =
                std::iter::from_fn(next).take_while(|letter| *letter != '}').collect();
            let number = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
            number.ok_or_else(|| format!("`\\u{{{digits}}}` is not a character"))?
        }
        other => {
            return Err(format!(
                "`\\{}` is not an escape sequence",
                other.map(String::from).unwrap_or_default()
            ));
        }
    })
}

/// Splits a number from its suffix.
fn split_suffix(digits: &str) -> (&str, &str) {
    let hex = digits.starts_with("0x") || digits.starts_with("0X");
    let rust =
        ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "u128", "i128", "usize", "isize"];
    let c = ["ull", "ul", "llu", "ll", "lu", "u", "l"];
    let floats = ["f32", "f64", "f"];
    let lower = digits.to_ascii_lowercase();
    let plain = rust.iter().chain(&c).chain(floats.iter().filter(|_| !hex));
    let suffix = plain.filter(|suffix| lower.ends_with(**suffix)).max_by_key(|suffix| suffix.len());
    digits.split_at(digits.len() - suffix.map_or(0, |suffix| suffix.len()))
}

/// The type of a suffix.
fn suffix_type(suffix: &str) -> Option<&'static str> {
    let lower = suffix.to_ascii_lowercase();
    Some(match lower.as_str() {
        "u8" | "i8" | "u16" | "i16" | "u32" | "i32" | "u64" | "i64" | "u128" | "i128" | "usize"
        | "isize" | "f32" | "f64" => {
            return [
                "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "u128", "i128", "usize",
                "isize", "f32", "f64",
            ]
            .into_iter()
            .find(|suffix_type| *suffix_type == lower);
        }
        "u" => "unsigned int",
        "l" | "ll" => "long",
        "ul" | "ull" | "lu" | "llu" => "unsigned long",
        "f" => "float",
        _ => return None,
    })
}

fn parses(number: &str) -> bool {
    let radix = |start: &str, radix| {
        number
            .to_ascii_lowercase()
            .strip_prefix(start)
            .map(|digits| u128::from_str_radix(digits, radix).is_ok())
    };
    radix("0x", 16).or(radix("0b", 2)).or(radix("0o", 8)).unwrap_or_else(|| {
        number.starts_with(|digit: char| digit.is_ascii_digit()) && number.parse::<f64>().is_ok()
    })
}
