//! Reads js-debug's stops, scopes, variables and threads. Pure.

use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{Frame, Reaction, StopClass, StopView, ThreadView};

use crate::{details, entries, error_values, timeout};

/// The detail of a stop on a rejection that nothing has handled (`runtime/exceptions.js`).
const ENDED: &str = "nothing handled this rejection; the values are those at the throw";

/// The view of a stop on an exception. The text of the error is the exception's id; the stop itself
/// only says "Paused on exception".
pub fn view(
    body: &dap::Stopped,
    info: &dap::ExceptionInfoResponse,
    top: &[Frame],
    only_uncaught: bool,
) -> Option<StopView> {
    if body.reason != "exception" || info.exception_id.is_empty() {
        return None;
    }
    let (title, detail) = thrown(&info.exception_id);
    let lines = several_lines(&info.exception_id).filter(|_| detail.is_none());
    let (title, message) = lines.map_or((title, None), |(title, all)| (title, Some(all)));
    let stack = info.details.as_ref().and_then(|details| details.stack_trace.as_deref());
    let (stack, more) = details::split(stack.unwrap_or(&info.exception_id));
    let detail = detail.or_else(|| user_frame(stack, top));
    let rejection = body.description.as_deref() == Some("Paused on promise rejection");
    let ended = (rejection && only_uncaught).then(|| ENDED.to_owned());
    let parts: Vec<String> = [detail, more, ended].into_iter().flatten().collect();
    let below = (!parts.is_empty()).then(|| parts.join(" · "));
    let parts: Vec<String> = [message, below].into_iter().flatten().collect();
    let detail = (!parts.is_empty()).then(|| parts.join("\n"));
    let class = if only_uncaught {
        StopClass::ExceptionUncaught
    } else if rejection {
        // V8 reports it before a handler can be added to the promise.
        StopClass::Exception
    } else {
        // js-debug says `all` of every exception.
        match info.break_mode.as_deref() {
            Some("all" | "always") => StopClass::ExceptionCaught,
            _ => StopClass::ExceptionUncaught,
        }
    };
    Some(StopView {
        class,
        title,
        detail,
        skip_frames: skipped_frames(top),
        reaction: Reaction::Report,
    })
}

/// The number of frames to skip: all, if all are in Node's own code, for example when it loads a
/// program that does not parse.
fn skipped_frames(top: &[Frame]) -> u32 {
    let is_nodes = |frame: &Frame| {
        frame.path.as_ref().is_some_and(|path| path.starts_with("<node_internals>/"))
    };
    if top.iter().all(is_nodes) { top.len() as u32 } else { 0 }
}

/// The first frame of user code in the stack of an error, if a library caught it and threw it
/// again.
fn user_frame(text: &str, top: &[Frame]) -> Option<String> {
    top.first()?.path.as_deref().filter(|path| is_library(path))?;
    let mut frames = text.lines().filter(|line| line.trim_start().starts_with("at "));
    let frame = frames.find(|line| !is_library(line) && line.contains('/'))?;
    Some(frame.trim().to_owned())
}

fn is_library(path: &str) -> bool {
    ["/node_modules/", "node:", "<node_internals>/"].iter().any(|part| path.contains(part))
}

/// The error in one line, and its place or a remedy.
fn thrown(text: &str) -> (String, Option<String>) {
    let first = text.lines().next().unwrap_or_default();
    if let Some((error, path, code)) = syntax_error(text) {
        let place = format!("{first}: {code}");
        let file = path.rsplit('/').next().unwrap_or(path);
        let detail =
            if is_typed(file) { format!("{place} ({})", no_typescript(file)) } else { place };
        return (error.to_owned(), Some(detail));
    }
    let is_unknown = first.contains("ERR_UNKNOWN_FILE_EXTENSION") && first.contains(".ts\"");
    if is_unknown {
        return (first.to_owned(), Some(no_typescript("FILE.ts")));
    }
    // The message has several lines, and no word in the first one.
    let message = first.split_once(':').map_or(first, |(_, message)| message);
    if message.contains(char::is_alphanumeric) {
        return (first.to_owned(), None);
    }
    let words: Vec<&str> = own(text).split_whitespace().collect();
    let whole: String = words.join(" ").chars().take(LONGEST_MESSAGE).collect();
    (whole.clone(), (whole != first).then_some(whole))
}

