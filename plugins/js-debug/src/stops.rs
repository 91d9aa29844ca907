//! Reads stops, scopes, threads and the end as js-debug tells them. Pure.

use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{Frame, StopClass, StopView, ThreadView};

/// The error's own words are the id of the exception; "Paused on exception" is all that the stop
/// says.
pub fn view(
    body: &dap::Stopped,
    info: &dap::ExceptionInfoResponse,
    top: &[Frame],
) -> Option<StopView> {
    if body.reason != "exception" || info.exception_id.is_empty() {
        return None;
    }
    let (title, detail) = thrown(&info.exception_id);
    let stack = info.details.as_ref().and_then(|details| details.stack_trace.as_deref());
    let detail = detail.or_else(|| raised_at(stack.unwrap_or(&info.exception_id), top));
    let class = match body.description.as_deref() {
        Some("Paused on promise rejection") => StopClass::ExceptionUncaught,
        _ if matches!(info.break_mode.as_deref(), Some("all" | "always")) => {
            StopClass::ExceptionCaught
        }
        _ => StopClass::ExceptionUncaught,
    };
    Some(StopView { class, title, detail, skip_frames: nodes_own(top) })
}

/// All frames, where all are of Node's own code: it loads a program, say, that does not parse.
fn nodes_own(top: &[Frame]) -> u32 {
    let own = |frame: &Frame| {
        frame.path.as_ref().is_some_and(|path| path.starts_with("<node_internals>/"))
    };
    if top.iter().all(own) { top.len() as u32 } else { 0 }
}

/// The user's frame, of an error that a library has caught and hands on.
fn raised_at(text: &str, top: &[Frame]) -> Option<String> {
    let foreign = |path: &str| {
        ["/node_modules/", "node:", "<node_internals>/"].iter().any(|part| path.contains(part))
    };
    top.first()?.path.as_deref().filter(|path| foreign(path))?;
    let frames = |line: &&str| line.trim_start().starts_with("at ");
    let own = text.lines().filter(frames).find(|line| !foreign(line) && line.contains('/'))?.trim();
    Some(own.to_owned())
}

/// What was thrown, in a line, with where and what helps. Of source that does not parse Node has
/// the place first: `/a/app.ts:1`, the line and a mark below it.
fn thrown(text: &str) -> (String, Option<String>) {
    let first = text.lines().next().unwrap_or_default();
    let placed = first
        .rsplit_once(':')
        .filter(|(_, line)| !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit()));
    let error =
        placed.and_then(|_| text.lines().skip(1).find(|line| line.starts_with("SyntaxError: ")));
    let path = error.and(placed).map(|(path, _)| path.rsplit('/').next().unwrap_or(path));
    let place = error.and(text.lines().nth(1)).map(|code| format!("{first}: {}", code.trim()));
    let typed = |path: &str| [".ts", ".mts", ".cts", ".tsx"].iter().any(|end| path.ends_with(end));
    let strange = first.contains("ERR_UNKNOWN_FILE_EXTENSION") && first.contains(".ts\"");
    let what = path.filter(|path| typed(path)).or(strange.then_some("FILE.ts"));
    let helps = |file| {
        format!("this Node.js runs no TypeScript: `npx tsx {file}`, or compile it with source maps")
    };
    let detail = place
        .into_iter()
        .chain(what.map(helps))
        .reduce(|place, helps| format!("{place} ({helps})"));
    (error.unwrap_or(first).to_owned(), detail)
}

/// Closures are told as arguments of the function they surround. The variables of a module, told as
/// expensive to read, which they are not, are the locals of its own code.
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

/// What run.sh writes last; a line of its own, wherever the program's output ended.
const EXITED: &str = "\u{1e}dapdock: exited with ";

/// What Node writes to the program's stderr because it is debugged.
const CHATTER: [&str; 4] = [
    "Debugger attached.",
    "Waiting for the debugger to disconnect...",
    "Debugger listening on ",
    "For help, see: https://nodejs.org/en/docs/inspector",
];

/// What js-debug has a condition write that fails (`__breakOnConditionalError`,
/// breakpoints/conditions/expression.ts).
const FAILED: &str = "Breakpoint condition error: ";

/// What came on stderr that is not the program's.
#[derive(Debug, Default, PartialEq)]
pub struct Stderr {
    /// The program's own part.
    pub own: String,
    /// How it ended.
    pub code: Option<i64>,
    /// Why conditions failed.
    pub failed: Vec<String>,
}

