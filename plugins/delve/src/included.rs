//! Source files that a build includes or leaves out, with the tags that would include them.
//! `tags` reads their constraints.

use dapdock_golang::tags::{self, Lack, System};
use dapdock_golang::test_kinds;
use dapdock_plugin::adapter::{Arch, Os};
use dapdock_plugin::files;
use dapdock_plugin::path;
use dapdock_plugin::prelude::*;

use crate::selection;
use crate::sources;
use crate::target::GoBuild;

/// Source files that are read to find those which the build leaves out, and which are stored.
const READ: usize = 2_000;
const STORED: usize = 50;
/// Bytes of a file that are read for its constraint, which precedes the package clause.
const HEAD: u32 = 8 << 10;

/// A source file that the build leaves out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde")]
pub struct LeftOut {
    path: String,
    why: String,
    tags: Vec<String>,
}

/// Adds the tags that the build lacks to include the file which the caller named.
pub fn include(project: &Workspace, spec: &mut GoBuild) -> Result<(), Error> {
    let Some(source) = spec.source.clone() else { return Ok(()) };
    let root = format!("{}/", project.root());
    let name = source.strip_prefix(&root).unwrap_or(&source);
    let text = files::text(project, &source);
    match tags::lack(&source, &text, &spec.tags(), system()) {
        Lack::Nothing => Ok(()),
        Lack::Tags(lacking) => {
            let flag = with_tags(spec, &lacking);
            spec.notes.push(format!("built with `{flag}`, which {name} needs"));
            spec.flags.push(flag);
            Ok(())
        }
        Lack::More => Err(Error::unsupported(format!(
            "{name} is no part of a build for this system: {}",
            why(&text)
        ))),
    }
}

/// The option with the build's tags and these.
fn with_tags(spec: &GoBuild, lacking: &[String]) -> String {
    format!("-tags={}", [spec.tags().as_slice(), lacking].concat().join(","))
}

fn why(text: &str) -> String {
    let lines = tags::lines(text);
    if lines.is_empty() {
        return "the end of its name".to_owned();
    }
    format!("`{}`", lines.join("`, `"))
}

/// The error for a test that no package has, if a file that the build leaves out has it.
pub fn missing_test(project: &Workspace, spec: &GoBuild) -> Option<Error> {
    let (_, pattern) = spec.requested()?;
    let name = test_kinds::plain(pattern)?;
    tagged(project, spec, sources::files_with(project, name), |file, why| {
        format!("this build leaves out {file}, which has {name}: {why}")
    })
}

/// The error for packages of a directory without a test in the build, if a file below it, which the
/// build leaves out, has tests.
pub fn missing_tests(project: &Workspace, spec: &GoBuild, directory: &str) -> Option<Error> {
    let directory = format!("{}/", directory.trim_end_matches('/'));
    let root = project.root();
    let mut all = files::own(project, |path| path.ends_with("_test.go"));
    all.retain(|file| path::join(&root, file).starts_with(&directory));
    let packages = spec.packages.join(" ");
    tagged(project, spec, all, |file, why| {
        format!("this build of `{packages}` has no tests; it leaves out {file}: {why}")
    })
}

/// The message of `go` about a package without a file in the build (go/build, `NoGoError`).
const EXCLUDED: &str = "build constraints exclude all Go files in ";

/// The error for a package of which the build leaves out every file, with the tags for one of them.
pub fn excluded(project: &Workspace, spec: &GoBuild, output: &str) -> Option<Error> {
    let (_, rest) = output.split_once(EXCLUDED)?;
    let directory = rest.lines().next()?.trim();
    let root = format!("{}/", project.root());
    let all = files::in_directory(project, directory, |name| name.ends_with(".go"));
    tagged(project, spec, all, |file, why| {
        let name = file.strip_prefix(&root).unwrap_or(file);
        format!("this build leaves out every file of the package; {name} has {why}")
    })
}

