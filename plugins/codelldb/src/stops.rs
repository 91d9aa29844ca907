//! Reads stops and variables as LLDB tells them. Pure.

use dapdock_plugin::cpp;
use dapdock_plugin::hooks::ResponseAction;
use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{
    Frame, Stop, StopClass, StopView, ThreadView, Variable, VariableView,
};
use dapdock_plugin::rust;

/// Elements of a container fetched without being asked for.
const EAGER: u64 = 5;
/// Types whose summary is the text they hold.
const TEXTS: [&str; 6] = [
    "alloc::string::String",
    "&str",
    "char *",
    "std::string",
    "std::basic_string<char>",
    "std::string_view",
];

/// Panics stop in `rust_panic` as at a breakpoint nobody set, signals as
/// exceptions "signal SIGSEGV: address not mapped to object (fault address=0x8)".
pub fn view(stop: &Stop) -> Option<StopView> {
    let Stop { body, top, output, .. } = stop;
    let function = top.first().map_or("", |frame| frame.name.as_str());
    if function.ends_with("rust_panic") {
        return Some(rust::panic(top, output));
    }
    if cpp::throws(top) {
        let info = stop.info().unwrap_or_default();
        let ty = Some(info.exception_id.as_str())
            .filter(|ty| !ty.is_empty())
            .unwrap_or("C++ exception thrown");
        return Some(cpp::thrown(ty, info.description.as_deref(), top));
    }
    let skip_frames = rust::above_users(top);
    let view = |class, title: String| Some(StopView { class, title, detail: None, skip_frames });
    let signal = body.description.as_deref()?.strip_prefix("signal ")?;
    if signal.starts_with("SIGSTOP") {
        return None;
    }
    let uncaught = cpp::uncaught(top, output).map(|what| format!(": {what}")).unwrap_or_default();
    view(StopClass::Signal, plain_signal(signal) + &uncaught)
}

/// What a core file was dumped for, without the word "signal" before it there: "SIGSEGV: address
/// not mapped to object …".
pub fn core(body: &dap::Stopped, top: &[Frame]) -> StopView {
    let told = body.description.as_deref().map(|told| told.strip_prefix("signal ").unwrap_or(told));
    let (class, title) = match told.filter(|told| told.starts_with("SIG")) {
        Some(signal) => (StopClass::Signal, format!("core file: {}", plain_signal(signal))),
        None => (StopClass::Other, "core file".to_owned()),
    };
    StopView { class, title, detail: None, skip_frames: rust::above_users(top) }
}

fn plain_signal(told: &str) -> String {
    told.replace(" to object", "").replace("fault address=", "")
}

/// `Exception: error: <user expression 7>:1:1: use of undeclared identifier 'nope'` without
/// what differs from run to run.
pub fn plain_error(message: &str) -> String {
    let message =
        point(message).trim_start_matches("operands.Unable: ").trim_start_matches("Exception: ");
    let message = message.trim_start_matches("error: ");
    let place = message.strip_prefix("<user expression ").and_then(|rest| rest.split_once(": "));
    place.map_or(message, |(_, words)| words).to_owned()
}

/// What the system does not permit, in its words: of LLDB's server, or of permitted.py. Other
/// errors stand as they are.
pub fn start_error(message: &str) -> ResponseAction {
    // `ptrace: `, `ptrace(PTRACE_ATTACH …`, `ptrace failed`: a path may hold the word, too.
    let refused =
        ["ptrace: ", "ptrace(", "ptrace failed"].iter().any(|words| message.contains(words));
    match refused {
        true => ResponseAction::failed(Error::not_permitted(plain_error(message))),
        false => ResponseAction::Unchanged,
    }
}

/// Behind a traceback's frames, which are indented, stands what happened.
fn point(message: &str) -> &str {
    let Some((_, trace)) = message.rsplit_once("Traceback (most recent call last)") else {
        return message;
    };
    trace
        .lines()
        .skip(1)
        .find(|line| !line.starts_with(' ') && !line.trim().is_empty())
        .unwrap_or(message)
}

/// `1: tid=9557 "cart"` is the thread "cart": the numbers differ from run to run.
pub fn thread(name: &str) -> ThreadView {
    let quoted = name.split_once('"').and_then(|(_, rest)| rest.rsplit_once('"'));
    let label = quoted.map_or(name, |(name, _)| name);
    ThreadView { label: label.into(), hidden: false, rank: 0 }
}

/// Everything but `[raw]`, with the first elements of what says how many it has: "size=N",
/// `int[N]`.
pub fn variables(variables: &[Variable]) -> Vec<VariableView> {
    let shown = variables.iter().zip(0..).filter(|(variable, _)| variable.name != "[raw]");
    let view = |(variable, index): (&Variable, u32)| {
        let elements = elements(variable);
        let prefetch = elements.unwrap_or(0).min(EAGER) as u32;
        VariableView { index, summary: empty(variable), prefetch, elements, secret: false }
    };
    shown.map(view).collect()
}

/// As an empty one is written elsewhere.
fn empty(variable: &Variable) -> Option<String> {
    let keyed = variable.ty.as_deref().is_some_and(|ty| {
        ty.split('<').next().is_some_and(|name| name.ends_with("map") || name.ends_with("Map"))
    });
    (variable.value == "size=0").then(|| if keyed { "{}" } else { "[]" }.to_owned())
}

