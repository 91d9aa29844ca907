//! The crates of a Cargo package: those that its manifest declares, and those that Cargo infers
//! from file names (Cargo book, "Target auto-discovery"). Reads no files.

use toml::{Table, Value};

/// The kind of a crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `[lib]`.
    Lib,
    /// `[[bin]]`.
    Bin,
    /// `[[example]]`.
    Example,
    /// `[[test]]`.
    Test,
    /// `[[bench]]`.
    Bench,
}

/// The kinds that a manifest lists, with the directories of their inferred crates.
const LISTED: [(Kind, &str, &str); 4] = [
    (Kind::Bin, "bin", "src/bin/"),
    (Kind::Example, "example", "examples/"),
    (Kind::Test, "test", "tests/"),
    (Kind::Bench, "bench", "benches/"),
];

/// A crate of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crate {
    /// What `cargo` builds it as.
    pub kind: Kind,
    /// Its name in options of `cargo`.
    pub name: String,
    /// Its main file, relative to the package.
    pub file: String,
    /// Whether `cargo test` runs its tests, and libtest lists them.
    pub has_tests: bool,
    /// Features without which Cargo does not build it.
    pub features: Vec<String>,
}

impl Crate {
    /// The crate's name in paths of Rust.
    pub fn identifier(&self) -> String {
        self.name.replace('-', "_")
    }

    /// Cargo's options that select it.
    pub fn options(&self) -> Vec<String> {
        let mut options = match self.kind {
            Kind::Lib => vec!["--lib".to_owned()],
            kind => vec![format!("--{}", option(kind)), self.name.clone()],
        };
        if !self.features.is_empty() {
            options.extend(["--features".to_owned(), self.features.join(",")]);
        }
        options
    }
}

fn option(kind: Kind) -> &'static str {
    LISTED.iter().find(|(listed, ..)| *listed == kind).map_or("lib", |(_, key, _)| key)
}

/// The program of `cargo run`, where the manifest names one (Cargo book, `default-run`).
pub fn default_run(manifest: &str) -> Option<String> {
    let manifest: Table = manifest.parse().ok()?;
    Some(manifest.get("package")?.get("default-run")?.as_str()?.to_owned())
}

/// The crates of a package with these Rust files, relative to it. None: the manifest has no
/// package, or is invalid.
pub fn crates(manifest: &str, files: &[&str]) -> Option<Vec<Crate>> {
    let manifest: Table = manifest.parse().ok()?;
    let package = manifest.get("package")?.as_table()?;
    let name = package.get("name")?.as_str()?;
    let mut crates = Vec::new();
    crates.extend(library(&manifest, name, files));
    for (kind, key, directory) in LISTED {
        let inferred = inferred(kind, directory, name, files);
        let declared = manifest.get(key).and_then(Value::as_array).into_iter().flatten();
        let declared: Vec<Crate> = declared
            .filter_map(|table| declare(kind, directory, table.as_table()?, &inferred, name))
            .collect();
        let auto = package.get(&auto_key(key)).and_then(Value::as_bool) != Some(false);
        for one in inferred.into_iter().filter(|_| auto) {
            if !declared.iter().any(|other| other.name == one.name || other.file == one.file) {
                crates.push(one);
            }
        }
        crates.extend(declared);
    }
    Some(crates)
}

/// `autobins`, `autobenches`.
fn auto_key(key: &str) -> String {
    format!("auto{key}{}", if key == "bench" { "es" } else { "s" })
}

fn library(manifest: &Table, package: &str, files: &[&str]) -> Option<Crate> {
    let empty = Table::new();
    let table = manifest.get("lib").and_then(Value::as_table).unwrap_or(&empty);
    let path = table.get("path").and_then(Value::as_str).unwrap_or("src/lib.rs");
    let file = path.trim_start_matches("./");
    let name = table.get("name").and_then(Value::as_str).unwrap_or(package);
    let found = Crate { has_tests: runs_tests(table, true), ..plain(Kind::Lib, name, file) };
    files.contains(&file).then_some(found)
}

fn plain(kind: Kind, name: &str, file: &str) -> Crate {
    Crate {
        kind,
        name: name.to_owned(),
        file: file.to_owned(),
        has_tests: matches!(kind, Kind::Lib | Kind::Bin | Kind::Test),
        features: Vec::new(),
    }
}

