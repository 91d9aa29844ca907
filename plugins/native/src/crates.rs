//! Programs and tests of Cargo packages: the crates of their manifests, and the modules that each
//! declares. Builds nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use dapdock_plugin::adapter::{Target, TargetKind, TargetQuery, Workspace};
use dapdock_plugin::files;
use dapdock_plugin::test_names::{self, Fit, Test};

use crate::cargo_manifest::{self, Crate, Kind};
use crate::rust_source::{self, Module, Source};

/// The project's own packages and Rust files.
struct Crates {
    packages: Vec<Package>,
    sources: BTreeSet<String>,
}

/// A package: its directory relative to the root, and its crates.
struct Package {
    directory: String,
    crates: Vec<Crate>,
}

/// The crate whose main file was named.
pub struct MainFile {
    /// The directory of its package, relative to the root.
    pub package: String,
    /// The crate.
    pub krate: Crate,
}

/// A test of a crate.
pub struct CrateTest {
    /// The test.
    pub test: Test,
    /// The directory of its package, relative to the root.
    pub package: String,
    /// Features without which Cargo does not build its crate.
    pub features: Vec<String>,
}

/// The one test of that name in the sources; None if several match.
pub fn find(project: &Workspace, name: &str, here: Option<&str>) -> Option<CrateTest> {
    let start = here.map(|here| format!("{here}/")).unwrap_or_default();
    let all = tests(project, &crates(project));
    let mut below: Vec<Test> = all.iter().map(|one| one.test.clone()).collect();
    below.retain(|test| test.file.starts_with(&start));
    let test = test_names::choose(name, &below, None, |test| fit(name, test)).ok()?;
    all.into_iter().find(|one| one.test == *test)
}

/// The crate that a file is the main file of.
pub fn of_main_file(project: &Workspace, file: &str) -> Option<MainFile> {
    for package in crates(project).packages {
        for krate in package.crates {
            if files::child(&package.directory, &krate.file) == file {
                return Some(MainFile { package: package.directory, krate });
            }
        }
    }
    None
}

/// Binaries and examples as Cargo runs them, and tests.
pub fn targets(project: &Workspace, query: &TargetQuery) -> Vec<Target> {
    let crates = crates(project);
    let mut all = Vec::new();
    for package in &crates.packages {
        for krate in &package.crates {
            if matches!(krate.kind, Kind::Bin | Kind::Example) {
                all.push(program(project, package, krate));
            }
        }
    }
    for one in tests(project, &crates) {
        all.push(Target { needs_build: true, ..one.test.into() });
    }
    test_names::listed(all, query)
}

fn program(project: &Workspace, package: &Package, krate: &Crate) -> Target {
    let manifest = match package.directory.as_str() {
        "" => String::new(),
        directory => format!("--manifest-path {directory}/Cargo.toml "),
    };
    let id = format!("cargo run {manifest}{}", krate.options().join(" "));
    let file = files::child(&package.directory, &krate.file);
    let text = files::text(project, &file);
    let line = text.lines().position(|line| line.contains("fn main()"));
    Target {
        label: id.clone(),
        id,
        kind: TargetKind::Program,
        file: Some(file),
        line: line.map(|at| at as u32 + 1),
        needs_build: true,
    }
}

fn crates(project: &Workspace) -> Crates {
    let mut directories: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let own = files::own(project, |path| {
        path.ends_with(".rs") || path == "Cargo.toml" || path.ends_with("/Cargo.toml")
    });
    let (manifests, sources): (BTreeSet<String>, BTreeSet<String>) =
        own.into_iter().partition(|path| path.ends_with("Cargo.toml"));
    for path in &manifests {
        let directory = path.trim_end_matches("Cargo.toml").trim_end_matches('/');
        directories.insert(directory.to_owned(), Vec::new());
    }
    for file in &sources {
        // A file belongs to the innermost package around it.
        if let Some(directory) = files::above(file).find(|path| directories.contains_key(*path)) {
            let inside = file[directory.len()..].trim_start_matches('/').to_owned();
            directories.entry(directory.to_owned()).or_default().push(inside);
        }
    }
    let mut packages = Vec::new();
    for (directory, inside) in directories {
        let manifest = files::text(project, &files::child(&directory, "Cargo.toml"));
        let inside: Vec<&str> = inside.iter().map(String::as_str).collect();
        if let Some(crates) = cargo_manifest::crates(&manifest, &inside) {
            packages.push(Package { directory, crates });
        }
    }
    Crates { packages, sources }
}

