//! Programs and tests of Cargo packages, found in their sources by Cargo's default layout. Reads
//! attributes, and takes the nesting of modules from indentation; does not see what macros
//! generate. Builds nothing.

use dapdock_plugin::adapter::{Target, TargetKind, TargetQuery, Workspace};
use dapdock_plugin::files;
use dapdock_plugin::test_names::{self, Fit, Test};

/// A package: its directory relative to the root, and its name.
struct Package {
    directory: String,
    name: String,
}

/// The one test of that name in the sources, and the directory of its package; None if several
/// match.
pub fn find(project: &Workspace, name: &str, here: Option<&str>) -> Option<(String, String)> {
    let start = here.map(|here| format!("{here}/")).unwrap_or_default();
    let all: Vec<(Test, String)> = all(project, &packages(project));
    let mut tests: Vec<Test> = all.iter().map(|(test, _)| test.clone()).collect();
    tests.retain(|test| test.file.starts_with(&start));
    let test = test_names::choose(name, &tests, None, |test| fit(name, test)).ok()?;
    let (_, directory) = all.iter().find(|(other, _)| other == test)?;
    Some((test.id.clone(), directory.clone()))
}

/// Binaries and examples as Cargo runs them, and tests.
pub fn targets(project: &Workspace, query: &TargetQuery) -> Vec<Target> {
    let packages = packages(project);
    let mut programs = Vec::new();
    for (package, inner, file) in sources(project, &packages) {
        let Some((option, name)) = program(&inner, &package.name) else { continue };
        let manifest = match package.directory.as_str() {
            "" => String::new(),
            directory => format!("--manifest-path {directory}/Cargo.toml "),
        };
        let id = format!("cargo run {manifest}{option} {name}");
        let text = files::text(project, &file);
        let line = text.lines().position(|line| line.starts_with("fn main()"));
        programs.push(Target {
            label: id.clone(),
            id,
            kind: TargetKind::Program,
            file: Some(file),
            line: line.map(|at| at as u32 + 1),
            needs_build: true,
        });
    }
    let tests = all(project, &packages)
        .into_iter()
        .map(|(test, _)| Target { needs_build: true, ..test.into() });
    test_names::listed(programs.into_iter().chain(tests), query)
}

/// The packages whose manifests have a name, innermost first.
fn packages(project: &Workspace) -> Vec<Package> {
    let manifests =
        files::own(project, |path| path == "Cargo.toml" || path.ends_with("/Cargo.toml"));
    let mut packages = Vec::new();
    for path in manifests {
        if let Some(name) = package_name(&files::text(project, &path)) {
            let directory = path.trim_end_matches("Cargo.toml").trim_end_matches('/').to_owned();
            packages.push(Package { directory, name });
        }
    }
    packages.sort_by_key(|package| std::cmp::Reverse(package.directory.len()));
    packages
}

/// `name` of `[package]`.
fn package_name(manifest: &str) -> Option<String> {
    let lines = manifest.lines().map(str::trim).skip_while(|line| *line != "[package]").skip(1);
    let mut own = lines.take_while(|line| !line.starts_with('['));
    let value = own.find_map(|line| line.strip_prefix("name")?.trim_start().strip_prefix('='))?;
    value.split('"').nth(1).map(str::to_owned)
}

/// Every source of a package: the package, the path inside it, and the path from the root.
fn sources<'a>(project: &Workspace, packages: &'a [Package]) -> Vec<(&'a Package, String, String)> {
    let mut sources = Vec::new();
    for file in files::own(project, |path| path.ends_with(".rs")) {
        for package in packages {
            if let Some(inner) = package.inner_path(&file) {
                sources.push((package, inner.to_owned(), file));
                break;
            }
        }
    }
    sources
}

impl Package {
    /// The path of a file relative to the package, if it is inside.
    fn inner_path<'a>(&self, file: &'a str) -> Option<&'a str> {
        if self.directory.is_empty() {
            return Some(file);
        }
        file.strip_prefix(&self.directory)?.strip_prefix('/')
    }
}

/// All tests, with the directories of their packages.
fn all(project: &Workspace, packages: &[Package]) -> Vec<(Test, String)> {
    let mut all = Vec::new();
    for (package, inner, file) in sources(project, packages) {
        let Some(place) = place(&inner, &package.name) else { continue };
        let tests = read(&file, &files::text(project, &file), &place);
        all.extend(tests.into_iter().map(|test| (test, package.directory.clone())));
    }
    all
}

/// The Cargo option that runs the file, if it is the main file of a program.
fn program(path: &str, package: &str) -> Option<(&'static str, String)> {
    let stem = path.strip_suffix(".rs")?;
    for (folder, option) in [("src/bin/", "--bin"), ("examples/", "--example")] {
        let Some(name) = stem.strip_prefix(folder) else { continue };
        let name = name.strip_suffix("/main").unwrap_or(name);
        return (!name.contains('/')).then(|| (option, name.to_owned()));
    }
    (stem == "src/main").then(|| ("--bin", package.to_owned()))
}

