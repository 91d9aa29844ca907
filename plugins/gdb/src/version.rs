//! What differs between versions of gdb: when it starts the program, and what it cannot do. 14 runs
//! it at `configurationDone`; 15 at `launch`, so that comes last; from 16 on both orders are
//! equivalent (gdb's launch.py, history of `config_done`).

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::{Busy, LaunchOrder};

use crate::manifest::INSTALL;

/// The first version with a DAP server.
pub const OLDEST: u32 = 14;

/// The first version that aborts a call of the program at `cancel` (server.py, `cancel`): 16 does
/// not, 18 does.
const CANCELS: u32 = 17;

/// A version that is new enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(u32);

impl Version {
    /// Parses the output of `gdb --version`: `GNU gdb (Debian 18.1-3) 18.1`, `GNU gdb (GDB) Fedora
    /// Linux 15.2-1.fc40`.
    pub fn parse(output: &str) -> Result<Self, Error> {
        let line = output.lines().next().unwrap_or_default().trim();
        let word = line.rsplit(' ').next().unwrap_or_default();
        let major = word.split(['.', '-']).next().and_then(|number| number.parse().ok());
        match major {
            Some(major) if major >= OLDEST => Ok(Self(major)),
            Some(_) => {
                Err(Error::tool_too_old(format!("gdb {word} has no debug adapter")).hint(INSTALL))
            }
            None => {
                Err(Error::tool_missing(format!("`gdb --version` printed {line:?}")).hint(INSTALL))
            }
        }
    }

    /// When this version starts the program.
    pub fn order(self) -> LaunchOrder {
        match self.0 {
            15 => LaunchOrder::AfterConfiguration,
            _ => LaunchOrder::First,
        }
    }

    /// The profile of a session.
    pub fn profile(self) -> Profile {
        let mut profile = crate::manifest::profile();
        profile.start.order = self.order();
        if self.0 < CANCELS {
            profile.evaluate.busy = Busy::Waits;
        }
        profile
    }

    /// 14 does not report the stop of an attach.
    pub fn can_attach(self) -> Result<(), Error> {
        if self.0 > OLDEST {
            return Ok(());
        }
        Err(Error::tool_too_old("gdb 14 does not report the stop of an attach").hint(INSTALL))
    }

    /// Does `attach` accept `coreFile`?
    pub fn opens_cores(self) -> bool {
        self.0 >= 18
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_distributions_are_parsed() {
        let major = |output: &str| {
            Version::parse(output).map(|version| version.0).map_err(|error| error.message)
        };
        assert_eq!(major("GNU gdb (Debian 18.1-3) 18.1\nCopyright"), Ok(18));
        assert_eq!(
            major("GNU gdb (Ubuntu 15.0.50.20240403-0ubuntu1) 15.0.50.20240403-git"),
            Ok(15)
        );
        assert_eq!(major("GNU gdb (GDB) Fedora Linux 16.2-1.fc41"), Ok(16));
        assert_eq!(
            major("GNU gdb (Debian 13.1-3) 13.1"),
            Err("gdb 13.1 has no debug adapter".into())
        );
        assert_eq!(major("oops"), Err("`gdb --version` printed \"oops\"".into()));
    }

    #[test]
    fn only_newer_versions_abort_a_call() {
        let waits = |major| Version(major).profile().evaluate.busy == Busy::Waits;
        assert!(waits(16) && !waits(17) && !waits(18));
    }

    #[test]
    fn launch_order_depends_on_the_version() {
        let order = |major| Version(major).order();
        assert_eq!(order(14), LaunchOrder::First);
        assert_eq!(order(15), LaunchOrder::AfterConfiguration);
        assert_eq!([order(16), order(18)], [LaunchOrder::First; 2]);
        assert!(Version(14).can_attach().is_err() && Version(15).can_attach().is_ok());
        assert!(!Version(17).opens_cores() && Version(18).opens_cores());
    }
}
