//! The secret that clients of one server send.
//!
//! Refuses to be printed by accident: it has no `Debug`.

use std::fmt::Write;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::process::geteuid;
use subtle::ConstantTimeEq;

/// Bytes of a token: 256 bits.
const BYTES: usize = 32;

/// Characters of a token that a user makes.
const LENGTHS: std::ops::RangeInclusive<usize> = 32..=1024;

/// A secret, as text for a header.
pub struct Token(String);

impl Token {
    /// A token that nobody can guess.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn random() -> io::Result<Self> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let mut text = String::with_capacity(2 * BYTES);
        for byte in bytes {
            // Writing to a string does not fail.
            let _ = write!(text, "{byte:02x}");
        }
        Ok(Self(text))
    }

    /// The token in a file: one line, which only the user of this process may read.
    ///
    /// # Errors
    /// The file cannot be read, or others may read it, or it has no token.
    pub fn read(path: &Path) -> io::Result<Self> {
        Self::of_file(path).map_err(|error| {
            let text = format!("no token in {}: {error}", path.display());
            io::Error::new(error.kind(), text)
        })
    }

    fn of_file(path: &Path) -> io::Result<Self> {
        let refused = |why: String| io::Error::new(io::ErrorKind::InvalidInput, why);
        let file = crate::file::open(path)?;
        let (found, user) = (file.metadata()?, geteuid().as_raw());
        if found.uid() != user {
            return Err(refused(format!("the file belongs to user {}, not {user}", found.uid())));
        }
        let mode = found.mode() & 0o7777;
        if mode & 0o077 != 0 {
            let why =
                format!("other users may use the file (mode {mode:03o}); run chmod 600 on it");
            return Err(refused(why));
        }
        let mut text = Vec::new();
        file.take(2 * *LENGTHS.end() as u64).read_to_end(&mut text)?;
        let token = text.trim_ascii();
        if !LENGTHS.contains(&token.len()) || !token.iter().all(u8::is_ascii_graphic) {
            let (least, most) = LENGTHS.into_inner();
            let why = format!("a token is {least} to {most} visible ASCII characters");
            return Err(refused(why));
        }
        Ok(Self(String::from_utf8_lossy(token).into_owned()))
    }

    /// As clients send it.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Takes the same time whatever is wrong with a candidate of the right length.
    pub(super) fn fits(&self, candidate: &[u8]) -> bool {
        self.0.as_bytes().ct_eq(candidate).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_has_256_bits_and_fits_itself_only() {
        let [one, other] = [(); 2].map(|()| Token::random().unwrap());
        assert_eq!(one.text().len(), 64);
        assert!(one.text().bytes().all(|byte| byte.is_ascii_hexdigit()));
        assert!(one.fits(one.text().as_bytes()) && !one.fits(other.text().as_bytes()));
        assert!(!one.fits(&one.text().as_bytes()[..63]) && !one.fits(b""));
    }

    #[test]
    fn token_of_a_private_file_is_its_line() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("token");
        let read = |text: &str, mode: u32| {
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            Token::read(&path).map(|token| token.text().to_owned()).map_err(|it| it.to_string())
        };
        let token = "0123456789abcdef0123456789ABC-_+";
        for mode in [0o600, 0o400] {
            assert_eq!(read(&format!("{token}\r\n"), mode).unwrap(), token);
        }
        for mode in [0o644, 0o640, 0o601, 0o602] {
            let why = read(token, mode).unwrap_err();
            assert!(why.ends_with(&format!("(mode {mode:o}); run chmod 600 on it")), "{why}");
        }
        for text in ["", "\n", &token[1..], &format!("{token}\n{token}"), &token.repeat(33)] {
            let why = read(text, 0o600).unwrap_err();
            assert!(why.ends_with("a token is 32 to 1024 visible ASCII characters"), "{why}");
        }
        assert!(Token::read(dir.path()).is_err());
        assert!(Token::read(&dir.path().join("missing")).is_err());
    }
}
