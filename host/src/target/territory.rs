//! Files that an adapter leaves to the other adapters of the configuration.

use std::collections::BTreeSet;

use dapdock_schema::Language;

use crate::model::Place;
use crate::plugin::{Catalog, Plugin};

/// The files that one adapter leaves to others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Territory {
    /// Name of the adapter.
    pub(crate) adapter: String,
    /// Extensions of the other adapters' files, lower case.
    pub(crate) foreign: BTreeSet<String>,
}

impl Territory {
    /// The extension by which the adapter leaves a place to others.
    pub(crate) fn leaves(&self, place: &Place) -> Option<String> {
        let Place::Line { path, .. } = place else { return None };
        let extension = path.extension()?.to_string_lossy().to_lowercase();
        self.foreign.contains(&extension).then_some(extension)
    }
}

/// The territory of one adapter: the extensions of all others without its own. An adapter of
/// machine code debugs the machine code of every language.
pub(crate) async fn territory(catalog: &Catalog, plugin: &Plugin) -> Territory {
    let own = &plugin.manifest().languages;
    let any_machine_code = own.iter().any(|language| language.executables);
    let mut foreign = BTreeSet::new();
    for other in catalog.all().await.iter().flatten() {
        for language in &other.manifest().languages {
            if !(any_machine_code && is_machine_code(language)) {
                foreign.extend(language.extensions.iter().cloned());
            }
        }
    }
    for extension in own.iter().flat_map(|language| &language.extensions) {
        foreign.remove(extension);
    }
    Territory { adapter: plugin.name().to_owned(), foreign }
}

fn is_machine_code(language: &Language) -> bool {
    language.executables || !language.sections.is_empty()
}
