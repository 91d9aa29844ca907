//! What older versions of Delve lack: the program's output by events, and `exited`.

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::{OutputProfile, Profile};

use crate::manifest;

/// What a session begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// Delve starts the program, which has its streams.
    Program,
    /// The program runs already, or has ended.
    Nothing,
}

/// Major and minor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(u32, u32);

impl Version {
    /// Of the words of `dlv version`, which names also a build of no release so.
    pub fn read(told: &str) -> Option<Self> {
        let number = told.lines().find_map(|line| line.strip_prefix("Version: "))?;
        let mut parts = number.trim().split('.').map_while(|part| part.parse().ok());
        Some(Self(parts.next()?, parts.next()?))
    }

    /// The one that would be started; one that does not say is as the newest.
    pub fn of(dlv: &Executable) -> Option<Self> {
        Self::read(&dlv.probe("version").ok()?.stdout)
    }

    /// Older ones pass over `followExec` (CHANGELOG.md, 1.26.0).
    pub fn follows_children(self) -> bool {
        self >= Self(1, 26)
    }

    /// The profile of a session, where it is not the manifest's.
    pub fn profile(self, starts: Starts) -> Option<Profile> {
        (self < Self(1, 27)).then(|| Profile {
            // The first that sends `exited` is 1.27.0 (server.go, `runUntilStopAndNotify`). Before, `stopDebugSession`
            // writes "Process 4711 has exited with status 3", minus the signal's number where one ended it.
            exit_said: Some("has exited with status ".into()),
            // 1.22.0 knows `outputMode` (types.go), 1.21.0 does not: the program has Delve's own streams.
            output: OutputProfile {
                pipes: starts == Starts::Program && self < Self(1, 22),
                ..OutputProfile::default()
            },
            ..manifest::profile()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_has_its_profile() {
        let read = |number: &str| Version::read(&format!("Delve Debugger\nVersion: {number}\nBuild: $Id$\n"));
        let told = |number: &str, starts| read(number)?.profile(starts).map(|profile| profile.output.pipes);
        assert_eq!(told("1.20.2", Starts::Program), Some(true));
        assert_eq!(told("1.20.2", Starts::Nothing), Some(false));
        assert_eq!(told("1.22.1", Starts::Program), Some(false));
        assert_eq!(told("1.26.3", Starts::Program), Some(false));
        assert_eq!(told("1.27.0-dev", Starts::Program), None);
        assert_eq!(read("unknown"), None);
        assert_eq!(["1.25.2", "1.26.0"].map(|number| read(number).unwrap().follows_children()), [false, true]);
    }
}
