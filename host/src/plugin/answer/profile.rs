//! Checks a profile when it is read: a pattern that cannot match and a class that is none would
//! show only at some stop, as a rule that does nothing.

use dapdock_schema::Profile;
use regex::Regex;

use crate::pattern;

/// Most patterns in one key.
const PATTERNS: usize = 32;

/// Classes of a stop rule.
const CLASSES: [&str; 8] =
    ["entry", "breakpoint", "step", "pause", "exception", "panic", "signal", "assertion"];

/// Checks that every pattern compiles, that no key has more than [`PATTERNS`], and that every class
/// is known. An error has the key and the reason.
pub(crate) fn check(profile: &Profile) -> Result<(), (String, String)> {
    let endings = profile.endings.iter().map(|ending| &ending.output).collect();
    let all = [
        ("endings", endings),
        ("telling", profile.telling.iter().collect()),
        ("untrue", profile.untrue.iter().collect::<Vec<_>>()),
    ];
    for (key, patterns) in all {
        if patterns.len() > PATTERNS {
            return Err((key.to_owned(), format!("more than {PATTERNS}")));
        }
        for pattern in patterns {
            compile(pattern).map_err(|reason| (key.to_owned(), reason))?;
        }
    }
    for (rule, at) in profile.stops.iter().zip(0..) {
        if !rule.class.is_empty() && !CLASSES.contains(&rule.class.as_str()) {
            let reason = format!("{:?} is not one of {}", rule.class, CLASSES.join(", "));
            return Err((format!("stops[{at}].class"), reason));
        }
    }
    Ok(())
}

/// A pattern, or in one line why it does not compile.
pub(crate) fn compile(pattern: &str) -> Result<Regex, String> {
    pattern::compile(pattern)
        .map_err(|error| error.to_string().split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use dapdock_schema::{Ending, StopRule};

    use super::*;

    #[test]
    fn patterns_and_classes_are_checked() {
        let ending = |output: &str| Ending { output: output.into(), ..Ending::default() };
        let rule = |class: &str| StopRule { class: class.into(), ..StopRule::default() };
        let plain = Profile::default();
        for (profile, expect) in [
            (Profile { endings: vec![ending("(")], ..plain.clone() }, "endings: regex parse error"),
            (Profile { telling: vec!["(".into()], ..plain.clone() }, "telling: regex parse error"),
            (Profile { untrue: Some("(".into()), ..plain.clone() }, "untrue: regex parse error"),
            (Profile { endings: vec![ending("a"); 33], ..plain.clone() }, "endings: more than 32"),
            (Profile { telling: vec!["a".into(); 33], ..plain.clone() }, "telling: more than 32"),
            (
                Profile { stops: vec![rule("pause"), rule("pawse")], ..plain.clone() },
                "stops[1].class: \"pawse\" is not one of entry, ",
            ),
        ] {
            let (key, reason) = check(&profile).expect_err(expect);
            let message = format!("{key}: {reason}");
            assert!(message.starts_with(expect), "{message}");
        }
        let good = Profile {
            telling: vec!["a".into(); 32],
            untrue: Some("^0$".into()),
            stops: CLASSES.map(rule).into(),
            ..plain
        };
        assert_eq!(check(&good), Ok(()));
    }
}
