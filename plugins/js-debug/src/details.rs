//! The line that `runtime/errors.js` adds to the stack of an error: its fields, its cause as DAP
//! describes exceptions, and a text for the user. Pure.

use dapdock_plugin::prelude::*;

/// Begins the line.
const MARK: char = '\u{1e}';

#[derive(Default, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
struct More {
    fields: String,
    cause: Option<dap::ExceptionDetails>,
    /// A text for the user.
    remark: Option<String>,
}

impl More {
    /// The stack of an error, and what is behind it.
    fn split(stack: &str) -> (&str, Self) {
        let Some((own, more)) = stack.rsplit_once(MARK) else { return (stack, Self::default()) };
        (own.trim_end(), serde_json::from_str(more.trim_end()).unwrap_or_default())
    }
}

/// The stack of an error; its fields and the text for the user in words.
pub fn split(stack: &str) -> (&str, Option<String>) {
    let (own, more) = More::split(stack);
    let fields = (!more.fields.is_empty()).then(|| format!("{{{}}}", more.fields));
    let parts: Vec<String> = [fields, more.remark].into_iter().flatten().collect();
    (own, (!parts.is_empty()).then(|| parts.join(" · ")))
}

/// The description of an error with the cause that its line has.
pub fn with_cause(mut body: dap::ExceptionInfoResponse) -> dap::ExceptionInfoResponse {
    if let Some(details) = &mut body.details {
        let stack = details.stack_trace.as_deref().unwrap_or(&body.exception_id);
        details.inner_exception.extend(More::split(stack).1.cause);
    }
    body
}

/// The description of an error without that line.
pub fn without(mut body: dap::ExceptionInfoResponse) -> dap::ExceptionInfoResponse {
    if let Some(stack) = body.details.as_mut().and_then(|details| details.stack_trace.as_mut()) {
        *stack = split(stack).0.to_owned();
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    const STACK: &str = "at f (/w/a.js:1:2)\n\u{1e}{\"fields\":\"status: 404\",\"cause\":\
        {\"typeName\":\"SyntaxError\",\"message\":\"no\",\"frames\":[{\"id\":0,\
        \"name\":\"f\",\"line\":10,\"source\":{\"path\":\"/w/main.mjs\"}}]}}";

    #[test]
    fn fields_are_read() {
        assert_eq!(split(STACK), ("at f (/w/a.js:1:2)", Some("{status: 404}".to_owned())));
        let remark = "at f\n\u{1e}x\n\u{1e}{\"fields\":\"\",\"remark\":\"not known\"}";
        assert_eq!(split(remark), ("at f\n\u{1e}x", Some("not known".to_owned())));
        assert_eq!(split("at f"), ("at f", None));
        assert_eq!(split("at f\n\u{1e}?"), ("at f", None));
    }

    #[test]
    fn cause_is_read_with_its_place() {
        let stack_trace = Some(STACK.to_owned());
        let details = dap::ExceptionDetails { stack_trace, ..Default::default() };
        let body = dap::ExceptionInfoResponse { details: Some(details), ..Default::default() };
        let [cause] = &with_cause(body).details.unwrap().inner_exception[..] else { panic!() };
        assert_eq!(cause.type_name.as_deref(), Some("SyntaxError"));
        assert_eq!(cause.message.as_deref(), Some("no"));
        assert_eq!((cause.frames[0].name.as_str(), cause.frames[0].line), ("f", 10));
    }
}
