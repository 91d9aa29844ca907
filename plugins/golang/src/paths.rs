//! Paths in messages of `go`, and packages that are searched in the wrong directory.

/// The compiler's output with paths relative to the root; `go` prints them relative to the
/// directory where it runs.
pub fn with_root_paths(output: &str, directory: &str, root: &str) -> String {
    let mut lines = Vec::new();
    for line in output.lines() {
        match line.split_once(".go:") {
            Some((path, rest)) if path.starts_with("./") || path.starts_with("../") => {
                lines.push(format!("{}.go:{rest}", root_path(path, directory, root)));
            }
            _ => lines.push(line.to_owned()),
        }
    }
    lines.join("\n")
}

/// A path relative to the root, given relative to a directory.
fn root_path(path: &str, directory: &str, root: &str) -> String {
    let mut parts: Vec<&str> = directory.split('/').collect();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let absolute = parts.join("/");
    match below(&absolute, root) {
        Some(path) => path.to_owned(),
        None => absolute,
    }
}

/// The rest of a path at or below a directory.
fn below<'a>(path: &'a str, directory: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(directory.trim_end_matches('/'))?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// The path of a directory relative to the one where `go` runs.
pub fn relative(base: &str, directory: &str) -> String {
    match directory.strip_prefix(base.trim_end_matches('/')) {
        Some("") => ".".to_owned(),
        Some(rest) if rest.starts_with('/') => format!(".{rest}"),
        _ => directory.to_owned(),
    }
}

/// Why a package is not found, and what to do.
pub struct Missing {
    /// What is missing where.
    pub message: String,
    /// What to change in the call.
    pub hint: String,
}

/// The first of the packages whose directory is not below the one where `go` runs, but below one
/// that contains that, or is that one.
pub fn missing_package(
    directory: &str,
    packages: &[String],
    root: &str,
    exists: impl Fn(&str) -> bool,
) -> Option<Missing> {
    let directory = directory.trim_end_matches('/');
    for package in packages {
        let Some(name) = package.strip_prefix("./") else { continue };
        let name = name.strip_suffix("/...").unwrap_or(name).trim_end_matches('/');
        if name.is_empty() || exists(&format!("{directory}/{name}")) {
            continue;
        }
        let message = match root_path(".", directory, root).as_str() {
            "" => format!("there is no directory {name} here"),
            path => format!("{path} has no directory {name}"),
        };
        if let Some(above) = directory_above(directory, name, root, &exists) {
            let cwd = Some(root_path(".", above, root)).filter(|path| !path.is_empty());
            let cwd = cwd.as_deref().unwrap_or(".");
            let hint = format!("the same call with \"cwd\": \"{cwd}\"");
            return Some(Missing { message, hint });
        }
        if directory.ends_with(&format!("/{name}")) {
            let message = format!("{message}: this one is {name} itself");
            return Some(Missing { message, hint: format!("`.` in place of {package}") });
        }
    }
    None
}

/// The nearest directory above, at or below the root, that has an entry of this name.
fn directory_above<'a>(
    directory: &'a str,
    name: &str,
    root: &str,
    exists: &impl Fn(&str) -> bool,
) -> Option<&'a str> {
    let mut rest = directory;
    while let Some((above, _)) = rest.rsplit_once('/')
        && below(above, root).is_some()
    {
        if exists(&format!("{above}/{name}")) {
            return Some(above);
        }
        rest = above;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_root() {
        let output = "# m/cmd/x\n./main.go:3:1: a\n../../calc/calc.go:27:11: b\n\
                      ../../../o/o.go:1:1: c\n\tplain.go:1";
        let expect =
            "# m/cmd/x\ncmd/x/main.go:3:1: a\ncalc/calc.go:27:11: b\n/o/o.go:1:1: c\n\tplain.go:1";
        assert_eq!(with_root_paths(output, "/w/cmd/x", "/w"), expect);
    }

    #[test]
    fn package_is_searched_above_the_directory() {
        let found = |directory: &str, package: &str, root: &str| {
            let known = ["/w/m/go", "/w/m/calc", "/w/m/go/sub"];
            let packages = [package.to_owned()];
            let exists = |path: &str| known.contains(&path);
            let missing = missing_package(directory, &packages, root, exists)?;
            Some(format!("{} | {}", missing.message, missing.hint))
        };
        let expect = r#"m/go has no directory go | the same call with "cwd": "m""#;
        assert_eq!(found("/w/m/go", "./go", "/w").as_deref(), Some(expect));
        let expect = r#"go has no directory calc | the same call with "cwd": ".""#;
        assert_eq!(found("/w/m/go", "./calc/...", "/w/m").as_deref(), Some(expect));
        let expect = "there is no directory go here: this one is go itself | `.` in place of ./go";
        assert_eq!(found("/w/m/go", "./go", "/w/m/go").as_deref(), Some(expect));
        assert_eq!(found("/w/m/go", "./calc", "/w/m/g"), None);
        for (directory, package) in [("/w/m/go", "./sub"), ("/w/m", "./none"), ("/w/m", ".")] {
            assert_eq!(found(directory, package, "/w"), None);
        }
    }
}
