//! Programs and tests of Cargo's packages, found in their sources, as Cargo lays them out by
//! default. Reads attributes, and indentation for what stands in which module; what macros make is
//! not seen. Builds nothing.

use crate::adapter::{Target, TargetKind, TargetQuery, Workspace};
use crate::files;
use crate::named::{self, Fit, Test};

/// A package: its directory from the root, and its name.
struct Package {
    directory: String,
    name: String,
}

/// The one test of that name that sources show, and its package's directory; none where several
/// have it.
pub fn find(project: &Workspace, name: &str, here: Option<&str>) -> Option<(String, String)> {
    let start = here.map(|here| format!("{here}/"));
    let inside = |file: &str| start.as_ref().is_none_or(|start| file.starts_with(start));
    let all: Vec<(Test, String)> = all(project, &packages(project));
    let tests: Vec<Test> =
        all.iter().filter(|(test, _)| inside(&test.file)).map(|(test, _)| test.clone()).collect();
    let test = named::choose(name, &tests, |test| fit(name, test)).ok()?;
    let (_, directory) = all.iter().find(|(other, _)| other == test)?;
    Some((test.id.clone(), directory.clone()))
}

/// Binaries and examples as Cargo runs them, and tests.
pub fn targets(project: &Workspace, query: &TargetQuery) -> Vec<Target> {
    let packages = packages(project);
    let programs = sources(project, &packages).into_iter().filter_map(|(package, inner, file)| {
        let (option, name) = program(&inner, &package.name)?;
        let manifest = match package.directory.as_str() {
            "" => String::new(),
            directory => format!("--manifest-path {directory}/Cargo.toml "),
        };
        let id = format!("cargo run {manifest}{option} {name}");
        let line =
            files::text(project, &file).lines().position(|line| line.starts_with("fn main()"));
        let line = line.map(|at| at as u32 + 1);
        Some(Target {
            label: id.clone(),
            id,
            kind: TargetKind::Program,
            file: Some(file.clone()),
            line,
            needs_build: true,
        })
    });
    let programs: Vec<Target> = programs.collect();
    let tests = all(project, &packages)
        .into_iter()
        .map(|(test, _)| Target { needs_build: true, ..test.into() });
    named::listed(programs.into_iter().chain(tests), query)
}

/// Those whose manifest names one, the innermost first.
fn packages(project: &Workspace) -> Vec<Package> {
    let manifests =
        files::own(project, |path| path == "Cargo.toml" || path.ends_with("/Cargo.toml"));
    let package = |path: &String| {
        let name = package_name(&files::text(project, path))?;
        let directory =
            path.strip_suffix("Cargo.toml").unwrap_or_default().trim_end_matches('/').to_owned();
        Some(Package { directory, name })
    };
    let mut packages: Vec<Package> = manifests.iter().filter_map(package).collect();
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

/// Every source of a package: the package, the path in it, and the path from the root.
fn sources<'a>(project: &Workspace, packages: &'a [Package]) -> Vec<(&'a Package, String, String)> {
    let inside = |file: &str| {
        let inner = |package: &'a Package| match package.directory.as_str() {
            "" => Some((package, file.to_owned())),
            directory => Some((package, file.strip_prefix(&format!("{directory}/"))?.to_owned())),
        };
        packages.iter().find_map(inner)
    };
    let all = files::own(project, |path| path.ends_with(".rs"));
    all.into_iter()
        .filter_map(|file| inside(&file).map(|(package, inner)| (package, inner, file)))
        .collect()
}

/// All tests, with their package's directory.
fn all(project: &Workspace, packages: &[Package]) -> Vec<(Test, String)> {
    let mut all = Vec::new();
    for (package, inner, file) in sources(project, packages) {
        let Some(place) = place(&inner, &package.name) else { continue };
        let tests = read(&file, &files::text(project, &file), &place);
        all.extend(tests.into_iter().map(|test| (test, package.directory.clone())));
    }
    all
}

