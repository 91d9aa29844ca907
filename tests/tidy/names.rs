//! Words that identifiers may not contain: they name nothing.

use proc_macro2::{TokenStream, TokenTree};

use super::{all_sources, none};

/// Verbs and adverbs without a noun, as parts of identifiers.
const BANNED: &[&str] = &[
    "told", "tells", "asked", "asks", "said", "held", "beside", "meant", "kept", "strange",
    "shown", "alike", "heirs", "onward", "within",
];

#[test]
fn identifiers_are_made_of_nouns() {
    let mut complaints = Vec::new();
    for (file, text) in all_sources() {
        let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{file}: {error}"));
        let mut found = Vec::new();
        collect(tokens, &mut found);
        found.sort();
        found.dedup();
        complaints.extend(found.iter().map(|name| format!("{file}: {name}")));
    }
    none(complaints, "an identifier says nothing about its value");
}

/// Adds the identifiers with a banned part.
fn collect(tokens: TokenStream, found: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => collect(group.stream(), found),
            TokenTree::Ident(name) if is_banned(&name.to_string()) => found.push(name.to_string()),
            _ => {}
        }
    }
}

fn is_banned(name: &str) -> bool {
    let mut parts = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !parts.ends_with(|last: char| last.is_uppercase() || last == '_') {
            parts.push('_');
        }
        parts.push(c);
    }
    parts.to_lowercase().split('_').any(|part| BANNED.contains(&part))
}

#[test]
fn parts_of_names_are_found() {
    for name in ["told", "is_told", "AskedBefore", "SHOWN", "keptHere", "exit_said"] {
        assert!(is_banned(name), "{name}");
    }
    for name in ["household", "unknown", "ASKED2", "tasks", "bold"] {
        assert!(!is_banned(name), "{name}");
    }
}
