//! Whose a test is that is told by its name: of who reads the file that the name begins with, else
//! of who lists a test of that name, else of who claims the project.
//!
//! Knows how names of tests may begin and end, and no language's way to write one.

use std::collections::HashSet;
use std::path::Path;

use dapdock_schema::Language;
use futures_util::future::join_all;
use serde_json::json;

use crate::file::is_below;
use crate::model::plan::{Target, TargetKind, TargetQuery};
use crate::near;
use crate::plugin;
use crate::plugin::{Plugin, Workspace};
use crate::session::Error;

/// Most tests that a plugin lists for a name.
const LISTED: u32 = 200;

/// Reads the file that the name begins with, or lists the test in a project of its own.
const CERTAIN: u8 = 100;

/// Lists the test.
const LISTS: u8 = 95;

/// Has a project here, and lists tests whose names hold it.
const LISTS_NEAR_IN_PROJECT: u8 = 92;

/// Lists tests whose names hold it.
const LISTS_NEAR: u8 = 50;

/// Most tests of a plugin that are looked through for names like one that no test has.
const LOOKED_THROUGH: u32 = 2_000;

/// Names that an error lists.
const NEAR: usize = 6;

/// A name of a test and where the caller wants it to run.
pub(crate) struct Named<'a> {
    pub name: &'a str,
    /// One outside of the workspace says nothing about where the test is.
    pub cwd: Option<&'a Path>,
}

impl Named<'_> {
    /// The directory that the caller means.
    fn directory<'b>(&'b self, workspace: &'b Workspace) -> &'b Path {
        self.cwd_in(workspace).unwrap_or(&workspace.root)
    }

    fn cwd_in(&self, workspace: &Workspace) -> Option<&Path> {
        self.cwd.filter(|cwd| is_below(cwd, &workspace.root))
    }

    /// Does a table claim it? One that reads the file before the first `::` does, and no other
    /// where there is such a file; else one with a file that marks a project, in the directory or
    /// above it, up to the root.
    pub fn claimed(&self, language: &Language, workspace: &Workspace) -> bool {
        match self.file(workspace) {
            Some(extension) => language.named_tests && language.extensions.contains(&extension),
            None => language.named_tests && self.is_in_project_of(language, workspace),
        }
    }

    /// Is there a file that marks a project of the language, in the directory or above it, up to
    /// the root?
    pub fn is_in_project_of(&self, language: &Language, workspace: &Workspace) -> bool {
        is_project(language, self.directory(workspace), &workspace.root)
    }

    /// The extension of the file that the name begins with.
    fn file(&self, workspace: &Workspace) -> Option<String> {
        let (file, _) = self.name.split_once("::")?;
        let there =
            [self.directory(workspace), &workspace.root].iter().any(|at| at.join(file).is_file());
        let extension = Path::new(file).extension().filter(|_| there)?;
        Some(extension.to_string_lossy().to_lowercase())
    }

    /// Is there the file that the name begins with?
    pub fn has_file(&self, workspace: &Workspace) -> bool {
        self.file(workspace).is_some()
    }

    /// Does the plugin list a test of that name?
    pub async fn is_listed(&self, plugin: &Plugin, workspace: &Workspace) -> bool {
        matches!(self.listed(plugin, workspace).await, Listed::Itself)
    }

    /// Claims, with what the plugins list.
    pub async fn weighed(
        &self,
        scores: Vec<(u8, Plugin)>,
        workspace: &Workspace,
    ) -> Vec<(u8, Plugin)> {
        if self.file(workspace).is_some() {
            return scores;
        }
        let weigh = async |(score, plugin): (u8, Plugin)| match (
            score,
            self.listed(&plugin, workspace).await,
        ) {
            (_, Listed::Not) => (score, plugin),
            (0, Listed::Near) => (LISTS_NEAR, plugin),
            (_, Listed::Near) => (score.max(LISTS_NEAR_IN_PROJECT), plugin),
            (0, Listed::Itself) => (LISTS, plugin),
            (_, Listed::Itself) => (CERTAIN, plugin),
        };
        join_all(scores.into_iter().map(weigh)).await
    }

    /// Tests of that name's like, whichever adapter debugs them, the most alike first.
    pub async fn near(
        &self,
        plugins: impl IntoIterator<Item = &Plugin>,
        workspace: &Workspace,
    ) -> Vec<Like> {
        let ask = async |plugin: &Plugin| {
            let tests = self.tests(plugin, None, LOOKED_THROUGH, workspace).await;
            let like = |target: Target| Like {
                likeness: likeness(self.name, &target.id),
                test: target.id,
                adapter: plugin.name().to_owned(),
            };
            tests.into_iter().map(like).collect::<Vec<_>>()
        };
        let mut all = join_all(plugins.into_iter().map(ask)).await.concat();
        all.sort_by(|one, other| other.likeness.total_cmp(&one.likeness));
        let mut told = HashSet::new();
        all.retain(|like| told.insert(like.test.clone()));
        all.truncate(NEAR);
        all
    }

    /// A refusal of the adapter that was asked, with the names like it that the others know.
    pub async fn refused_beside(
        self,
        refusal: Error,
        asked: &str,
        all: &[Plugin],
        workspace: &Workspace,
    ) -> Error {
        let near = self.near(all, workspace).await;
        let elsewhere = |like: &&Like| like.adapter != asked && like.is_alike();
        let others: Vec<&str> =
            near.iter().filter(elsewhere).map(|like| like.test.as_str()).collect();
        match (refusal, near.first()) {
            (Error::Plugin(plugin::Refused::Request { kind, message, hint }), Some(best))
                if !others.is_empty() =>
            {
                let call = || {
                    format!(
                        "debug_launch {}",
                        json!({"test": best.test}).to_string().replacen(':', ": ", 1)
                    )
                };
                let hint = if best.adapter == asked { hint } else { Some(call()) };
                let message = format!("{message}; other adapters know {}", others.join(", "));
                Error::Plugin(plugin::Refused::Request { kind, message, hint })
            }
            (refusal, _) => refusal,
        }
    }

    async fn listed(&self, plugin: &Plugin, workspace: &Workspace) -> Listed {
        // Without the parameters behind it.
        let name = self
            .name
            .split_once('[')
            .filter(|_| self.name.ends_with(']'))
            .map_or(self.name, |(name, _)| name);
        let listed = self.tests(plugin, Some(name), LISTED, workspace).await;
        if listed.iter().any(|target| is_end(&target.id, name)) {
            Listed::Itself
        } else if listed.is_empty() {
            Listed::Not
        } else {
            Listed::Near
        }
    }

    /// Those of the directory that the caller means; none where the plugin takes no names of tests.
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

