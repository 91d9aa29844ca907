//! Exceptions that stop by the names of their types: js-debug's filters have conditions on `error`
//! (exceptionPauseService.ts). What is caught is judged by that of `all`, what is not by that of
//! `uncaught`.

use dapdock_plugin::prelude::*;
use dapdock_plugin::translate::{BreakOn, ExceptionFilter};

/// The filters for the caller's words; none: the manifest's table.
pub fn filters(want: &[BreakOn], types: &[String]) -> Option<Vec<ExceptionFilter>> {
    if types.is_empty() || want.iter().any(|word| matches!(word, BreakOn::All)) {
        return None;
    }
    let uncaught = want.iter().any(|word| matches!(word, BreakOn::Uncaught));
    let is_one = is_one(types);
    let filter = |filter: &str, condition| ExceptionFilter { filter: filter.into(), condition };
    Some(vec![
        filter("all", Some(is_one.clone())),
        filter("uncaught", (!uncaught).then_some(is_one)),
    ])
}

/// By its own name or that of a prototype's, or of what constructs it. `error` is named once:
/// js-debug puts a name of its own there.
fn is_one(types: &[String]) -> String {
    format!(
        "((it, names) => {{ for (; it != null; it = Object.getPrototypeOf(it)) \
         if (names.includes(it.name) || names.includes(it.constructor?.name)) return true; return false; }})(error, {})",
        json!(types)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_judged_beside_whatever_is_not_caught() {
        let told = |want: &[BreakOn], types: &[&str]| {
            let types: Vec<String> = types.iter().map(|name| (*name).to_owned()).collect();
            let filters = filters(want, &types)?;
            let one = |one: &ExceptionFilter| format!("{} {}", one.filter, one.condition.is_some());
            Some(filters.iter().map(one).collect::<Vec<_>>().join(", "))
        };
        assert_eq!(told(&[BreakOn::Uncaught], &[]), None);
        assert_eq!(told(&[BreakOn::All], &["TypeError"]), None);
        assert_eq!(told(&[], &["TypeError"]).as_deref(), Some("all true, uncaught true"));
        assert_eq!(
            told(&[BreakOn::Uncaught], &["TypeError"]).as_deref(),
            Some("all true, uncaught false")
        );
        assert!(is_one(&["TypeError".to_owned()]).ends_with(r#"(error, ["TypeError"])"#));
    }
}
