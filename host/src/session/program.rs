//! What the host can see of a program's file without a debugger.

use std::path::Path;

use object::{Object, ObjectSection, ReadCache};

use crate::file;

/// A sentence for the caller about a program that will not show much; none where
/// it has what a debugger needs, or is no executable at all.
pub(super) fn note(path: &Path) -> Option<String> {
    let bytes = ReadCache::new(file::open(path).ok()?);
    let file = object::File::parse(&bytes).ok()?;
    let debug = file.sections().any(|section| section.name().is_ok_and(|name| name.contains("debug_info")));
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    match debug {
        true => None,
        false => Some(format!(
            "{name} has no debug information: breakpoints by file and line will not bind, and there are no locals; \
             build it with debug information (-g, or a debug profile) and do not strip it"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_no_program_and_this_test_has_debug_information() {
        assert_eq!(note(Path::new(file!())), None);
        assert_eq!(note(&std::env::current_exe().unwrap()), None);
    }
}
