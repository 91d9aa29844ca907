//! Delve's texts of values as callers read them: without addresses and the declared type, which is
//! a field of its own, with the dynamic type of interfaces, and with a word for what is inside the
//! runtime's types. Pure. `words` has these words.

use dapdock_golang::{numbers, scan, types, words};
use dapdock_plugin::present::{Variable, VariableView};

/// Values without their type, the hexadecimal form of a number, and addresses.
pub fn variables(variables: &[Variable]) -> Vec<VariableView> {
    let mut views = Vec::new();
    for (variable, index) in variables.iter().zip(0..) {
        // An unnamed result has no value before the function returns.
        if variable.name.starts_with("~r") {
            continue;
        }
        let plain = plain(&variable.value, variable.ty.as_deref());
        let ty = variable.ty.as_deref().unwrap_or_default();
        let elements = words::is_whole(ty, &plain).then_some(0);
        let summary = (plain != variable.value).then_some(plain);
        views.push(VariableView { index, summary, prefetch: 0, elements, secret: false });
    }
    views
}

/// A value of this type.
pub fn plain(text: &str, ty: Option<&str>) -> String {
    if let Some(("nil", rest)) = text.split_once(" <")
        && rest.ends_with('>')
    {
        return "nil".into();
    }
    let Some(ty) = ty else { return rewritten(text) };
    if let Some(duration) = duration(ty, text) {
        return duration;
    }
    let Some(text) = without_type(text, ty) else { return number(text, || rewritten(text)) };
    if interface(ty).is_some() {
        return rewritten(&format!("{} {text}", shortened(ty)));
    }
    let target = shortened(ty.trim_start_matches('*'));
    if let Some(word) = words::word(&target, text) {
        return word;
    }
    if words::is_channel(&target) {
        return words::channel(text);
    }
    let plain = rewritten(text);
    if target.starts_with("map[") { sorted(&plain) } else { plain }
}

/// A value without its type, which is known only from the text.
pub fn untyped(text: &str) -> String {
    match type_of(text) {
        Some(ty) => plain(text, Some(ty)),
        None => number(text, || rewritten(text)),
    }
}

/// The type before a value that has one in its text.
fn type_of(text: &str) -> Option<&str> {
    let declared = types::length(text)?;
    let is_interface = text[declared..].starts_with('(');
    let dynamic = is_interface.then(|| scan::part(&text[declared..], &[])).flatten();
    let (ty, rest) = text.split_at(declared + dynamic.unwrap_or(0));
    let value = rest.strip_prefix(' ')?;
    let follows = is_interface
        || value == "nil"
        || value.starts_with("len: ")
        || value.starts_with(['{', '[', '*'])
        || words::is_channel(ty);
    follows.then_some(ty)
}

/// The text after the type of the value, which Delve shortens, but not in the field `type`
/// (service/api/shorten_type.go).
fn without_type<'a>(text: &'a str, ty: &str) -> Option<&'a str> {
    let after = |ty: &str| text.strip_prefix(ty)?.strip_prefix(' ');
    after(ty).or_else(|| after(&shortened(ty))).or_else(|| {
        // Blanks separate type arguments in the text, and none in the field.
        let length = types::length(text).filter(|_| ty.contains('['))?;
        let of_text = text[..length].replace(", ", ",");
        let is_same = of_text == ty || of_text == shortened(ty);
        is_same.then(|| text[length..].strip_prefix(' '))?
    })
}

/// A type with only the last part of each import path, unless that has less than three parts.
fn shortened(ty: &str) -> String {
    let is_path = |c: char| c.is_alphanumeric() || "_./@%-".contains(c);
    let mut short = String::with_capacity(ty.len());
    let mut rest = ty;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_path(c)).unwrap_or(rest.len());
        let (path, after) = rest.split_at(end);
        let is_long = path.matches('/').count() > 1;
        short.push_str(path.rsplit('/').next().filter(|_| is_long).unwrap_or(path));
        let sign = after.chars().next().map_or(0, char::len_utf8);
        short.push_str(&after[..sign]);
        rest = &after[sign..];
    }
    short
}

/// A duration as Go prints it.
fn duration(ty: &str, text: &str) -> Option<String> {
    if ty == "time.Duration" { numbers::duration(text) } else { None }
}

