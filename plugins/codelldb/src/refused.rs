//! Why cargo built nothing, where nothing is wrong with the code: it is another directory, another
//! name, or features that are asked for. Reads cargo's words.

use dapdock_plugin::prelude::*;
use dapdock_plugin::rust;

use crate::order::Order;

/// What cargo says outside of any package (cargo/util/important_paths.rs,
/// `find_root_manifest_for_wd`).
const NO_PACKAGE: &str = "could not find `Cargo.toml`";

pub fn unbuilt(project: &Workspace, order: &Order, said: &str) -> Error {
    if said.contains(NO_PACKAGE) {
        return elsewhere(said, &project.glob("**/Cargo.toml", 3).unwrap_or_default());
    }
    rust::unfit(said).or_else(|| lacking(order, said)).unwrap_or_else(|| Error::build_failed(said))
}

/// A target or a package of another name, or features: what cargo says is lacking
/// (cargo/ops/cargo_compile/mod.rs), and the call with it.
fn lacking(order: &Order, said: &str) -> Option<Error> {
    let line = said.lines().find_map(|line| line.strip_prefix("error: "))?;
    let quoted =
        |text: &str| text.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let mut options = order.options.clone();
    if let Some((_, features)) = line.split_once(" requires the features: ") {
        options.extend(["--features".to_owned(), quoted(features).join(",")]);
    } else {
        let wanted = quoted(line).into_iter().next()?;
        if line.contains(" target named `") && !said.contains("similar name exists: ") {
            return Some(Error::target_missing(line));
        }
        let near = quoted(said.split_once("similar name exists: ")?.1).into_iter().next()?;
        let is_wanted =
            |option: &&mut String| **option == wanted || option.ends_with(&format!("={wanted}"));
        let option = options.iter_mut().find(is_wanted)?;
        *option = option.replace(&wanted, &near);
    }
    Some(Error::target_missing(line).hint(order.call(&options, &[])))
}

/// Nothing is wrong with the code: cargo runs in the wrong directory.
fn elsewhere(said: &str, packages: &[String]) -> Error {
    let hint = match packages
        .first()
        .map(|file| file.rsplit_once('/').map_or(".", |(directory, _)| directory))
    {
        Some(directory) => format!("the same call with \"cwd\": \"{directory}\""),
        None => "the same call with `cwd`, the directory of the package".to_owned(),
    };
    Error::target_missing(said).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_outside_the_package_is_told_with_the_one_inside() {
        let told = |packages: &[&str]| {
            let packages: Vec<String> = packages.iter().map(|file| (*file).to_owned()).collect();
            let error = elsewhere("no Cargo.toml", &packages);
            format!("{} ({})", error.message, error.hint.unwrap_or_default())
        };
        assert_eq!(told(&["a/b/Cargo.toml"]), r#"no Cargo.toml (the same call with "cwd": "a/b")"#);
        assert_eq!(
            told(&[]),
            "no Cargo.toml (the same call with `cwd`, the directory of the package)"
        );
    }

    #[test]
    fn what_cargo_lacks_is_called_for() {
        let told = |words: &[&str], said: &str| {
            let options = words.iter().map(|&word| word.to_owned()).collect();
            lacking(&Order { options, ..Order::default() }, said)
                .and_then(|error| error.hint)
                .unwrap_or_default()
        };
        let near = "error: no bin target named `othr` in default-run packages\n\nhelp: a target with a similar name exists: \
                    `other`";
        assert_eq!(
            told(&["--bin", "othr"], near),
            r#"debug_launch {"command": "cargo run --bin other"}"#
        );
        assert_eq!(
            told(&["--bin=othr"], near),
            r#"debug_launch {"command": "cargo run --bin=other"}"#
        );
        let features = "error: target `needs` in package `app` requires the features: `fast`, `more`\nConsider enabling";
        let call = r#"debug_launch {"command": "cargo run --bin needs --features fast,more"}"#;
        assert_eq!(told(&["--bin", "needs"], features), call);
        let none = "error: no example target named `nope` in default-run packages\n";
        assert_eq!(lacking(&Order::default(), none).map(|error| error.hint), Some(None));
        assert_eq!(told(&["--bin", "a"], "error[E0308]: mismatched types"), "");
    }
}
