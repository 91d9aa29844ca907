//! Whether a word or a file belongs to a language, by the tables of its manifest.

use std::path::Path;

use dapdock_schema::Language;

use crate::file;
use crate::plugin::is_runnable;

/// Whether a file can run and is a source of the language: a command may begin with its path.
pub(super) fn is_script(language: &Language, path: &Path) -> bool {
    is_runnable(path) && !file::is_machine_code(path) && is_source(language, path)
}

/// Whether a file has an extension of the language or names its interpreter in the first line.
pub(super) fn is_source(language: &Language, path: &Path) -> bool {
    let extension = path.extension().map(|text| text.to_string_lossy().to_lowercase());
    extension.is_some_and(|extension| language.extensions.contains(&extension))
        || interpreter(path).is_some_and(|word| is_command(language, &word))
}

/// Whether a word is a command of the language.
pub(super) fn is_command(language: &Language, word: &str) -> bool {
    is_one_of(&language.commands, word)
}

/// Whether a word names one of the commands: `word3.12`, `/usr/bin/word3` and `word` are the same.
pub(super) fn is_one_of(commands: &[String], word: &str) -> bool {
    let name = Path::new(word).file_name().unwrap_or_default().to_string_lossy();
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    commands.iter().any(|command| *command == name || command == bare)
}

/// The interpreter in a script's first line.
fn interpreter(path: &Path) -> Option<String> {
    let head = file::head(path, 256).ok()?;
    let text = String::from_utf8_lossy(&head);
    let line = text.strip_prefix("#!")?.lines().next()?;
    let mut words = line.split_whitespace();
    let first = words.next()?.to_owned();
    if first.ends_with("/env") {
        words.find(|word| !word.starts_with('-')).map(str::to_owned)
    } else {
        Some(first)
    }
}
