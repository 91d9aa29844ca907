//! Breakpoints belong to the host: their edits, bindings, conditions and hits. Stops at exceptions
//! are in `session::exceptions`, log breakpoints in `session::log`.

mod bindings;
mod conditions;
mod edits;
mod halts;
mod hits;