/// A number without its hexadecimal form: `7 = 0x7`, `Read|Write (3) = 0x3`.
fn number(text: &str, other: impl Fn() -> String) -> String {
    match text.split_once(" = 0x") {
        Some((number, hex))
            if (number.bytes().all(|byte| byte.is_ascii_digit()) || is_constant(number))
                && hex.bytes().all(|byte| byte.is_ascii_hexdigit()) =>
        {
            number.into()
        }
        _ => other(),
    }
}

/// Whether it is a number with the names of constants: `Read|Write (3)`.
fn is_constant(text: &str) -> bool {
    let number = text.strip_suffix(')').and_then(|rest| rest.rsplit_once(" ("));
    number.is_some_and(|(names, number)| {
        !names.contains(['"', '{', '[']) && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The text with the dynamic types of interfaces, words for what is inside the runtime's types,
/// and no addresses.
fn rewritten(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let begins = text[..at].ends_with([' ', '[', '(', '*', ',']) || at == 0;
        if c == '"' {
            let length = scan::quoted(rest);
            plain.push_str(&rest[..length]);
            at += length;
        } else if begins && let Some((word, length)) = words::at(rest).or_else(|| dynamic(rest)) {
            plain.push_str(&word);
            at += length;
        } else if rest.starts_with(", ]") {
            at += 2;
        } else if let Some(digits) = rest.strip_prefix(")(0x") {
            plain.push_str(")(…");
            at += 4 + hexadecimal(digits);
        } else {
            plain.push(c);
            at += c.len_utf8();
        }
    }
    plain
}

fn hexadecimal(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(text.len())
}

/// The declared and the dynamic type at the beginning: `error` and `*main.E` of `error(*main.E)`.
fn interface(text: &str) -> Option<(&str, &str)> {
    let named = text.strip_prefix("interface {").map_or(0, |_| "interface ".len());
    let head = match named {
        0 => text.find(|c: char| !c.is_alphanumeric() && !"_./@%-".contains(c))?,
        open => open + scan::part(&text[open..], &[])?,
    };
    let generic = text[head..].starts_with('[').then(|| scan::part(&text[head..], &[]));
    let head = head + generic.flatten().unwrap_or(0);
    if head == 0 || !text[head..].starts_with('(') {
        return None;
    }
    let length = scan::part(&text[head..], &[])?;
    let dynamic = &text[head + 1..head + length - 1];
    (!dynamic.is_empty()).then(|| (&text[..head], dynamic))
}

/// The value of an interface at the beginning, with its dynamic type in place of the declared one,
/// and the length of what that replaces: `error(*main.E) nil` is `(*main.E)(nil)`.
fn dynamic(text: &str) -> Option<(String, usize)> {
    let (declared, ty) = interface(text)?;
    let from = declared.len() + ty.len() + "()".len();
    let value = text[from..].strip_prefix(' ')?;
    let from = from + 1;
    if value.starts_with(ty) || value.starts_with('"') {
        return Some((String::new(), from));
    }
    if let Some(digits) = value.strip_prefix("0x") {
        return Some((format!("({ty})(…)"), from + "0x".len() + hexadecimal(digits)));
    }
    let length = scan::part(value, &[',']).unwrap_or(value.len());
    let fields = value.trim_start_matches('*');
    if let Some(word) = words::word(ty.trim_start_matches('*'), fields) {
        return Some((word, from + length));
    }
    match value.chars().next()? {
        '*' => Some((format!("{ty} "), from + 1)),
        '{' | '[' => Some((format!("{ty} "), from)),
        _ if &value[..length] == "nil" => Some((format!("({ty})(nil)"), from + length)),
        _ if matches!(ty, "int" | "bool" | "string") => Some((String::new(), from)),
        _ => {
            let value = &value[..length];
            let value = duration(ty, value).unwrap_or_else(|| value.to_owned());
            Some((format!("{ty}({value})"), from + length))
        }
    }
}

/// A map with its entries in the order of their keys: Delve reads them in an order that differs
/// from run to run.
fn sorted(map: &str) -> String {
    let Some(inside) = map.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else {
        return map.to_owned();
    };
    let mut entries = scan::items(inside);
    let rest = entries.pop_if(|last| last.starts_with("...")).map(str::to_owned);
    entries.sort_by(|one, other| key_order(one).cmp(&key_order(other)));
    let mut entries: Vec<String> = entries.into_iter().map(str::to_owned).collect();
    entries.extend(rest);
    format!("[{}]", entries.join(", "))
}

/// Numbers come first, in their order.
pub fn key_order(entry: &str) -> (bool, i128, &str) {
    let end = entry.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(entry.len());
    let number = entry[..end].parse();
    (number.is_err(), number.unwrap_or_default(), entry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn context_is_one_word() {
        let ty = "context.Context(*context.cancelCtx)";
        let text =
            format!("{ty} *{{Context: context.Context(context.backgroundCtx) {{}}, err: x}}");
        assert_eq!(plain(&text, Some(ty)), "context.cancelCtx");
        let service = format!("main.Service {{Ctx: {text}, N: 1}}");
        let fields = "{Ctx: context.cancelCtx, N: 1}";
        assert_eq!(plain(&service, Some("main.Service")), fields);
    }

    #[track_caller]
    fn check(text: &str, ty: &str, expect: &str) {
        assert_eq!(plain(text, Some(ty)), expect);
    }

    #[test]
    fn values_are_the_same_in_every_run() {
        check("7 = 0x7", "uint64", "7");
        check(r#"map[string]int ["[1, ]": 2, ]"#, "map[string]int", r#"["[1, ]": 2]"#);
        check("nil <*string>", "*string", "nil");
        check("*string nil", "*string", "nil");
        check(r#"*main.Item {name: "Heft"}"#, "*main.Item", r#"{name: "Heft"}"#);
        check(r#"map[string]int ["b": 2, "a": 1, ]"#, "map[string]int", r#"["a": 1, "b": 2]"#);
        check("map[int]int [10: 1, 9: 2, ]", "map[int]int", "[9: 2, 10: 1]");
        check("{next: *(*main.Node)(0xc00001), n: 1}", "x", "{next: *(*main.Node)(…), n: 1}");
        check(r#""a = 0xb""#, "string", r#""a = 0xb""#);
        check(r#"map[int]int [2: 1,...+61 more]"#, "map[int]int", "[2: 1, ...+61 more]");
    }

    #[test]
    fn types_are_found_in_texts_of_values() {
        for (text, expect) in [
            ("7 = 0x7", "7"),
            ("Red (1)", "Red (1)"),
            ("Read|Write (3) = 0x3", "Read|Write (3)"),
            ("true", "true"),
            (r#""[]int len: 1""#, r#""[]int len: 1""#),
            ("[]int len: 2, cap: 2, [5,6]", "len: 2, cap: 2, [5,6]"),
            ("*main.Item {n: 1}", "{n: 1}"),
            ("*main.Item nil", "nil"),
            (r#"map[string]int ["b": 2, "a": 1, ]"#, r#"["a": 1, "b": 2]"#),
            ("error(*main.E) *{N: 1}", "*main.E {N: 1}"),
            ("interface {}(uint8) 5", "uint8(5)"),
            ("chan int 0/1", "chan(0 of 1)"),
            ("main.add", "main.add"),
            ("(*main.Node)(0xc000012)", "(*main.Node)(…)"),
        ] {
            assert_eq!(untyped(text), expect, "{text}");
        }
    }

    #[test]
    fn types_of_other_packages_are_left_out() {
        check("core.Mode {n: 1}", "example.com/app/core.Mode", "{n: 1}");
        check("*core.Mode {n: 1}", "*example.com/app/core.Mode", "{n: 1}");
        let pair = "main.Pair[string, []int] {n: 1}";
        check(pair, "main.Pair[string,[]int]", "{n: 1}");
        check(&format!("*{pair}"), "*main.Pair[string,[]int]", "{n: 1}");
        let pairs = "[]main.Pair[string, *core.M] len: 1, cap: 1, [{n: 1}]";
        check(pairs, "[]main.Pair[string,*example.com/app/core.M]", &pairs[29..]);
        let table = "map[main.Pair[int, int]]int [{n: 2}: 1, {n: 1}: 2, ]";
        check(table, "map[main.Pair[int,int]]int", "[{n: 1}: 2, {n: 2}: 1]");
        let (text, ty) = ("[]core.M len: 1, cap: 1, [{n: 1}]", "[]example.com/app/core.M");
        check(text, ty, "len: 1, cap: 1, [{n: 1}]");
    }

    #[test]
    fn interfaces_have_their_dynamic_type() {
        check("error(*main.E) nil", "error(*main.E)", "(*main.E)(nil)");
        check("error nil", "error", "nil");
        let shape = "main.Shape(*main.Square)";
        check(&format!("{shape} *{{Side: 3}}"), shape, "*main.Square {Side: 3}");
        check("interface {}(main.Pos) {X: 5}", "interface {}(main.Pos)", "main.Pos {X: 5}");
        check("interface {}(string) \"a\"", "interface {}(string)", "\"a\"");
        check("interface {}(int) 5", "interface {}(int)", "5");
        check("interface {}(uint8) 5", "interface {}(uint8)", "uint8(5)");
        check("interface {}([]int) [1,2]", "interface {}([]int)", "[]int [1,2]");
        check("error(*main.E) 0xc000012", "error(*main.E)", "(*main.E)(…)");
        let long = "error(*example.com/app/core.E)";
        check("error(*core.E) *{N: 1}", long, "*core.E {N: 1}");
        check(
            r#"main.R {err: error(*main.E) nil, n: 1, any: interface {}(main.P) {X: 1}}"#,
            "main.R",
            "{err: (*main.E)(nil), n: 1, any: main.P {X: 1}}",
        );
        check(
            r#"main.R {s: "error(x) nil", e: error nil}"#,
            "main.R",
            r#"{s: "error(x) nil", e: error nil}"#,
        );
        check("main.R {e: error(*main.E) *{N: ...", "main.R", "{e: *main.E {N: ...");
    }

    #[test]
    fn durations_and_large_numbers_are_as_go_prints_them() {
        check("5401500000000", "time.Duration", "1h30m1.5s");
        check("5401500000000", "int64", "5401500000000");
        check(
            "interface {}(time.Duration) 1500",
            "interface {}(time.Duration)",
            "time.Duration(1.5µs)",
        );
        let big = "*math/big.Int {neg: true, abs: math/big.nat len: 1, cap: 1, [42]}";
        check(big, "*math/big.Int", "-42");
        let list = "[]*math/big.Int len: 1, cap: 1, [*{neg: false, abs: math/big.nat ...}]";
        check(list, "[]*math/big.Int", &list["[]*math/big.Int ".len()..]);
        check(&format!("main.R {{n: {big}, m: 1}}"), "main.R", "{n: -42, m: 1}");
    }

    #[test]
    fn insides_of_the_runtimes_types_are_a_word() {
        let unread = "sync.Mutex {_: sync.noCopy {}, mu: (*\"internal/sync.Mutex\")(0xc0)}";
        check(&format!("main.S {{mu: {unread}, n: 1}}"), "main.S", "{mu: sync.Mutex, n: 1}");
        let mutex = |state| {
            let inner = format!("internal/sync.Mutex {{state: {state}, sema: 0}}");
            format!("sync.Mutex {{_: sync.noCopy {{}}, mu: {inner}}}")
        };
        check(&mutex(0), "sync.Mutex", "unlocked");
        check(&format!("*{}", mutex(1)), "*sync.Mutex", "locked");
        check("chan int 0/1", "chan int", "chan(0 of 1)");
        check("chan int nil", "chan int", "nil");
        check("main.S {c: <-chan int 2/4, d: chan int nil}", "main.S", "{c: chan(2 of 4), d: nil}");
        check("main.S {mu: sync.Mutex {_: sync.no...", "main.S", "{mu: sync.Mutex...");
        let time = "time.Time(2024-02-29T12:30:00Z){wall: 0, ext: 5, loc: *time.Location nil}";
        check(time, "time.Time", "2024-02-29T12:30:00Z");
        check(
            &format!("main.E {{at: {time}, n: 1}}"),
            "main.E",
            "{at: 2024-02-29T12:30:00Z, n: 1}",
        );
        check("sync/atomic.Int64 {_: sync/atomic.noCopy {}, v: 5}", "sync/atomic.Int64", "5");
    }
}
