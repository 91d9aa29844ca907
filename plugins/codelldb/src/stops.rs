//! Describes stops and variables as LLDB reports them. Pure.

use dapdock_native::{cpp, gtest_failures, rust};
use dapdock_plugin::hooks::ResponseAction;
use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{
    Frame, Reaction, Stop, StopClass, StopView, ThreadView, Variable, VariableView,
};

/// Elements of a container fetched eagerly.
const EAGER: u64 = 5;
/// Types whose summary is their text.
const STRING_TYPES: [&str; 13] = [
    "alloc::string::String",
    "alloc::boxed::Box<str>",
    "&str",
    "char *",
    "std::string",
    "std::basic_string<char>",
    "std::string_view",
    "std::wstring",
    "std::u8string",
    "std::u16string",
    "std::u32string",
    "alloc::ffi::c_str::CString",
    "&core::ffi::c_str::CStr",
];

/// Panics stop in `rust_panic` as at a breakpoint, signals as exceptions "signal SIGSEGV: address
/// not mapped to object (fault address=0x8)".
pub fn view(stop: &Stop) -> Option<StopView> {
    let Stop { body, top, output, .. } = stop;
    let function = top.first().map_or("", |frame| frame.name.as_str());
    if function.ends_with("rust_panic") {
        let message = stop.info().and_then(|info| info.description);
        return Some(rust::panic(top, output, message.as_deref()));
    }
    if cpp::is_throw(top) {
        let info = stop.info().unwrap_or_default();
        let ty = Some(info.exception_id.as_str())
            .filter(|ty| !ty.is_empty())
            .unwrap_or("C++ exception thrown");
        return Some(cpp::exception_stop(ty, info.description.as_deref(), top));
    }
    let skip_frames = rust::frames_above_user_code(top);
    let signal = body.description.as_deref()?.strip_prefix("signal ")?;
    if signal.starts_with("SIGSTOP") {
        return None;
    }
    if signal.starts_with("SIGTRAP")
        && let Some(assertion) = gtest_failures::assertion(top, output)
    {
        return Some(assertion);
    }
    let uncaught =
        cpp::uncaught_exception(top, output).map(|what| format!(": {what}")).unwrap_or_default();
    let title = plain_signal(signal) + &uncaught;
    Some(StopView {
        class: StopClass::Signal,
        title,
        detail: None,
        skip_frames,
        reaction: Reaction::Report,
    })
}

/// The reason for a core file, which lacks the word "signal": "SIGSEGV: address not mapped to
/// object …".
pub fn core(body: &dap::Stopped, top: &[Frame]) -> StopView {
    let description = body
        .description
        .as_deref()
        .map(|description| description.strip_prefix("signal ").unwrap_or(description));
    let (class, title) = match description.filter(|description| description.starts_with("SIG")) {
        Some(signal) => (StopClass::Signal, format!("core file: {}", plain_signal(signal))),
        None => (StopClass::Other, "core file".to_owned()),
    };
    StopView {
        class,
        title,
        detail: None,
        skip_frames: rust::frames_above_user_code(top),
        reaction: Reaction::Report,
    }
}

/// LLDB's words for a signal without an address (`SI_KERNEL` in LinuxSignals.cpp): x86 gives none
/// of an access that is misaligned or not canonical.
const NO_ADDRESS: &str = "invalid address (fault address=0x0)";

fn plain_signal(description: &str) -> String {
    let known = description.replace(NO_ADDRESS, "invalid address, not given by the processor");
    known.replace(" to object", "").replace("fault address=", "")
}

/// `Exception: error: <user expression 7>:1:1: use of undeclared identifier 'nope'` without the
/// parts that differ from run to run.
pub fn plain_error(message: &str) -> String {
    let message = traceback_message(message)
        .trim_start_matches("operands.Unable: ")
        .trim_start_matches("Exception: ");
    let message = message.trim_start_matches("error: ");
    let place = message.strip_prefix("<user expression ").and_then(|rest| rest.split_once(": "));
    place.map_or(message, |(_, words)| words).to_owned()
}

/// A denied permission, as LLDB's server or ptrace_permission.py reports it. Other errors stay
/// unchanged.
pub fn start_error(message: &str) -> ResponseAction {
    // `ptrace: `, `ptrace(PTRACE_ATTACH …`, `ptrace failed`: a path may contain the word, too.
    let refused =
        ["ptrace: ", "ptrace(", "ptrace failed"].iter().any(|words| message.contains(words));
    if refused {
        return ResponseAction::failed(Error::not_permitted(plain_error(message)));
    }
    ResponseAction::Unchanged
}

