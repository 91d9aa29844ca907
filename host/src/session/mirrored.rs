//! Whether a mirror of a session is open: one at most.
//!
//! Refuses to know what a mirror does.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The port of the open mirror of one session.
#[derive(Clone, Debug, Default)]
pub(super) struct MirrorPlace(Arc<Mutex<Option<u16>>>);

/// An open mirror; dropping it makes room for another one.
#[derive(Debug)]
pub struct Mirrored(MirrorPlace);

impl MirrorPlace {
    fn port(&self) -> MutexGuard<'_, Option<u16>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fails with the port of the one that is open.
    pub(super) fn take(&self, port: u16) -> Result<Mirrored, u16> {
        let mut open = self.port();
        match *open {
            Some(other) => Err(other),
            None => {
                *open = Some(port);
                Ok(Mirrored(self.clone()))
            }
        }
    }
}

impl Drop for Mirrored {
    fn drop(&mut self) {
        *self.0.port() = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_mirror_finds_the_port_of_the_first() {
        let place = MirrorPlace::default();
        let first = place.take(7).unwrap();
        assert_eq!(place.clone().take(8).unwrap_err(), 7);
        drop(first);
        assert!(place.take(8).is_ok());
    }
}