fn tests(project: &Workspace, crates: &Crates) -> Vec<CrateTest> {
    let mut sources = Sources { project, own: &crates.sources, known: BTreeMap::new() };
    let mut all = Vec::new();
    for package in &crates.packages {
        let mut places = BTreeSet::new();
        for krate in package.crates.iter().filter(|krate| krate.has_tests) {
            for test in sources.tests(&package.directory, krate) {
                // A library and a program of one name may share modules.
                if places.insert((test.id.clone(), test.file.clone(), test.line)) {
                    let (package, features) = (package.directory.clone(), krate.features.clone());
                    all.push(CrateTest { test, package, features });
                }
            }
        }
    }
    all
}

/// Files that were read, each once.
struct Sources<'a> {
    project: &'a Workspace,
    /// Files that the search of the project has found.
    own: &'a BTreeSet<String>,
    known: BTreeMap<String, Rc<Source>>,
}

impl Sources<'_> {
    fn read(&mut self, file: &str) -> Rc<Source> {
        let project = self.project;
        let read = || Rc::new(rust_source::read(&files::text(project, file)));
        self.known.entry(file.to_owned()).or_insert_with(read).clone()
    }

    /// Whether it exists. A file that version control ignores can only be one that a module names.
    fn exists(&self, module: &Module, file: &str) -> bool {
        let is_named = module.path.is_some();
        self.own.contains(file) || (is_named && self.project.stat(file).is_some())
    }

    /// The tests of a crate: in its main file, and in the modules that it declares.
    fn tests(&mut self, directory: &str, krate: &Crate) -> Vec<Test> {
        let main = files::child(directory, &krate.file);
        let mut seen = BTreeSet::from([main.clone()]);
        let mut ahead = vec![(main, vec![krate.identifier()])];
        let mut tests = Vec::new();
        let mut is_crate = true;
        while let Some((file, names)) = ahead.pop() {
            let source = self.read(&file);
            for test in &source.tests {
                let names = [names.clone(), test.names.clone()].concat();
                tests.push(Test {
                    file: file.clone(),
                    line: test.line,
                    id: names.join("::"),
                    names,
                    group: false,
                });
            }
            for module in &source.modules {
                let mut files = module.files(&file, is_crate).into_iter();
                let found = files.find(|path| self.exists(module, path));
                if let Some(found) = found.filter(|path| seen.insert(path.clone())) {
                    ahead.push((found, [names.clone(), module.names.clone()].concat()));
                }
            }
            is_crate = false;
        }
        tests.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
        tests
    }
}

/// Matches a name with or without its crate, or the end of one; a file may precede it.
fn fit(name: &str, test: &Test) -> Fit {
    let words: Vec<&str> = name.split("::").collect();
    let names: Vec<&str> = test.names.iter().map(String::as_str).collect();
    match words.split_first() {
        Some((file, rest)) if file.ends_with(".rs") => match Fit::of(rest, &names) {
            fit if *file == test.file => fit,
            _ => Fit::None,
        },
        _ if names.get(1..) == Some(&words[..]) => Fit::Whole,
        _ => Fit::of(&words, &names),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_matches_by_the_end_of_its_name() {
        let names: Vec<String> = ["cart", "tests", "panics"].map(str::to_owned).into();
        let test =
            Test { file: "src/lib.rs".into(), line: 1, id: names.join("::"), names, group: false };
        for (name, expect) in [
            ("cart::tests::panics", Fit::Whole),
            ("tests::panics", Fit::Whole),
            ("panics", Fit::End),
            ("src/lib.rs::tests::panics", Fit::End),
            ("src/main.rs::tests::panics", Fit::None),
            ("panic", Fit::None),
        ] {
            assert_eq!(fit(name, &test), expect, "{name}");
        }
    }
}
