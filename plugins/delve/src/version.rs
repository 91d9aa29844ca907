//! What older versions of Delve lack: the program's output by events, and `exited`.

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::{OutputProfile, Profile};

use crate::manifest;

/// What a session begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// Delve starts the program, which has its streams.
    Program,
    /// The same, and its children are followed.
    Family,
    /// It opens what a program has dumped.
    Core,
    /// The program runs already.
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
}

/// The profile of a session with a Delve of that version; one that does not say it is as the
/// newest.
pub fn profile(version: Option<Version>, starts: Starts) -> Profile {
    let before = |minor| version.is_some_and(|version| version < Version(1, minor));
    let unfollowed = match starts {
        Starts::Family => None,
        Starts::Program if before(26) => {
            Some("child processes are not followed: Delve can from 1.26 on")
        }
        Starts::Program => {
            Some("child processes are not followed without `options` {\"follow_children\": true}")
        }
        Starts::Core | Starts::Nothing => Some(manifest::UNFOLLOWED),
    };
    Profile {
        // The first that sends `exited` is 1.27.0 (server.go, `runUntilStopAndNotify`). Before,
        // `stopDebugSession` writes "Process 4711 has exited with status 3", minus the signal's
        // number where one ended it.
        exit_said: before(27).then(|| "has exited with status ".into()),
        ended_before: starts == Starts::Core,
        unfollowed: unfollowed.map(str::to_owned),
        // 1.22.0 knows `outputMode` (types.go), 1.21.0 does not: the program has Delve's own
        // streams.
        output: OutputProfile {
            pipes: starts == Starts::Program && before(22),
            ..OutputProfile::default()
        },
        ..manifest::profile()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_has_its_profile() {
        let read = |number: &str| {
            Version::read(&format!("Delve Debugger\nVersion: {number}\nBuild: $Id$\n"))
        };
        let told = |version, starts| {
            let profile = profile(version, starts);
            (profile.output.pipes, profile.exit_said.is_some(), profile.ended_before)
        };
        assert_eq!(told(read("1.20.2"), Starts::Program), (true, true, false));
        assert_eq!(told(read("1.20.2"), Starts::Nothing), (false, true, false));
        assert_eq!(told(read("1.22.1"), Starts::Program), (false, true, false));
        assert_eq!(told(read("1.27.0-dev"), Starts::Program), (false, false, false));
        assert_eq!(told(read("unknown"), Starts::Program), (false, false, false));
        assert_eq!(told(None, Starts::Core), (false, false, true));
        assert_eq!(
            ["1.25.2", "1.26.0"].map(|number| read(number).unwrap().follows_children()),
            [false, true]
        );
        let unfollowed = |version, starts| profile(version, starts).unfollowed;
        let told = |word: &str| Some(format!("child processes are not followed{word}"));
        let option = " without `options` {\"follow_children\": true}";
        assert_eq!(unfollowed(read("1.25.2"), Starts::Program), told(": Delve can from 1.26 on"));
        assert_eq!(unfollowed(read("1.26.0"), Starts::Program), told(option));
        assert_eq!(unfollowed(None, Starts::Program), told(option));
        assert_eq!(unfollowed(read("1.26.0"), Starts::Nothing), told(""));
        assert_eq!(unfollowed(read("1.26.0"), Starts::Family), None);
    }
}
