//! What texts for callers name exists: tools, parameters and words of parameters, in the strings of
//! the host and the plugins, in schemas, documents and the README.
//!
//! A name counts where it is written as callers read it: `debug_x` alone, `debug_x name=value`,
//! `debug_x {"name": …}`, `debug_x` with `name`, `name` of `debug_x`; and in code
//! `Call::new("debug_x").with("name", …)`.

use std::path::{Path, PathBuf};

use dapdock::mcp::{Declared, declared, of_families};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use serde_json::Value;

/// A prompt, and names of others that begin like a tool.
const OTHERS: [&str; 3] = ["debug_test", "debug_info", "debug_session"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Every file below a directory with one of these endings, and its text.
fn files(under: &str, ending: &str) -> Vec<(String, String)> {
    let (mut open, mut found) = (vec![root().join(under)], Vec::new());
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
        }
    }
    found
}

/// A text that names tools.
struct Text {
    /// The file.
    place: String,
    text: String,
}

/// The strings and doc comments of the sources, without those of tests, and every document.
fn texts() -> Vec<Text> {
    let mut all = Vec::new();
    for under in ["host/src", "plugins"] {
        for (place, source) in files(under, "rs") {
            let is_test = ["tests.rs", "hostile.rs"].iter().any(|name| place.ends_with(name));
            if !is_test && !place.contains("/tests/") {
                for text in strings(source.parse().unwrap()) {
                    all.push(Text { place: place.clone(), text });
                }
            }
        }
    }
    for (place, text) in files("plugins", "md") {
        all.push(Text { place, text });
    }
    for name in ["README.md", "CONTRIBUTING.md"] {
        let text = std::fs::read_to_string(root().join(name)).unwrap();
        all.push(Text { place: name.to_owned(), text });
    }
    all
}

