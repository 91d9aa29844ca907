//! Files that an adapter leaves to the other adapters of the configuration.

use std::collections::BTreeSet;

use dapdock_schema::Language;

use crate::model::Place;
use crate::plugin::{Catalog, Plugin};

/// The files that one adapter leaves to others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ForeignFiles {
    /// Name of the adapter.
    pub(crate) adapter: String,
    /// Extensions of the other adapters' files, lower case.
    pub(crate) extensions: BTreeSet<String>,
}

impl ForeignFiles {
    /// The extension by which the adapter leaves a place to others.
    pub(crate) fn leaves(&self, place: &Place) -> Option<String> {
        let Place::Line { path, .. } = place else { return None };
        let extension = path.extension()?.to_string_lossy().to_lowercase();
        self.extensions.contains(&extension).then_some(extension)
    }
}

/// The foreign files of one adapter: the extensions of all others without its own. An adapter of
/// machine code debugs the machine code of every language.
pub(crate) async fn foreign_files(catalog: &Catalog, plugin: &Plugin) -> ForeignFiles {
    let own = &plugin.manifest().languages;
    let any_machine_code = own.iter().any(|language| language.executables);
    let mut extensions = BTreeSet::new();
    for other in catalog.all().await.iter().flatten() {
        for language in &other.manifest().languages {
            if !(any_machine_code && is_machine_code(language)) {
                extensions.extend(language.extensions.iter().cloned());
            }
        }
    }
    for extension in own.iter().flat_map(|language| &language.extensions) {
        extensions.remove(extension);
    }
    ForeignFiles { adapter: plugin.name().to_owned(), extensions }
}

fn is_machine_code(language: &Language) -> bool {
    language.executables || !language.sections.is_empty()
}
