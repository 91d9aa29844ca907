//! Exception breakpoints by names of types: js-debug's filters have conditions on `error`
//! (exceptionPauseService.ts). The condition of `all` applies to caught exceptions, that of
//! `uncaught` to the others.

use dapdock_plugin::prelude::*;
use dapdock_plugin::translate::{BreakOn, ExceptionFilter};

use crate::causes;

/// The filters for the caller's words; none where the manifest's table is enough.
pub fn filters(want: &[BreakOn], types: &[String]) -> Option<Vec<ExceptionFilter>> {
    if types.is_empty() || want.iter().any(|word| matches!(word, BreakOn::All)) {
        return None;
    }
    let uncaught = want.iter().any(|word| matches!(word, BreakOn::Uncaught));
    let condition = has_type(types);
    let uncaught_condition = if uncaught { None } else { Some(condition.clone()) };
    Some(vec![
        ExceptionFilter { filter: "all".into(), condition: Some(condition) },
        ExceptionFilter { filter: "uncaught".into(), condition: uncaught_condition },
    ])
}

/// A condition: the error, one of its first prototypes or their constructor has one of these names.
fn has_type(types: &[String]) -> String {
    format!(
        "((it, names) => {{ for (let n = 0; it != null && n < 100; n++) {{ \
         if (names.includes(it.name) || names.includes(it.constructor?.name)) return true; \
         it = Object.getPrototypeOf(it); }} return false; }})({}, {})",
        causes::STORES,
        json!(types)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each filter and whether it has a condition.
    fn text(want: &[BreakOn], types: &[&str]) -> Option<String> {
        let types: Vec<String> = types.iter().map(|name| (*name).to_owned()).collect();
        let mut texts = Vec::new();
        for one in filters(want, &types)? {
            texts.push(format!("{} {}", one.filter, one.condition.is_some()));
        }
        Some(texts.join(", "))
    }

    #[test]
    fn types_are_conditions_of_filters() {
        assert_eq!(text(&[BreakOn::Uncaught], &[]), None);
        assert_eq!(text(&[BreakOn::All], &["TypeError"]), None);
        assert_eq!(text(&[], &["TypeError"]).as_deref(), Some("all true, uncaught true"));
        assert_eq!(
            text(&[BreakOn::Uncaught], &["TypeError"]).as_deref(),
            Some("all true, uncaught false")
        );
        assert!(has_type(&["TypeError".to_owned()]).ends_with(r#"(() => error), ["TypeError"])"#));
    }
}
