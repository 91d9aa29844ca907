//! The names of other debug servers: each with its documented arguments, its answer compared with
//! the documented form.

pub mod examples;
pub mod gdb_names;
pub mod rust_names;

use crate::caller::{Caller, Start};
use crate::real::Stage;

/// Replaces the host by one with this family only.
async fn start(stage: &mut Stage, family: &'static str) {
    let flags = vec!["--toolsets", family];
    stage.caller = Caller::start(Start { flags, ..stage.language.start() }).await;
}

/// File and line of a mark.
fn place(stage: &Stage, program: &str, mark: &str) -> (String, u64) {
    let at = stage.at(program, mark);
    let (file, line) = at.rsplit_once(':').unwrap();
    (file.to_owned(), line.parse().unwrap())
}