/// The error with the first of these files that the build leaves out for its tags: `message` gets
/// the file and its constraint.
fn tagged(
    project: &Workspace,
    spec: &GoBuild,
    all: Vec<String>,
    message: impl Fn(&str, &str) -> String,
) -> Option<Error> {
    for file in all.into_iter().take(READ) {
        let text = files::text(project, &file);
        if let Lack::Tags(lacking) = tags::lack(&file, &text, &spec.tags(), system()) {
            let refused = Error::target_missing(message(&file, &why(&text)));
            return Some(refused.hint(included(spec, with_tags(spec, &lacking))));
        }
    }
    None
}

/// How to start the build with one more option.
fn included(spec: &GoBuild, flag: String) -> String {
    if !spec.tests {
        return format!("`options` {{\"build_flags\": \"{flag}\"}} includes it");
    }
    let options = spec.requested().map_or_else(Vec::new, |(kind, pattern)| kind.options(pattern));
    let flags = [spec.flags.clone(), vec![flag]].concat();
    selection::call(&GoBuild { flags, ..spec.clone() }, &spec.packages, &options)
}

/// Source files that the build leaves out.
pub fn left_out(project: &Workspace, spec: &GoBuild) -> Vec<LeftOut> {
    let (given, system, root) = (spec.tags(), system(), project.root());
    let mut found = Vec::new();
    for file in files::own(project, |path| path.ends_with(".go")).into_iter().take(READ) {
        let head = project.read_file(&file, HEAD).unwrap_or_default();
        let text = String::from_utf8_lossy(&head);
        let lacking = match tags::lack(&file, &text, &given, system) {
            Lack::Nothing => continue,
            Lack::Tags(lacking) => [given.as_slice(), &lacking].concat(),
            Lack::More => Vec::new(),
        };
        found.push(LeftOut { path: path::join(&root, &file), why: why(&text), tags: lacking });
        if found.len() == STORED {
            break;
        }
    }
    found
}

/// Says of breakpoints in files that the build leaves out why Delve does not find those files.
pub fn explain(left_out: &[LeftOut], breakpoints: &mut [dap::Breakpoint]) {
    for breakpoint in breakpoints {
        let message = breakpoint.message.as_deref().unwrap_or_default();
        let Some(path) = message.strip_prefix("could not find file ") else { continue };
        let path = path.split(',').next().unwrap_or(path).trim();
        if let Some(file) = left_out.iter().find(|file| file.path == path) {
            breakpoint.message = Some(file.message());
        }
    }
}

impl LeftOut {
    fn message(&self) -> String {
        let message = format!("this build leaves the file out: {}", self.why);
        match self.tags.as_slice() {
            [] => message,
            tags => {
                let flag = format!("-tags={}", tags.join(","));
                format!("{message}; `options` {{\"build_flags\": \"{flag}\"}} includes it")
            }
        }
    }
}

fn system() -> System {
    let platform = host::current_platform();
    let name = match platform.os {
        Os::Linux => "linux",
        Os::Macos => "darwin",
        Os::Windows => "windows",
        Os::Other => "",
    };
    let processor = match platform.arch {
        Arch::X64 => "amd64",
        Arch::Arm64 => "arm64",
        Arch::Other => "",
    };
    System { name, processor }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breakpoint_in_a_file_that_is_left_out_has_the_reason() {
        let file = |tags: &[&str]| LeftOut {
            path: "/w/a.go".into(),
            why: "`//go:build pro`".into(),
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        };
        let explained = |tags: &[&str], message: &str| {
            let message = Some(message.to_owned());
            let mut all = [dap::Breakpoint { message, ..Default::default() }];
            explain(&[file(tags)], &mut all);
            all[0].message.clone().unwrap()
        };
        let why = "this build leaves the file out: `//go:build pro`";
        assert_eq!(
            explained(&["pro"], "could not find file /w/a.go"),
            format!("{why}; `options` {{\"build_flags\": \"-tags=pro\"}} includes it")
        );
        assert_eq!(explained(&[], "could not find file /w/a.go, binary is stripped"), why);
        let other = "could not find file /w/b.go";
        assert_eq!(explained(&["pro"], other), other);
    }
}
