//! The line that `runtime/errors.js` adds to the stack of an error: its fields, its cause and a
//! text for the user. Pure.

use dapdock_plugin::prelude::*;

/// Begins the line.
const MARK: char = '\u{1e}';

#[derive(Default, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
struct More {
    fields: String,
    cause: Option<String>,
    /// The stack of the cause.
    stack: Option<String>,
    /// A text for the user.
    remark: Option<String>,
}

/// The stack of an error; its fields, its cause and the text for the user in words.
pub fn split(stack: &str) -> (&str, Option<String>) {
    let Some((own, more)) = stack.rsplit_once(MARK) else { return (stack, None) };
    let more: More = serde_json::from_str(more.trim_end()).unwrap_or_default();
    let cause = more.cause.as_ref().map(|cause| {
        let place = more.stack.as_deref().and_then(place);
        format!("caused by {cause}{}", place.map(|at| format!(" ({at})")).unwrap_or_default())
    });
    let fields = (!more.fields.is_empty()).then(|| format!("{{{}}}", more.fields));
    let parts: Vec<String> = [fields, cause, more.remark].into_iter().flatten().collect();
    (own.trim_end(), (!parts.is_empty()).then(|| parts.join(" · ")))
}

/// The description of an error without that line.
pub fn without(mut body: dap::ExceptionInfoResponse) -> dap::ExceptionInfoResponse {
    if let Some(stack) = body.details.as_mut().and_then(|details| details.stack_trace.as_mut()) {
        *stack = split(stack).0.to_owned();
    }
    body
}

/// The first line of the user's code in a stack: `main.mjs:10`.
fn place(stack: &str) -> Option<String> {
    let frames = stack.lines().filter_map(|line| line.trim_start().strip_prefix("at "));
    let own = frames.map(|frame| frame.trim_end_matches(')')).find(|frame| is_users(frame))?;
    let (place, _column) = own.rsplit_once(':')?;
    Some(place.rsplit('/').next()?.to_owned())
}

fn is_users(frame: &str) -> bool {
    frame.contains('/') && !frame.contains("/node_modules/") && !frame.contains("node:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_cause_are_read() {
        let stack = "at f (/w/a.js:1:2)\n\u{1e}{\"fields\":\"status: 404\",\"cause\":\
                     \"SyntaxError: no\",\"stack\":\"SyntaxError: no\\n    at JSON.parse \
                     (<anonymous>)\\n    at f (file:///w/main.mjs:10:5)\"}";
        let more = "{status: 404} · caused by SyntaxError: no (main.mjs:10)";
        assert_eq!(split(stack), ("at f (/w/a.js:1:2)", Some(more.to_owned())));
        let remark = "at f\n\u{1e}x\n\u{1e}{\"fields\":\"\",\"remark\":\"not known\"}";
        assert_eq!(split(remark), ("at f\n\u{1e}x", Some("not known".to_owned())));
        assert_eq!(split("at f"), ("at f", None));
        assert_eq!(split("at f\n\u{1e}?"), ("at f", None));
    }
}
