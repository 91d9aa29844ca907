//! Checks that the pins and check files of a manifest are safe to pass to package clients and to
//! write. A word that becomes an argument, a line or a path must not be an option, add a line or
//! lead out of its directory.

use std::path::{Component, Path};

use dapdock_schema::{Archive, Check, Go, Install, Manifest, Npm, Pip, Source};

use crate::plugin::error::Cause;

/// Installs of one manifest, and what one of them may list.
const MOST: usize = 64;
/// Bytes of one script.
const SCRIPT: usize = 64 * 1024;

type Checked = Result<(), (&'static str, String)>;

/// The first pin that is wrong.
pub(crate) fn check(manifest: &Manifest) -> Result<(), Cause> {
    let wrong = |field: String, reason: String| Cause::Manifest { field, reason };
    if manifest.installs.len() > MOST {
        return Err(wrong("installs".into(), format!("more than {MOST}")));
    }
    for (at, install) in manifest.installs.iter().enumerate() {
        one(manifest, install)
            .map_err(|(field, reason)| wrong(format!("installs[{at}].{field}"), reason))?;
    }
    if let Some(version) = &manifest.version {
        version
            .files
            .iter()
            .try_for_each(|file| near_tool("files", file))
            .map_err(|(field, reason)| wrong(format!("version.{field}"), reason))?;
    }
    for (at, check) in manifest.checks.iter().enumerate() {
        check_files(manifest, check)
            .map_err(|(field, reason)| wrong(format!("checks[{at}].{field}"), reason))?;
    }
    Ok(())
}

/// The check is a few small files, and its breakpoint is in one of them.
fn check_files(manifest: &Manifest, check: &Check) -> Checked {
    check.needs.iter().try_for_each(|tool| known(manifest, "needs", tool))?;
    most("files", check.files.len())?;
    for (path, text) in &check.files {
        below("files", path)?;
        if text.len() > SCRIPT {
            return Err(("files", format!("{path} has more than {SCRIPT} bytes")));
        }
    }
    let lines = check.files.get(&check.file).map_or(0, |text| text.lines().count());
    let is_there = (1..=lines).contains(&(check.line as usize));
    is_there
        .then_some(())
        .ok_or_else(|| ("line", format!("{} has no line {}", check.file, check.line)))
}

fn one(manifest: &Manifest, install: &Install) -> Checked {
    known(manifest, "tool", &install.tool)?;
    known(manifest, "source.client", install.source.client())?;
    plain("version", &install.version, "")?;
    below("path", &install.path)?;
    match &install.source {
        Source::Pip(pip) => packages(pip),
        Source::Npm(npm) => package(npm),
        Source::Go(go) => module(go),
        Source::Archive(archive) => addresses(archive),
    }
}

fn packages(pip: &Pip) -> Checked {
    let field = "source.packages";
    most(field, pip.packages.len())?;
    for package in &pip.packages {
        let require = &package.require;
        let (name, rest) = require.split_once("==").unwrap_or((require, ""));
        if !is_plain(name, "")
            || rest.is_empty()
            || rest.contains(|c: char| c.is_control() || c == '\\')
        {
            return Err((field, format!("{require:?} is not of the form NAME==VERSION")));
        }
        most(field, package.sha256.len())?;
        package.sha256.iter().try_for_each(|hash| sha256(field, hash))?;
    }
    Ok(())
}

fn package(npm: &Npm) -> Checked {
    plain("source.package", npm.package.strip_prefix('@').unwrap_or(&npm.package), "/")?;
    plain("source.version", &npm.version, "")?;
    sha256("source.sha256", &npm.sha256)?;
    below("source.take", &npm.take)?;
    if npm.scripts.len() > MOST {
        return Err(("source.scripts", format!("more than {MOST}")));
    }
    for (path, text) in &npm.scripts {
        below("source.scripts", path)?;
        if text.len() > SCRIPT {
            return Err(("source.scripts", format!("{path} has more than {SCRIPT} bytes")));
        }
    }
    Ok(())
}

fn module(go: &Go) -> Checked {
    plain("source.package", &go.package, "/~")?;
    plain("source.module", &go.module, "/~")?;
    plain("source.version", &go.version, "")?;
    plain("source.oldest", &go.oldest, "")?;
    // SHA-256 in base64.
    let is_sum = go.sum.strip_prefix("h1:").is_some_and(|sum| sum.len() == 44 && sum.is_ascii());
    is_sum
        .then_some(())
        .ok_or_else(|| ("source.sum", format!("{:?} is not of the form h1:BASE64", go.sum)))
}

fn addresses(archive: &Archive) -> Checked {
    most("source.urls", archive.urls.len())?;
    let is_address = |url: &&String| {
        let plain = |c: char| c.is_ascii_graphic() && !"\"\\{}[]".contains(c);
        url.starts_with("https://") && url.chars().all(plain)
    };
    if let Some(bad) = archive.urls.iter().find(|url| !is_address(url)) {
        return Err(("source.urls", format!("{bad:?} is not an https: address")));
    }
    sha256("source.sha256", &archive.sha256)?;
    below("source.take", &archive.take)
}

fn known(manifest: &Manifest, field: &'static str, name: &str) -> Checked {
    let found = manifest.tools.iter().any(|tool| tool.name == name);
    found.then_some(()).ok_or_else(|| (field, format!("no tool is named {name:?}")))
}

fn most(field: &'static str, count: usize) -> Checked {
    (1..=MOST)
        .contains(&count)
        .then_some(())
        .ok_or_else(|| (field, format!("{count} entries, not 1 to {MOST}")))
}

fn plain(field: &'static str, word: &str, more: &str) -> Checked {
    is_plain(word, more)
        .then_some(())
        .ok_or_else(|| (field, format!("{word:?} is not a plain word")))
}

/// Begins with a letter or digit: no option, no path.
fn is_plain(word: &str, more: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c) || more.contains(c);
    word.starts_with(|c: char| c.is_ascii_alphanumeric())
        && word.chars().all(fits)
        && !word.contains("..")
}

