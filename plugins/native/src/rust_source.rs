//! Tests and modules of a Rust source file. Reads attributes, and takes the nesting of modules from
//! indentation; does not see what macros generate. Reads no files.

/// A test function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestFunction {
    /// Line, from 1.
    pub line: u32,
    /// The inline modules around it, and its name.
    pub names: Vec<String>,
}

/// A module whose code is in a file of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The inline modules around it, and its name.
    pub names: Vec<String>,
    /// The value of its attribute `path`.
    pub path: Option<String>,
}

impl Module {
    /// The files that its code can be in. `is_crate`: the file that declares it is the main file of
    /// a crate.
    pub fn files(&self, declared_in: &str, is_crate: bool) -> Vec<String> {
        let (directory, name) = declared_in.rsplit_once('/').unwrap_or(("", declared_in));
        let own = name == "mod.rs" || is_crate;
        let (inline, last) = self.names.split_at(self.names.len().saturating_sub(1));
        let mut parts: Vec<&str> = directory.split('/').filter(|part| !part.is_empty()).collect();
        // An attribute `path` outside of inline modules starts at the file's own directory.
        if !own && (self.path.is_none() || !inline.is_empty()) {
            parts.push(name.strip_suffix(".rs").unwrap_or(name));
        }
        parts.extend(inline.iter().map(String::as_str));
        let below = |file: &str| joined(&parts, file);
        match (&self.path, last) {
            (Some(path), _) => vec![below(path)],
            (None, [last]) => vec![below(&format!("{last}.rs")), below(&format!("{last}/mod.rs"))],
            (None, _) => Vec::new(),
        }
    }
}

/// The path of a file below a directory, without `.` and `..`.
fn joined(directory: &[&str], file: &str) -> String {
    let mut parts = directory.to_vec();
    for part in file.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// In the order of their lines.
    pub tests: Vec<TestFunction>,
    /// Those with files of their own.
    pub modules: Vec<Module>,
}

/// Reads a file.
pub fn read(text: &str) -> Source {
    let mut source = Source::default();
    let (mut open, mut is_test, mut path) = (Vec::<(usize, String)>::new(), false, None);
    for (line, at) in text.lines().zip(1..) {
        let code = line.trim_start();
        let indent = line.len() - code.len();
        if code.is_empty() || code.starts_with("//") {
            continue;
        }
        if code != "}" {
            open.retain(|(outer, _)| *outer < indent);
        }
        let nested = |name: &str| {
            let mut names: Vec<String> = open.iter().map(|(_, name)| name.clone()).collect();
            names.push(name.to_owned());
            names
        };
        if let Some(name) = item(code, "mod ") {
            if code.trim_end().ends_with(';') {
                source.modules.push(Module { names: nested(name), path: path.take() });
            } else if code.trim_end().ends_with('{') {
                open.push((indent, name.to_owned()));
            }
        } else if let Some(name) = item(code, "fn ").filter(|_| is_test) {
            source.tests.push(TestFunction { line: at, names: nested(name) });
        }
        let is_attribute = code.starts_with("#[");
        is_test = is_test_attribute(code) || (is_test && is_attribute);
        path = path_attribute(code).or(path).filter(|_| is_attribute);
    }
    source
}

/// `#[test]`, `#[tokio::test]`.
fn is_test_attribute(code: &str) -> bool {
    let Some(attribute) = code.strip_prefix("#[") else { return false };
    let path = attribute.split([']', '(']).next().unwrap_or_default();
    path.rsplit("::").next() == Some("test")
}

/// The value of `#[path = "…"]`.
fn path_attribute(code: &str) -> Option<String> {
    let value = code.strip_prefix("#[path")?.trim_start().strip_prefix('=')?;
    value.split('"').nth(1).map(str::to_owned)
}

/// The name of an item, whatever precedes its keyword.
fn item<'a>(code: &'a str, word: &str) -> Option<&'a str> {
    let before = ["", "pub ", "pub(crate) ", "pub(super) ", "async ", "pub async ", "unsafe "];
    let rest = before.iter().find_map(|before| code.strip_prefix(before)?.strip_prefix(word))?;
    Some(rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"fn main() {}

mod price;
pub mod cart {
    mod tax;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic]
    fn panics() {}

    mod inner {
        #[tokio::test(flavor = "x")]
        async fn waits() {}
    }

    fn helper() {}
}

#[cfg(unix)]
#[path = "os/unix.rs"]
mod os;

#[test]
fn outside() {}
"#;

    #[test]
    fn tests_have_the_names_of_their_modules() {
        let tests = read(TEXT).tests;
        let found: Vec<String> =
            tests.iter().map(|test| format!("{}:{}", test.names.join("::"), test.line)).collect();
        assert_eq!(found, ["tests::panics:14", "tests::inner::waits:18", "outside:29"]);
    }

    #[test]
    fn modules_have_the_files_that_rustc_looks_for() {
        let modules = read(TEXT).modules;
        let files = |file: &str, is_crate: bool| {
            let all = modules.iter().map(|module| module.files(file, is_crate).join(" "));
            all.collect::<Vec<_>>()
        };
        let in_crate =
            ["a/price.rs a/price/mod.rs", "a/cart/tax.rs a/cart/tax/mod.rs", "a/os/unix.rs"];
        assert_eq!(files("a/main.rs", true), in_crate);
        assert_eq!(files("a/mod.rs", false), in_crate);
        let in_module = [
            "a/b/price.rs a/b/price/mod.rs",
            "a/b/cart/tax.rs a/b/cart/tax/mod.rs",
            "a/os/unix.rs",
        ];
        assert_eq!(files("a/b.rs", false), in_module);
        let up = Module { names: vec!["x".into()], path: Some("../up.rs".into()) };
        assert_eq!(up.files("a/b.rs", false), ["up.rs"]);
    }
}
