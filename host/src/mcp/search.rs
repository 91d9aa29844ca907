//! Searches the workspace for the source files that an error misses, so that its remedy can name
//! them. Refuses to know what a remedy does.

use std::path::Path;

use super::problem::Problem;
use crate::session::{BreakpointError, Error, namesakes};

/// The same problem, with the files of the workspace that have the name of a missing one.
pub(super) async fn search(mut problem: Problem, workspace: &Path) -> Problem {
    if let Problem::Session(error) = &mut problem {
        match error {
            Error::Several { all } => {
                for error in all {
                    search_for(error, workspace).await;
                }
            }
            error => search_for(error, workspace).await,
        }
    }
    problem
}

async fn search_for(error: &mut Error, workspace: &Path) {
    if let Error::Breakpoints(BreakpointError::NoSuchSource { path, near }) = error {
        let found = namesakes(path, workspace).await;
        if !found.is_empty() {
            *near = found;
        }
    }
}