/// A relative path that stays where it starts.
fn below(field: &'static str, path: &str) -> Checked {
    let ordinary = |part: Component<'_>| matches!(part, Component::Normal(_));
    let stays =
        !path.is_empty() && !path.starts_with('-') && Path::new(path).components().all(ordinary);
    let fits = stays && !path.contains(|c: char| c.is_control() || "*?[]\\".contains(c));
    fits.then_some(())
        .ok_or_else(|| (field, format!("{path:?} is not a path below the install's directory")))
}

/// The tool's file itself, or a path in its directory or in the one above.
fn near_tool(field: &'static str, path: &str) -> Checked {
    if path == "{tool}" { Ok(()) } else { below(field, path.strip_prefix("../").unwrap_or(path)) }
}

fn sha256(field: &'static str, hash: &str) -> Checked {
    let is_hex =
        hash.len() == 64 && hash.chars().all(|c| c.is_ascii_digit() || ('a'..='f').contains(&c));
    is_hex
        .then_some(())
        .ok_or_else(|| (field, format!("{hash:?} is not a SHA-256 in lower-case hex")))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use dapdock_schema::{Package, Tool};

    use super::*;

    const HASH: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    fn install(source: Source) -> Install {
        Install {
            tool: "a".into(),
            version: "1.0".into(),
            platforms: Vec::new(),
            path: "bin/a".into(),
            source,
        }
    }

    fn npm() -> Npm {
        Npm {
            client: "c".into(),
            package: "@scope/name".into(),
            version: "1.0.0".into(),
            sha256: HASH.into(),
            take: "package/dist".into(),
            scripts: BTreeMap::from([("x/run.sh".into(), "#!/bin/sh\n".into())]),
        }
    }

    fn pip(require: &str, hash: &str) -> Source {
        let packages = vec![Package { require: require.into(), sha256: vec![hash.into()] }];
        Source::Pip(Pip { client: "c".into(), packages })
    }

    fn go(package: &str, sum: &str) -> Source {
        let (module, version) = ("x.y/z".into(), "v1.0.0".into());
        let (client, oldest) = ("c".into(), "1.25".into());
        Source::Go(Go { client, oldest, package: package.into(), module, version, sum: sum.into() })
    }

    fn archive(url: &str) -> Source {
        let (client, sha256, take) = ("c".into(), HASH.into(), "top".into());
        Source::Archive(Archive { client, urls: vec![url.into()], sha256, take })
    }

    /// The message about an install; empty if it is valid.
    fn complaint(install: Install) -> String {
        let tool = |name: &str| Tool { name: name.into(), ..Tool::default() };
        let manifest = Manifest {
            tools: vec![tool("a"), tool("c")],
            installs: vec![install],
            ..Manifest::default()
        };
        check(&manifest).err().map(|cause| cause.to_string()).unwrap_or_default()
    }

    const SUM: &str = "h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

    #[test]
    fn good_pins_pass() {
        for source in [
            Source::Npm(npm()),
            pip("debug-it==1.8; version < '3.11'", HASH),
            go("x.y/z/cmd/a", SUM),
            archive("https://x.y/a-1.tar.gz"),
        ] {
            assert_eq!(complaint(install(source)), "");
        }
    }

    #[test]
    fn words_with_another_meaning_for_a_client_are_refused() {
        for (source, field) in [
            (pip("--index-url=http://evil==1", HASH), "packages"),
            (pip("a==1\n--index-url http://evil", HASH), "packages"),
            (pip("a==1\\", HASH), "packages"),
            (pip("a>=1", HASH), "packages"),
            (pip("a==1", &HASH.to_uppercase()), "packages"),
            (pip("a==1", &HASH[1..]), "packages"),
            (go("-exec=evil", SUM), "package"),
            (go("x.y/../z", SUM), "package"),
            (go("x.y/z", "h1:short"), "sum"),
            (archive("http://x.y/a"), "urls"),
            (archive("https://x.y/a --output /etc/b"), "urls"),
            (Source::Npm(Npm { package: "--registry=http://evil".into(), ..npm() }), "package"),
            (Source::Npm(Npm { package: "git+ssh://x".into(), ..npm() }), "package"),
            (Source::Npm(Npm { take: "../x".into(), ..npm() }), "take"),
            (Source::Npm(Npm { take: "--to-command=evil".into(), ..npm() }), "take"),
            (
                Source::Npm(Npm {
                    scripts: BTreeMap::from([("/etc/x".into(), String::new())]),
                    ..npm()
                }),
                "scripts",
            ),
        ] {
            let message = complaint(install(source));
            assert!(
                message.starts_with(&format!("manifest: installs[0].source.{field}: ")),
                "{field}: {message}"
            );
        }
    }

    #[test]
    fn tools_and_paths_are_the_manifests_own() {
        let good = || install(Source::Npm(npm()));
        for (bad, field) in [
            (Install { tool: "b".into(), ..good() }, "tool"),
            (Install { path: "/bin/sh".into(), ..good() }, "path"),
            (Install { path: "a/../../b".into(), ..good() }, "path"),
            (Install { version: "../1".into(), ..good() }, "version"),
            (install(Source::Npm(Npm { client: "b".into(), ..npm() })), "source.client"),
        ] {
            let message = complaint(bad);
            assert!(
                message.starts_with(&format!("manifest: installs[0].{field}: ")),
                "{field}: {message}"
            );
        }
    }
}