/// Takes apart what came on stderr; none: all of it is the program's.
pub fn stderr(output: &str) -> Option<Stderr> {
    let (text, code) = match output.split_once(EXITED) {
        Some((own, rest)) => (own, rest.split('\u{1e}').next().and_then(|code| code.parse().ok())),
        None => (output, None),
    };
    let mut told = Stderr { code, ..Stderr::default() };
    for line in text.split_inclusive('\n') {
        match line.strip_prefix(FAILED) {
            Some(why) => told.failed.push(why.trim_end().to_owned()),
            None if CHATTER.iter().any(|words| line.starts_with(words)) => {}
            None => told.own.push_str(line),
        }
    }
    (told.code.is_some() || told.own.len() < output.len()).then_some(told)
}

/// Functions that are called without an object have the global one: `global.main` is `main`.
pub fn function(name: &str) -> Option<String> {
    name.strip_prefix("global.").map(str::to_owned)
}

/// What has a value only once it is called.
const GETTER: &str = "(getter)";

/// Variables as the program has them: elements are `[0]`, without the length that stands beside
/// them; no prototypes, and no `this` that is not an object of the program's.
pub fn variables(mut body: dap::VariablesResponse) -> dap::VariablesResponse {
    let element = |row: &dap::Variable| row.name.bytes().all(|byte| byte.is_ascii_digit());
    let sequence = body.variables.iter().any(element);
    body.variables.retain(|row| match row.name.as_str() {
        "[[Prototype]]" => false,
        "length" => !sequence,
        "this" => !matches!(row.value.as_str(), "global" | "globalThis" | "undefined"),
        _ => true,
    });
    for row in &mut body.variables {
        counted(row.indexed_variables, &mut row.named_variables);
        // The function itself stands there, with its source.
        if row.presentation_hint.as_ref().is_some_and(|hint| hint.lazy == Some(true)) {
            row.value = GETTER.into();
            row.type_ = None;
        }
        if element(row) {
            row.name = format!("[{}]", row.name);
        }
    }
    body
}

/// Of a sequence the elements count, not its length and what it inherits.
pub fn counted(indexed: Option<i64>, named: &mut Option<i64>) {
    if indexed.unwrap_or(0) > 0 {
        *named = Some(0);
    }
}

/// `cart.js [4711]` is the program `cart.js`; the number tells only namesakes apart.
pub fn threads(names: &[&str]) -> Vec<ThreadView> {
    let short: Vec<&str> = names.iter().map(|name| without_pid(name)).collect();
    let label = |(name, own): (&&str, &&str)| {
        let alone = short.iter().filter(|other| *other == own).count() == 1;
        ThreadView { label: if alone { *own } else { *name }.into(), hidden: false, rank: 0 }
    };
    names.iter().zip(&short).map(label).collect()
}

fn without_pid(name: &str) -> &str {
    let cut = name.rsplit_once(" [").filter(|(_, rest)| {
        rest.strip_suffix(']')
            .is_some_and(|pid| !pid.is_empty() && pid.bytes().all(|byte| byte.is_ascii_digit()))
    });
    cut.map_or(name, |(name, _)| name)
}

