//! The executables that cargo built, from its messages. Builds nothing.

use crate::cargo_manifest;
use dapdock_plugin::files;
use dapdock_plugin::prelude::*;

use crate::cargo_command::CargoCommand;

/// An executable that cargo built.
#[derive(Clone, Debug, PartialEq)]
pub struct Built {
    /// The step of the build that reported it.
    pub step: u32,
    /// Its path.
    pub path: String,
    /// Options that select it in its package: `--bin api`.
    pub choice: String,
    /// The name of its package.
    pub package: String,
    /// The directory of its package.
    pub package_directory: Option<String>,
    /// Directory of its package; tests run there.
    pub directory: Option<String>,
    /// The full name of the requested test.
    pub test_name: Option<String>,
    /// The filter is the whole path of one test.
    pub exact: bool,
    /// A note for the caller.
    pub note: Option<String>,
    /// Of several test binaries: how many have run after this one, if more follow.
    pub run_before_next: Option<usize>,
    /// The crate of the executable.
    pub krate: String,
    /// It is a test binary.
    pub test: bool,
}

impl Built {
    /// Whether its package's manifest names it as the program of `cargo run`.
    pub fn is_default(&self, project: &Workspace) -> bool {
        let root = format!("{}/", project.root());
        let directory = self.package_directory.as_deref().unwrap_or_default();
        let directory = format!("{directory}/");
        let Some(inside) = directory.strip_prefix(&root) else { return false };
        let manifest = files::text(project, &format!("{inside}Cargo.toml"));
        cargo_manifest::default_run(&manifest)
            .is_some_and(|name| self.choice == format!("--bin {name}"))
    }

    /// The value of `test` in a launch.
    pub fn id(&self, test: &str) -> String {
        format!("{}::{test}", self.krate)
    }

    /// Its place in the order in which cargo runs test binaries: by package, then library,
    /// programs, examples, tests and benchmarks by name.
    pub fn position(&self) -> (&str, Option<usize>, &str) {
        let kinds = ["--lib", "--bin", "--example", "--test", "--bench"];
        let kind = kinds.iter().position(|kind| self.choice.starts_with(kind));
        (&self.package, kind, &self.choice)
    }

    /// A binary that lists no tests, with a note about it.
    pub fn unlisted(&self, filters: &[&str]) -> Self {
        let filters = filters.join("` or `");
        let note =
            format!("`{}` lists no tests; it may have one that matches `{filters}`", self.choice);
        Self { note: Some(note), ..self.clone() }
    }

    /// Options that select it, with its package if there are several.
    pub fn selection(&self, among: &[&Built]) -> String {
        let others = among.iter().any(|built| built.package != self.package);
        if others { format!("-p {} {}", self.package, self.choice) } else { self.choice.clone() }
    }

    /// The launch call for this executable alone.
    pub fn call(&self, command: &CargoCommand, among: &[&Built], more: &[&str]) -> String {
        let selection = self.selection(among);
        let mut options = command.options_without_selection(selection.starts_with("-p "));
        options.extend(selection.split(' ').map(str::to_owned));
        command.launch_call(&options, more)
    }
}

/// The executables in cargo's messages (`compiler-artifact`, one JSON object per line).
pub fn artifacts(result: &BuildResult) -> Vec<Built> {
    let messages =
        result.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    messages.filter_map(|message| artifact(result.step, &message)).collect()
}

fn artifact(step: u32, message: &Value) -> Option<Built> {
    let path = message["executable"].as_str()?.to_owned();
    let name = message["target"]["name"].as_str()?;
    let choice = match message["target"]["kind"][0].as_str()? {
        kind @ ("bin" | "example" | "test" | "bench") => format!("--{kind} {name}"),
        _ => "--lib".into(),
    };
    let test = message["profile"]["test"] == true;
    let manifest =
        message["manifest_path"].as_str().and_then(|path| path.strip_suffix("/Cargo.toml"));
    let package_directory = manifest.map(str::to_owned);
    let directory = package_directory.clone().filter(|_| test);
    let package = package(message["package_id"].as_str().unwrap_or_default()).to_owned();
    let krate = name.replace('-', "_");
    Some(Built {
        step,
        path,
        choice,
        package,
        package_directory,
        directory,
        test_name: None,
        exact: false,
        note: None,
        run_before_next: None,
        krate,
        test,
    })
}

/// `path+file:///w/cart#0.1.0`, `path+file:///w/dir#cart@0.1.0`; `cart 0.1.0 (path+file:///w/cart)`
/// before cargo 1.77.
fn package(id: &str) -> &str {
    let Some((place, name)) = id.split_once('#') else {
        return id.split_once(' ').map_or(id, |(name, _)| name);
    };
    match name.split_once('@') {
        Some((name, _)) => name,
        None => place.rsplit('/').next().unwrap_or(place),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_named_by_every_cargo() {
        let ids = [
            "path+file:///w/cart#0.1.0",
            "path+file:///w/x#cart@0.1.0",
            "cart 0.1.0 (path+file:///w/x)",
        ];
        assert_eq!(ids.map(package), ["cart"; 3]);
    }
}
