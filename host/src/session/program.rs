//! What the host can see of a program's file without a debugger.

use std::path::Path;

use object::{Object, ObjectSection, ReadCache};

use crate::file;

/// Is it an executable with a section of one of these names?
pub(super) fn has_section(path: &Path, names: &[String]) -> bool {
    !names.is_empty() && any_section(path, |name| names.iter().any(|wanted| wanted == name)) == Some(true)
}

/// Does a section's name fit? None: it is no executable. Only headers and names are read.
fn any_section(path: &Path, fits: impl Fn(&str) -> bool) -> Option<bool> {
    let bytes = ReadCache::new(file::open(path).ok()?);
    let file = object::File::parse(&bytes).ok()?;
    Some(file.sections().any(|section| section.name().is_ok_and(&fits)))
}

/// A sentence for the caller about a program that will not show much; none where
/// it has what a debugger needs, or is no executable at all.
pub(super) fn note(path: &Path) -> Option<String> {
    let debug = any_section(path, |name| name.contains("debug_info"))?;
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
    fn sections_are_found_in_executables_only() {
        let (this, text) = (std::env::current_exe().unwrap(), [".text".to_owned()]);
        assert!(has_section(&this, &text));
        assert!(!has_section(&this, &[".no".to_owned()]));
        assert!(!has_section(Path::new(file!()), &text));
    }

    #[test]
    fn text_is_no_program_and_this_test_has_debug_information() {
        assert_eq!(note(Path::new(file!())), None);
        assert_eq!(note(&std::env::current_exe().unwrap()), None);
    }
}
