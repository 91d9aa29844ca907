//! The causes of an exception: `cause`, and the members of an AggregateError.
//!
//! js-debug shows the error of a stop to the conditions of exception filters alone
//! (exceptionPauseService.ts, `evalCondition`): each filter gets a condition that stores a weak
//! reference to it in the program. A script reads it when the causes are wanted; it calls no getter
//! and no method of the program, except the traps of a Proxy.
//!
//! js-debug copies the error into a global variable, which a timer of 0 ms deletes (evaluator.ts,
//! `hoistValue`). If that fails, as in a context without `setTimeout`, it evaluates the word
//! `error` itself: that is a variable of the program, if anything.

use dapdock_plugin::hooks::{Request, RequestAction, Response, ResponseAction};
use dapdock_plugin::prelude::*;

use crate::State;
use crate::manifest::VALUES;

/// Where the error of a stop is stored.
const STORED: &str = "globalThis[Symbol.for('dapdock.error')]?.deref()";
/// An expression that stores the error and has it as its value. Its own text shows whether js-debug
/// has copied the error: the text has the name of the copy, which is deleted here. `error` occurs
/// once, because js-debug replaces only one occurrence.
pub const STORES: &str = "(read => { let it; try { it = read(); \
    const copy = /__js_debug_hoisted_\\w+/.exec(read); \
    globalThis[Symbol.for('dapdock.error')] = copy === null ? undefined : \
        Object(it) === it ? new WeakRef(it) : { deref: () => it }; \
    if (copy !== null) delete globalThis[copy[0]]; \
    } catch { try { globalThis[Symbol.for('dapdock.error')] = undefined; } catch {} } \
    return it; })(() => error)";

/// Describes an error with its causes, as JSON in the form of DAP.
const DESCRIBE: &str = include_str!("../runtime/causes.js");

/// Adds a condition that stores the error to filters without one. js-debug joins the conditions of
/// all filters by `or`, so an unconditional filter next to one with a condition stays as it is.
pub fn store_errors(
    session: &Session,
    arguments: dap::SetExceptionBreakpointsArguments,
) -> RequestAction {
    let (changed, stored) = with_conditions(&arguments);
    let only_uncaught = is_only_uncaught(&arguments);
    session.store(&State { stores_errors: stored, only_uncaught, ..session.load() });
    match changed {
        Some(arguments) => RequestAction::replaced::<dap::SetExceptionBreakpoints>(arguments),
        None => RequestAction::Unchanged,
    }
}

/// The filters of a request with their conditions.
fn filters(arguments: &dap::SetExceptionBreakpointsArguments) -> Vec<(String, Option<String>)> {
    let plain = arguments.filters.iter().map(|filter| (filter.clone(), None));
    let options = arguments.filter_options.iter().flatten();
    plain.chain(options.map(|one| (one.filter_id.clone(), one.condition.clone()))).collect()
}

fn is_only_uncaught(arguments: &dap::SetExceptionBreakpointsArguments) -> bool {
    let filters = filters(arguments);
    !filters.is_empty() && filters.iter().all(|(filter, _)| filter == "uncaught")
}

/// The request with conditions that store the error, if it needs them, and whether the error of
/// every stop is stored.
fn with_conditions(
    arguments: &dap::SetExceptionBreakpointsArguments,
) -> (Option<dap::SetExceptionBreakpointsArguments>, bool) {
    let filters = filters(arguments);
    let conditional = filters.iter().filter(|(_, condition)| condition.is_some()).count();
    if filters.is_empty() || conditional > 0 {
        // Conditions of this plugin store it.
        return (None, conditional > 0 && conditional == filters.len());
    }
    let mut ids = vec!["uncaught"];
    if filters.iter().any(|(filter, _)| filter == "all") {
        ids.push("all");
    }
    let option = |id: &str| dap::ExceptionFilterOption {
        filter_id: id.into(),
        condition: Some(format!("({STORES}, true)")),
    };
    let options = ids.into_iter().map(option).collect();
    let changed = dap::SetExceptionBreakpointsArguments {
        filters: Vec::new(),
        filter_options: Some(options),
        ..arguments.clone()
    };
    (Some(changed), true)
}

