//! What can be debugged in a workspace: every plugin's word, side by side.
//!
//! Refuses to know how a program or a test is found.

use std::path::{Path, PathBuf};

use futures_util::future::join_all;

use crate::model::plan::{Target, TargetQuery};
use crate::plugin::{Plugin, Workspace};
use crate::session::{Error, Sessions};

/// What the adapters know to debug here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// Each with the adapter that debugs it.
    pub found: Vec<(String, Target)>,
    /// Adapters that could not tell, and why.
    pub failed: Vec<(String, String)>,
    /// Where none is found: how many there are of other names and kinds.
    pub others: usize,
}

/// Most that are counted of an adapter's.
pub const COUNTED: u32 = 1_000;

impl Sessions {
    /// Programs and tests of the workspace, at most [`COUNTED`] of each adapter, whatever
    /// `query.limit` says: how many there are is told. One that several adapters debug is told
    /// once. A filter that is the name of an adapter or of a language means all of its own, beside
    /// those with that word in their names.
    pub async fn targets(&self, workspace: PathBuf, query: &TargetQuery) -> Result<Targets, Error> {
        let plugins = self.catalog()?.all().await;
        let workspace = Workspace::at(workspace);
        let mut failed = Vec::new();
        let (names, mut sound) = (self.catalog()?.names(), Vec::new());
        for (name, plugin) in names.zip(plugins) {
            match plugin {
                Ok(plugin) => sound.push(plugin),
                Err(error) => failed.push((name.to_owned(), error.to_string())),
            }
        }
        let query = TargetQuery { limit: COUNTED, ..query.clone() };
        let mut targets =
            match query.filter.as_deref().and_then(|filter| Own::named(filter, &sound)) {
                Some(own) => own.targets(&workspace, &query).await,
                None => Targets::of(&sound, &workspace, &query).await,
            };
        if targets.found.is_empty() {
            let all = TargetQuery { limit: COUNTED, ..TargetQuery::default() };
            targets.others = Targets::of(&sound, &workspace, &all).await.found.len();
        }
        targets.failed.splice(..0, failed);
        Ok(targets)
    }
}

/// The adapters that a name means, and of which language.
struct Own<'a> {
    adapters: Vec<&'a Plugin>,
    language: Option<&'a str>,
    name: &'a str,
    all: &'a [Plugin],
}

impl<'a> Own<'a> {
    fn named(name: &'a str, all: &'a [Plugin]) -> Option<Self> {
        let by_name = |plugin: &&Plugin| plugin.name().eq_ignore_ascii_case(name);
        let speaks = |plugin: &&Plugin| {
            plugin.languages().any(|language| language.name.eq_ignore_ascii_case(name))
        };
        let named: Vec<&Plugin> = all.iter().filter(by_name).collect();
        let (adapters, language) = if named.is_empty() {
            (all.iter().filter(speaks).collect(), Some(name))
        } else {
            (named, None)
        };
        (!adapters.is_empty()).then_some(Self { adapters, language, name, all })
    }

    async fn targets(&self, workspace: &Workspace, query: &TargetQuery) -> Targets {
        let all = TargetQuery { filter: None, ..query.clone() };
        let mut targets = Targets::of(self.adapters.iter().copied(), workspace, &all).await;
        targets.found.retain(|(_, target)| self.is_of_the_language(target));
        let named = Targets::of(self.all, workspace, query).await;
        let is_named = |(_, target): &(String, Target)| has_word(&target.id, self.name);
        named
            .found
            .into_iter()
            .filter(is_named)
            .for_each(|(adapter, target)| targets.add(&adapter, vec![target]));
        targets.failed = named.failed;
        let place = |adapter: &String| self.all.iter().position(|plugin| plugin.name() == adapter);
        targets.found.sort_by_key(|(adapter, _)| place(adapter));
        targets
    }

    /// Is it in a file that is not claimed by another language alone?
    fn is_of_the_language(&self, target: &Target) -> bool {
        let Some(wanted) = self.language else { return true };
        let path = Path::new(target.file.as_ref().unwrap_or(&target.id));
        let Some(extension) =
            path.extension().map(|extension| extension.to_string_lossy().to_lowercase())
        else {
            return true;
        };
        let languages = self.all.iter().flat_map(|plugin| plugin.languages());
        let mut claims =
            languages.filter(|language| language.extensions.contains(&extension)).peekable();
        claims.peek().is_none() || claims.any(|language| language.name.eq_ignore_ascii_case(wanted))
    }
}

impl Targets {
    async fn of(
        plugins: impl IntoIterator<Item = &Plugin>,
        workspace: &Workspace,
        query: &TargetQuery,
    ) -> Self {
        let ask = async |plugin: &Plugin| {
            (plugin.name().to_owned(), plugin.targets(workspace, query).await)
        };
        let mut targets = Self::default();
        for (adapter, answer) in join_all(plugins.into_iter().map(ask)).await {
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

/// Is it a word of the text: between signs, or from a capital letter to the next?
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
