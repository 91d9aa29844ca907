//! Subtests, sub-benchmarks and seeds of a fuzz test, as far as a source written by gofmt shows
//! their names: literals, fields and keys of a table, the number of a seed. Pure.

use std::collections::HashMap;

use crate::scan;

/// A subtest.
#[derive(Debug, PartialEq, Eq)]
pub struct Subtest {
    /// Its name below the test, `case/sub`, as Go writes it.
    pub name: String,
    /// Index of its line.
    pub line: usize,
}

/// The subtests in the lines of a function that `go test` runs.
pub fn of(function: &[&str]) -> Vec<Subtest> {
    let length = function.iter().position(|line| *line == "}").unwrap_or(function.len());
    let body = &function[..length];
    let mut found = Vec::new();
    // Calls of `Run` with a body that is still open: their indentation and names.
    let mut open: Vec<(usize, Vec<String>)> = Vec::new();
    let is_fuzz = function.first().is_some_and(|line| line.starts_with("func Fuzz"));
    let mut seeds = 0;
    for (at, line) in body.iter().enumerate().skip(1) {
        let code = line.trim_start_matches('\t');
        let indent = line.len() - code.len();
        if code.is_empty() || code.starts_with("//") {
            continue;
        }
        while open.last().is_some_and(|(outer, _)| *outer >= indent) {
            open.pop();
        }
        if is_fuzz && indent == 1 && is_call(code, ".Add(") {
            found.push(Subtest { name: format!("seed#{seeds}"), line: at });
            seeds += 1;
            continue;
        }
        let Some(argument) = argument(code) else { continue };
        let names = names(argument, &body[..at]);
        let above = open.last().map(|(_, names)| names.clone());
        let mut paths = Vec::new();
        for (name, name_line) in names {
            for parent in above.as_deref().unwrap_or(&[String::new()]) {
                let name =
                    if parent.is_empty() { name.clone() } else { format!("{parent}/{name}") };
                found.push(Subtest { name: name.clone(), line: name_line.unwrap_or(at) });
                paths.push(name);
            }
        }
        if code.ends_with('{') {
            open.push((indent, paths));
        }
    }
    number_equals(&mut found);
    found
}

/// Numbers the subtests that have the name of an earlier one, as Go does (testing, `unique`).
fn number_equals(subtests: &mut [Subtest]) {
    let mut counts = HashMap::new();
    for subtest in subtests {
        let count = counts.entry(subtest.name.clone()).or_insert(0);
        if *count > 0 {
            subtest.name += &format!("#{count:02}");
        }
        *count += 1;
    }
}

/// Whether a statement calls this method of a variable.
fn is_call(code: &str, method: &str) -> bool {
    let receiver = code.split_once(method).map_or("", |(receiver, _)| receiver);
    !receiver.is_empty() && receiver.chars().all(is_part_of_name)
}

/// What follows `t.Run(`.
fn argument(code: &str) -> Option<&str> {
    is_call(code, ".Run(").then(|| code.split_once(".Run(").map(|(_, rest)| rest))?
}

fn is_part_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The names that the argument has, each with the index of its line if it is another one.
fn names(argument: &str, before: &[&str]) -> Vec<(String, Option<usize>)> {
    if let Some(name) = literal(argument) {
        return vec![(name, None)];
    }
    let Some((expression, _)) = argument.split_once(',') else { return Vec::new() };
    let named = match expression.split_once('.') {
        Some((_, field)) if field.chars().all(is_part_of_name) => of_field(field, before),
        None if expression.chars().all(is_part_of_name) => of_loop(expression, before),
        _ => Vec::new(),
    };
    named.into_iter().map(|(name, line)| (name, Some(line))).collect()
}

/// The values of a field in a table: `name: "empty"`, or the first value of a row, if the field is
/// the first of the table's type.
fn of_field(field: &str, before: &[&str]) -> Vec<(String, usize)> {
    let is_first = has_first_field(field, before);
    let labelled = format!("{field}:");
    let (mut found, mut opens_row) = (Vec::new(), false);
    for (at, line) in before.iter().enumerate() {
        let code = line.trim_start();
        let row = if opens_row { Some(code) } else { code.strip_prefix('{') };
        opens_row = matches!(code, "{" | "}, {");
        let text = match row.unwrap_or(code).strip_prefix(&labelled) {
            Some(value) => Some(value.trim_start()),
            None => row.filter(|row| is_first && row.starts_with(['"', '`'])),
        };
        found.extend(text.and_then(literal).map(|name| (name, at)));
    }
    found
}

/// Whether a struct type declares this field first: on the line of `struct {`, or on the next one.
fn has_first_field(field: &str, lines: &[&str]) -> bool {
    let mut next = lines.iter().skip(1).map(|line| line.trim_start());
    lines.iter().any(|line| {
        let following = next.next().unwrap_or_default();
        let Some((_, rest)) = line.split_once("struct {") else { return false };
        let first = if rest.trim().is_empty() { following } else { rest.trim_start() };
        first.split(|c| !is_part_of_name(c)).next() == Some(field)
    })
}