/// A test whose name is like the one that no test has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Like {
    likeness: f64,
    /// As a launch takes it.
    pub test: String,
    adapter: String,
}

impl Like {
    /// Is it what may be meant?
    pub fn is_alike(&self) -> bool {
        self.likeness > near::SIMILAR
    }
}

/// From 0 to 1, by the names without what they stand in.
fn likeness(name: &str, id: &str) -> f64 {
    near::similarity(last(name), last(id))
}

fn last(id: &str) -> &str {
    id.rsplit("::").next().unwrap_or(id)
}

/// What a plugin lists for a name.
enum Listed {
    Not,
    /// Tests whose names hold it: the plugin tells them when it is asked for it.
    Near,
    Itself,
}

/// Are the words of `name` all of the id, or its last? Languages differ in what they set between
/// them.
fn is_end(id: &str, name: &str) -> bool {
    let (id, name) = (words(id), words(name));
    !name.is_empty() && id.ends_with(&name)
}

fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect()
}

fn is_project(language: &Language, directory: &Path, root: &Path) -> bool {
    let marked =
        |directory: &Path| language.project_files.iter().any(|file| directory.join(file).exists());
    directory.ancestors().take_while(|directory| directory.starts_with(root)).any(marked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_alike_by_what_they_end_in() {
        let mut names = ["a.x::test_all_of_it", "b.y::TestGold", "c.z::test_gold", "test_silver"];
        names.sort_by(|one, other| {
            likeness("test_gld", other).total_cmp(&likeness("test_gld", one))
        });
        assert_eq!(names[..2], ["b.y::TestGold", "c.z::test_gold"]);
        assert!(likeness("test_gld", "c.z::test_gold") > near::SIMILAR);
        assert!(likeness("nowhere", "c.z::test_gold") < near::SIMILAR);
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
    fn the_file_says_the_language_and_else_the_project() {
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
            let named = Named { name, cwd: Some(&sub) };
            ["one", "two"]
                .map(|one| named.claimed(&language(one, &format!("{one}.mark")), &workspace))
        };
        assert_eq!(claims("sub/a.one::total"), [true, false]);
        assert_eq!(claims("a.one::total"), [true, false]);
        assert_eq!(claims("cart::total"), [false, true]);
    }
}
