//! What callers decide about the configuration after the start: choices of a person, and the
//! directory of the project.
//!
//! Refuses to know who asked the person.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::launch::install;
use super::{Additions, Error, Sessions};
use crate::model::Choice;

impl Sessions {
    /// Carries out a choice, so that the call which lacks it works. `progress` gets what is done.
    ///
    /// # Errors
    /// The adapter cannot be installed.
    pub async fn carry_out(
        &self,
        choice: &Choice,
        progress: watch::Sender<String>,
    ) -> Result<(), Error> {
        match choice {
            Choice::Install { adapter } => {
                let plugin = self.catalog()?.get(adapter).await.map_err(Error::from_plan)?;
                let limits = self.setup()?.limits.clone();
                install::adapter(&plugin, self.owner.clone(), limits, progress).await
            }
            Choice::Trust { project, .. } => {
                lock(&self.all.trusted).push(project.clone());
                Ok(())
            }
            // The repeated call ends it.
            Choice::End { .. } => Ok(()),
        }
    }

    /// The configuration, if it is not read yet, is that of this project. Those who configure the
    /// same sessions otherwise have their own.
    pub fn set_project(&self, directory: PathBuf) {
        *lock(&self.source.project) = Some(directory);
    }

    pub(super) fn additions(&self) -> Additions {
        let trusted = lock(&self.all.trusted).clone();
        Additions { trusted, project: lock(&self.source.project).clone() }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use super::*;
    use crate::limits::Limits;
    use crate::plugin::{Catalog, Engine, Options};
    use crate::process::Owner;
    use crate::session::{Load, Setup};

    type Read = Arc<Mutex<Vec<Additions>>>;

    /// A configuration that cannot be read, and what each attempt was given.
    fn unreadable() -> (Load, Read) {
        let read = Read::default();
        let given = read.clone();
        let load = move |additions: &Additions| {
            given.lock().unwrap().push(additions.clone());
            Err(Error::Config { message: "unreadable".to_owned(), untrusted: None })
        };
        (Box::new(load), read)
    }

    /// A configuration without adapters.
    fn empty(owner: &Owner) -> Setup {
        let limits = Arc::new(Limits::default());
        let options = Options {
            cache: None,
            limits: limits.clone(),
            owner: owner.clone(),
            env: BTreeMap::new(),
            tools: BTreeMap::new(),
            adapters: None,
        };
        let catalog = Catalog::new(Engine::new(options), BTreeMap::new());
        Setup { catalog, limits, auto_install: false }
    }

    #[tokio::test]
    async fn trust_is_for_all_and_the_project_for_one_configuration() {
        let owner = Owner::new(Arc::new(Limits::default()));
        let ((load, of_agent), (other, of_terminal)) = (unreadable(), unreadable());
        let agent = Sessions::new(load, owner.clone());
        let terminal = agent.configured_by(other, owner);
        agent.set_project("/shop".into());
        let choice = Choice::Trust { project: "/shop".into(), key: "tools.x.path".to_owned() };
        agent.carry_out(&choice, watch::Sender::default()).await.unwrap();
        assert!(agent.limits().is_err() && terminal.limits().is_err());
        let trusted = vec![PathBuf::from("/shop")];
        let of_shop = Additions { trusted: trusted.clone(), project: Some("/shop".into()) };
        assert_eq!(*of_agent.lock().unwrap(), [of_shop]);
        let of_elsewhere = Additions { trusted, project: None };
        assert_eq!(*of_terminal.lock().unwrap(), [of_elsewhere]);
    }
    #[tokio::test]
    async fn trust_of_one_client_is_not_that_of_another() {
        let owner = Owner::new(Arc::new(Limits::default()));
        let (read, setup) = (Read::default(), empty(&owner));
        let given = read.clone();
        let load = move |additions: &Additions| {
            given.lock().unwrap().push(additions.clone());
            Ok(setup.clone())
        };
        let host = Sessions::new(Box::new(load), owner);
        let (one, other) = (host.apart(), host.apart());
        let choice = Choice::Trust { project: "/shop".into(), key: "tools.x.path".to_owned() };
        one.carry_out(&choice, watch::Sender::default()).await.unwrap();
        assert!(one.limits().is_ok() && other.limits().is_ok());
        let trusted = vec![PathBuf::from("/shop")];
        let of_one = Additions { trusted, project: None };
        assert_eq!(*read.lock().unwrap(), [of_one, Additions::default()]);
    }
}
