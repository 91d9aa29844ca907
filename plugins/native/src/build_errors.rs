//! Explains a failed build that is not a compile error: a wrong directory, a misspelt name, missing
//! features. Reads cargo's messages.

use crate::rust;
use dapdock_plugin::prelude::*;

use crate::cargo_command::CargoCommand;

/// What cargo prints outside of any package (cargo/util/important_paths.rs,
/// `find_root_manifest_for_wd`).
const NO_PACKAGE: &str = "could not find `Cargo.toml`";

/// Why the command does not build, with the call that goes on.
pub fn build_error(project: &Workspace, command: &CargoCommand, output: &str) -> Error {
    if output.contains(NO_PACKAGE) {
        return wrong_directory(output, &project.glob("**/Cargo.toml", 3).unwrap_or_default());
    }
    rust::toolchain_error(output)
        .or_else(|| corrected_command(command, output))
        .unwrap_or_else(|| Error::build_failed(output))
}

/// A misspelt target or package, or missing features (cargo/ops/cargo_compile/mod.rs), with the
/// corrected call.
fn corrected_command(command: &CargoCommand, output: &str) -> Option<Error> {
    let line = output.lines().find_map(|line| line.strip_prefix("error: "))?;
    let quoted =
        |text: &str| text.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let mut options = command.options.clone();
    if let Some((_, features)) = line.split_once(" requires the features: ") {
        options.extend(["--features".to_owned(), quoted(features).join(",")]);
    } else {
        let wanted = quoted(line).into_iter().next()?;
        if line.contains(" target named `") && !output.contains("similar name exists: ") {
            return Some(Error::target_missing(line));
        }
        let near = quoted(output.split_once("similar name exists: ")?.1).into_iter().next()?;
        let is_wanted =
            |option: &&mut String| **option == wanted || option.ends_with(&format!("={wanted}"));
        let option = options.iter_mut().find(is_wanted)?;
        *option = option.replace(&wanted, &near);
    }
    Some(Error::target_missing(line).hint(command.launch_call(&options, &[])))
}

/// Cargo ran in the wrong directory.
fn wrong_directory(output: &str, packages: &[String]) -> Error {
    let hint = match packages
        .first()
        .map(|file| file.rsplit_once('/').map_or(".", |(directory, _)| directory))
    {
        Some(directory) => format!("repeat the call with \"cwd\": \"{directory}\""),
        None => "repeat the call with `cwd`, the directory of the package".to_owned(),
    };
    Error::target_missing(output).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_directory_proposes_the_one_of_the_package() {
        let result = |packages: &[&str]| {
            let packages: Vec<String> = packages.iter().map(|file| (*file).to_owned()).collect();
            let error = wrong_directory("no Cargo.toml", &packages);
            format!("{} ({})", error.message, error.hint.unwrap_or_default())
        };
        assert_eq!(
            result(&["a/b/Cargo.toml"]),
            r#"no Cargo.toml (repeat the call with "cwd": "a/b")"#
        );
        assert_eq!(
            result(&[]),
            "no Cargo.toml (repeat the call with `cwd`, the directory of the package)"
        );
    }

    #[test]
    fn misspelt_target_or_missing_features_are_corrected() {
        let result = |words: &[&str], output: &str| {
            let options = words.iter().map(|&word| word.to_owned()).collect();
            corrected_command(&CargoCommand { options, ..CargoCommand::default() }, output)
                .and_then(|error| error.hint)
                .unwrap_or_default()
        };
        let near = "error: no bin target named `othr` in default-run packages\n\nhelp: a target \
            with a similar name exists: \
                    `other`";
        assert_eq!(
            result(&["--bin", "othr"], near),
            r#"debug_launch {"command": "cargo run --bin other"}"#
        );
        assert_eq!(
            result(&["--bin=othr"], near),
            r#"debug_launch {"command": "cargo run --bin=other"}"#
        );
        let features = "error: target `needs` in package `app` requires the features: `fast`, \
            `more`\nConsider enabling";
        let launch_call =
            r#"debug_launch {"command": "cargo run --bin needs --features fast,more"}"#;
        assert_eq!(result(&["--bin", "needs"], features), launch_call);
        let none = "error: no example target named `nope` in default-run packages\n";
        assert_eq!(
            corrected_command(&CargoCommand::default(), none).map(|error| error.hint),
            Some(None)
        );
        assert_eq!(result(&["--bin", "a"], "error[E0308]: mismatched types"), "");
    }
}