/// A text is its value; what it has inside are bytes.
fn elements(variable: &Variable) -> Option<u64> {
    let ty = variable.ty.as_deref().unwrap_or_default();
    if TEXTS.iter().any(|text| ty.ends_with(text)) {
        return Some(0);
    }
    let size = variable.value.strip_prefix("size=").and_then(|size| size.split(' ').next());
    let inside = ty.strip_suffix(']');
    let length = inside
        .and_then(|ty| ty.rsplit_once("; ").or_else(|| ty.rsplit_once('[')))
        .map(|(_, length)| length);
    let elements = size.or(length).and_then(|number| number.parse().ok())?;
    // Only a listing tells the keys of a BTreeMap; it takes 2 ms for each.
    let keyed = ty.contains("::BTreeMap<") && (100..1_000).contains(&elements);
    (!keyed).then_some(elements)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_errors_are_the_same_in_every_run() {
        assert_eq!(thread("1: tid=9557 \"cart\"").label, "cart");
        assert_eq!(thread("worker").label, "worker");
        let told = "Exception: error: <user expression 7>:1:1: use of undeclared identifier 'nope'";
        assert_eq!(plain_error(told), "use of undeclared identifier 'nope'");
        assert_eq!(plain_error("Syntax error: 1 +"), "Syntax error: 1 +");
        let traced = format!("Traceback (most recent call last):\n  File x\n    y\n{told}\n");
        assert_eq!(
            plain_error(&traced),
            "use of undeclared identifier 'nowhere'".replace("nowhere", "nope")
        );
    }

    #[test]
    fn a_path_with_the_word_is_no_refusal_of_the_system() {
        let refused = |message| matches!(start_error(message), ResponseAction::Fail(_));
        assert!(refused("Cannot launch '/w/a': ptrace failed: Operation not permitted"));
        assert!(refused("ptrace: Operation not permitted"));
        assert!(!refused(
            "Cannot launch '/w/ptrace-demo/x': execve failed: No such file or directory"
        ));
    }

    fn frame(name: &str, path: &str) -> Frame {
        let path = (!path.is_empty()).then(|| path.to_owned());
        Frame { name: name.into(), path, line: 1, module: None }
    }

    #[test]
    fn elements_are_counted_where_lldb_says_how_many() {
        let count = |ty: &str, value: &str| {
            let variable = Variable {
                name: "x".into(),
                value: value.into(),
                ty: Some(ty.into()),
                evaluate_name: None,
                has_children: true,
                named: 0,
                indexed: 0,
            };
            elements(&variable)
        };
        assert_eq!(count("alloc::vec::Vec<int>", "size=10000"), Some(10_000));
        assert_eq!(count("int[300]", "{...}"), Some(300));
        assert_eq!(count("[[i32; 2]; 300]", "{...}"), Some(300));
        assert_eq!(
            count("alloc::collections::btree::set::BTreeSet<i32>", "size=20 [1, 2]"),
            Some(20)
        );
        assert_eq!(count("alloc::string::String", "\"size=3\""), Some(0));
        assert_eq!(count("const char *", "\"text\""), Some(0));
        assert_eq!(count("alloc::collections::btree::map::BTreeMap<int, int>", "size=200"), None);
        assert_eq!(count("deep::Node", "{depth:10}"), None);
    }

    #[test]
    fn what_is_empty_is_told_by_its_brackets() {
        let told = |ty: &str, value: &str| {
            let (ty, value) = (Some(ty.to_owned()), value.to_owned());
            let (name, evaluate_name) = ("x".to_owned(), None);
            let variable = Variable {
                name,
                value,
                ty,
                evaluate_name,
                has_children: false,
                named: 0,
                indexed: 0,
            };
            variables(&[variable]).remove(0).summary
        };
        assert_eq!(told("alloc::vec::Vec<std::HashMap<u8, u8>>", "size=0").as_deref(), Some("[]"));
        assert_eq!(
            told("std::collections::hash::map::HashMap<u8, u8>", "size=0").as_deref(),
            Some("{}")
        );
        assert_eq!(told("alloc::vec::Vec<u8>", "size=1"), None);
    }

    fn stopped(description: Option<&str>) -> dap::Stopped {
        dap::Stopped { description: description.map(str::to_owned), ..Default::default() }
    }

    #[test]
    fn a_signal_is_named_with_its_address() {
        let description = "signal SIGSEGV: address not mapped to object (fault address=0x8)";
        let told = |description: &str, top: Vec<Frame>| {
            let body = json!({"reason": "exception", "description": description});
            view(&Stop::new(body, None, top, String::new()))
        };
        let stop = told(description, vec![frame("a::read", "/w/a.rs")]);
        assert_eq!(
            stop.map(|stop| stop.title).as_deref(),
            Some("SIGSEGV: address not mapped (0x8)")
        );
        assert!(told("signal SIGSTOP", Vec::new()).is_none());
    }

    #[test]
    fn a_core_file_says_what_ended_the_program() {
        let told = |description| core(&stopped(description), &[]).title;
        let description = "SIGSEGV: address not mapped to object (fault address=0x8)";
        assert_eq!(told(Some(description)), "core file: SIGSEGV: address not mapped (0x8)");
        assert_eq!(told(Some("signal SIGABRT")), "core file: SIGABRT");
        assert_eq!(told(None), "core file");
    }
}
