//! Values that are errors, in a line: class, message and own fields. js-debug has their stack
//! between them, twice. Pure.

/// Before each frame of a stack.
const FRAME: &str = "\n    at ";
/// Before the fields that js-debug lists behind the stack.
const FIELDS: &str = " {";
/// The causes of an error, behind the quote of its message.
const CAUSES: [&str; 2] = ["', cause: ", "', errors: "];
/// Fields that each error has, listed behind the others.
const OWN: [&str; 2] = ["stack: ", "message: "];

/// The line for a value of this class; none if it is no error with a stack.
pub fn line(value: &str, class: Option<&str>) -> Option<String> {
    let (title, rest) = value.split_once(FRAME)?;
    let (name, message) = title.split_once(':').unwrap_or((title, ""));
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '[' | ']' | ' ');
    if !name.starts_with(|c: char| c.is_ascii_uppercase()) || !name.chars().all(is_name) {
        return None;
    }
    let class = class.filter(|_| name == "Error").unwrap_or(name);
    let message = if message.is_empty() { String::new() } else { format!(":{message}") };
    let fields = fields(rest).map(|fields| format!(" {{{fields}}}")).unwrap_or_default();
    Some(format!("{class}{message}{fields}"))
}

/// The fields behind a stack: those before its own, and the causes, which come last. No frame has a
/// ` {`.
fn fields(rest: &str) -> Option<String> {
    let (_, listed) = rest.split_once(FIELDS)?;
    let end = OWN.iter().filter_map(|own| listed.find(own)).min()?;
    let mut fields = listed[..end].trim_end_matches(", ").to_owned();
    let behind = CAUSES.iter().find_map(|cause| Some((cause, listed[end..].rsplit_once(cause)?.1)));
    if let Some((cause, value)) = behind {
        let first = value.lines().next().unwrap_or_default().trim_end_matches('}');
        fields.push_str(if fields.is_empty() { &cause[3..] } else { &cause[1..] });
        fields.push_str(first);
    }
    (!fields.is_empty()).then_some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_its_class_message_and_fields() {
        let stack = "Error: boom\n    at f (/w/a.js:6:16)\n    at node:internal/main:28:49";
        let listed = format!("{{code: 42, detail: {{…}}, stack: '{stack}', message: 'boom'}}");
        let text = format!("{stack} {listed}");
        let expect = "AppError: boom {code: 42, detail: {…}}";
        assert_eq!(line(&text, Some("AppError")).as_deref(), Some(expect));
        let plain = format!("{stack} {{stack: '{stack}', message: 'boom'}}");
        assert_eq!(line(&plain, Some("Error")).as_deref(), Some("Error: boom"));
        let none = "Error\n    at f (/w/a.js:6:16) {stack: 'Error\n    at f (/w/a.js:6:16)'}";
        assert_eq!(line(none, Some("Error")).as_deref(), Some("Error"));
        let caused = format!("{stack} {{stack: '{stack}', message: 'boom', cause: {stack}}}");
        let expect = "Error: boom {cause: Error: boom}";
        assert_eq!(line(&caused, Some("Error")).as_deref(), Some(expect));
        let named = format!("Other: a\nb{}", &stack[11..]);
        assert_eq!(line(&named, Some("Named")).as_deref(), Some("Other: a\nb"));
    }

    #[test]
    fn other_values_do_not_change() {
        for text in ["'Error: a\n    at b'", "ƒ f() {\n    at = 1 }", "Error: x", "{a: 1}"] {
            assert_eq!(line(text, Some("Error")), None, "{text}");
        }
    }
}
