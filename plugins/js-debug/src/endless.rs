//! Gives what may not end its time: V8 hears nothing while it computes, and js-debug has no word to
//! end that. Node has: its `vm` runs a script for so long at most (lib/vm.js, `timeout`), and the
//! script calls what was asked for.
//!
//! Reads JavaScript as far as it takes to tell an expression from statements. Refuses to know what
//! functions do.

use dapdock_plugin::prelude::*;

use crate::writes;

/// Without one of these a text calls nothing that it shows, and turns in no circle.
const MAY_NOT_END: [&str; 3] = ["(", "`", "..."];
const MAY_NOT_END_WORDS: [&str; 4] = ["new", "for", "while", "do"];
/// What V8 refuses by itself, or would keep: `await` in what is evaluated, and names for the whole
/// function.
const AS_THEY_ARE: [&str; 5] = ["await", "var", "function", "class", "async"];

/// The text to send for this one, broken off after so many milliseconds; none: it is sent as it is.
///
/// An arrow function keeps `this`, `arguments` and all names; only here are its own out of sight.
/// Node before 20.16 has no `getBuiltinModule`, and then no limit.
pub fn limited(text: &str, milliseconds: u32) -> Option<String> {
    let may_not_end =
        MAY_NOT_END.iter().any(|sign| text.contains(sign)) || has(text, &MAY_NOT_END_WORDS);
    // A literal of an object or a block: js-debug tells them apart.
    if !may_not_end || text.trim_start().starts_with('{') || has(text, &AS_THEY_ARE) {
        return None;
    }
    let body = match writes::is_statement(text) {
        true => format!("eval({})", json!(text)),
        false => format!("({}\n)", text.trim_end().trim_end_matches(';')),
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

fn has(text: &str, words: &[&str]) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '#');
    text.split(|c| !is_name(c)).any(|word| words.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_not_end_has_its_time() {
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
    fn what_ends_is_sent_as_it_is() {
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
