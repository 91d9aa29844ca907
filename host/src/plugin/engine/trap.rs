//! The cause of a failed guest call: a bound that it reached, an invalid handle, or a trap with its
//! frames.

use wasmtime::component::ResourceTableError;
use wasmtime::{Trap, WasmBacktrace};

use crate::plugin::engine::store::Guest;
use crate::plugin::error::{Cause, Lie};

/// How many of the guest's own frames are named.
const FRAMES: usize = 3;

/// The cause behind wasmtime's error.
pub(crate) fn explain(function: &'static str, error: &wasmtime::Error, guest: &Guest) -> Cause {
    let limits = guest.limits();
    if guest.memory.refused {
        return Cause::TooMuchMemory { function, limit: limits.guest_memory };
    }
    if matches!(error.downcast_ref(), Some(ResourceTableError::Full)) {
        return Cause::TooManyHandles { function, limit: limits.guest_handles };
    }
    let words = format!("{error:#}");
    if words.contains("fuel allocated for hostcalls") {
        return Cause::TooLong { function, limit: limits.guest_answer };
    }
    if words.contains("unknown handle index") {
        return Cause::Lied { function, lie: Lie::Handle };
    }
    let printed = String::from_utf8_lossy(&guest.stderr.contents()).into_owned();
    let what = panic_message(&printed).unwrap_or_else(|| match error.downcast_ref::<Trap>() {
        Some(trap) => trap.to_string(),
        None => one_line(&error.root_cause().to_string()),
    });
    Cause::Trap { function, what, frames: frames(error) }
}

/// `thread 'main' panicked at src/lib.rs:3:5:` and the message below it, as one line.
fn panic_message(printed: &str) -> Option<String> {
    let mut lines = printed.lines().skip_while(|line| !line.contains("panicked at "));
    let place = lines.next()?.split_once("panicked at ")?.1.trim_end_matches(':');
    let message: Vec<_> =
        lines.take_while(|line| !line.starts_with("note: ")).map(str::trim).collect();
    Some(one_line(&format!("panicked at {place}: {}", message.join(" "))))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The innermost frames without those of the panic runtime.
fn frames(error: &wasmtime::Error) -> Vec<String> {
    let Some(trace) = error.downcast_ref::<WasmBacktrace>() else { return Vec::new() };
    let names = trace.frames().iter().filter_map(|frame| frame.func_name());
    let names = names.map(|name| format!("{:#}", rustc_demangle::demangle(name)));
    names.filter(|name| !is_panicking(name)).take(FRAMES).collect()
}

fn is_panicking(name: &str) -> bool {
    const MACHINERY: [&str; 6] = ["core::", "std::", "alloc::", "__rust", "rust_", "abort"];
    MACHINERY.iter().any(|part| name.starts_with(part))
        || name.starts_with("<core::")
        || name.starts_with("<std::")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panic_is_reported_in_one_line_with_its_place() {
        let printed = concat!(
            "thread '<unnamed>' (1) panicked at src/lib.rs:3:5:\n",
            "index out\n  of range\nnote: run with x\n",
        );
        assert_eq!(
            panic_message(printed).unwrap(),
            "panicked at src/lib.rs:3:5: index out of range"
        );
        assert_eq!(panic_message("hello\n"), None);
    }
}
