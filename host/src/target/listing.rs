//! The programs and tests of a workspace, listed by all plugins.
//!
//! Refuses to know how a plugin finds them.

use std::path::{Path, PathBuf};

use futures_util::future::join_all;

use crate::model::plan::{Target, TargetQuery};
use crate::plugin::{Catalog, Plugin, Workspace};

/// Targets of a workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// Each with the name of its adapter.
    pub found: Vec<(String, Target)>,
    /// Adapters that failed, each with the reason.
    pub failed: Vec<(String, String)>,
    /// If none is found: the number of targets with other names and kinds.
    pub others: usize,
    /// The number of files searched, if the project has more than the limit.
    pub searched: Option<usize>,
}

/// Most targets of an adapter that are counted.
pub const COUNTED: u32 = 1_000;

/// Programs and tests of the workspace, at most [`COUNTED`] of each adapter: `query.limit` does not
/// count here, so that callers can report the total. A target that several adapters debug is listed
/// once. A filter that names an adapter or a language selects all of its targets, and the targets
/// with that word in their names.
pub async fn targets(catalog: &Catalog, workspace: PathBuf, query: &TargetQuery) -> Targets {
    let plugins = catalog.all().await;
    let workspace = Workspace::at(workspace);
    let (mut sound, mut failed) = (Vec::new(), Vec::new());
    for (name, plugin) in catalog.names().zip(plugins) {
        match plugin {
            Ok(plugin) => sound.push(plugin),
            Err(error) => failed.push((name.to_owned(), error.to_string())),
        }
    }
    let query = TargetQuery { limit: COUNTED, ..query.clone() };
    let by_name = query.filter.as_deref().and_then(|filter| ByName::new(filter, &sound));
    let mut targets = match by_name {
        Some(by_name) => by_name.targets(&workspace, &query).await,
        None => Targets::of(&sound, &workspace, &query).await,
    };
    if targets.found.is_empty() {
        let all = TargetQuery { limit: COUNTED, ..TargetQuery::default() };
        targets.others = Targets::of(&sound, &workspace, &all).await.found.len();
    }
    targets.failed.splice(..0, failed);
    targets.searched = workspace.searched();
    targets
}

/// A filter that names an adapter or a language.
struct ByName<'a> {
    adapters: Vec<&'a Plugin>,
    /// The name, if it is a language's.
    language: Option<&'a str>,
    name: &'a str,
    all: &'a [Plugin],
}

impl<'a> ByName<'a> {
    fn new(name: &'a str, all: &'a [Plugin]) -> Option<Self> {
        let mut adapters: Vec<&Plugin> = all.iter().collect();
        adapters.retain(|plugin| plugin.name().eq_ignore_ascii_case(name));
        let mut language = None;
        if adapters.is_empty() {
            language = Some(name);
            adapters = all.iter().filter(|plugin| has_language(plugin, name)).collect();
        }
        (!adapters.is_empty()).then_some(Self { adapters, language, name, all })
    }

    async fn targets(&self, workspace: &Workspace, query: &TargetQuery) -> Targets {
        let all = TargetQuery { filter: None, ..query.clone() };
        let mut targets = Targets::of(self.adapters.iter().copied(), workspace, &all).await;
        targets.found.retain(|(_, target)| self.has_language_of(target));
        let named = Targets::of(self.all, workspace, query).await;
        for (adapter, target) in named.found {
            if has_word(&target.id, self.name) {
                targets.add(&adapter, vec![target]);
            }
        }
        targets.failed = named.failed;
        let place = |adapter: &String| self.all.iter().position(|plugin| plugin.name() == adapter);
        targets.found.sort_by_key(|(adapter, _)| place(adapter));
        targets
    }

    /// Whether the file of a target can be of the language: its extension is of no other one alone.
    fn has_language_of(&self, target: &Target) -> bool {
        let Some(wanted) = self.language else { return true };
        let path = Path::new(target.file.as_ref().unwrap_or(&target.id));
        let Some(extension) = path.extension() else { return true };
        let extension = extension.to_string_lossy().to_lowercase();
        let mut is_foreign = false;
        for language in self.all.iter().flat_map(|plugin| plugin.languages()) {
            if language.extensions.contains(&extension) {
                if language.name.eq_ignore_ascii_case(wanted) {
                    return true;
                }
                is_foreign = true;
            }
        }
        !is_foreign
    }
}

fn has_language(plugin: &Plugin, name: &str) -> bool {
    plugin.languages().any(|language| language.name.eq_ignore_ascii_case(name))
}

impl Targets {
    async fn of(
        plugins: impl IntoIterator<Item = &Plugin>,
        workspace: &Workspace,
        query: &TargetQuery,
    ) -> Self {
        let list = async |plugin: &Plugin| {
            (plugin.name().to_owned(), plugin.targets(workspace, query).await)
        };
        let mut targets = Self::default();
        for (adapter, answer) in join_all(plugins.into_iter().map(list)).await {
            match answer {
                Ok(found) => targets.add(&adapter, found),
                Err(error) => targets.failed.push((adapter, error.to_string())),
            }
        }
        targets
    }

    fn add(&mut self, adapter: &str, found: Vec<Target>) {
        for target in found {
            let known =
                |(_, one): &(String, Target)| one.kind == target.kind && one.id == target.id;
            if !self.found.iter().any(known) {
                self.found.push((adapter.to_owned(), target));
            }
        }
    }
}

/// Whether the text contains the word: between signs, or from a capital letter to the next.
fn has_word(text: &str, word: &str) -> bool {
    let mut spaced = String::new();
    for letter in text.chars() {
        let begins = letter.is_uppercase() && spaced.ends_with(char::is_lowercase);
        spaced.extend(begins.then_some(' '));
        spaced.push(if letter.is_alphanumeric() { letter } else { ' ' });
    }
    spaced.split(' ').any(|one| one.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_at_signs_and_capital_letters() {
        for text in ["test_rust_binding", "TestRustBinding", "a/rust.py::x", "Rust"] {
            assert!(has_word(text, "rust"), "{text}");
        }
        for text in ["trusty", "rusty", ""] {
            assert!(!has_word(text, "rust"), "{text}");
        }
    }
}
