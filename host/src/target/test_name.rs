//! The plugin for a test given by name: the one that owns the file prefix, else one that lists the
//! test, else one that claims the project.
//!
//! Knows where names of tests may begin and end. Refuses to know the syntax of a language.

use std::collections::HashSet;
use std::path::Path;

use dapdock_schema::Language;
use futures_util::future::join_all;
use serde_json::json;

use crate::file::is_below;
use crate::model::plan::{Target, TargetKind, TargetQuery};
use crate::near;
use crate::plugin::{Plugin, Refused, Workspace};
use crate::target::claim::Claim;

/// Most tests that a plugin lists for a name.
const LISTED: u32 = 200;
/// Most tests of a plugin that are compared with a name that no test has.
const COMPARED: u32 = 2_000;
/// Most names in an error.
const PROPOSED: usize = 6;

/// A name of a test and the working directory of the request.
pub(crate) struct TestName<'a> {
    pub(crate) name: &'a str,
    /// A directory outside of the workspace says nothing about the test.
    pub(crate) cwd: Option<&'a Path>,
}

impl TestName<'_> {
    /// The directory in which the test is searched.
    fn directory<'b>(&'b self, workspace: &'b Workspace) -> &'b Path {
        self.cwd_in(workspace).unwrap_or(&workspace.root)
    }

    fn cwd_in(&self, workspace: &Workspace) -> Option<&Path> {
        self.cwd.filter(|cwd| is_below(cwd, &workspace.root))
    }

    /// Whether a table of the language claims the test. If the name begins with an existing file
    /// and `::`, its extension decides; else a project file in the directory or above it does.
    pub(crate) fn in_table(&self, language: &Language, workspace: &Workspace) -> bool {
        match self.extension(workspace) {
            Some(extension) => language.named_tests && language.extensions.contains(&extension),
            None => language.named_tests && self.is_in_project_of(language, workspace),
        }
    }

    /// Whether a file in the directory or above it, up to the root, marks a project of the
    /// language.
    pub(crate) fn is_in_project_of(&self, language: &Language, workspace: &Workspace) -> bool {
        is_project(language, self.directory(workspace), &workspace.root)
    }

    /// The extension of the existing file that the name begins with.
    fn extension(&self, workspace: &Workspace) -> Option<String> {
        let (file, _) = self.name.split_once("::")?;
        let directories = [self.directory(workspace), &workspace.root];
        let exists = directories.iter().any(|directory| directory.join(file).is_file());
        let extension = Path::new(file).extension().filter(|_| exists)?;
        Some(extension.to_string_lossy().to_lowercase())
    }

    /// Whether the name begins with an existing file.
    pub(crate) fn has_file(&self, workspace: &Workspace) -> bool {
        self.extension(workspace).is_some()
    }

    /// Whether the plugin lists a test of this name.
    pub(crate) async fn is_listed(&self, plugin: &Plugin, workspace: &Workspace) -> bool {
        matches!(self.listed(plugin, workspace).await, Listed::Exactly)
    }

    /// The claims together with the tests that the plugins list.
    pub(crate) async fn weighed(
        &self,
        claims: Vec<(Claim, Plugin)>,
        workspace: &Workspace,
    ) -> Vec<(Claim, Plugin)> {
        if self.has_file(workspace) {
            return claims;
        }
        let weigh = async |(claim, plugin): (Claim, Plugin)| {
            let claim = match (claim.is_some(), self.listed(&plugin, workspace).await) {
                (_, Listed::Not) => claim,
                (false, Listed::Similar) => Claim::LISTS_SIMILAR,
                (true, Listed::Similar) => claim.max(Claim::LISTS_SIMILAR_IN_PROJECT),
                (false, Listed::Exactly) => Claim::LISTS,
                (true, Listed::Exactly) => Claim::CERTAIN,
            };
            (claim, plugin)
        };
        join_all(claims.into_iter().map(weigh)).await
    }

    /// Tests of all plugins, the most similar name first.
    pub(crate) async fn similar(
        &self,
        plugins: impl IntoIterator<Item = &Plugin>,
        workspace: &Workspace,
    ) -> Vec<Similar> {
        let list = async |plugin: &Plugin| {
            let tests = self.tests(plugin, None, COMPARED, workspace).await;
            (plugin.name().to_owned(), tests)
        };
        let mut all = Vec::new();
        for (adapter, tests) in join_all(plugins.into_iter().map(list)).await {
            for target in tests {
                let adapter = adapter.clone();
                all.push(match self.part_of(&target.id) {
                    Some(test) => Similar { similarity: 1.0, test, adapter },
                    None => {
                        let similarity = similarity(self.name, &target.id);
                        Similar { similarity, test: target.id, adapter }
                    }
                });
            }
        }
        all.sort_by(|one, other| other.similarity.total_cmp(&one.similarity));
        let mut seen = HashSet::new();
        all.retain(|similar| seen.insert(similar.test.clone()));
        all.truncate(PROPOSED);
        all
    }

    /// The full name, if this is a part of the test with this id: `Table/case` of `a.x::Table`.
    fn part_of(&self, id: &str) -> Option<String> {
        let (test, part) = self.name.split_once('/')?;
        is_end(id, test).then(|| format!("{id}/{part}"))
    }

    /// Adds near names of other adapters to the refusal of `adapter`.
    pub(crate) async fn with_near_names(
        self,
        refusal: Refused,
        adapter: &str,
        all: &[Plugin],
        workspace: &Workspace,
    ) -> Refused {
        let Refused::Request { kind, message, hint } = refusal else { return refusal };
        let similar = self.similar(all, workspace).await;
        let mut others = Vec::new();
        for one in &similar {
            if one.adapter != adapter && one.is_near() {
                others.push(one.test.as_str());
            }
        }
        if others.is_empty() {
            return Refused::Request { kind, message, hint };
        }
        let message = format!("{message}; other adapters know {}", others.join(", "));
        let hint = match similar.first() {
            Some(best) if best.adapter != adapter => Some(launch(&best.test)),
            _ => hint,
        };
        Refused::Request { kind, message, hint }
    }

    async fn listed(&self, plugin: &Plugin, workspace: &Workspace) -> Listed {
        // Without the parameters in brackets.
        let name = match self.name.split_once('[') {
            Some((name, _)) if self.name.ends_with(']') => name,
            _ => self.name,
        };
        let listed = self.tests(plugin, Some(name), LISTED, workspace).await;
        if listed.iter().any(|target| is_end(&target.id, name)) {
            Listed::Exactly
        } else if listed.is_empty() {
            Listed::Not
        } else {
            Listed::Similar
        }
    }

    /// Tests of the directory; none if the plugin takes no names of tests.
    async fn tests(
        &self,
        plugin: &Plugin,
        filter: Option<&str>,
        limit: u32,
        workspace: &Workspace,
    ) -> Vec<Target> {
        if !plugin.languages().any(|language| language.named_tests) {
            return Vec::new();
        }
        let query = TargetQuery {
            filter: filter.map(str::to_owned),
            kinds: vec![TargetKind::Test],
            file: None,
            limit,
        };
        let mut listed = plugin.targets(workspace, &query).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the plugin lists no tests");
            Vec::new()
        });
        listed.retain(|target| match (&target.file, self.cwd_in(workspace)) {
            (Some(file), Some(cwd)) => workspace.root.join(file).starts_with(cwd),
            _ => true,
        });
        listed
    }
}

