//! Pure text for callers. A stop becomes its place, source, locals, changes, new output and next
//! calls.
//!
//! Knows the model, the domain's errors and a budget in tokens. No async, no serde, no MCP, no
//! clock: the same data gives the same text. No adapter references, and no addresses but those of
//! instructions and of pointers that the caller reads; paths inside the workspace are relative to
//! it, which is how tools take them back.
//!
//! A text of the model may come from a debuggee, an adapter or a plugin. Every view returns a
//! [`Text`], which has no line break inside a line and writes hidden characters as escapes.
//!
//! A page that is cut ends with the call that reads the rest.

mod breakpoint;
mod call;
mod cause;
mod changed;
mod characters;
mod error;
mod evaluate;
mod exception;
mod exit;
#[cfg(test)]
mod hostile;
mod items;
mod joined;
mod lens;
mod locals;
mod note;
mod output;
mod parts;
mod raw;
mod running;
#[cfg(test)]
mod sample;
mod source;
mod stack;
mod status;
mod stop;
mod targets;
mod text;
mod threads;
mod tokens;
mod value;
mod variables;

pub use breakpoint::{BreakpointsText, breakpoints, unverified};
pub use call::{Call, Literal, MARKS, marked, spaced_json, unmarked};
pub use changed::changed;
pub use error::{ErrorText, Failed, LONGEST_CALL, error};
pub use evaluate::{assigned, evaluations, is_out_of_scope, printed};
pub use exception::exception;
pub use exit::{earlier, ended, exit};
pub use joined::{
    editor, given, given_back, given_to_nobody, head, left_out, live, mirrored, no_editor, taken,
    taken_in_editor, taken_meanwhile, unmirrored, watched,
};
pub use lens::Lens;
pub use note::note;
pub use output::output;
pub use parts::{Parts, TypedValue, frame, parts, typed_value};
pub use raw::raw;
pub use running::{paused, running, unfinished_step, unpaused};
pub use stack::{Library, stack};
pub use status::{Adapter, adapters, capabilities, log, log_page, standing, summary};
pub use stop::{STOP_TOKENS, reason, stop};
pub use targets::targets;
pub use text::{Text, cap};
pub use tokens::estimate;
pub use value::value_text;
pub use variables::variables;

/// The longest text for a caller, in estimated tokens.
pub const HARD_CAP: usize = 8_000;