/// The error after the frames of a traceback, which are indented.
fn traceback_message(message: &str) -> &str {
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

/// The compiler's tables of functions of a type, which LLDB lists as static variables.
const FUNCTION_TABLE: &str = "{vtable}";

/// Every variable but `[raw]`, the compiler's tables and padding, with the first elements if the
/// number of elements is known: "size=N", `int[N]`.
pub fn variables(variables: &[Variable], rust: bool) -> Vec<VariableView> {
    let mut views = Vec::new();
    for (variable, index) in variables.iter().zip(0..) {
        let is_internal = variable.name == "[raw]" || variable.name.ends_with(FUNCTION_TABLE);
        if is_internal || is_padding(variable) {
            continue;
        }
        let elements = elements(variable);
        let prefetch = elements.unwrap_or(0).min(EAGER) as u32;
        if let Some(summary) = map(variable) {
            let summary = Some(summary);
            views.push(VariableView { index, summary, prefetch: 0, elements, secret: false });
            continue;
        }
        let summary =
            sequence(variable).or_else(|| empty(variable)).or_else(|| null(&variable.value, rust));
        views.push(VariableView { index, summary, prefetch, elements, secret: false });
    }
    views
}

/// A bit field without a name (`int:3`), which LLDB itself adds between others.
fn is_padding(variable: &Variable) -> bool {
    let bits = variable.ty.as_deref().and_then(|ty| ty.rsplit_once(':')).map(|(_, bits)| bits);
    let is_number =
        |bits: &str| !bits.is_empty() && bits.bytes().all(|digit| digit.is_ascii_digit());
    variable.name.is_empty() && bits.is_some_and(is_number)
}

/// A pointer to nowhere, as CodeLLDB describes it or as [`absent`] does: it has no members,
/// though its type has.
pub fn points_nowhere(value: &str) -> bool {
    value == NULL_POINTER || value == INVALID_ADDRESS || value.starts_with(NOT_READABLE)
}

/// A variable that has no place here, or a pointer to memory that cannot be read, with its address;
/// None for other values.
pub fn absent(value: &str, ty: &str, reference: Option<&str>) -> Option<String> {
    if WITHOUT_PLACE.iter().any(|start| value.starts_with(start)) {
        return Some(OPTIMIZED_OUT.into());
    }
    // `int *const`
    let unqualified = ty.trim_end_matches(|c: char| c.is_alphabetic() || "_ ".contains(c));
    let is_pointer = unqualified.ends_with('*') || ty.starts_with(['*', '&']);
    // LLDB's texts where it has no bytes, or no characters.
    let has_no_text = is_pointer && matches!(value, "<not available>" | "unable to read data");
    if value != INVALID_ADDRESS && !has_no_text {
        return None;
    }
    // The reference of a C++ reference is where that itself is.
    let digits = reference.filter(|_| !ty.ends_with('&'))?.strip_prefix("0x")?;
    let address = u64::from_str_radix(digits, 16).ok()?;
    Some(format!("{NOT_READABLE}{address:#x}>"))
}

/// The text of a variable without a place.
pub const OPTIMIZED_OUT: &str = "<optimized out>";

/// LLDB's errors for variables that have no place here; line_tables.py has them for members.
const WITHOUT_PLACE: [&str; 4] =
    ["<variable not available", "<no location", "<could not evaluate DW_OP_", "<register "];
/// How texts of pointers to memory that cannot be read begin, those of Python too.
const NOT_READABLE: &str = "<not readable: ";
/// CodeLLDB's text of a pointer to such memory.
const INVALID_ADDRESS: &str = "<invalid address>";

/// CodeLLDB's text of a null pointer.
const NULL_POINTER: &str = "<null>";

/// A null pointer in the words of C and C++.
pub fn null(value: &str, rust: bool) -> Option<String> {
    (value == NULL_POINTER && !rust).then(|| "NULL".to_owned())
}

/// A map with its keys, which are names of its children and no part of their values.
fn map(variable: &Variable) -> Option<String> {
    let name = map_name(variable.ty.as_deref()?)?;
    let (count, entries) = variable.value.strip_prefix("size=")?.split_once(' ')?;
    Some(format!("{name}({count}){entries}"))
}

/// A container inside another one: its number of elements, and those that LLDB's text has.
fn sequence(variable: &Variable) -> Option<String> {
    let text = variable.value.strip_prefix("size=").filter(|text| *text != "0")?;
    let (count, entries) = text.split_once(' ').unwrap_or((text, "[…]"));
    let name = variable.ty.as_deref()?.split(['<', '[', '(']).next()?.rsplit("::").next()?;
    let name = if is_name(name) { name } else { "" };
    count.bytes().all(|digit| digit.is_ascii_digit()).then(|| format!("{name}({count}){entries}"))
}

/// Not for what is before the brackets of a slice: `&`, `&mut ` and `*const `.
fn is_name(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.into_iter().any(|word| !["", "mut", "const"].contains(&word))
}

/// The name of the type of a map without its path and its arguments; None: it is none.
fn map_name(ty: &str) -> Option<&str> {
    let name = ty.split('<').next()?.rsplit("::").next()?;
    ["map", "Map"].iter().any(|end| name.ends_with(end)).then_some(name)
}

/// The usual text of an empty container.
fn empty(variable: &Variable) -> Option<String> {
    let keyed = variable.ty.as_deref().and_then(map_name).is_some();
    (variable.value == "size=0").then(|| if keyed { "{}" } else { "[]" }.to_owned())
}

/// The number of elements. A string has none: its children are bytes. Nor has a pointer to nowhere.
fn elements(variable: &Variable) -> Option<u64> {
    let ty = variable.ty.as_deref().unwrap_or_default();
    // The elements of a pointer to an array are those of the array: `[i32; 3] *`.
    let pointed = ty.trim_end_matches([' ', '*']);
    let is_text = STRING_TYPES.iter().any(|text| ty.ends_with(text))
        || (pointed.ends_with(']')
            && variable.value.trim_start_matches(['L', 'u', 'U']).starts_with('"'));
    if points_nowhere(&variable.value) || is_text {
        return Some(0);
    }
    let size = variable.value.strip_prefix("size=").and_then(|size| size.split(' ').next());
    // `[[i32; 3]; 2]` and `int[2][3]` have two elements.
    let inside = pointed.strip_suffix(']');
    let length = inside
        .and_then(|ty| ty.rsplit_once("; ").or_else(|| ty.split_once('[')))
        .and_then(|(_, length)| length.split(']').next());
    let elements = size.or(length).and_then(|number| number.parse().ok())?;
    // Only a full listing has the keys of a map; each takes 2 ms.
    let keyed = map_name(ty).is_some() && (100..1_000).contains(&elements);
    (!keyed).then_some(elements)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_errors_lose_what_differs_between_runs() {
        assert_eq!(thread("1: tid=9557 \"cart\"").label, "cart");
        assert_eq!(thread("worker").label, "worker");
        let description =
            "Exception: error: <user expression 7>:1:1: use of undeclared identifier 'nope'";
        assert_eq!(plain_error(description), "use of undeclared identifier 'nope'");
        assert_eq!(plain_error("Syntax error: 1 +"), "Syntax error: 1 +");
        let traced =
            format!("Traceback (most recent call last):\n  File x\n    y\n{description}\n");
        assert_eq!(
            plain_error(&traced),
            "use of undeclared identifier 'nowhere'".replace("nowhere", "nope")
        );
    }

    #[test]
    fn path_with_ptrace_is_not_a_denied_permission() {
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
    fn elements_are_counted_if_lldb_reports_their_number() {
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
        assert_eq!(count("int[2][3]", "{{1, 2, 3}, {4, 5, 6}}"), Some(2));
        assert_eq!(count("[i32; 500] *", "[0, 1, …]"), Some(500));
        assert_eq!(
            count("alloc::collections::btree::set::BTreeSet<i32>", "size=20 [1, 2]"),
            Some(20)
        );
        assert_eq!(count("alloc::string::String", "\"size=3\""), Some(0));
        assert_eq!(count("const char *", "\"text\""), Some(0));
        assert_eq!(count("alloc::collections::btree::map::BTreeMap<int, int>", "size=200"), None);
        assert_eq!(count("std::unordered_map<int, int>", "size=200 {…}"), None);
        assert_eq!(count("std::map<int, int>", "size=3000 {…}"), Some(3000));
        assert_eq!(count("deep::Node", "{depth:10}"), None);
        assert_eq!(count("node *", "<null>"), Some(0));
        assert_eq!(count("char[8]", "\"abc\""), Some(0));
        assert_eq!(count("wchar_t[7]", "L\"wide\""), Some(0));
    }

    #[test]
    fn padding_between_bit_fields_is_not_listed() {
        let field = |name: &str, ty: &str| Variable {
            name: name.into(),
            value: "0".into(),
            ty: Some(ty.into()),
            evaluate_name: None,
            has_children: false,
            named: 0,
            indexed: 0,
        };
        let fields =
            [field("kind", "unsigned int:3"), field("", "int:3"), field("", "(anonymous union)")];
        let listed: Vec<_> = variables(&fields, false).iter().map(|one| one.index).collect();
        assert_eq!(listed, [0, 2]);
    }

    #[test]
    fn absent_value_says_why() {
        let text = |value, ty, at| absent(value, ty, Some(at)).unwrap_or_default();
        for value in [
            "<variable not available>",
            "<no location, value may have been optimized out>",
            "<could not evaluate DW_OP_entry_value: no parent function>",
            "<register rsi is not available>",
        ] {
            assert_eq!(text(value, "int", "0x1"), "<optimized out>");
        }
        let expected = "<not readable: 0xdead00>";
        assert_eq!(text("<invalid address>", "node *", "0xDEAD00"), expected);
        assert_eq!(text("<not available>", "int *", "0xDEAD00"), expected);
        assert_eq!(text("<not available>", "int *const", "0xDEAD00"), expected);
        assert_eq!(text("unable to read data", "const wchar_t *", "0xDEAD00"), expected);
        assert_eq!(text("<not available>", "int", "0xDEAD00"), "");
        assert_eq!(text("3", "int *", "0xDEAD00"), "");
        assert!(points_nowhere(expected));
    }

    #[test]
    fn empty_container_is_displayed_by_brackets() {
        let description = |ty: &str, value: &str| {
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
            variables(&[variable], false).remove(0).summary
        };
        assert_eq!(
            description("alloc::vec::Vec<std::HashMap<u8, u8>>", "size=0").as_deref(),
            Some("[]")
        );
        assert_eq!(
            description("std::collections::hash::map::HashMap<u8, u8>", "size=0").as_deref(),
            Some("{}")
        );
        let description_of = |ty, value| description(ty, value).unwrap_or_default();
        assert_eq!(description_of("alloc::vec::Vec<u8>", "size=1"), "Vec(1)[…]");
        assert_eq!(description_of("alloc::vec::Vec<u8>", "size=2 [1, 2]"), "Vec(2)[1, 2]");
        for slice in ["&[u8]", "&mut [u8]", "*const [u8]"] {
            assert_eq!(description_of(slice, "size=2 [1, 2]"), "(2)[1, 2]", "{slice}");
        }
        let tree = "alloc::collections::btree::map::BTreeMap<i32, &str>";
        assert_eq!(
            description(tree, "size=2 {1: \"a\", 2: \"b\"}").as_deref(),
            Some("BTreeMap(2){1: \"a\", 2: \"b\"}")
        );
        assert_eq!(
            description("std::map<int, char>", "size=1 {7: 'x'}").as_deref(),
            Some("map(1){7: 'x'}")
        );
        assert_eq!(description("node *", "<null>").as_deref(), Some("NULL"));
    }

    fn stopped(description: Option<&str>) -> dap::Stopped {
        dap::Stopped { description: description.map(str::to_owned), ..Default::default() }
    }

    #[test]
    fn a_signal_is_named_with_its_address() {
        let description = "signal SIGSEGV: address not mapped to object (fault address=0x8)";
        let describe = |description: &str, top: Vec<Frame>| {
            let body = json!({"reason": "exception", "description": description});
            view(&Stop::new(body, None, top, String::new()))
        };
        let stop = describe(description, vec![frame("a::read", "/w/a.rs")]);
        assert_eq!(
            stop.map(|stop| stop.title).as_deref(),
            Some("SIGSEGV: address not mapped (0x8)")
        );
        let stop = describe("signal SIGSEGV: invalid address (fault address=0x0)", Vec::new());
        assert_eq!(
            stop.map(|stop| stop.title).as_deref(),
            Some("SIGSEGV: invalid address, not given by the processor")
        );
        assert!(describe("signal SIGSTOP", Vec::new()).is_none());
    }

    #[test]
    fn a_core_file_says_what_ended_the_program() {
        let title = |description| core(&stopped(description), &[]).title;
        let description = "SIGSEGV: address not mapped to object (fault address=0x8)";
        assert_eq!(title(Some(description)), "core file: SIGSEGV: address not mapped (0x8)");
        assert_eq!(title(Some("signal SIGABRT")), "core file: SIGABRT");
        assert_eq!(title(None), "core file");
    }
}
