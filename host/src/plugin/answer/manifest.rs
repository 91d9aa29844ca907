//! A manifest, read and checked as a whole before anything relies on it.

use std::collections::BTreeSet;

use dapdock_schema::{Document, Interests, Manifest};

use crate::plugin::answer::{pins, profile, schema};
use crate::plugin::engine::code::Exports;
use crate::plugin::error::Cause;

const PRESENT: [&str; 4] = ["variables", "frames", "stop", "threads"];
const TRANSLATE: [&str; 3] = ["evaluation-text", "breakpoint", "exception-filters"];
/// Origins of a minted command other than a tool.
pub(crate) const MINTED: [&str; 2] = ["workspace", "build-output"];

/// The manifest in `text`, or the path of the first key that is wrong and why.
pub(crate) fn read(text: &str) -> Result<Manifest, Cause> {
    let manifest = read_stored(text)?;
    check_patterns(&manifest)?;
    profile::check_patterns(&manifest.profile, None)
        .map_err(|(key, reason)| wrong(format!("profile.{key}"), reason))?;
    Ok(manifest)
}

/// As [`read`], of a text that it has accepted before: its patterns are not compiled again, which
/// would take most of the time that a host needs for its first session.
pub(crate) fn read_stored(text: &str) -> Result<Manifest, Cause> {
    let mut json = serde_json::Deserializer::from_str(text);
    let manifest: Manifest = serde_path_to_error::deserialize(&mut json)
        .map_err(|error| wrong(error.path().to_string(), unreadable(error.inner())))?;
    json.end().map_err(|error| wrong(".", error.to_string()))?;
    check_names(&manifest)?;
    check_commands(&manifest)?;
    pins::check(&manifest)?;
    check_interests(&manifest.interests)?;
    if let Some(schema) = &manifest.config_schema {
        schema::check_schema(schema)
            .map_err(|(field, reason)| wrong(format!("config_schema.{field}"), reason))?;
    }
    check_cores(&manifest)?;
    check_documents(&manifest.documents)?;
    profile::check(&manifest.profile)
        .map_err(|(key, reason)| wrong(format!("profile.{key}"), reason))?;
    Ok(manifest)
}

/// Why a key cannot be read. A plugin is often built with newer crates than the host.
fn unreadable(error: &serde_json::Error) -> String {
    let reason = error.to_string();
    if reason.starts_with("unknown field") {
        format!("{reason}; is the plugin built for a newer dapdock than this one?")
    } else {
        reason
    }
}

/// Checks that the patterns outside the profile compile.
fn check_patterns(manifest: &Manifest) -> Result<(), Cause> {
    let types = manifest.exception_types.iter();
    let mut patterns: Vec<(String, &str)> =
        types.map(|types| ("exception_types.pattern".to_owned(), types.pattern.as_str())).collect();
    if let Some(version) = &manifest.version {
        patterns.push(("version.pattern".to_owned(), &version.pattern));
    }
    for (need, at) in manifest.needs.iter().zip(0..) {
        patterns.push((format!("needs[{at}].pattern"), &need.pattern));
    }
    for (field, pattern) in patterns {
        profile::compile(pattern).map_err(|reason| wrong(field, reason))?;
    }
    Ok(())
}

/// Documents of a plugin at most.
const DOCUMENTS: usize = 8;
/// The longest document in bytes: an answer of a tool has it whole.
const DOCUMENT: usize = 24_000;

fn check_documents(documents: &[Document]) -> Result<(), Cause> {
    unique("documents", documents.iter().map(|one| &one.name))?;
    if documents.len() > DOCUMENTS {
        return Err(wrong("documents", format!("there are more than {DOCUMENTS}")));
    }
    for (at, document) in documents.iter().enumerate() {
        if !is_name(&document.name) {
            let reason = format!("{:?} is not of the form [a-z][a-z0-9-]*", document.name);
            return Err(wrong(format!("documents[{at}].name"), reason));
        }
        let length = document.text.len();
        if length == 0 || length > DOCUMENT {
            let reason = format!("has {length} bytes and must have 1 to {DOCUMENT}");
            return Err(wrong(format!("documents[{at}].text"), reason));
        }
    }
    Ok(())
}

/// A core file comes as an option.
fn check_cores(manifest: &Manifest) -> Result<(), Cause> {
    let known = manifest
        .config_schema
        .as_ref()
        .is_some_and(|schema| schema["properties"]["core"]["type"] == "string");
    if manifest.cores && !known {
        return Err(wrong("cores", "`config_schema` has no `core` that is a string"));
    }
    Ok(())
}

