//! The profile for a version of Delve and a way to begin: older ones lack `exited`.

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::{Debuggee, EndReport, Profile, Streams};

use crate::manifest;

/// How a session begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Delve launches the program.
    Launch,
    /// The same, and Delve follows its child processes.
    LaunchFollowing,
    /// Delve opens a core file.
    Core,
    /// Delve attaches to a running program.
    Attach,
}

/// Major and minor version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(u32, u32);

impl Version {
    /// From the output of `dlv version`; development builds have a number too.
    pub fn read(output: &str) -> Option<Self> {
        let number = output.lines().find_map(|line| line.strip_prefix("Version: "))?;
        let mut parts = number.trim().split('.').map_while(|part| part.parse().ok());
        Some(Self(parts.next()?, parts.next()?))
    }

    /// The version of an executable; none if it is unknown, which counts as the newest.
    pub fn of(dlv: &Executable) -> Option<Self> {
        Self::read(&dlv.probe("version").ok()?.stdout)
    }

    /// Older versions ignore `followExec` (CHANGELOG.md, 1.26.0).
    pub fn follows_children(self) -> bool {
        self >= Self(1, 26)
    }
}

/// The profile of a session; an unknown version counts as the newest.
pub fn profile(version: Option<Version>, mode: Mode) -> Profile {
    let before = |minor| version.is_some_and(|version| version < Version(1, minor));
    let unfollowed = match mode {
        Mode::LaunchFollowing => None,
        Mode::Launch if before(26) => {
            Some("child processes are not followed: that needs Delve 1.26 or newer")
        }
        Mode::Launch => {
            Some("child processes are not followed without `options` {\"follow_children\": true}")
        }
        Mode::Core | Mode::Attach => Some(manifest::UNFOLLOWED),
    };
    let mut profile = manifest::profile();
    profile.breakpoints.unfollowed = unfollowed.map(str::to_owned);
    if mode == Mode::Core {
        profile.start.debuggee = Debuggee::Core;
    }
    // 1.27.0 is the first version that sends `exited` (server.go, `runUntilStopAndNotify`). Before,
    // `stopDebugSession` writes "Process 4711 has exited with status 3"; after a signal the status
    // is minus its number.
    if before(27) {
        profile.leave.end = EndReport::Text("has exited with status ".into());
    }
    // The program writes to Delve's own streams. With the `outputMode` `remote` Delve would read
    // each stream by itself and lose the order between them (server.go, `onLaunchRequest`).
    if matches!(mode, Mode::Launch | Mode::LaunchFollowing) {
        profile.output.streams = Streams::Merged;
    }
    profile
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_has_its_profile() {
        let read = |number: &str| {
            Version::read(&format!("Delve Debugger\nVersion: {number}\nBuild: $Id$\n"))
        };
        let facts = |version, mode| {
            let profile = profile(version, mode);
            (
                profile.output.streams == Streams::Merged,
                profile.leave.end != EndReport::Events,
                profile.start.debuggee == Debuggee::Core,
            )
        };
        assert_eq!(facts(read("1.20.2"), Mode::Launch), (true, true, false));
        assert_eq!(facts(read("1.20.2"), Mode::Attach), (false, true, false));
        assert_eq!(facts(read("1.22.1"), Mode::LaunchFollowing), (true, true, false));
        assert_eq!(facts(read("1.27.0-dev"), Mode::Launch), (true, false, false));
        assert_eq!(facts(read("unknown"), Mode::Launch), (true, false, false));
        assert_eq!(facts(None, Mode::Core), (false, false, true));
        assert_eq!(
            ["1.25.2", "1.26.0"].map(|number| read(number).unwrap().follows_children()),
            [false, true]
        );
    }

    #[test]
    fn unfollowed_children_are_explained() {
        let read = |number: &str| Version::read(&format!("Version: {number}\n"));
        let unfollowed =
            |version, mode| profile(version, mode).breakpoints.unfollowed.unwrap_or("none".into());
        let old = "child processes are not followed: that needs Delve 1.26 or newer";
        assert_eq!(unfollowed(read("1.25.2"), Mode::Launch), old);
        let option =
            "child processes are not followed without `options` {\"follow_children\": true}";
        assert_eq!(unfollowed(read("1.26.0"), Mode::Launch), option);
        assert_eq!(unfollowed(None, Mode::Launch), option);
        assert_eq!(unfollowed(read("1.26.0"), Mode::Attach), "child processes are not followed");
        assert_eq!(unfollowed(read("1.26.0"), Mode::LaunchFollowing), "none");
    }
}
