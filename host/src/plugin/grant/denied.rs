//! Reasons for which a guest may not read a file of the project. Knows no WIT.

use std::path::PathBuf;

/// Why a path or a pattern is refused.
#[derive(Debug, PartialEq, thiserror::Error)]
pub(crate) enum Denied {
    #[error("{} is outside of the workspace", .0.display())]
    Outside(PathBuf),
    #[error("{}: {}", .0.display(), .1)]
    Unreadable(PathBuf, String),
    #[error("{} has {} bytes, more than {}", .0.display(), .1, .2)]
    TooLarge(PathBuf, u64, u64),
    #[error("the pattern {0:?} is not inside the workspace")]
    Pattern(String),
    #[error("the pattern is too large: {0} bytes")]
    LargePattern(usize),
}
