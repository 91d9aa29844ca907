//! Checks a profile when it is read: a pattern that cannot match and a class that is none would
//! show only at some stop, as a rule that does nothing.

use dapdock_schema::{HitIds, Profile, StepEnds};
use regex::Regex;

use crate::pattern;

/// Most patterns in one key.
const PATTERNS: usize = 32;

/// Classes of a stop rule.
const CLASSES: [&str; 8] =
    ["entry", "breakpoint", "step", "pause", "exception", "panic", "signal", "assertion"];

/// Checks that every pattern compiles, except those of `checked`. An error has the key and the
/// reason.
pub(crate) fn check_patterns(
    profile: &Profile,
    checked: Option<&Profile>,
) -> Result<(), (String, String)> {
    let known: Vec<&String> =
        checked.into_iter().flat_map(patterns).flat_map(|(_, patterns)| patterns).collect();
    for (key, patterns) in patterns(profile) {
        for pattern in patterns.into_iter().filter(|pattern| !known.contains(pattern)) {
            compile(pattern).map_err(|reason| (key.to_owned(), reason))?;
        }
    }
    Ok(())
}

/// The patterns of each key.
fn patterns(profile: &Profile) -> Vec<(&'static str, Vec<&String>)> {
    let output = &profile.output;
    let mut all = vec![
        ("output.endings", output.endings.iter().map(|ending| &ending.output).collect()),
        ("output.reasons", output.reasons.iter().collect()),
    ];
    if let HitIds::Place { untrue } = &profile.breakpoints.hit_ids {
        all.push(("breakpoints.hit_ids.place.untrue", vec![untrue]));
    }
    if let StepEnds::Silent { untrue } = &profile.breakpoints.step_ends {
        all.push(("breakpoints.step_ends.silent.untrue", vec![untrue]));
    }
    if let Some(untrue) = &profile.breakpoints.untrue {
        all.push(("breakpoints.untrue", vec![untrue]));
    }
    all
}

/// Checks that no key has more than [`PATTERNS`], and that every capability and class is known. An
/// error has the key and the reason.
pub(crate) fn check(profile: &Profile) -> Result<(), (String, String)> {
    for (key, patterns) in patterns(profile) {
        if patterns.len() > PATTERNS {
            return Err((key.to_owned(), format!("more than {PATTERNS}")));
        }
    }
    for (name, at) in profile.start.lacks.iter().zip(0..) {
        if !name.starts_with("support") {
            let reason = format!("{name:?} is no capability of DAP: supports…");
            return Err((format!("start.lacks[{at}]"), reason));
        }
    }
    for (rule, at) in profile.pause.rules.iter().zip(0..) {
        if !rule.class.is_empty() && !CLASSES.contains(&rule.class.as_str()) {
            let reason = format!("{:?} is not one of {}", rule.class, CLASSES.join(", "));
            return Err((format!("pause.rules[{at}].class"), reason));
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
        let with = |change: &dyn Fn(&mut Profile)| {
            let mut profile = Profile::default();
            change(&mut profile);
            profile
        };
        let untrue = |text: &str| HitIds::Place { untrue: text.into() };
        for (profile, expect) in [
            (
                with(&|it| it.output.endings = vec![ending("(")]),
                "output.endings: regex parse error",
            ),
            (with(&|it| it.output.reasons = vec!["(".into()]), "output.reasons: regex parse error"),
            (
                with(&|it| it.breakpoints.hit_ids = untrue("(")),
                "breakpoints.hit_ids.place.untrue: regex parse error",
            ),
            (
                with(&|it| it.breakpoints.untrue = Some("(".into())),
                "breakpoints.untrue: regex parse error",
            ),
            (with(&|it| it.output.endings = vec![ending("a"); 33]), "output.endings: more than 32"),
            (with(&|it| it.output.reasons = vec!["a".into(); 33]), "output.reasons: more than 32"),
            (
                with(&|it| it.pause.rules = vec![rule("pause"), rule("pawse")]),
                "pause.rules[1].class: \"pawse\" is not one of entry, ",
            ),
        ] {
            let checked = check(&profile).and_then(|()| check_patterns(&profile, None));
            let (key, reason) = checked.expect_err(expect);
            let message = format!("{key}: {reason}");
            assert!(message.starts_with(expect), "{message}");
        }
        let good = with(&|it| {
            it.output.reasons = vec!["a".into(); 32];
            it.breakpoints.hit_ids = untrue("^0$");
            it.pause.rules = CLASSES.map(rule).into();
        });
        assert_eq!(check(&good).and_then(|()| check_patterns(&good, None)), Ok(()));
    }
}