/// The class and the message of an error whose message has several lines. A text that was thrown
/// has no class: its first line stands for that.
fn several_lines(text: &str) -> Option<(String, String)> {
    let own = own(text).trim_end();
    let first = own.split_once('\n')?.0;
    // `Error`, `TypeError [ERR_INVALID_ARG_TYPE]`.
    let is_class = |name: &str| {
        name.split(" [").next().is_some_and(|word| !word.contains(char::is_whitespace))
    };
    let (title, message) = match own.split_once(": ") {
        Some((name, message)) if is_class(name) => (name, message),
        _ => (first, own),
    };
    Some((title.to_owned(), message.chars().take(LONGEST_MESSAGE).collect()))
}

/// The text of an error without its stack.
fn own(text: &str) -> &str {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        let indented = line.trim_start();
        if indented.len() < line.len() && indented.starts_with("at ") {
            break;
        }
        end += line.len();
    }
    &text[..end]
}

/// The characters of a message.
const LONGEST_MESSAGE: usize = 600;

/// The error, the path and the source line, if the text is Node's message about source that does
/// not parse: `/a/app.ts:1`, the line, a mark below it, and the error.
fn syntax_error(text: &str) -> Option<(&str, &str, &str)> {
    let mut lines = text.lines();
    let (path, line) = lines.next()?.rsplit_once(':')?;
    if line.is_empty() || !line.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let error = lines.clone().find(|line| line.starts_with("SyntaxError: "))?;
    Some((error, path, lines.next()?.trim()))
}

fn is_typed(path: &str) -> bool {
    [".ts", ".mts", ".cts", ".tsx"].iter().any(|end| path.ends_with(end))
}

fn no_typescript(file: &str) -> String {
    format!("this Node.js cannot run TypeScript: `npx tsx {file}`, or compile it with source maps")
}

/// Corrects hints of scopes: js-debug presents a closure as arguments of the inner function. The
/// variables of a module, which js-debug calls expensive although they are not, are the locals of
/// the module's own code.
pub fn scopes(mut body: dap::ScopesResponse) -> dap::ScopesResponse {
    let is =
        |scope: &dap::Scope, kinds: &[&str]| kinds.iter().any(|kind| scope.name.starts_with(kind));
    let in_function = body.scopes.iter().any(|scope| is(scope, &["Local"]));
    for scope in &mut body.scopes {
        let of_module = is(scope, &["Module"]);
        if of_module {
            scope.expensive = false;
        }
        if of_module && !in_function {
            scope.presentation_hint = Some("locals".into());
        } else if !is(scope, &["Local", "Block", "Catch", "With"]) {
            scope.presentation_hint = None;
        }
    }
    body
}

/// V8's refusal of an expression that may change the program (debug-evaluate.cc).
const SIDE_EFFECT: &str = "Possible side-effect in debug-evaluate";
const NEEDS_EFFECTS: &str = "V8 cannot tell that this changes nothing; repeat with effects=allow";

/// The name of a function called without an object, which V8 names as a method of the global
/// object: `global.main`.
pub fn function(name: &str) -> Option<String> {
    name.strip_prefix("global.").map(str::to_owned)
}

/// The value of a getter that was not called.
const GETTER: &str = "(getter)";

/// js-debug's value of a property that has a setter alone, and what stands for it.
const WRITE_ONLY: &str = "write-only";
const SETTER: &str = "(setter)";