/// The literals of a source, without modules of tests.
fn strings(tokens: TokenStream) -> Vec<String> {
    let (mut found, mut is_of_tests) = (Vec::new(), false);
    for token in tokens {
        match token {
            TokenTree::Group(group) if group.stream().to_string() == "cfg (test)" => {
                is_of_tests = true;
            }
            TokenTree::Group(group) if is_of_tests && group.delimiter() == Delimiter::Brace => {
                is_of_tests = false;
            }
            TokenTree::Group(group) => found.extend(strings(group.stream())),
            TokenTree::Literal(literal) => {
                let literal = syn::parse_str::<syn::LitStr>(&literal.to_string());
                found.extend(literal.ok().map(|literal| literal.value()));
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
    found
}

/// The tools with this name: ours, and those of families.
fn tools(name: &str) -> Vec<&'static Declared> {
    declared().chain(of_families()).filter(|tool| tool.name == name).collect()
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Each tool that a text names, with the text before and behind the name.
fn named(text: &str) -> Vec<(&str, &str, &str)> {
    let mut all = Vec::new();
    for (at, _) in text.match_indices("debug_") {
        if text[..at].ends_with(is_of_word) {
            continue;
        }
        let rest = &text[at..];
        let name = &rest[..rest.find(|c| !is_of_word(c)).unwrap_or(rest.len())];
        // `debug_` alone begins a name in code; `debug_x::y` is a path of it.
        if name != "debug_" && !rest[name.len()..].starts_with("::") {
            all.push((name, &text[..at], &rest[name.len()..]));
        }
    }
    all
}

/// Names of arguments that a text gives to the tool before it: `before` ends where the tool begins,
/// `behind` begins where it ends.
fn arguments(before: &str, behind: &str) -> Vec<String> {
    let mut all = Vec::new();
    let behind = behind.strip_prefix('`').unwrap_or(behind);
    // `debug_x name=value other=value`
    for word in behind.strip_prefix(' ').into_iter().flat_map(str::split_whitespace) {
        let Some((name, _)) = word.split_once('=') else { break };
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_lowercase() || c == '_') {
            break;
        }
        all.push(name.to_owned());
    }
    // `debug_x {"name": value}`
    if let Some(json) = behind.strip_prefix(' ').filter(|rest| rest.starts_with('{')) {
        let first = serde_json::Deserializer::from_str(json).into_iter::<Value>().next();
        if let Some(Ok(Value::Object(object))) = first {
            all.extend(object.keys().cloned());
        }
    }
    // `debug_x` with `name`, `other`
    let mut rest = behind;
    for separator in [" with `", ", with `", " (`"] {
        rest = rest.strip_prefix(separator).map_or(rest, |rest| {
            all.extend(rest.split('`').next().map(str::to_owned));
            rest.split_once('`').map_or("", |(_, rest)| rest)
        });
    }
    if rest.len() < behind.len() {
        while let Some((name, more)) = rest.strip_prefix(", `").and_then(until_quote) {
            if name.starts_with("debug_") {
                break;
            }
            all.push(name.to_owned());
            rest = more;
        }
    }
    // `name` of debug_x
    let before = before.strip_suffix('`').unwrap_or(before);
    if let Some(before) = before.strip_suffix("` of ") {
        all.extend(before.rsplit('`').next().map(str::to_owned));
    }
    // `options.config`: a key of an argument.
    for name in &mut all {
        name.truncate(name.find('.').unwrap_or(name.len()));
    }
    all
}

fn until_quote(text: &str) -> Option<(&str, &str)> {
    text.split_once('`')
}

#[test]
fn tools_and_parameters_in_texts_exist() {
    let (mut seen, mut parameters, mut faults) = (0, 0, Vec::new());
    for Text { place, text } in texts() {
        for (name, before, behind) in named(&text) {
            if OTHERS.contains(&name) {
                continue;
            }
            seen += 1;
            let tools = tools(name);
            if tools.is_empty() {
                faults.push(format!("{place}: there is no {name}"));
                continue;
            }
            for argument in arguments(before, behind) {
                parameters += 1;
                if !tools.iter().any(|tool| tool.has_argument(&argument)) {
                    faults.push(format!("{place}: {name} has no {argument}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(seen > 300 && parameters > 50, "{seen} {parameters}");
}

#[test]
fn names_are_found_as_callers_read_them() {
    for (text, expected) in [
        ("Try: debug_step {\"kind\": \"in\", \"count\": 2}", vec!["kind", "count"]),
        ("next: debug_output since=14 tail=2 · debug_step", vec!["since", "tail"]),
        ("`debug_step` with `kind`, `count`.", vec!["kind", "count"]),
        ("`since` of debug_output", vec!["since"]),
        ("`effects` of `debug_evaluate`", vec!["effects"]),
        ("debug_step or debug_wait", vec![]),
    ] {
        let (_, before, behind) = named(text)[0];
        assert_eq!(arguments(before, behind), expected, "{text}");
    }
}

/// Calls that code makes: `Call::new("debug_x").with("name", …)`.
fn calls(tokens: TokenStream, found: &mut Vec<(String, Vec<String>)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        calls(group.stream(), found);
        let before: String = tokens[at.saturating_sub(4)..at].iter().map(text_of).collect();
        let Some(name) = first_string(group.stream()).filter(|_| before == "Call::new") else {
            continue;
        };
        let mut arguments = Vec::new();
        for link in tokens[at + 1..].chunks(3) {
            let [TokenTree::Punct(_), TokenTree::Ident(method), TokenTree::Group(group)] = link
            else {
                break;
            };
            if method == "with" {
                arguments.extend(first_string(group.stream()));
            }
        }
        found.push((name, arguments));
    }
}

fn text_of(token: &TokenTree) -> String {
    token.to_string()
}

fn first_string(tokens: TokenStream) -> Option<String> {
    let literal = tokens.into_iter().next()?.to_string();
    Some(syn::parse_str::<syn::LitStr>(&literal).ok()?.value())
}

#[test]
fn calls_in_code_name_tools_and_parameters_that_exist() {
    let mut all = Vec::new();
    for (_, source) in files("host/src", "rs") {
        calls(source.parse().unwrap(), &mut all);
    }
    let mut parameters = 0;
    for (name, arguments) in all.iter().filter(|(name, _)| name.starts_with("debug_")) {
        let tools = tools(name);
        assert!(!tools.is_empty(), "there is no {name}");
        for argument in arguments {
            assert!(tools.iter().any(|tool| tool.has_argument(argument)), "{name}: {argument}");
            parameters += 1;
        }
    }
    assert!(all.len() > 50 && parameters > 40, "{} {parameters}", all.len());
}

/// A word in backticks that could be an argument is one, of this tool or of another.
#[test]
fn descriptions_name_parameters_and_words_that_exist() {
    let mut named = 0;
    for tool in declared() {
        let schema = tool.schema();
        let parameters = schema["properties"].as_object().unwrap();
        let mut texts = vec![tool.description];
        for (name, parameter) in parameters {
            let text = parameter["description"].as_str().unwrap();
            texts.push(text);
            let Some(words) = parameter["enum"].as_array() else { continue };
            let Some(default) = default(text).filter(|word| !["all", "both"].contains(word)) else {
                continue;
            };
            assert!(words.iter().any(|word| word == default), "{} {name}: {text}", tool.name);
            named += 1;
        }
        for word in texts.iter().flat_map(|text| text.split('`').skip(1).step_by(2)) {
            let is_name = word.chars().all(|c| c.is_ascii_lowercase() || c == '_');
            let is_known = declared().any(|tool| tool.has_argument(word))
                || parameters.values().any(|one| one["enum"].to_string().contains(word))
                || ["threads"].contains(&word);
            assert!(!is_name || is_known, "{}: `{word}`", tool.name);
            named += 1;
        }
    }
    assert!(named > 5, "{named}");
}

/// The word after "default".
fn default(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("efault")?;
    let rest = rest.trim_start_matches([':', ' ']);
    rest.split(|c: char| !is_of_word(c)).next().filter(|word| !word.is_empty())
}
