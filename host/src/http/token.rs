//! The secret that clients of one server send.
//!
//! Refuses to be printed by accident: it has no `Debug`.

use std::fmt::Write;
use std::io;

use subtle::ConstantTimeEq;

/// Bytes of a token: 256 bits.
const BYTES: usize = 32;

/// A random secret, as text for a header.
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
}
