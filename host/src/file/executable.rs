//! What an executable's sections tell. Only headers, names and what is asked for are read.

use std::path::Path;

use object::{Object, ObjectSection, ReadCache};

/// What compilers write about themselves is some hundred bytes; nobody reads more than this of it.
const COMMENT: u64 = 64 << 10;

/// Does it hold what tells its lines and variables? None: it is no executable.
pub fn has_debug_info(path: &Path) -> Option<bool> {
    any_section(path, |name| name.contains("debug_info"))
}

/// Does a section's name fit? None: it is no executable.
fn any_section(path: &Path, fits: impl Fn(&str) -> bool) -> Option<bool> {
    let bytes = ReadCache::new(super::open(path).ok()?);
    let file = object::File::parse(&bytes).ok()?;
    Some(file.sections().any(|section| section.name().is_ok_and(&fits)))
}

/// Is it an executable with a section of one of these names?
pub fn has_section(path: &Path, names: &[String]) -> bool {
    !names.is_empty() && any_section(path, |name| names.iter().any(|wanted| wanted == name)) == Some(true)
}

/// What its compilers and linker wrote about themselves (the section `.comment`, of ELF): "GCC: (Debian 12.2.0) 12.2.0".
/// Empty for what is no executable, and where nothing is written.
pub fn compilers(path: &Path) -> Vec<String> {
    comment(path).unwrap_or_default()
}

fn comment(path: &Path) -> Option<Vec<String>> {
    let bytes = ReadCache::new(super::open(path).ok()?);
    let file = object::File::parse(&bytes).ok()?;
    let section = file.section_by_name(".comment").filter(|section| section.size() <= COMMENT)?;
    let texts = section.data().ok()?.split(|byte| *byte == 0).filter(|text| !text.is_empty());
    Some(texts.map(|text| String::from_utf8_lossy(text).into_owned()).collect())
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
    #[cfg(target_os = "linux")]
    fn a_compiler_is_known_by_what_it_wrote() {
        let told = compilers(&std::env::current_exe().unwrap());
        assert!(told.iter().any(|text| text.starts_with("rustc version ")), "{told:?}");
        assert!(compilers(Path::new(file!())).is_empty());
    }
}
