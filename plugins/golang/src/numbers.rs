//! Numbers of the standard library as Go prints them: durations, and the integers and fractions of
//! `math/big`, from the fields that debuggers show. Knows Go 1.20 to 1.26 on 64-bit processors.

use crate::scan;

/// Each unit of a duration in nanoseconds.
const UNITS: [(u64, &str); 3] =
    [(3_600_000_000_000, "h"), (60_000_000_000, "m"), (1_000_000_000, "s")];

/// A duration of this many nanoseconds, `1h30m1.5s` (time.Duration, `String`); none if the text is
/// no integer.
pub fn duration(nanoseconds: &str) -> Option<String> {
    let number: i64 = nanoseconds.parse().ok()?;
    let sign = if number < 0 { "-" } else { "" };
    let rest = number.unsigned_abs();
    if rest == 0 {
        return Some("0s".to_owned());
    }
    let below_second = match rest {
        0..1_000 => Some((1, "ns")),
        1_000..1_000_000 => Some((1_000, "µs")),
        1_000_000..1_000_000_000 => Some((1_000_000, "ms")),
        _ => None,
    };
    if let Some((unit, name)) = below_second {
        return Some(format!("{sign}{}{name}", decimal(rest, unit)));
    }
    let (mut rest, mut text) = (rest, sign.to_owned());
    for (unit, name) in UNITS {
        if name == "s" {
            text += &decimal(rest, unit);
        } else if rest >= unit || text.len() > sign.len() {
            text += &(rest / unit).to_string();
        } else {
            continue;
        }
        text += name;
        rest %= unit;
    }
    Some(text)
}

/// A number of units, with the rest as a fraction without zeros at its end.
fn decimal(number: u64, unit: u64) -> String {
    let (whole, rest) = (number / unit, number % unit);
    if rest == 0 {
        return whole.to_string();
    }
    let digits = unit.ilog10() as usize;
    format!("{whole}.{}", format!("{rest:0digits$}").trim_end_matches('0'))
}

/// As many words of 64 bits become digits: 2,500 digits.
const WORDS: usize = 128;

/// The integer in the fields of a `big.Int`, `{neg: true, abs: math/big.nat len: 1, cap: 1, [42]}`;
/// none if its digits are not all there.
pub fn integer(fields: &str) -> Option<String> {
    let rest = fields.strip_prefix("{neg: ")?;
    let is_negative = rest.starts_with("true");
    let (_, abs) = rest.split_once("abs: ")?;
    let abs = abs.trim_start_matches("math/").strip_prefix("big.nat len: ")?;
    let (length, list) = abs.split_once(", ")?;
    let length = length.parse::<usize>().ok().filter(|length| *length <= WORDS)?;
    let mut words = Vec::new();
    if length > 0 {
        let list = &list[list.find('[')?..];
        let list = &list[1..scan::part(list, &[])?.checked_sub(1)?];
        for word in list.split(',') {
            words.push(word.trim().parse::<u64>().ok()?);
        }
    }
    if words.len() != length {
        return None;
    }
    let sign = if is_negative { "-" } else { "" };
    Some(format!("{sign}{}", digits(words)))
}

/// The fraction in the fields of a `big.Rat`, `{a: …, b: …}`. A denominator without digits is 1.
pub fn fraction(fields: &str) -> Option<String> {
    let (numerator, denominator) = fields.strip_prefix("{a: ")?.split_once(", b: ")?;
    let part = |text: &str| integer(&text[text.find('{')?..]);
    let below = part(denominator).filter(|below| below != "0").unwrap_or_else(|| "1".into());
    Some(format!("{}/{below}", part(numerator)?))
}

/// The decimal digits of a number whose words begin with the lowest.
fn digits(mut words: Vec<u64>) -> String {
    const GROUP: u128 = 10_000_000_000_000_000_000;
    let mut groups = Vec::new();
    while words.last() == Some(&0) {
        words.pop();
    }
    while !words.is_empty() {
        let mut rest = 0;
        for word in words.iter_mut().rev() {
            let value = (rest << 64) | u128::from(*word);
            *word = (value / GROUP) as u64;
            rest = value % GROUP;
        }
        groups.push(rest);
        while words.last() == Some(&0) {
            words.pop();
        }
    }
    let mut text = groups.pop().unwrap_or_default().to_string();
    for group in groups.iter().rev() {
        text += &format!("{group:019}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_as_go_prints_them() {
        for (nanoseconds, expect) in [
            ("0", "0s"),
            ("1", "1ns"),
            ("1100", "1.1µs"),
            ("2200000", "2.2ms"),
            ("3300000000", "3.3s"),
            ("245000000000", "4m5s"),
            ("245001000000", "4m5.001s"),
            ("18367001000000", "5h6m7.001s"),
            ("480000000001", "8m0.000000001s"),
            ("3600000000000", "1h0m0s"),
            ("-90000000000", "-1m30s"),
            ("-5000", "-5µs"),
            ("9223372036854775807", "2562047h47m16.854775807s"),
            ("-9223372036854775808", "-2562047h47m16.854775808s"),
        ] {
            assert_eq!(duration(nanoseconds).as_deref(), Some(expect));
        }
        assert_eq!(duration("Second (1000000000)"), None);
    }

    #[test]
    fn large_integers_have_their_digits() {
        let check = |fields: &str, expect: Option<&str>| {
            assert_eq!(integer(fields).as_deref(), expect, "{fields}");
        };
        let two = "len: 2, cap: 6, [14083847773837265618,6692605942]}";
        let number = "123456789012345678901234567890";
        check(&format!("{{neg: false, abs: math/big.nat {two}"), Some(number));
        check("{neg: true, abs: big.nat len: 1, cap: 1, [42]}", Some("-42"));
        check("{neg: false, abs: math/big.nat len: 0, cap: 0, nil}", Some("0"));
        let power = "len: 3, cap: 3, [0,0,1]}";
        let number = "340282366920938463463374607431768211456";
        check(&format!("{{neg: false, abs: math/big.nat {power}"), Some(number));
        let long =
            format!("{{neg: false, abs: big.nat len: 129, cap: 129, [{}1]}}", "0,".repeat(128));
        check(&long, None);
        check("{neg: false, abs: math/big.nat len: 70, cap: 70, [1,2,...+68 more]}", None);
        check("{neg: false, abs: math/big.nat len: 2, cap: 6, [1408...", None);
        check("{neg: false, abs: (*\"math/big.nat\")(0xc000)}", None);
    }

    #[test]
    fn fractions_have_both_parts() {
        let part = |number: u32| {
            format!("math/big.Int {{neg: false, abs: math/big.nat len: 1, cap: 1, [{number}]}}")
        };
        let fields = format!("{{a: {}, b: {}}}", part(3), part(4));
        assert_eq!(fraction(&fields).as_deref(), Some("3/4"));
        let whole = "math/big.Int {neg: false, abs: math/big.nat len: 0, cap: 0, nil}";
        let fields = format!("{{a: {}, b: {whole}}}", part(3));
        assert_eq!(fraction(&fields).as_deref(), Some("3/1"));
    }
}