/// The crate and modules of a file: `["cart", "price"]`.
fn place(path: &str, package: &str) -> Option<Vec<String>> {
    let stem = path.strip_suffix(".rs")?;
    let stem = stem.strip_suffix("/mod").unwrap_or(stem);
    let krate = |name: &str| name.replace('-', "_");
    let folder = ["src/bin/", "tests/", "examples/", "benches/"]
        .iter()
        .find_map(|folder| stem.strip_prefix(folder));
    let (first, rest) = match folder {
        Some(own) => {
            own.split_once('/').map_or((krate(own), ""), |(name, rest)| (krate(name), rest))
        }
        None => (krate(package), stem.strip_prefix("src/")?),
    };
    let rest = if matches!(rest, "lib" | "main") { "" } else { rest };
    Some(
        std::iter::once(first)
            .chain(rest.split('/').filter(|part| !part.is_empty()).map(str::to_owned))
            .collect(),
    )
}

/// Tests of a file in that crate and module: functions below `#[test]`, `#[tokio::test]`.
fn read(file: &str, text: &str, place: &[String]) -> Vec<Test> {
    let (mut tests, mut open, mut is_test) = (Vec::new(), Vec::<(usize, String)>::new(), false);
    for (line, at) in text.lines().zip(1..) {
        let code = line.trim_start();
        let indent = line.len() - code.len();
        if code.is_empty() || code.starts_with("//") {
            continue;
        }
        if code != "}" {
            open.retain(|(outer, _)| *outer < indent);
        }
        if let Some(name) = item(code, "mod ").filter(|_| code.ends_with('{')) {
            open.push((indent, name.to_owned()));
        } else if let Some(name) = item(code, "fn ").filter(|_| is_test) {
            let names: Vec<String> = place
                .iter()
                .cloned()
                .chain(open.iter().map(|(_, name)| name.clone()))
                .chain([name.to_owned()])
                .collect();
            tests.push(Test {
                file: file.to_owned(),
                line: at,
                id: names.join("::"),
                names,
                group: false,
            });
        }
        is_test = is_test_attribute(code) || (is_test && code.starts_with("#["));
    }
    tests
}

fn is_test_attribute(code: &str) -> bool {
    let Some(attribute) = code.strip_prefix("#[") else { return false };
    let path = attribute.split([']', '(']).next().unwrap_or_default();
    path.rsplit("::").next() == Some("test")
}

/// The name of an item, whatever precedes its keyword.
fn item<'a>(code: &'a str, word: &str) -> Option<&'a str> {
    let before = ["", "pub ", "pub(crate) ", "async ", "pub async ", "unsafe "];
    let rest = before.iter().find_map(|before| code.strip_prefix(before)?.strip_prefix(word))?;
    Some(rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(rest))
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

    const TEXT: &str = "fn main() {}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    \
        #[test]\n    #[should_panic]\n    \
                        fn panics() {}\n\n    mod inner {\n        #[tokio::test(flavor = \
                        \"x\")]\n        \
                        async fn waits() {}\n    }\n\n    fn helper() {}\n}\n\n#[test]\nfn \
                        outside() {}\n";

    #[test]
    fn tests_have_the_names_of_their_modules() {
        let place = place("src/price/mod.rs", "my-cart").unwrap();
        let result: Vec<String> = read("a.rs", TEXT, &place)
            .iter()
            .map(|test| format!("{}:{}", test.id, test.line))
            .collect();
        assert_eq!(
            result,
            [
                "my_cart::price::tests::panics:9",
                "my_cart::price::tests::inner::waits:13",
                "my_cart::price::outside:20"
            ]
        );
    }

    #[test]
    fn files_map_to_crates_and_modules() {
        let result =
            |path: &str| place(path, "my-cart").map(|place| place.join("::")).unwrap_or_default();
        assert_eq!(result("src/lib.rs"), "my_cart");
        assert_eq!(result("src/a/b.rs"), "my_cart::a::b");
        assert_eq!(result("src/bin/api.rs"), "api");
        assert_eq!(result("src/bin/api/main.rs"), "api");
        assert_eq!(result("tests/whole.rs"), "whole");
        assert_eq!(result("tests/whole/part.rs"), "whole::part");
        assert_eq!(result("build.rs"), "");
    }

    #[test]
    fn programs_are_main_files() {
        let result =
            |path: &str| program(path, "cart").map(|(option, name)| format!("{option} {name}"));
        assert_eq!(result("src/main.rs").as_deref(), Some("--bin cart"));
        assert_eq!(result("src/bin/api/main.rs").as_deref(), Some("--bin api"));
        assert_eq!(result("examples/e.rs").as_deref(), Some("--example e"));
        assert_eq!(result("src/bin/api/part.rs"), None);
        assert_eq!(result("src/lib.rs"), None);
        let manifest = "[workspace]\nmembers = []\n[package]\nedition = \"2024\"\nname = \
            \"cart\"\n[lib]\nname = \"x\"\n";
        assert_eq!(package_name(manifest).as_deref(), Some("cart"));
        assert_eq!(package_name("[workspace]\n"), None);
    }

    #[test]
    fn test_matches_by_the_end_of_its_name() {
        let test = read("src/lib.rs", TEXT, &["cart".to_owned()]).swap_remove(0);
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