/// The parameters of the function that Node makes of a module (lib/internal/modules/cjs/loader.js,
/// `wrapper`).
const MODULE: [&str; 5] = ["exports", "require", "module", "__filename", "__dirname"];
/// Begins names that compilers generate, as `__vite_ssr_import_0__` and `__importDefault`.
const GENERATED: &str = "__";
/// The value of a variable before its declaration (`runtime/views.js`).
const UNSET: &str = "Symbol(dapdock.unset)";
/// js-debug's variable for the value that a function is returning.
const RETURNED: &str = "Return value";

/// Renames elements to `[0]` and entries of maps (`entries`), and removes what the program does
/// not have: `length` of sequences, prototypes, parameters of modules, returned values, and a
/// `this` that is not an object of the program. Functions and generated names come last.
pub fn variables(mut body: dap::VariablesResponse) -> dap::VariablesResponse {
    let is_sequence = body.variables.iter().any(is_element);
    let has = |name: &&str| body.variables.iter().any(|variable| variable.name == **name);
    let is_module = MODULE.iter().all(has);
    body.variables.retain(|variable| match variable.name.as_str() {
        "[[Prototype]]" => false,
        "length" => !is_sequence,
        "this" if is_module => false,
        "this" => !matches!(variable.value.as_str(), "global" | "globalThis" | "undefined"),
        RETURNED => variable.evaluate_name.as_ref().is_some_and(|path| path.ends_with(']')),
        name => !(is_module && MODULE.contains(&name)),
    });
    body.variables
        .sort_by_key(|variable| is_function(variable) || variable.name.starts_with(GENERATED));
    for variable in &mut body.variables {
        if is_function(variable) {
            variable.presentation_hint.get_or_insert_default().kind = Some("method".into());
        }
        // The path begins with the text that was evaluated.
        if let Some(path) = &mut variable.evaluate_name {
            *path = timeout::without_mark(path).to_owned();
        }
        fix_count(variable.indexed_variables, &mut variable.named_variables);
        // js-debug returns the source of the getter's function.
        if variable.presentation_hint.as_ref().is_some_and(|hint| hint.lazy == Some(true)) {
            variable.value = GETTER.into();
            variable.type_ = None;
        }
        if variable.value == WRITE_ONLY && variable.type_.as_deref() == Some("function") {
            variable.value = SETTER.into();
            variable.type_ = None;
            variable.variables_reference = 0;
        }
        variable.value = value(std::mem::take(&mut variable.value), variable.type_.as_deref());
        if variable.value == UNSET {
            variable.value = "not yet set".into();
            variable.type_ = None;
        }
        let expression = variable.evaluate_name.as_deref();
        if let Some((name, expression)) = entries::element(&variable.name, expression) {
            variable.name = format!("[{name}]");
            variable.evaluate_name = expression;
        }
    }
    body
}

/// The text of a value of this class.
pub fn value(text: String, class: Option<&str>) -> String {
    let line = error_values::line(&text, class);
    entries::without_size(line.unwrap_or(text))
}

/// A whole text without the quotes and escapes of js-debug (templates/toStringForClipboard.ts).
pub fn text(literal: &str) -> Option<String> {
    let Some(inner) = literal.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')) else {
        return serde_json::from_str(literal).ok();
    };
    let mut text = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        text.extend(if character == '\\' { characters.next() } else { Some(character) });
    }
    Some(text)
}

/// The classes of functions; that of a class is `Function` too.
const FUNCTIONS: [&str; 4] =
    ["Function", "AsyncFunction", "GeneratorFunction", "AsyncGeneratorFunction"];

/// Whether a variable is a function or a class; its type is the name of its class.
fn is_function(variable: &dap::Variable) -> bool {
    variable.type_.as_deref().is_some_and(|name| FUNCTIONS.contains(&name))
}

fn is_element(variable: &dap::Variable) -> bool {
    variable.name.bytes().all(|byte| byte.is_ascii_digit())
}

/// Sets the count of named children of a sequence to 0: they are its length and inherited members.
pub fn fix_count(indexed: Option<i64>, named: &mut Option<i64>) {
    if indexed.unwrap_or(0) > 0 {
        *named = Some(0);
    }
}

