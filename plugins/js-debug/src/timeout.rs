//! Limits the time of an evaluation: while V8 evaluates it handles no requests, and js-debug cannot
//! interrupt it. Node can: its `vm` runs a script with a timeout (lib/vm.js, `timeout`), and here
//! the script calls the evaluated text.
//!
//! Reads JavaScript only so far as to distinguish an expression from statements. Does not know what
//! functions do.

use dapdock_plugin::prelude::*;

use crate::assignment;

/// A text without one of these has no visible call and no loop.
const CALLS: [&str; 3] = ["(", "`", "..."];
const LOOPS_AND_CALLS: [&str; 4] = ["new", "for", "while", "do"];
/// A text with one of these would change its meaning inside a function: `await`, and declarations
/// that hold for the whole frame.
const UNLIMITED: [&str; 5] = ["await", "var", "function", "class", "async"];
/// Around the milliseconds before an expression that must not change the program.
const MARK: &str = "\"dapdock.pure:";
const MARK_END: &str = "\";\n";

/// The text with a timeout around it; none if it cannot take long or cannot have a timeout.
///
/// Inside an arrow function `this`, `arguments` and all names keep their meaning; the names that it
/// defines are out of the text's scope. Node before 20.16 has no `getBuiltinModule`: there the text
/// runs without a timeout.
pub fn limited(text: &str, milliseconds: u32) -> Option<String> {
    let may_take_long = CALLS.iter().any(|sign| text.contains(sign)) || has(text, &LOOPS_AND_CALLS);
    // After `{` js-debug decides whether it is an object or a block.
    if !may_take_long || text.trim_start().starts_with('{') || has(text, &UNLIMITED) {
        return None;
    }
    let body = if assignment::is_statement(text) {
        format!("eval({})", json!(text))
    } else {
        format!("({}\n)", text.trim_end().trim_end_matches(';'))
    };
    Some(format!(
        "((dapdock, dapdock_vm = globalThis.process?.getBuiltinModule?.('vm')) => {{ \
         if (!dapdock_vm) return dapdock(); \
         dapdock_vm.dapdock = dapdock; \
         try {{ return dapdock_vm.runInThisContext(`process.getBuiltinModule('vm').dapdock()`, \
         {{timeout: {}, displayErrors: false}}) }} \
         finally {{ delete dapdock_vm.dapdock }} }})(() => {body})",
        milliseconds.max(1)
    ))
}

/// The text with a mark for `runtime/effects.js`: V8 refuses what changes the program, and ends
/// what takes longer.
pub fn pure(text: &str, milliseconds: u32) -> String {
    format!("{MARK}{}{MARK_END}{text}", milliseconds.max(1))
}

/// A text without this mark: what js-debug makes of the text may be evaluated for another reason.
pub fn without_mark(text: &str) -> &str {
    let marked = text.strip_prefix(MARK).and_then(|rest| rest.split_once(MARK_END));
    marked.map_or(text, |(_, rest)| rest)
}

fn has(text: &str, words: &[&str]) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '#');
    text.split(|c| !is_name(c)).any(|word| words.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_and_loops_have_a_timeout() {
        for text in ["f()", "new A", "[...a]", "`${a}`", "items.map(x => x)", "f(); // twice"] {
            let sent = limited(text, 1000).unwrap_or_default();
            assert!(
                sent.contains("timeout: 1000") && sent.contains(text.trim_end_matches(';')),
                "{text}: {sent}"
            );
            assert_eq!(sent.contains("eval("), text.contains("//"), "{text}: {sent}");
        }
        for text in
            ["for (;;);", "while (x) y", "let q = f(); q", "if (a) f()", "f(); g()", "throw f()"]
        {
            let sent = limited(text, 0).unwrap_or_default();
            assert!(
                sent.contains("timeout: 1,") && sent.ends_with(&format!("(() => eval({text:?}))")),
                "{sent}"
            );
        }
    }

    #[test]
    fn mark_is_removed() {
        assert_eq!(without_mark(&pure("cart.items", 300)), "cart.items");
        assert_eq!(without_mark("cart.items"), "cart.items");
    }

    #[test]
    fn other_texts_have_no_timeout() {
        for text in [
            "a",
            "a.b[0]",
            "a + b",
            "'news'",
            "{a: f()}",
            "await f()",
            "var a = f()",
            "function f() {}",
            "forward",
        ] {
            assert_eq!(limited(text, 1000), None, "{text}");
        }
    }
}