/// The names that a loop gives to a variable: keys of a map, elements of a list of strings.
fn of_loop(variable: &str, before: &[&str]) -> Vec<(String, usize)> {
    let heads = [format!("for {variable} := range "), format!("for {variable}, ")];
    let element = format!("for _, {variable} := range []string{{");
    for (at, line) in before.iter().enumerate().rev() {
        let code = line.trim_start();
        if let Some(list) = code.strip_prefix(&element) {
            let items = scan::items(list.split_once('}').map_or(list, |(items, _)| items));
            return items.into_iter().filter_map(literal).map(|name| (name, at)).collect();
        }
        if heads.iter().any(|head| code.starts_with(head)) {
            return keys(&before[..=at]);
        }
    }
    Vec::new()
}

/// The keys of map literals, of those rows that begin with one: `"empty": {`.
fn keys(lines: &[&str]) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let is_key = code.starts_with('"') && code[scan::quoted(code)..].starts_with(':');
        found.extend(literal(code).filter(|_| is_key).map(|name| (name, at)));
    }
    found
}

/// The string at the beginning, as Go writes it in the name of a subtest: with `_` for spaces
/// (testing, `rewrite`). None for one with escapes.
fn literal(text: &str) -> Option<String> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '`'))?;
    let (name, _) = text[1..].split_once(quote)?;
    (!name.is_empty() && !name.contains('\\'))
        .then(|| name.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        let lines: Vec<&str> = text.lines().collect();
        let found: Vec<String> =
            of(&lines).iter().map(|one| format!("{}:{}", one.name, one.line)).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn literal_names_have_those_of_outer_subtests() {
        let text = "func TestA(t *testing.T) {\n\tt.Run(\"one of it\", f)\n\
                    \tt.Run(\"two\", func(t *testing.T) {\n\t\tt.Run(\"a/b\", f)\n\t})\n\
                    \tt.Run(`three`, f)\n\tt.Run(`three`, f)\n\t// t.Run(\"not\", f)\n\
                    \tt.Run(fmt.Sprint(1), func(t *testing.T) {\n\t\tt.Run(\"inner\", f)\n\t})\n}\n\
                    func TestB(t *testing.T) {\n\tt.Run(\"other\", f)\n}\n";
        check(text, &["one_of_it:1", "two:2", "two/a/b:3", "three:5", "three#01:6"]);
        check("func TestC(t *testing.T) { f() }\n", &[]);
        check("", &[]);
    }

    #[test]
    fn names_of_a_table_are_found() {
        let rows = "\t\t{\"plus\", 1, 2},\n\t\t{name: \"two words\", a: 1},\n\t\t{\n\
                    \t\t\tname:   \"long\",\n\t\t\ta: 5,\n\t\t},\n\t}\n";
        let run = "\tfor _, tt := range tests {\n\t\tt.Run(tt.name, func(t *testing.T) {\n\
                   \t\t\tt.Run(\"sub\", f)\n\t\t})\n\t}\n}\n";
        let start = "func TestA(t *testing.T) {\n\ttests := []struct {\n";
        let names = ["plus:5", "two_words:6", "long:8"];
        let subs = ["plus/sub:14", "two_words/sub:14", "long/sub:14"];
        let text = format!("{start}\t\tname string\n\t\ta, b int\n\t}}{{\n{rows}{run}");
        check(&text, &[names, subs].concat());
        let long = rows.replace("{\"plus\", 1, 2},", "{\n\t\t\t\"plus\",\n\t\t\t1,\n\t\t},");
        let text = format!("{start}\t\tname string\n\t}}{{\n{long}{run}");
        check(&text[..text.find("\t\t\tt.Run").unwrap()], &["plus:5", "two_words:8", "long:10"]);
        // The first value of a row is another field.
        let text = format!("{start}\t\ta string\n\t\tname string\n\t}}{{\n{rows}{run}");
        check(&text, &["two_words:6", "long:8", "two_words/sub:14", "long/sub:14"]);
    }

    #[test]
    fn names_of_a_loop_are_found() {
        let text = "func TestA(t *testing.T) {\n\tfor _, name := range []string{\"a\", \"b c\"} {\n\
                    \t\tt.Run(name, f)\n\t}\n\tall := map[string]int{\n\t\t\"x\": 1,\n\
                    \t\t\"y: z\": 2,\n\t}\n\tfor name, n := range all {\n\
                    \t\tt.Run(name, f)\n\t}\n}\n";
        check(text, &["a:1", "b_c:1", "x:5", "y:_z:6"]);
    }

    #[test]
    fn seeds_are_numbered() {
        let text = "func FuzzA(f *testing.F) {\n\tf.Add(\"a\")\n\tf.Add(\"b\")\n\tf.Fuzz(f)\n}\n";
        check(text, &["seed#0:1", "seed#1:2"]);
        check(&text.replace("FuzzA", "TestA"), &[]);
    }
}
