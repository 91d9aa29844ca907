//! Reads files that callers name: regular files up to a size, without waiting for a writer.
//! [`private`] creates the host's own files. Refuses to know what files mean to a debugger.

pub mod dumped;
pub mod executable;
pub mod input;
pub mod paths;
pub mod private;
pub mod scratch;
pub mod stored;

use std::fs::{File, FileType};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::near;

/// Device, inode, size in bytes, mtime and ctime in seconds and nanoseconds. Differs after every
/// change of the content.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State(u64, u64, u64, [i64; 4]);

/// The state of a file; `None`: there is none, or it cannot be read.
pub(crate) fn state(path: &Path) -> Option<State> {
    let facts = std::fs::metadata(path).ok()?;
    let times = [facts.mtime(), facts.mtime_nsec(), facts.ctime(), facts.ctime_nsec()];
    Some(State(facts.dev(), facts.ino(), facts.size(), times))
}

/// Opens a regular file.
///
/// # Errors
/// It cannot be opened, or is a directory, a pipe or a device.
pub fn open(path: &Path) -> io::Result<File> {
    let nonblocking = rustix::fs::OFlags::NONBLOCK.bits();
    let file = File::options().read(true).custom_flags(nonblocking as i32).open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "is not a regular file"))
    }
}

/// The whole content of a regular file of at most `max` bytes.
///
/// # Errors
/// As [`open`], or it is larger.
pub fn read(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(max.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("is larger than {max} bytes")))
    } else {
        Ok(bytes)
    }
}

/// The beginning of a regular file, at most `max` bytes.
///
/// # Errors
/// As [`open`].
pub fn head(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(max).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Paths in the directory of `path` with a near name, of entries that fit; see [`near::near`].
pub(crate) fn near(path: &Path, fits: fn(&FileType) -> bool) -> Vec<PathBuf> {
    let Some((directory, name)) = path.parent().zip(path.file_name()) else { return Vec::new() };
    let mut names = Vec::new();
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| fits(&kind)) {
            names.extend(entry.file_name().into_string());
        }
    }
    let near = near::near(&name.to_string_lossy(), names.iter().map(String::as_str));
    near.into_iter().map(|name| directory.join(name)).collect()
}

/// The most names that are read from a directory.
const NAMES: usize = 10_000;

/// The names in a directory; empty if it cannot be read.
pub fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().take(NAMES).flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Whether a file is ELF, Mach-O or PE.
pub fn is_machine_code(path: &Path) -> bool {
    let head = head(path, 4).unwrap_or_default();
    matches!(head[..], [0x7f, b'E', b'L', b'F'] | [0xcf, 0xfa, 0xed, 0xfe] | [b'M', b'Z', ..])
}

/// Whether a tool is probably a version manager's stand-in: a script, or a link to a program of
/// another name. Such a program picks the tool's version by files in
/// its working directory.
pub fn is_version_manager(path: &Path) -> bool {
    let Ok(real) = path.canonicalize() else { return false };
    !is_machine_code(&real) || !same_tool(path, &real)
}

/// `tool3` and `tool3.13`, but not `compile` and `manage`.
fn same_tool(link: &Path, real: &Path) -> bool {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (link, real) = (name(link), name(real));
    let letters = |name: &str| name.chars().take_while(char::is_ascii_alphabetic).count();
    real.starts_with(&link[..letters(&link)]) || link.starts_with(&real[..letters(&real)])
}

/// Whether a file is an ELF core file, of any machine.
pub fn is_core(path: &Path) -> bool {
    const CORE: u16 = 4;
    match head(path, 18).unwrap_or_default()[..] {
        [0x7f, b'E', b'L', b'F', _, order, .., low, high] => match order {
            1 => u16::from_le_bytes([low, high]) == CORE,
            _ => u16::from_be_bytes([low, high]) == CORE,
        },
        _ => false,
    }
}

/// Whether a path is below a directory, by its name or by where links lead.
pub(crate) fn is_below(path: &Path, directory: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    path.starts_with(directory) || real(path).starts_with(real(directory))
}

/// Whether a text has the absolute path of something below a directory.
pub(crate) fn names_path_below(text: &str, directory: &Path) -> bool {
    let directory = directory.to_string_lossy();
    let inside = |(at, found): (usize, &str)| {
        let before = text[..at].trim_end_matches("file://");
        let after = text[at + found.len()..].strip_prefix('/');
        let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
        !before.ends_with(goes_on) && after.is_some_and(|rest| !rest.is_empty())
    };
    directory != "/" && text.match_indices(&*directory).any(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_below_a_directory_are_found_in_a_text() {
        let below = |text: &str, directory: &str| names_path_below(text, Path::new(directory));
        for (text, expect) in [
            ("at main (/w/app.x:3:1)", true),
            ("  file:///w/app.x", true),
            ("/w/app.x", true),
            ("at main (/w2/lib.x:3)", false),
            ("at main (/old/w/app.x:3)", false),
            ("in /w", false),
        ] {
            assert_eq!(below(text, "/w"), expect, "{text}");
        }
        assert!(!below("/usr/lib/x", "/"));
    }

    #[test]
    fn a_version_manager_is_a_script_or_a_link_to_another_tool() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        for name in ["manage", "tool3.13", "run", "x86_64-linux-gnu-debug"] {
            std::fs::write(path(name), b"\x7fELF").unwrap();
        }
        std::fs::write(path("script"), "#!/bin/sh\n").unwrap();
        for (link, to, expect) in [
            ("compile", "manage", true),
            ("tool", "tool3.13", false),
            ("runner", "run", false),
            ("package", "script", true),
            ("debug", "x86_64-linux-gnu-debug", true),
        ] {
            std::os::unix::fs::symlink(path(to), path(link)).unwrap();
            assert_eq!(is_version_manager(&path(link)), expect, "{link} -> {to}");
        }
        assert!(is_version_manager(&path("script")));
        assert!(!is_version_manager(&path("run")));
    }

    #[test]
    fn a_core_differs_from_a_program() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        for (order, ty, expect) in [
            (1, [4, 0], true),
            (2, [0, 4], true),
            (1, [0, 4], false),
            (1, [2, 0], false),
            (1, [3, 0], false),
        ] {
            std::fs::write(
                &file,
                [b"\x7fELF\x02", &[order; 1][..], &[0; 10], &ty, b"more"].concat(),
            )
            .unwrap();
            assert_eq!(is_core(&file), expect, "{order} {ty:?}");
        }
        std::fs::write(&file, b"\x7fELF\x04").unwrap();
        assert!(!is_core(&file) && !is_core(dir.path()));
        assert!(!is_core(&std::env::current_exe().unwrap()));
    }

    #[test]
    fn pipes_devices_and_large_files_are_refused_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0)
            .unwrap();
        for path in [pipe.as_path(), Path::new("/dev/zero"), dir.path()] {
            assert!(read(path, 10).is_err(), "{}", path.display());
        }
        let file = dir.path().join("file");
        std::fs::write(&file, "0123456789").unwrap();
        assert_eq!(read(&file, 10).unwrap(), b"0123456789");
        assert_eq!(read(&file, 9).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(head(&file, 3).unwrap(), b"012");
    }
}