/// Labels without the pid in `cart.js [4711]`, where the names differ without it.
pub fn threads(names: &[&str]) -> Vec<ThreadView> {
    let short: Vec<&str> = names.iter().map(|name| without_pid(name)).collect();
    let mut views = Vec::new();
    for (name, short_name) in names.iter().zip(&short) {
        let is_unique = short.iter().filter(|other| *other == short_name).count() == 1;
        let label = if is_unique { *short_name } else { *name };
        views.push(ThreadView { label: label.into(), hidden: false, rank: 0 });
    }
    views
}

fn without_pid(name: &str) -> &str {
    let Some((short, rest)) = name.rsplit_once(" [") else { return name };
    match rest.strip_suffix(']') {
        Some(pid) if !pid.is_empty() && pid.bytes().all(|byte| byte.is_ascii_digit()) => short,
        _ => name,
    }
}

/// js-debug's answer for a thread that runs while another one is stopped.
const RUNS: &str = "Thread is not paused";

/// The error of a request that js-debug refuses.
pub fn error(message: &str) -> Error {
    if message == RUNS {
        return Error::invalid_request(
            "the thread is running: threads of Node stop one at a time, at a breakpoint or at a \
             pause with `thread`",
        );
    }
    Error::invalid_request(error_text(message))
}

