//! Facts about an executable from its sections, and a search for texts in its file. Reads headers,
//! names and the needed sections only. Knows no debugger.

use std::path::Path;

use cpp_demangle::DemangleOptions;
use memchr::memmem;
use object::{Object, ObjectSection, ObjectSymbol, ReadCache, SymbolKind};

/// The longest section `.comment` that is read, in bytes; the usual one has some hundred.
const COMMENT: u64 = 64 << 10;

/// Longer files are not searched, in bytes.
const SEARCHED: u64 = 512 << 20;

/// Whether it has debug information; `None` if it is no executable.
pub fn has_debug_info(path: &Path) -> Option<bool> {
    any_section(path, |name| name.contains("debug_info"))
}

/// Whether a section has a name that `fits`; `None` if it is no executable.
fn any_section(path: &Path, fits: impl Fn(&str) -> bool) -> Option<bool> {
    let bytes = ReadCache::new(super::open(path).ok()?);
    let file = object::File::parse(&bytes).ok()?;
    Some(file.sections().any(|section| section.name().is_ok_and(&fits)))
}

/// Whether it is an executable with a section of one of these names.
pub fn has_section(path: &Path, names: &[String]) -> bool {
    !names.is_empty()
        && any_section(path, |name| names.iter().any(|wanted| wanted == name)) == Some(true)
}

/// Names and versions of its compilers and linker, from the ELF section `.comment`: "GCC: (Debian
/// 12.2.0) 12.2.0". Empty without that section.
pub fn compilers(path: &Path) -> Vec<String> {
    comment(path).unwrap_or_default()
}

/// The texts that the file contains; stops early with fewer of them once `is_over`.
pub fn contained(path: &Path, mut texts: Vec<String>, is_over: impl Fn() -> bool) -> Vec<String> {
    let small = path.metadata().is_ok_and(|facts| facts.len() <= SEARCHED);
    let bytes = if small { super::read(path, SEARCHED).unwrap_or_default() } else { Vec::new() };
    texts.retain(|text| !is_over() && memmem::find(&bytes, text.as_bytes()).is_some());
    texts
}

fn comment(path: &Path) -> Option<Vec<String>> {
    let bytes = ReadCache::new(super::open(path).ok()?);
    let file = object::File::parse(&bytes).ok()?;
    let section = file.section_by_name(".comment").filter(|section| section.size() <= COMMENT)?;
    let texts = section.data().ok()?.split(|byte| *byte == 0).filter(|text| !text.is_empty());
    Some(texts.map(|text| String::from_utf8_lossy(text).into_owned()).collect())
}

/// The most symbols that are read.
const SYMBOLS: usize = 200_000;

/// The names of its functions in the notation of their language. Empty without symbols.
pub fn functions(path: &Path) -> Vec<String> {
    named(path).unwrap_or_default()
}

fn named(path: &Path) -> Option<Vec<String>> {
    let bytes = ReadCache::new(super::open(path).ok()?);
    let file = object::File::parse(&bytes).ok()?;
    let functions = file
        .symbols()
        .take(SYMBOLS)
        .filter(|one| one.kind() == SymbolKind::Text && one.is_definition());
    let names = functions.filter_map(|one| one.name().ok().map(demangled));
    Some(names.filter(|name| !name.contains([' ', '{'])).collect())
}

/// The name of a symbol in the source.
fn demangled(name: &str) -> String {
    if let Ok(plain) = rustc_demangle::try_demangle(name) {
        return format!("{plain:#}");
    }
    let options = DemangleOptions::new().no_params().no_return_type();
    let plain = cpp_demangle::Symbol::new(name)
        .ok()
        .and_then(|symbol| symbol.demangle_with_options(&options).ok());
    plain.unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_a_file_are_found() {
        let this = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/file/executable.rs"));
        let texts =
            ["texts_of_a_file", "(any: [&str])", concat!("but ", "not this")].map(str::to_owned);
        assert_eq!(contained(this, texts.to_vec(), || false), texts[..2]);
        assert!(contained(this, texts.to_vec(), || true).is_empty());
        assert!(contained(Path::new("/nowhere"), texts.to_vec(), || false).is_empty());
    }

    #[test]
    fn sections_are_found_in_executables_only() {
        let (this, text) = (std::env::current_exe().unwrap(), [".text".to_owned()]);
        assert!(has_section(&this, &text));
        assert!(!has_section(&this, &[".no".to_owned()]));
        assert!(!has_section(Path::new(file!()), &text));
    }

    #[test]
    fn functions_have_the_names_that_were_written() {
        let names = functions(&std::env::current_exe().unwrap());
        assert!(
            names.iter().any(|name| name == "dapdock::file::executable::functions"),
            "{} names",
            names.len()
        );
        assert_eq!(demangled("_ZN4shop3taxEi"), "shop::tax");
        assert_eq!(demangled("main.(*Cart).Total"), "main.(*Cart).Total");
        assert!(functions(Path::new(file!())).is_empty());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_compiler_is_known_by_what_it_wrote() {
        let texts = compilers(&std::env::current_exe().unwrap());
        assert!(texts.iter().any(|text| text.starts_with("rustc version ")), "{texts:?}");
        assert!(compilers(Path::new(file!())).is_empty());
    }
}
