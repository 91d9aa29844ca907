//! Finds the line of a function by its name: js-debug has no function breakpoints, so they become
//! line breakpoints. A script searches the sources, run by the session's own node.

use dapdock_plugin::prelude::*;
use dapdock_plugin::translate::SourceLine;

/// The script that searches the sources.
pub const FIND: &str = include_str!("../runtime/functions.js");
pub const PROBE: &str = "functions";

/// How many places an error lists.
const LISTED: usize = 5;

/// The only function of that name in the program's own files; if there are several, the one in the
/// file that is run.
pub fn find(session: &Session, name: &str) -> Result<SourceLine, Error> {
    let arguments: Value = serde_json::from_str(&session.arguments()).unwrap_or_default();
    let root = arguments["__workspaceFolder"].as_str().unwrap_or_default();
    let program = arguments["program"].as_str().unwrap_or_default();
    // The host caches a probe by its input: with the session's id sources are read once a session.
    let answer = session.probe(PROBE, &format!("{root}\n{name}\n{}", session.id()))?;
    let found: Value =
        serde_json::from_str(&answer.stdout).map_err(|_| Error::internal(answer.stderr))?;
    select(&found, root, program, name)
}

fn read(at: &Value) -> Option<SourceLine> {
    let number = |key: &str| at[key].as_u64().and_then(|number| u32::try_from(number).ok());
    Some(SourceLine {
        path: at["path"].as_str()?.to_owned(),
        line: number("line")?,
        column: number("column"),
    })
}

fn select(answer: &Value, root: &str, program: &str, name: &str) -> Result<SourceLine, Error> {
    let list = |key: &str| answer[key].as_array().into_iter().flatten();
    let found: Vec<SourceLine> = list("found").filter_map(read).collect();
    let in_program: Vec<&SourceLine> = found.iter().filter(|at| at.path == program).collect();
    if let [only] = &found[..] {
        return Ok(only.clone());
    }
    if let [only] = &in_program[..] {
        return Ok((*only).clone());
    }
    if found.is_empty() {
        let near: Vec<&str> = list("near").filter_map(Value::as_str).collect();
        return Err(missing(name, &near));
    }
    let places: Vec<String> = found.iter().map(|at| place(at, root)).collect();
    let more = places.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let listed = places[..places.len().min(LISTED)].join(", ");
    let message = format!("{} functions are named `{name}`: {listed}{more}", places.len());
    Err(Error::invalid_request(message).hint(places[0].clone()))
}

/// The error for a name that no function has, with similar names.
fn missing(name: &str, near: &[&str]) -> Error {
    let message = format!("no function in the program's own files is named `{name}`");
    match near.first() {
        None => Error::invalid_request(message),
        Some(first) => {
            Error::invalid_request(format!("{message}; there are {}", near.join(", "))).hint(*first)
        }
    }
}

/// `FILE:LINE`, relative to the root.
fn place(at: &SourceLine, root: &str) -> String {
    let path = match at.path.strip_prefix(root) {
        Some(path) => path.trim_start_matches('/'),
        None => &at.path,
    };
    format!("{path}:{}", at.line)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Place = (String, u32, Option<u32>);

    /// The place, or the error and its hint.
    fn selected(found: Value, near: Value) -> Result<Place, (String, Option<String>)> {
        select(&json!({"found": found, "near": near}), "/w", "/w/run.js", "f")
            .map(|at| (at.path, at.line, at.column))
            .map_err(|error| (error.message, error.hint))
    }

    #[test]
    fn an_ambiguous_or_missing_name_is_refused() {
        let at = |path: &str| json!({"path": path, "line": 3, "column": 5});
        let found = |path: &str| Ok((path.to_owned(), 3, Some(5)));
        assert_eq!(selected(json!([at("/w/a.js")]), json!([])), found("/w/a.js"));
        let in_program = json!([at("/w/a.js"), at("/w/run.js")]);
        assert_eq!(selected(in_program, json!([])), found("/w/run.js"));
        let none = "no function in the program's own files is named `f`";
        assert_eq!(selected(json!([]), json!([])), Err((none.into(), None)));
        assert_eq!(
            selected(json!([]), json!(["g", "h"])),
            Err((format!("{none}; there are g, h"), Some("g".into())))
        );
        let several = "2 functions are named `f`: a.js:3, b/c.js:3";
        assert_eq!(
            selected(json!([at("/w/a.js"), at("/w/b/c.js")]), json!([])),
            Err((several.into(), Some("a.js:3".into())))
        );
    }
}