/// The text of an expression's error. For statements js-debug writes the class twice
/// (`_evaluateRepl`).
fn error_text(message: &str) -> &str {
    if message.contains(SIDE_EFFECT) {
        return NEEDS_EFFECTS;
    }
    let message = message.strip_prefix("Uncaught ").unwrap_or(message);
    match message.split_once(' ') {
        Some((class, rest)) if rest.starts_with(class) => rest,
        _ => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_skipped_only_if_all_are_nodes_own() {
        let frame =
            |path: &str| Frame { name: "f".into(), path: Some(path.into()), line: 1, module: None };
        let (own, program) =
            (frame("<node_internals>/internal/modules/cjs/loader"), frame("/w/use.js"));
        assert_eq!(skipped_frames(&[own.clone(), own.clone()]), 2);
        assert_eq!(skipped_frames(&[own, program]), 0);
    }

    #[test]
    fn an_error_from_a_library_has_the_users_frame() {
        let frame = |path: &str| {
            [Frame { name: "f".into(), path: Some(path.into()), line: 1, module: None }]
        };
        let text = "Error: expect\n\nExpected: 3\n    at g (/w/node_modules/a.js:1:2)\n    \
                    at f (/w/b.js:3:4)\n    at x";
        let library = frame("/w/node_modules/jest/a.js");
        assert_eq!(user_frame(text, &library).as_deref(), Some("at f (/w/b.js:3:4)"));
        assert_eq!(user_frame(text, &frame("/w/b.js")), None);
        assert_eq!(user_frame("Error: x\n    at (node:fs:1)", &library), None);
    }

    #[test]
    fn source_that_does_not_parse_is_titled_by_its_error() {
        let text = |file: &str| {
            format!(
                "/a/{file}:1\nconst n: number;\n      ^\n\n\
                 SyntaxError: Missing initializer\n    at x"
            )
        };
        let title = "SyntaxError: Missing initializer".to_owned();
        let remedy =
            "this Node.js cannot run TypeScript: `npx tsx app.ts`, or compile it with source maps";
        let place = |file: &str| format!("/a/{file}:1: const n: number;");
        assert_eq!(
            thrown(&text("app.ts")),
            (title.clone(), Some(format!("{} ({remedy})", place("app.ts"))))
        );
        assert_eq!(thrown(&text("app.js")), (title, Some(place("app.js"))));
        assert_eq!(thrown("Error: at 7:1\n  at y"), ("Error: at 7:1".into(), None));
        for (text, whole) in [("Own: [\n  7\n]\n    at f", "Own: [ 7 ]"), ("E: \na\n at f", "E: a")]
        {
            assert_eq!(thrown(text), (whole.to_owned(), Some(whole.to_owned())));
        }
        assert_eq!(thrown("Error: ?"), ("Error: ?".into(), None));
    }

    #[test]
    fn message_of_several_lines_is_below_its_class() {
        let parts = |text: &str| several_lines(text);
        let of = |class: &str, message: &str| Some((class.to_owned(), message.to_owned()));
        assert_eq!(parts("E: one\n    at f"), None);
        assert_eq!(parts("E\n    at f"), None);
        assert_eq!(parts("E: one\n  two\n\nlast\n    at f"), of("E", "one\n  two\n\nlast"));
        assert_eq!(parts("E [ERR_A]: a:\n\n1 !== 2\n\n    at f"), of("E [ERR_A]", "a:\n\n1 !== 2"));
        assert_eq!(parts("E: no\nat all\n    at f"), of("E", "no\nat all"));
        assert_eq!(parts("no row: 1\n2"), of("no row: 1", "no row: 1\n2"));
        let of_stop = |text: &str| {
            let info =
                dap::ExceptionInfoResponse { exception_id: text.into(), ..Default::default() };
            let body = dap::Stopped { reason: "exception".into(), ..Default::default() };
            let seen = view(&body, &info, &[], false).unwrap();
            (seen.title, seen.detail)
        };
        assert_eq!(of_stop("E: a\nb\n  at f"), ("E".into(), Some("a\nb".into())));
        assert_eq!(of_stop("E: a\n  at f"), ("E: a".into(), None));
        let more = "E: a\nb\n  at f\n\u{1e}{\"fields\":\"n: 1\"}";
        assert_eq!(of_stop(more), ("E".into(), Some("a\nb\n{n: 1}".into())));
    }

    #[test]
    fn threads_are_named_by_their_program() {
        let labels =
            |names: &[&str]| threads(names).into_iter().map(|view| view.label).collect::<Vec<_>>();
        assert_eq!(labels(&["cart.js [12]", "[worker 1]"]), ["cart.js", "[worker 1]"]);
        assert_eq!(labels(&["a.js [1]", "a.js [2]"]), ["a.js [1]", "a.js [2]"]);
    }

    /// The changed variables of a response.
    fn read(rows: Value) -> Vec<dap::Variable> {
        let body = dap::lenient::decode(&json!({"variables": rows})).unwrap();
        variables(body).variables
    }

    #[test]
    fn elements_have_brackets_and_no_length() {
        let rows = read(json!([
            {"name": "0", "value": "5"},
            {"name": "length", "value": "1"},
            {"name": "[[Prototype]]", "value": "Array(0)"},
        ]));
        assert_eq!(
            rows,
            [dap::Variable { name: "[0]".into(), value: "5".into(), ..Default::default() }]
        );
        let rows = read(json!([
            {"name": "this", "value": "global"},
            {"name": "length", "value": "3"},
            {"name": "all", "value": "(9) […]", "indexedVariables": 9, "namedVariables": 1},
        ]));
        assert_eq!((rows[0].name.as_str(), rows[1].named_variables), ("length", Some(0)));
    }

    #[test]
    fn locals_of_a_module_are_its_own() {
        let row = |name: &str, value: &str, type_: &str| {
            let mut row = json!({"name": name, "value": value, "evaluateName": name});
            row["type"] = json!(type_);
            row
        };
        let mut rows: Vec<Value> = MODULE.iter().map(|name| row(name, "{}", "Object")).collect();
        rows.push(row("this", "Object", "Object"));
        let own = [row("add", "ƒ add()", "Function"), row("total", "3", "number")];
        let names = |rows: &[Value]| -> Vec<String> {
            read(json!(rows)).into_iter().map(|variable| variable.name).collect()
        };
        assert_eq!(names(&[&rows[..], &own].concat()), ["total", "add"]);
        // A function may have parameters of these names.
        assert_eq!(names(&rows[1..3]), ["require", "module"]);
        let mut property = row(RETURNED, "1", "number");
        assert!(names(&[property.clone()]).is_empty());
        property["evaluateName"] = json!("it[\"Return value\"]");
        assert_eq!(names(&[property]), [RETURNED]);
    }

    #[test]
    fn entries_are_named_by_their_keys() {
        let name = |name: &str, expression: &str| {
            let row = json!({"name": name, "value": "1", "evaluateName": expression});
            read(json!([row])).remove(0).name
        };
        let entry = r#"m["[[Entries]]"]["0000000002 \"a b\""]"#;
        assert_eq!(name(r#"0000000002 "a b""#, entry), r#"["a b"]"#);
        assert_eq!(name("2", "list[2]"), "[2]");
        let phone = "5551234567 John";
        assert_eq!(name(phone, r#"phones["5551234567 John"]"#), phone);
    }

    #[test]
    fn a_whole_text_has_no_quotes() {
        assert_eq!(text(r#""a\"b""#).as_deref(), Some("a\"b"));
        assert_eq!(text("`l1\n\\`l2\\${x}\\\\`").as_deref(), Some("l1\n`l2${x}\\"));
        assert_eq!(text("{}"), None);
    }

    /// The hints of these scopes, and whether they are expensive.
    fn hints<const N: usize>(sent: [dap::Scope; N]) -> [(Option<String>, bool); N] {
        let read = scopes(dap::ScopesResponse { scopes: sent.to_vec() }).scopes;
        std::array::from_fn(|n| (read[n].presentation_hint.clone(), read[n].expensive))
    }

    fn scope(name: &str, hint: Option<&str>, expensive: bool) -> dap::Scope {
        let presentation_hint = hint.map(str::to_owned);
        dap::Scope { name: name.into(), presentation_hint, expensive, ..Default::default() }
    }

    #[test]
    fn closures_are_not_locals() {
        let block = scope("Block: f", Some("locals"), false);
        let closure = scope("Closure (g)", Some("arguments"), false);
        assert_eq!(hints([block, closure]), [(Some("locals".into()), false), (None, false)]);
    }

    #[test]
    fn a_modules_variables_are_the_locals_of_its_own_code() {
        let outer = |inner: &str| {
            let inner = scope(inner, Some("locals"), false);
            let [_, module, global] =
                hints([inner, scope("Module", None, true), scope("Global", None, true)]);
            [module, global]
        };
        let global = (None, true);
        assert_eq!(outer("Block"), [(Some("locals".into()), false), global.clone()]);
        assert_eq!(outer("Local: f"), [(None, false), global]);
    }

    #[test]
    fn accessors_are_not_displayed_as_functions() {
        let rows = read(json!([
            {"name": "total", "value": "ƒ total() { return 7; }", "type": "function",
             "variablesReference": 3,
             "presentationHint": {"attributes": ["readOnly"], "lazy": true}},
            {"name": "f", "value": "ƒ f()", "type": "Function", "presentationHint": {}},
            {"name": "put", "value": "write-only", "type": "function", "variablesReference": 4},
            {"name": "price", "value": "LambdaFunction {rate: 2}", "type": "LambdaFunction"},
            {"name": "load", "value": "ƒ load()", "type": "AsyncFunction"},
        ]));
        let row = |n: usize| (rows[n].value.as_str(), rows[n].type_.as_deref());
        assert_eq!(row(0), ("(getter)", None));
        assert_eq!((row(1), rows[1].variables_reference), (("(setter)", None), 0));
        assert_eq!(row(2), ("LambdaFunction {rate: 2}", Some("LambdaFunction")));
        assert_eq!(row(3), ("ƒ f()", Some("Function")));
        let kind =
            |n: usize| rows[n].presentation_hint.as_ref().and_then(|hint| hint.kind.as_deref());
        assert_eq!([kind(2), kind(3), kind(4)], [None, Some("method"), Some("method")]);
    }
}