/// Whether `cargo test` runs the tests of a crate that libtest lists.
fn runs_tests(table: &Table, default: bool) -> bool {
    let flag = |key: &str| table.get(key).and_then(Value::as_bool);
    flag("test").unwrap_or(default) && flag("harness") != Some(false)
}

fn declare(
    kind: Kind,
    directory: &str,
    table: &Table,
    inferred: &[Crate],
    package: &str,
) -> Option<Crate> {
    let name = table.get("name")?.as_str()?;
    let same = inferred.iter().find(|one| one.name == name);
    let file = match (table.get("path").and_then(Value::as_str), same) {
        (Some(path), _) => path.trim_start_matches("./").to_owned(),
        (None, Some(same)) => same.file.clone(),
        (None, None) if kind == Kind::Bin && name == package => "src/main.rs".to_owned(),
        (None, None) => format!("{directory}{name}.rs"),
    };
    let features = table.get("required-features").and_then(Value::as_array);
    let features = features.into_iter().flatten().filter_map(Value::as_str);
    let found = plain(kind, name, &file);
    Some(Crate {
        has_tests: runs_tests(table, found.has_tests),
        features: features.map(str::to_owned).collect(),
        ..found
    })
}

/// Crates by file names: `src/bin/NAME.rs`, `src/bin/NAME/main.rs`.
fn inferred(kind: Kind, directory: &str, package: &str, files: &[&str]) -> Vec<Crate> {
    let mut found = Vec::new();
    if kind == Kind::Bin && files.contains(&"src/main.rs") {
        found.push(plain(kind, package, "src/main.rs"));
    }
    for file in files {
        let Some(inside) = file.strip_prefix(directory) else { continue };
        let Some(stem) = inside.strip_suffix(".rs") else { continue };
        let name = stem.strip_suffix("/main").unwrap_or(stem);
        if !name.contains('/') {
            found.push(plain(kind, name, file));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(manifest: &str, files: &[&str], expect: &[&str]) {
        let mut found = Vec::new();
        for one in crates(manifest, files).unwrap() {
            let tests = if one.has_tests { " tests" } else { "" };
            found.push(format!("{} {}{tests}", one.options().join(" "), one.file));
        }
        assert_eq!(found, expect);
    }

    #[test]
    fn crates_are_inferred_from_file_names() {
        let files = [
            "build.rs",
            "benches/speed.rs",
            "examples/e.rs",
            "src/bin/api/main.rs",
            "src/bin/api/part.rs",
            "src/bin/tool.rs",
            "src/lib.rs",
            "src/main.rs",
            "tests/whole.rs",
        ];
        check(
            "[package]\nname = \"my-cart\"\n",
            &files,
            &[
                "--lib src/lib.rs tests",
                "--bin my-cart src/main.rs tests",
                "--bin api src/bin/api/main.rs tests",
                "--bin tool src/bin/tool.rs tests",
                "--example e examples/e.rs",
                "--test whole tests/whole.rs tests",
                "--bench speed benches/speed.rs",
            ],
        );
    }

    #[test]
    fn declared_crates_replace_inferred_ones() {
        let manifest = "[package]\nname = \"shop\"\nautotests = false\n[lib]\nname = \"store\"\n\
            path = \"./lib/store.rs\"\n[[bin]]\nname = \"st\"\npath = \"./src/main.rs\"\n\
            required-features = [\"cli\", \"color\"]\n[[bin]]\nname = \"tool\"\ntest = false\n\
            [[test]]\nname = \"all\"\n[[test]]\nname = \"own\"\nharness = false\n";
        let files =
            ["lib/store.rs", "src/bin/tool.rs", "src/main.rs", "tests/all.rs", "tests/helpers.rs"];
        check(
            manifest,
            &files,
            &[
                "--lib lib/store.rs tests",
                "--bin st --features cli,color src/main.rs tests",
                "--bin tool src/bin/tool.rs",
                "--test all tests/all.rs tests",
                "--test own tests/own.rs",
            ],
        );
    }

    #[test]
    fn workspace_alone_is_no_package() {
        assert_eq!(crates("[workspace]\nmembers = []\n", &["src/lib.rs"]), None);
        assert_eq!(crates("[package\n", &["src/lib.rs"]), None);
    }
}
