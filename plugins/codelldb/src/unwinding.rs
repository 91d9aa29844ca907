//! LLDB's breakpoints of Rust on lines whose first code only runs when a panic unwinds:
//! `runtime/unwinding_lines.py` stops them where the line returns normally. Knows the order of the
//! requests; does not know the code of a line.

use dapdock_plugin::hooks::{Request, RequestAction, Response, ResponseAction};
use dapdock_plugin::prelude::*;

const SETTLE: &str = "/py __import__('unwinding_lines').settle(";

/// Sets the breakpoints, then those that stand for them. The conditions are passed as they are
/// sent: texts of Python behind `/py`.
pub fn on_request(arguments: dap::SetBreakpointsArguments) -> RequestAction {
    let Some(path) = arguments.source.path.clone() else { return RequestAction::Unchanged };
    let mut lines = Vec::new();
    for one in &arguments.breakpoints {
        let condition = one.condition.as_deref().and_then(|text| text.strip_prefix("/py "));
        let condition = condition.map_or("None".to_owned(), |text| format!("lambda: {text}"));
        lines.push(format!("({}, {condition})", one.line));
    }
    let settle = format!("{SETTLE}{}, [{}])", json!(path), lines.join(", "));
    RequestAction::in_turn([
        Request::new::<dap::SetBreakpoints>(arguments),
        Request::new::<dap::Evaluate>(dap::EvaluateArguments {
            expression: settle,
            context: Some("watch".into()),
            ..Default::default()
        }),
    ])
}

/// Stores the response to the first request, and returns it as that to the second; None for
/// responses to others.
pub fn on_response(
    stored: &mut Value,
    request: &Request,
    response: &Response,
) -> Option<ResponseAction> {
    if request.is::<dap::SetBreakpoints>() {
        *stored = serde_json::to_value(response.of::<dap::SetBreakpoints>()?).ok()?;
        return Some(ResponseAction::Unchanged);
    }
    let arguments = request.of::<dap::Evaluate>()?;
    if !arguments.expression.starts_with(SETTLE) {
        return None;
    }
    let body = dap::lenient::decode(&stored.take()).unwrap_or_default();
    Some(ResponseAction::replaced::<dap::SetBreakpoints>(body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_go_to_the_script() {
        let arguments = json!({"source": {"path": "/w/a.rs"}, "breakpoints": [
            {"line": 4}, {"line": 7, "condition": "/py n > 1"},
        ]});
        let RequestAction::Expand(all) = on_request(dap::lenient::decode(&arguments).unwrap())
        else {
            panic!("the request is not expanded")
        };
        let settle: Value = serde_json::from_str(&all[1].arguments).unwrap();
        assert_eq!(
            settle["expression"],
            format!("{SETTLE}\"/w/a.rs\", [(4, None), (7, lambda: n > 1)])")
        );
    }
}