fn wrong(field: impl Into<String>, reason: impl Into<String>) -> Cause {
    Cause::Manifest { field: field.into(), reason: reason.into() }
}

fn check_names(manifest: &Manifest) -> Result<(), Cause> {
    if !is_name(&manifest.name) {
        return Err(wrong(
            "name",
            format!("{:?} is not of the form [a-z][a-z0-9-]*", manifest.name),
        ));
    }
    unique("languages", manifest.languages.iter().map(|one| &one.name))?;
    unique("tools", manifest.tools.iter().map(|one| &one.name))?;
    unique("probes", manifest.probes.iter().map(|one| &one.id))?;
    for (at, tool) in manifest.tools.iter().enumerate() {
        if MINTED.contains(&tool.name.as_str()) {
            return Err(wrong(
                format!("tools[{at}].name"),
                format!("{:?} is a reserved name", tool.name),
            ));
        }
        if let Some(bad) = tool.candidates.iter().find(|name| name.is_empty() || name.contains('/'))
        {
            return Err(wrong(
                format!("tools[{at}].candidates"),
                format!("{bad:?} is not a plain program name"),
            ));
        }
        if tool.candidates.is_empty() && tool.name.contains('/') {
            return Err(wrong(
                format!("tools[{at}].name"),
                format!("{:?} is not a plain program name", tool.name),
            ));
        }
    }
    for (at, probe) in manifest.probes.iter().enumerate() {
        known_tool(manifest, &probe.tool)
            .map_err(|reason| wrong(format!("probes[{at}].tool"), reason))?;
    }
    for (at, need) in manifest.needs.iter().enumerate() {
        if !manifest.probes.iter().any(|probe| probe.id == need.probe) {
            return Err(wrong(
                format!("needs[{at}].probe"),
                format!("no probe is named {:?}", need.probe),
            ));
        }
    }
    Ok(())
}

fn unique<'a>(list: &str, names: impl Iterator<Item = &'a String>) -> Result<(), Cause> {
    let mut seen = BTreeSet::new();
    for (at, name) in names.enumerate() {
        if name.is_empty() {
            return Err(wrong(format!("{list}[{at}]"), "has no name"));
        }
        if !seen.insert(name) {
            return Err(wrong(format!("{list}[{at}]"), format!("{name:?} is listed twice")));
        }
    }
    Ok(())
}

fn check_commands(manifest: &Manifest) -> Result<(), Cause> {
    for (at, command) in manifest.commands.iter().enumerate() {
        if !MINTED.contains(&command.tool.as_str()) {
            known_tool(manifest, &command.tool)
                .map_err(|reason| wrong(format!("commands[{at}].tool"), reason))?;
        }
        let last = command.args.len().saturating_sub(1);
        if let Some(rest) =
            command.args.iter().position(|pattern| pattern == "{...}").filter(|rest| *rest != last)
        {
            return Err(wrong(
                format!("commands[{at}].args[{rest}]"),
                "{...} can only be the last pattern",
            ));
        }
    }
    Ok(())
}

fn known_tool(manifest: &Manifest, name: &str) -> Result<(), String> {
    let known = manifest.tools.iter().any(|tool| tool.name == name) || MINTED.contains(&name);
    known.then_some(()).ok_or_else(|| format!("no tool is named {name:?}"))
}

/// Checks that the component exports the interfaces of its interests.
pub(crate) fn check_exports(interests: &Interests, exports: &Exports) -> Result<(), Cause> {
    let hooks = [
        ("requests", &interests.requests),
        ("responses", &interests.responses),
        ("events", &interests.events),
    ];
    for (key, wanted) in hooks {
        needs(key, wanted, "hooks", exports.hooks.is_some())?;
    }
    needs("present", &interests.present, "present", exports.present.is_some())?;
    needs("translate", &interests.translate, "translate", exports.translate.is_some())
}

fn check_interests(interests: &Interests) -> Result<(), Cause> {
    for (key, names, specified) in interests.messages() {
        check_spelling(key, names, specified)?;
    }
    functions("present", &interests.present, &PRESENT)?;
    functions("translate", &interests.translate, &TRANSLATE)
}

fn needs(key: &str, wanted: &[String], interface: &str, exported: bool) -> Result<(), Cause> {
    match wanted.first() {
        Some(first) if !exported => {
            let reason = format!(
                "{first:?} needs the interface `{interface}`, which the component does not export"
            );
            Err(wrong(format!("interests.{key}"), reason))
        }
        _ => Ok(()),
    }
}

fn functions(key: &str, wanted: &[String], known: &[&str]) -> Result<(), Cause> {
    let unknown = wanted.iter().find(|name| !known.contains(&name.as_str()));
    let reason = |name: &String| format!("{name:?} is not one of {}", known.join(", "));
    unknown.map_or(Ok(()), |name| Err(wrong(format!("interests.{key}"), reason(name))))
}

