//! The file to run for a path: the file itself, or the entry point of a package's directory, as
//! `node DIRECTORY` finds it.

use dapdock_plugin::files;
use dapdock_plugin::prelude::*;

/// Suffixes that Node tries for the name of a module (lib/internal/modules/cjs/loader.js,
/// `tryPackage`).
const ENDS: [&str; 3] = ["", ".js", "/index.js"];

/// The file to run.
pub fn entry(project: &Workspace, path: &str) -> Result<String, Error> {
    let path = plain(path);
    if matches!(project.stat(&path), Some(FileKind::Directory)) {
        let text = files::text(project, &format!("{path}/package.json"));
        return main(&path, &text, |file| matches!(project.stat(file), Some(FileKind::File)));
    }
    // A file outside the workspace is visible only as an executable that the caller named.
    if project.stat(&path).is_some() || project.workspace_executable(&path).is_ok() {
        return Ok(path);
    }
    Err(Error::target_missing(format!("there is no file {path}")))
}

/// Removes the end of `DIRECTORY/.` and `DIRECTORY/`.
fn plain(path: &str) -> String {
    let short = path.strip_suffix("/.").unwrap_or(path).trim_end_matches('/');
    if short.is_empty() { path.to_owned() } else { short.to_owned() }
}

/// The file of `main` in the text of a package.json, otherwise index.js.
fn main(directory: &str, package: &str, is_file: impl Fn(&str) -> bool) -> Result<String, Error> {
    let package: Value = serde_json::from_str(package).unwrap_or_default();
    let named = package["main"].as_str().map(|main| main.strip_prefix("./").unwrap_or(main));
    let file = |name: &str| {
        let name = plain(name);
        ENDS.iter().map(|end| format!("{directory}/{name}{end}")).find(|file| is_file(file))
    };
    if let Some(found) = named.and_then(file).or_else(|| file("index.js")) {
        return Ok(found);
    }
    let missing = match named {
        Some(main) => {
            format!("{main}, the `main` of {directory}/package.json, does not exist")
        }
        None => {
            format!("{directory} has no index.js and no package.json with a `main`")
        }
    };
    let script = ["start", "dev"].into_iter().find(|name| package["scripts"][name].is_string());
    let hint = match (script, named) {
        (Some(name), _) => {
            format!(r#"debug_launch {{"command": "npm run {name}", "cwd": {}}}"#, json!(directory))
        }
        (None, Some(_)) => "build it, or name the file to run".to_owned(),
        (None, None) => "name the file to run".to_owned(),
    };
    Err(Error::target_missing(missing).hint(hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(package: Value, files: &[&str], expect: &str) {
        let actual = match main("/w", &package.to_string(), |file| files.contains(&file)) {
            Ok(file) => file,
            Err(error) => format!("{} ({})", error.message, error.hint.unwrap_or_default()),
        };
        assert_eq!(actual, expect, "{package}");
    }

    #[test]
    fn a_directory_stands_for_its_main_or_index() {
        check(json!({"main": "./lib/a"}), &["/w/lib/a.js", "/w/index.js"], "/w/lib/a.js");
        check(json!({"main": "lib/"}), &["/w/lib/index.js"], "/w/lib/index.js");
        check(json!({"main": "gone.js"}), &["/w/index.js"], "/w/index.js");
        check(Value::Null, &["/w/index.js"], "/w/index.js");
    }

    #[test]
    fn a_missing_file_has_a_remedy() {
        let gone = "gone.js, the `main` of /w/package.json, does not exist";
        check(
            json!({"main": "gone.js"}),
            &[],
            &format!("{gone} (build it, or name the file to run)"),
        );
        let none = "/w has no index.js and no package.json with a `main`";
        check(json!({}), &[], &format!("{none} (name the file to run)"));
        let start = r#"(debug_launch {"command": "npm run start", "cwd": "/w"})"#;
        check(json!({"scripts": {"start": "x"}}), &[], &format!("{none} {start}"));
    }

    #[test]
    fn the_end_of_a_directory_is_removed() {
        assert_eq!(["/w/.", "/w/a/", "/w/a.js", "/"].map(plain), ["/w", "/w/a", "/w/a.js", "/"]);
    }
}