/// Asks the program for the causes, if the error of the stop is stored there.
pub fn on_request(session: &Session, arguments: &dap::ExceptionInfoArguments) -> RequestAction {
    match arguments.causes {
        Some(most) if session.load::<State>().stores_errors => {
            RequestAction::in_turn([Request::new::<dap::Evaluate>(dap::EvaluateArguments {
                expression: format!("({DESCRIBE})({STORED}, {most})"),
                frame_id: arguments.frame_id,
                context: Some(VALUES.into()),
                ..Default::default()
            })])
        }
        _ => RequestAction::Unchanged,
    }
}

/// The description in place of the response to the script; none for other responses.
pub fn on_response(request: &Request, response: &Response) -> Option<ResponseAction> {
    let arguments = request.of::<dap::Evaluate>()?;
    if !arguments.expression.starts_with(&format!("({DESCRIBE})")) {
        return None;
    }
    let details = response.of::<dap::Evaluate>().and_then(|body| read(&body.result));
    Some(match details {
        Some(details) => {
            ResponseAction::replaced::<dap::ExceptionInfo>(dap::ExceptionInfoResponse {
                details: Some(details),
                ..Default::default()
            })
        }
        None => ResponseAction::failed(Error::internal("no error is stored")),
    })
}

/// JSON in the quotes in which js-debug returns a string of at most 100,000 characters. Other
/// quotes, backslashes and `%` are in it as `%` and two hexadecimal digits.
fn read(text: &str) -> Option<dap::ExceptionDetails> {
    let mut parts = text.strip_prefix('\'')?.strip_suffix('\'')?.split('%');
    let mut json = parts.next()?.to_owned();
    for part in parts {
        let (code, rest) = part.split_at_checked(2)?;
        json.push(char::from(u8::from_str_radix(code, 16).ok()?));
        json.push_str(rest);
    }
    serde_json::from_str(&json).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Filters with an asterisk for a condition, and whether every error is stored.
    fn check(filters: &[&str], options: &[(&str, Option<&str>)], want: &str, stored: bool) {
        let option = |(id, condition): &(&str, Option<&str>)| dap::ExceptionFilterOption {
            filter_id: (*id).into(),
            condition: condition.map(str::to_owned),
        };
        let arguments = dap::SetExceptionBreakpointsArguments {
            filters: filters.iter().map(|filter| (*filter).to_owned()).collect(),
            filter_options: Some(options.iter().map(option).collect()),
            ..Default::default()
        };
        let (changed, is_stored) = with_conditions(&arguments);
        let mut names = Vec::new();
        for (name, condition) in super::filters(&changed.unwrap_or(arguments)) {
            names.push(name + if condition.is_some() { "*" } else { "" });
        }
        assert_eq!((names.join(" ").as_str(), is_stored), (want, stored));
    }

    #[test]
    fn filters_get_a_condition_that_stores_the_error() {
        check(&["uncaught"], &[], "uncaught*", true);
        check(&["uncaught", "all"], &[], "uncaught* all*", true);
        check(&["all"], &[], "uncaught* all*", true);
        check(&[], &[], "", false);
        check(&[], &[("all", Some("x")), ("uncaught", Some("x"))], "all* uncaught*", true);
        check(&[], &[("all", Some("x")), ("uncaught", None)], "all* uncaught", false);
    }

    #[test]
    fn stored_error_is_read_where_conditions_write_it() {
        let place = STORED.strip_suffix("?.deref()").unwrap();
        assert!(STORES.contains(&format!("{place} = copy")));
        assert_eq!(STORES.matches("error)").count(), 1);
    }

    #[test]
    fn description_is_read_from_its_quotes() {
        let text = "'{%22message%22: %22it%27s 5%25%5cn%60%22}'";
        assert_eq!(read(text).unwrap().message.as_deref(), Some("it's 5%\n`"));
        assert!(read("undefined").is_none());
        assert!(read("'%2'").is_none());
    }
}