/// Adapters have requests and events of their own: an unknown name is wrong only if it is a
/// misspelt one of the specification.
fn check_spelling(key: &str, names: &[String], known: &[&str]) -> Result<(), Cause> {
    for name in names.iter().filter(|name| !known.contains(&name.as_str())) {
        let lower = name.to_lowercase();
        let most = if lower.len() < 8 { 1 } else { 2 };
        let near = |known: &&&str| strsim::osa_distance(&lower, &known.to_lowercase()) <= most;
        if let Some(near) = known.iter().find(near) {
            let reason = format!("{name:?} is not in the specification; did you mean {near:?}?");
            return Err(wrong(format!("interests.{key}"), reason));
        }
    }
    Ok(())
}

fn is_name(name: &str) -> bool {
    let part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(part)
}

#[cfg(test)]
mod tests {
    use dapdock_schema::{ExceptionTypes, Need, VersionProbe};
    use serde_json::json;

    use super::*;

    /// Also those that are only used long after the plugin was loaded.
    #[test]
    fn patterns_and_classes_are_checked_when_the_manifest_is_read() {
        for (key, value) in [
            ("profile.output.reasons", json!({"output": {"reasons": ["((("]}})),
            ("profile.pause.rules[0].class", json!({"pause": {"rules": [{"class": "pawse"}]}})),
        ] {
            let manifest = json!({"name": "x", "title": "X", "profile": value});
            let error = read(&manifest.to_string()).expect_err(key);
            assert!(error.to_string().starts_with(&format!("manifest: {key}: ")), "{error}");
        }
        let newer = read(r#"{"name": "x", "title": "X", "colour": 1}"#).expect_err("a newer key");
        let hint = "; is the plugin built for a newer dapdock than this one?";
        assert!(newer.to_string().ends_with(hint), "{newer}");
        let need = Need { pattern: "(".into(), ..Need::default() };
        let version = VersionProbe { pattern: "(".into(), ..VersionProbe::default() };
        let types = ExceptionTypes { pattern: "(".into(), ..ExceptionTypes::default() };
        for (manifest, key) in [
            (Manifest { needs: vec![need], ..Manifest::default() }, "needs[0].pattern"),
            (Manifest { version: Some(version), ..Manifest::default() }, "version.pattern"),
            (
                Manifest { exception_types: Some(types), ..Manifest::default() },
                "exception_types.pattern",
            ),
        ] {
            let error = check_patterns(&manifest).expect_err(key);
            assert!(error.to_string().starts_with(&format!("manifest: {key}: ")), "{error}");
        }
    }

    #[test]
    fn misspelt_names_of_the_specification_are_refused() {
        let interests = |events: &str, requests: &str| Interests {
            events: vec![events.to_owned()],
            requests: vec![requests.to_owned()],
            ..Interests::default()
        };
        for own in [interests("snakeSockets", "snakeVersion"), interests("exit", "test")] {
            assert_eq!(check_interests(&own), Ok(()));
        }
        let specified = interests("stopped", "setBreakpoints");
        assert_eq!(check_interests(&specified), Ok(()));
        for (wrong, words) in [
            (
                interests("stoped", "next"),
                "interests.events: \"stoped\" is not in the specification; did you mean \
                 \"stopped\"?",
            ),
            (
                interests("stopped", "setBreakPoint"),
                "interests.requests: \"setBreakPoint\" is not in the specification; did you mean \
                 \"setBreakpoints\"?",
            ),
        ] {
            let error = check_interests(&wrong).expect_err(words).to_string();
            assert!(error.ends_with(words), "{error}");
        }
    }

    #[test]
    fn documents_have_names_and_bounded_texts() {
        let document =
            |name: &str, length: usize| Document::new(name, "Title", &"x".repeat(length));
        assert_eq!(check_documents(&[document("cli", 1), document("mi", DOCUMENT)]), Ok(()));
        for (documents, field) in [
            (vec![document("cli", 1), document("cli", 2)], "documents[1]"),
            (vec![document("CLI", 1)], "documents[0].name"),
            (vec![document("cli", 0)], "documents[0].text"),
            (vec![document("cli", 1), document("mi", DOCUMENT + 1)], "documents[1].text"),
            ("abcdefghi".chars().map(|c| document(&c.to_string(), 1)).collect(), "documents"),
        ] {
            let error = check_documents(&documents).expect_err(field);
            assert!(format!("{error:?}").contains(&format!("{field:?}")), "{field}: {error:?}");
        }
    }
}