/// What an expression threw. Of statements js-debug names the class twice (`_evaluateRepl`).
pub fn cause(words: &str) -> &str {
    let words = words.strip_prefix("Uncaught ").unwrap_or(words);
    match words.split_once(' ') {
        Some((class, rest)) if rest.starts_with(class) => rest,
        _ => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_stack_of_nodes_own_is_passed_over_as_a_whole() {
        let frame =
            |path: &str| Frame { name: "f".into(), path: Some(path.into()), line: 1, module: None };
        let (own, program) =
            (frame("<node_internals>/internal/modules/cjs/loader"), frame("/w/use.js"));
        assert_eq!(nodes_own(&[own.clone(), own.clone()]), 2);
        assert_eq!(nodes_own(&[own, program]), 0);
    }

    #[test]
    fn an_error_that_a_library_hands_on_is_told_with_the_users_frame() {
        let frame = |path: &str| {
            [Frame { name: "f".into(), path: Some(path.into()), line: 1, module: None }]
        };
        let text = "Error: expect\n\nExpected: 3\n    at g (/w/node_modules/a.js:1:2)\n    at f (/w/b.js:3:4)\n    at x";
        let library = frame("/w/node_modules/jest/a.js");
        assert_eq!(raised_at(text, &library).as_deref(), Some("at f (/w/b.js:3:4)"));
        assert_eq!(raised_at(text, &frame("/w/b.js")), None);
        assert_eq!(raised_at("Error: x\n    at (node:fs:1)", &library), None);
    }

    #[test]
    fn the_end_and_the_chatter_are_cut_out_of_stderr() {
        let told = |text: &str| stderr(text).map(|told| (told.own, told.code));
        assert_eq!(told("warning\n"), None);
        assert_eq!(told("Debugger attached.\n"), Some((String::new(), None)));
        let end = "oops\nWaiting for the debugger to disconnect...\n\u{1e}dapdock: exited with 139\u{1e}\n";
        assert_eq!(told(end), Some(("oops\n".into(), Some(139))));
        assert_eq!(
            told("no end\u{1e}dapdock: exited with 0\u{1e}\n"),
            Some(("no end".into(), Some(0)))
        );
    }

    #[test]
    fn source_that_does_not_parse_is_told_by_its_error() {
        let text = |file: &str| {
            format!(
                "/a/{file}:1\nconst n: number;\n      ^\n\nSyntaxError: Missing initializer\n    at x"
            )
        };
        let title = "SyntaxError: Missing initializer".to_owned();
        let helps =
            "this Node.js runs no TypeScript: `npx tsx app.ts`, or compile it with source maps";
        let place = |file: &str| format!("/a/{file}:1: const n: number;");
        assert_eq!(
            thrown(&text("app.ts")),
            (title.clone(), Some(format!("{} ({helps})", place("app.ts"))))
        );
        assert_eq!(thrown(&text("app.js")), (title, Some(place("app.js"))));
        assert_eq!(thrown("Error: at 7:1\n  at y"), ("Error: at 7:1".into(), None));
    }

    #[test]
    fn conditions_that_fail_are_told_apart() {
        let told = stderr("a\nBreakpoint condition error: x is not defined\nb");
        assert_eq!(
            told.map(|told| (told.own, told.failed)),
            Some(("a\nb".into(), vec!["x is not defined".into()]))
        );
    }

    #[test]
    fn threads_are_named_by_their_program() {
        let labels =
            |names: &[&str]| threads(names).into_iter().map(|view| view.label).collect::<Vec<_>>();
        assert_eq!(labels(&["cart.js [12]", "[worker 1]"]), ["cart.js", "[worker 1]"]);
        assert_eq!(labels(&["a.js [1]", "a.js [2]"]), ["a.js [1]", "a.js [2]"]);
    }

    /// Rows as js-debug tells them, and what becomes of them.
    fn read(rows: Value) -> Vec<dap::Variable> {
        let told = dap::lenient::decode(&json!({"variables": rows})).unwrap();
        variables(told).variables
    }

    #[test]
    fn elements_are_numbered_and_stand_alone() {
        let rows = read(json!([
            {"name": "0", "value": "5"}, {"name": "length", "value": "1"}, {"name": "[[Prototype]]", "value": "Array(0)"},
        ]));
        assert_eq!(
            rows,
            [dap::Variable { name: "[0]".into(), value: "5".into(), ..Default::default() }]
        );
        let rows = read(json!([
            {"name": "this", "value": "global"}, {"name": "length", "value": "3"},
            {"name": "all", "value": "(9) […]", "indexedVariables": 9, "namedVariables": 1},
        ]));
        assert_eq!((rows[0].name.as_str(), rows[1].named_variables), ("length", Some(0)));
    }

    /// Hints and costs of these scopes.
    fn hints<const N: usize>(told: [dap::Scope; N]) -> [(Option<String>, bool); N] {
        let read = scopes(dap::ScopesResponse { scopes: told.to_vec() }).scopes;
        std::array::from_fn(|n| (read[n].presentation_hint.clone(), read[n].expensive))
    }

    fn scope(name: &str, hint: Option<&str>, expensive: bool) -> dap::Scope {
        let presentation_hint = hint.map(str::to_owned);
        dap::Scope { name: name.into(), presentation_hint, expensive, ..Default::default() }
    }

    #[test]
    fn closures_are_no_locals() {
        let block = scope("Block: f", Some("locals"), false);
        let closure = scope("Closure (g)", Some("arguments"), false);
        assert_eq!(hints([block, closure]), [(Some("locals".into()), false), (None, false)]);
    }

    #[test]
    fn a_modules_variables_are_the_locals_of_its_own_code() {
        let told = |inner: &str| {
            let inner = scope(inner, Some("locals"), false);
            let [_, module, global] =
                hints([inner, scope("Module", None, true), scope("Global", None, true)]);
            [module, global]
        };
        let global = (None, true);
        assert_eq!(told("Block"), [(Some("locals".into()), false), global.clone()]);
        assert_eq!(told("Local: f"), [(None, false), global]);
    }

    #[test]
    fn a_getter_is_no_function() {
        let rows = read(json!([
            {"name": "total", "value": "ƒ total() { return 7; }", "type": "function", "variablesReference": 3,
             "presentationHint": {"attributes": ["readOnly"], "lazy": true}},
            {"name": "f", "value": "ƒ f()", "type": "function", "presentationHint": {}},
        ]));
        let row = |n: usize| (rows[n].value.as_str(), rows[n].type_.as_deref());
        assert_eq!(row(0), ("(getter)", None));
        assert_eq!(row(1), ("ƒ f()", Some("function")));
    }
}
