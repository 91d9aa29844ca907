//! Checks command lines against the manifest's templates. See [`dapdock_schema::CommandTemplate`].

use dapdock_schema::CommandTemplate;

use crate::model::plan::{Command, Piece};
use crate::plugin::error::Lie;

/// Placeholder for a value of a later step. No pattern contains it, so only `{}` matches.
const LATER: char = '\u{0}';

/// Checks that the manifest lists this command line.
pub(crate) fn check(templates: &[CommandTemplate], command: &Command) -> Result<(), Lie> {
    let args: Vec<String> = command.args.iter().map(|pieces| flatten(pieces)).collect();
    let mut own = Vec::new();
    for template in templates.iter().filter(|template| template.tool == command.tool) {
        if fits(&template.args, &args) {
            return Ok(());
        }
        own.push(template.args.join(" "));
    }
    let line = args.join(" ").replace(LATER, "…");
    Err(Lie::Command { tool: command.tool.clone(), line, templates: own })
}

fn flatten(pieces: &[Piece]) -> String {
    let text = |piece: &Piece| match piece {
        Piece::Text(text) => text.replace(LATER, "\u{fffd}"),
        Piece::Value(_) | Piece::Asset(_) => LATER.to_string(),
    };
    pieces.iter().map(text).collect()
}

fn fits(patterns: &[String], args: &[String]) -> bool {
    let (patterns, fit_in_number) = match patterns.split_last() {
        Some((last, before)) if last == "{...}" => (before, args.len() >= before.len()),
        _ => (patterns, args.len() == patterns.len()),
    };
    fit_in_number && patterns.iter().zip(args).all(|(pattern, arg)| matches(pattern, arg))
}

/// The literal parts of a pattern, in order, the first at the beginning and the last at the end.
fn matches(pattern: &str, arg: &str) -> bool {
    let Some((first, rest)) = pattern.split_once("{}") else { return pattern == arg };
    let Some(mut tail) = arg.strip_prefix(first) else { return false };
    let mut parts: Vec<_> = rest.split("{}").collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        let Some(at) = tail.find(part) else { return false };
        tail = &tail[at + part.len()..];
    }
    tail.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_line(patterns: &[&str], args: &[&str], fit: bool) {
        let owned = |list: &[&str]| list.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
        assert_eq!(fits(&owned(patterns), &owned(args)), fit, "{patterns:?} {args:?}");
    }

    #[test]
    fn templates() {
        check_line(&["-m", "x"], &["-m", "x"], true);
        check_line(&["-m", "x"], &["-m", "x", "y"], false);
        check_line(&["-m", "x"], &["-m"], false);
        check_line(&["--port={}"], &["--port=\u{0}"], true);
        check_line(&["--port={}"], &["--host=1"], false);
        check_line(&["--port=1"], &["--port=\u{0}"], false);
        check_line(&["a{}b{}c"], &["a-b-c"], true);
        check_line(&["a{}b{}c"], &["a-c"], false);
        check_line(&["ab{}b"], &["ab"], false);
        check_line(&["{...}"], &[], true);
        check_line(&["build", "{...}"], &["build", "-p", "x"], true);
        check_line(&["build", "{...}"], &[], false);
    }

    #[test]
    fn lines_of_any_length_are_matched() {
        let (patterns, args) = (vec!["{}"; 200_000], vec!["x"; 200_000]);
        check_line(&patterns, &args, true);
        check_line(&patterns, &args[1..], false);
    }

    #[test]
    fn a_reference_matches_no_literal_text() {
        let template = CommandTemplate { tool: "t".into(), args: vec!["-e".into(), "{}".into()] };
        let command = |first: Piece| Command {
            program: "/t".into(),
            tool: "t".into(),
            args: vec![vec![first], vec![Piece::Text("x".into()), Piece::Value("v".into())]],
            env: Vec::new(),
            cwd: None,
        };
        assert_eq!(
            check(std::slice::from_ref(&template), &command(Piece::Text("-e".into()))),
            Ok(())
        );
        let lie = check(std::slice::from_ref(&template), &command(Piece::Value("flag".into())));
        assert_eq!(
            lie,
            Err(Lie::Command {
                tool: "t".into(),
                line: "… x…".into(),
                templates: vec!["-e {}".into()],
            })
        );
    }
}
