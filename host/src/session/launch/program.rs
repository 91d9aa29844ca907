//! What the host can see of a program's file without a debugger.

use std::path::Path;
use std::time::SystemTime;

use crate::file::executable;

/// What the host sees of a program's file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// An executable that a debugger can read.
    Debuggable {
        /// When its file was written; none: not known.
        built: Option<SystemTime>,
    },
    /// An executable without debug information.
    Bare {
        /// Its file's name.
        name: String,
    },
    /// Something else, or not there.
    NoExecutable,
}

impl Look {
    pub(crate) fn at(path: &Path) -> Self {
        match executable::has_debug_info(path) {
            None => Self::NoExecutable,
            Some(true) => Self::Debuggable {
                built: std::fs::metadata(path).and_then(|facts| facts.modified()).ok(),
            },
            Some(false) => Self::Bare {
                name: path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_no_program_and_this_test_has_debug_information() {
        assert_eq!(Look::at(Path::new(file!())), Look::NoExecutable);
        assert!(matches!(
            Look::at(&std::env::current_exe().unwrap()),
            Look::Debuggable { built: Some(_) }
        ));
    }
}