/// The call that launches a test.
fn launch(test: &str) -> String {
    let arguments = json!({"test": test}).to_string().replacen(':', ": ", 1);
    format!("debug_launch {arguments}")
}

/// A test and the similarity of its name to the requested one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Similar {
    similarity: f64,
    /// As a launch takes it.
    pub(crate) test: String,
    adapter: String,
}

impl Similar {
    /// Whether the caller probably intended this test.
    pub(crate) fn is_near(&self) -> bool {
        self.similarity > near::SIMILAR
    }
}

/// Similarity of two names from 0 to 1, without their qualifiers.
fn similarity(name: &str, id: &str) -> f64 {
    near::similarity(last_part(name), last_part(id))
}

fn last_part(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// Whether a plugin lists a test.
enum Listed {
    Not,
    /// It lists tests whose names contain the requested one.
    Similar,
    Exactly,
}

/// Whether the words of `name` are all words of the id, or its last ones. Languages separate them
/// differently.
fn is_end(id: &str, name: &str) -> bool {
    let (id, name) = (words(id), words(name));
    !name.is_empty() && id.ends_with(&name)
}

fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect()
}

fn is_project(language: &Language, directory: &Path, root: &Path) -> bool {
    let inside = directory.ancestors().take_while(|directory| directory.starts_with(root));
    for directory in inside {
        if language.project_files.iter().any(|file| directory.join(file).exists()) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn part_of_a_test_has_the_qualifier_of_the_test() {
        let name = |name| TestName { name, cwd: None };
        let full = Some("a/x.t::Table/big one".to_owned());
        assert_eq!(name("Table/big one").part_of("a/x.t::Table"), full);
        assert_eq!(name("Table/a").part_of("a/x.t::Tables"), None);
        assert_eq!(name("Table").part_of("a/x.t::Table"), None);
    }

    #[test]
    fn similarity_is_of_the_last_part_of_a_name() {
        let mut names = ["a.x::test_all_of_it", "b.y::TestGold", "c.z::test_gold", "test_silver"];
        names.sort_by(|one, other| {
            similarity("test_gld", other).total_cmp(&similarity("test_gld", one))
        });
        assert_eq!(names[..2], ["b.y::TestGold", "c.z::test_gold"]);
        assert!(similarity("test_gld", "c.z::test_gold") > near::SIMILAR);
        assert!(similarity("nowhere", "c.z::test_gold") < near::SIMILAR);
    }

    #[test]
    fn a_name_is_the_last_words_of_an_id() {
        assert!(is_end("a/x.y::Cart::total", "total"));
        assert!(is_end("total", "total"));
        assert!(is_end("a/x.y::Cart::total", "Cart.total"));
        assert!(!is_end("total", "::"));
        assert!(!is_end("a/x.y::subtotal", "total"));
        assert!(!is_end("a/x.y::total_of", "total"));
    }

    #[test]
    fn a_file_prefix_decides_the_language_else_the_project() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("sub")).unwrap();
        std::fs::write(dir.path().join("sub/a.one"), "").unwrap();
        std::fs::write(dir.path().join("two.mark"), "").unwrap();
        let language = |extension: &str, mark: &str| Language {
            extensions: vec![extension.into()],
            project_files: vec![mark.into()],
            named_tests: true,
            ..Language::default()
        };
        let workspace = Workspace::at(dir.path().to_owned());
        let sub = dir.path().join("sub");
        let claims = |name: &str| {
            let named = TestName { name, cwd: Some(&sub) };
            ["one", "two"]
                .map(|one| named.in_table(&language(one, &format!("{one}.mark")), &workspace))
        };
        assert_eq!(claims("sub/a.one::total"), [true, false]);
        assert_eq!(claims("a.one::total"), [true, false]);
        assert_eq!(claims("cart::total"), [false, true]);
    }
}