/// The option that runs it, where the file is the main one of a program.
fn program(path: &str, package: &str) -> Option<(&'static str, String)> {
    let stem = path.strip_suffix(".rs")?;
    for (folder, option) in [("src/bin/", "--bin"), ("examples/", "--example")] {
        let Some(name) = stem.strip_prefix(folder) else { continue };
        let name = name.strip_suffix("/main").unwrap_or(name);
        return (!name.contains('/')).then(|| (option, name.to_owned()));
    }
    (stem == "src/main").then(|| ("--bin", package.to_owned()))
}

/// The crate and modules that a file is: `["cart", "price"]`.
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

/// Tests of a file that is that crate and module: functions below `#[test]`, `#[tokio::test]`.
fn read(file: &str, text: &str, place: &[String]) -> Vec<Test> {
    let (mut tests, mut open, mut marked) = (Vec::new(), Vec::<(usize, String)>::new(), false);
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
        } else if let Some(name) = item(code, "fn ").filter(|_| marked) {
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
        marked = is_mark(code) || (marked && code.starts_with("#["));
    }
    tests
}

fn is_mark(code: &str) -> bool {
    let Some(attribute) = code.strip_prefix("#[") else { return false };
    let path = attribute.split([']', '(']).next().unwrap_or_default();
    path.rsplit("::").next() == Some("test")
}

/// The name of an item, whatever stands before its word.
fn item<'a>(code: &'a str, word: &str) -> Option<&'a str> {
    let before = ["", "pub ", "pub(crate) ", "async ", "pub async ", "unsafe "];
    let rest = before.iter().find_map(|before| code.strip_prefix(before)?.strip_prefix(word))?;
    Some(rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(rest))
}

/// A name with its crate or without, or an end of it; a file may stand before it.
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

    const TEXT: &str = "fn main() {}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    #[should_panic]\n    \
                        fn panics() {}\n\n    mod inner {\n        #[tokio::test(flavor = \"x\")]\n        \
                        async fn waits() {}\n    }\n\n    fn helper() {}\n}\n\n#[test]\nfn outside() {}\n";

    #[test]
    fn tests_are_told_with_their_modules() {
        let place = place("src/price/mod.rs", "my-cart").unwrap();
        let told: Vec<String> = read("a.rs", TEXT, &place)
            .iter()
            .map(|test| format!("{}:{}", test.id, test.line))
            .collect();
        assert_eq!(
            told,
            [
                "my_cart::price::tests::panics:9",
                "my_cart::price::tests::inner::waits:13",
                "my_cart::price::outside:20"
            ]
        );
    }

    #[test]
    fn files_are_crates_and_modules() {
        let told =
            |path: &str| place(path, "my-cart").map(|place| place.join("::")).unwrap_or_default();
        assert_eq!(told("src/lib.rs"), "my_cart");
        assert_eq!(told("src/a/b.rs"), "my_cart::a::b");
        assert_eq!(told("src/bin/api.rs"), "api");
        assert_eq!(told("src/bin/api/main.rs"), "api");
        assert_eq!(told("tests/whole.rs"), "whole");
        assert_eq!(told("tests/whole/part.rs"), "whole::part");
        assert_eq!(told("build.rs"), "");
    }

    #[test]
    fn programs_are_main_files() {
        let told =
            |path: &str| program(path, "cart").map(|(option, name)| format!("{option} {name}"));
        assert_eq!(told("src/main.rs").as_deref(), Some("--bin cart"));
        assert_eq!(told("src/bin/api/main.rs").as_deref(), Some("--bin api"));
        assert_eq!(told("examples/e.rs").as_deref(), Some("--example e"));
        assert_eq!(told("src/bin/api/part.rs"), None);
        assert_eq!(told("src/lib.rs"), None);
        let manifest = "[workspace]\nmembers = []\n[package]\nedition = \"2024\"\nname = \"cart\"\n[lib]\nname = \"x\"\n";
        assert_eq!(package_name(manifest).as_deref(), Some("cart"));
        assert_eq!(package_name("[workspace]\n"), None);
    }

    #[test]
    fn a_test_is_named_by_its_end() {
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
