//! Extensions of editors that are derived from VS Code, which contain debug adapters.
//!
//! Knows where editors install extensions and how they name the directories. Refuses to know what
//! an extension contains.

use std::path::{Path, PathBuf};

/// Directories of extensions below the home directory: VS Code, its remote server and its
/// open-source build, VSCodium, Cursor, Windsurf.
const DIRECTORIES: [&str; 9] = [
    ".vscode/extensions",
    ".vscode-insiders/extensions",
    ".vscode-server/extensions",
    ".vscode-oss/extensions",
    ".vscodium-server/extensions",
    ".cursor/extensions",
    ".cursor-server/extensions",
    ".windsurf/extensions",
    ".windsurf-server/extensions",
];

/// `PUBLISHER.NAME/PATH`: the path in the newest version of the extension that any editor has.
pub(super) fn newest(file: &str, home: &Path) -> Option<PathBuf> {
    let (extension, path) = file.split_once('/')?;
    let mut newest: Option<(Vec<u64>, PathBuf)> = None;
    for directory in DIRECTORIES {
        for entry in std::fs::read_dir(home.join(directory)).into_iter().flatten().flatten() {
            let file = entry.path().join(path);
            let Some(version) = version(&entry.file_name().to_string_lossy(), extension) else {
                continue;
            };
            let is_newer = newest.as_ref().is_none_or(|(known, _)| version > *known);
            // An extension for another platform, or half removed, has no such file.
            if is_newer && file.is_file() {
                newest = Some((version, file));
            }
        }
    }
    newest.map(|(_, file)| file)
}

/// The version in `PUBLISHER.NAME-VERSION`, which a platform may follow: `-linux-x64`.
fn version(directory: &str, extension: &str) -> Option<Vec<u64>> {
    let (name, rest) = directory.split_at_checked(extension.len())?;
    let version = rest.strip_prefix('-')?.split('-').next()?;
    let is_same = name.eq_ignore_ascii_case(extension);
    version.split('.').map(|part| part.parse().ok()).collect::<Option<_>>().filter(|_| is_same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newest_version_of_all_editors_is_found() {
        let home = tempfile::tempdir().expect("a directory");
        for (directory, has_file) in [
            (".vscode/extensions/some.lens-1.9.9", true),
            (".cursor/extensions/some.lens-1.10.0-linux-x64", true),
            (".windsurf/extensions/some.lens-1.11.0", false),
            (".vscode-oss/extensions/some.lens-extra-2.0.0", true),
            (".vscode-oss/extensions/other.lens-3.0.0", true),
            (".vscode-oss/extensions/some.lens", true),
        ] {
            let directory = home.path().join(directory).join("bin");
            std::fs::create_dir_all(&directory).expect("it is created");
            if has_file {
                std::fs::write(directory.join("lens"), "").expect("it is written");
            }
        }
        let found = newest("some.lens/bin/lens", home.path()).expect("an extension");
        let inside = found.strip_prefix(home.path()).expect("below the home directory");
        assert_eq!(inside, Path::new(".cursor/extensions/some.lens-1.10.0-linux-x64/bin/lens"));
        assert_eq!(newest("some.lens/bin/other", home.path()), None);
        assert_eq!(newest("none.such/bin/lens", home.path()), None);
    }
}
