//! The kind of a program's file, read without a debugger.

use std::path::Path;
use std::time::SystemTime;

use crate::file::executable;

/// The kind of a program's file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Program {
    /// An executable that a debugger can read.
    Debuggable {
        /// Time of its last change, if known.
        built: Option<SystemTime>,
    },
    /// An executable without debug information.
    Stripped {
        /// Name of the file.
        name: String,
    },
    /// Not an executable, or missing.
    Other,
}

impl Program {
    /// Reads the file.
    pub(crate) fn at(path: &Path) -> Self {
        match executable::has_debug_info(path) {
            None => Self::Other,
            Some(true) => Self::Debuggable {
                built: std::fs::metadata(path).and_then(|facts| facts.modified()).ok(),
            },
            Some(false) => Self::Stripped {
                name: path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_not_an_executable_and_this_test_has_debug_information() {
        assert_eq!(Program::at(Path::new(file!())), Program::Other);
        assert!(matches!(
            Program::at(&std::env::current_exe().unwrap()),
            Program::Debuggable { built: Some(_) }
        ));
    }
}
