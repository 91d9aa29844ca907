//! The file that a path means as a program: itself, or that of a package's directory, as `node
//! DIRECTORY` has it.

use dapdock_plugin::files;
use dapdock_plugin::prelude::*;

/// What Node puts behind the name of a module that has no such file
/// (lib/internal/modules/cjs/loader.js, `tryPackage`).
const ENDS: [&str; 3] = ["", ".js", "/index.js"];

/// The file to run.
pub fn entry(project: &Workspace, path: &str) -> Result<String, Error> {
    let path = plain(path);
    if matches!(project.stat(&path), Some(FileKind::Directory)) {
        let text = files::text(project, &format!("{path}/package.json"));
        return main(&path, &text, |file| matches!(project.stat(file), Some(FileKind::File)));
    }
    // Files outside of the workspace can only be asked about by naming them as a program.
    let there = project.stat(&path).is_some() || project.workspace_executable(&path).is_ok();
    there
        .then_some(path.clone())
        .ok_or_else(|| Error::target_missing(format!("there is no file {path}")))
}

/// `DIRECTORY/.` and `DIRECTORY/` are the directory.
fn plain(path: &str) -> String {
    let short = path.strip_suffix("/.").unwrap_or(path).trim_end_matches('/');
    if short.is_empty() { path.to_owned() } else { short.to_owned() }
}

/// `main` of its package.json, whose text is given, else its index.js.
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
            format!("{directory}/package.json says that its main is {main}, which is not there")
        }
        None => {
            format!("{directory} has no index.js, and no package.json that says what its main is")
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
        let told = match main("/w", &package.to_string(), |file| files.contains(&file)) {
            Ok(file) => file,
            Err(error) => format!("{} ({})", error.message, error.hint.unwrap_or_default()),
        };
        assert_eq!(told, expect, "{package}");
    }

    #[test]
    fn a_directory_is_its_main_or_its_index() {
        check(json!({"main": "./lib/a"}), &["/w/lib/a.js", "/w/index.js"], "/w/lib/a.js");
        check(json!({"main": "lib/"}), &["/w/lib/index.js"], "/w/lib/index.js");
        check(json!({"main": "gone.js"}), &["/w/index.js"], "/w/index.js");
        check(Value::Null, &["/w/index.js"], "/w/index.js");
    }

    #[test]
    fn what_is_not_there_is_told_with_what_helps() {
        let gone = "/w/package.json says that its main is gone.js, which is not there";
        check(
            json!({"main": "gone.js"}),
            &[],
            &format!("{gone} (build it, or name the file to run)"),
        );
        let none = "/w has no index.js, and no package.json that says what its main is";
        check(json!({}), &[], &format!("{none} (name the file to run)"));
        let start = r#"(debug_launch {"command": "npm run start", "cwd": "/w"})"#;
        check(json!({"scripts": {"start": "x"}}), &[], &format!("{none} {start}"));
    }

    #[test]
    fn a_point_is_the_directory() {
        assert_eq!(["/w/.", "/w/a/", "/w/a.js", "/"].map(plain), ["/w", "/w/a", "/w/a.js", "/"]);
    }
}
