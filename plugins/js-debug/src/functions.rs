//! Where a function of a name begins: js-debug knows no breakpoints by function, sources tell where
//! a line's would be. A script reads them, run by the session's own node.

use dapdock_plugin::prelude::*;
use dapdock_plugin::translate::SourceLine;

/// What is run to look.
pub const FIND: &str = include_str!("functions.js");
pub const PROBE: &str = "functions";

/// How many places are told of a name that several have.
const SEVERAL: usize = 5;

/// The one place that a name means in the program's own files; of several the one in the file that
/// is run.
pub fn place(session: &Session, name: &str) -> Result<SourceLine, Error> {
    let arguments: Value = serde_json::from_str(&session.arguments()).unwrap_or_default();
    let text = |key: &str| arguments[key].as_str().unwrap_or_default();
    let root = text("__workspaceFolder");
    // An answer is kept for as long as its question is the same: sources are read once a session.
    let said = session.probe(PROBE, &format!("{root}\n{name}\n{}", session.id()))?;
    let answer: Value =
        serde_json::from_str(&said.stdout).map_err(|_| Error::internal(said.stderr))?;
    only(&answer, root, text("program"), name)
}

fn read(at: &Value) -> Option<SourceLine> {
    let number = |key: &str| at[key].as_u64().and_then(|number| u32::try_from(number).ok());
    Some(SourceLine {
        path: at["path"].as_str()?.to_owned(),
        line: number("line")?,
        column: number("column"),
    })
}

fn only(answer: &Value, root: &str, program: &str, name: &str) -> Result<SourceLine, Error> {
    let list = |key: &str| answer[key].as_array().into_iter().flatten();
    let found: Vec<SourceLine> = list("found").filter_map(read).collect();
    let near: Vec<&str> = list("near").filter_map(Value::as_str).collect();
    let run: Vec<&SourceLine> = found.iter().filter(|at| at.path == program).collect();
    let all: Vec<&SourceLine> = found.iter().collect();
    let shown = |at: &&SourceLine| {
        let path = at
            .path
            .strip_prefix(root)
            .map_or(at.path.as_str(), |path| path.trim_start_matches('/'));
        format!("{path}:{}", at.line)
    };
    let (message, instead) = match (&all[..], &run[..]) {
        ([one], _) | (_, [one]) => return Ok((*one).clone()),
        ([], _) => {
            let there = if near.is_empty() {
                String::new()
            } else {
                format!("; there are {}", near.join(", "))
            };
            let message =
                format!("no function of the program's own files is named `{name}`{there}");
            (message, near.first().map(|near| (*near).to_owned()))
        }
        (several, _) => {
            let places: Vec<String> = several.iter().take(SEVERAL).map(shown).collect();
            let more = several.len().saturating_sub(SEVERAL);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let message = format!(
                "{} functions are named `{name}`: {}{more}",
                several.len(),
                places.join(", ")
            );
            (message, several.first().map(shown))
        }
    };
    let refused = Error::invalid_request(message);
    Err(match instead {
        Some(instead) => refused.hint(instead),
        None => refused,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_one_place_or_is_told() {
        let told = |found: Value, near: Value| {
            only(&json!({"found": found, "near": near}), "/w", "/w/run.js", "f")
                .map(|at| (at.path, at.line, at.column))
                .map_err(|error| (error.message, error.hint))
        };
        let at = |path: &str| json!({"path": path, "line": 3, "column": 5});
        let found = |path: &str| Ok((path.to_owned(), 3, Some(5)));
        assert_eq!(told(json!([at("/w/a.js")]), json!([])), found("/w/a.js"));
        assert_eq!(told(json!([at("/w/a.js"), at("/w/run.js")]), json!([])), found("/w/run.js"));
        let none = "no function of the program's own files is named `f`";
        assert_eq!(told(json!([]), json!([])), Err((none.into(), None)));
        assert_eq!(
            told(json!([]), json!(["g", "h"])),
            Err((format!("{none}; there are g, h"), Some("g".into())))
        );
        let several = "2 functions are named `f`: a.js:3, b/c.js:3";
        assert_eq!(
            told(json!([at("/w/a.js"), at("/w/b/c.js")]), json!([])),
            Err((several.into(), Some("a.js:3".into())))
        );
    }
}
