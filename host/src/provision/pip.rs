//! A Python environment with pinned packages. pip checks the hashes and uses the index and proxy of
//! the user's configuration. The environment can be moved: it finds its files from the path of its
//! interpreter.

use dapdock_schema::{Package, Pip};

use super::client::Client;
use super::{Bench, Error};
use crate::file::private;
use crate::process::Command;

/// Makes the environment; `interpreter` is the path of its interpreter inside it.
pub(super) async fn make(
    client: &Client<'_>,
    pip: &Pip,
    interpreter: &str,
    bench: &Bench<'_>,
) -> Result<(), Error> {
    let venv = client.command(["-m", "venv"], bench.scratch).args([&bench.made]);
    client.run(venv).await?;
    let list = bench.scratch.join("requirements.txt");
    private::write(&list, pip.packages.iter().map(Package::line).collect::<String>())
        .map_err(|error| Error::file("write", &list, error))?;
    let install = Command::new(bench.made.join(interpreter))
        .args([
            "-m",
            "pip",
            "install",
            "--no-input",
            "--disable-pip-version-check",
            "--progress-bar",
            "off",
        ])
        .args(["--only-binary", ":all:", "--require-hashes", "--requirement"])
        .args([&list])
        .cwd(bench.scratch)
        .label("install");
    client.run(install).await.map_err(|error| mismatch(error, pip))?;
    check(client, pip, interpreter, bench).await
}

/// Checks that the packages are in the environment: the user's settings (`PIP_DRY_RUN`,
/// `PIP_TARGET`) may prevent that.
async fn check(
    client: &Client<'_>,
    pip: &Pip,
    interpreter: &str,
    bench: &Bench<'_>,
) -> Result<(), Error> {
    let freeze = Command::new(bench.made.join(interpreter))
        .args(["-m", "pip", "freeze", "--all", "--disable-pip-version-check"])
        .cwd(bench.scratch)
        .label("install");
    let there = client.query(freeze).await?;
    // A package with a marker may not apply to this machine.
    let due = pip
        .packages
        .iter()
        .map(|package| package.require.as_str())
        .filter(|package| !package.contains(';'));
    match due
        .into_iter()
        .find(|package| !there.lines().any(|line| line.eq_ignore_ascii_case(package)))
    {
        None => Ok(()),
        Some(package) => Err(Error::NotThere { package: package.to_owned() }),
    }
}

/// Parses pip's `Expected sha256 X`, `Expected     or Y`, `Got        Z` of wrong bytes.
fn mismatch(error: Error, pip: &Pip) -> Error {
    let Error::ClientFailed { words, .. } = &error else { return error };
    let Some(found) = last_words(words, "Got ").next().map(str::to_owned) else { return error };
    let pinned: Vec<_> = last_words(words, "Expected ").collect();
    let named = pip
        .packages
        .iter()
        .find(|package| package.sha256.iter().any(|hash| pinned.contains(&hash.as_str())));
    let what = named.map_or("a package", |package| &package.require).to_owned();
    Error::Hash { what, found, pinned: pinned.join(" or ") }
}

/// The last word of each line that begins with `start`.
fn last_words<'a>(text: &'a str, start: &'static str) -> impl Iterator<Item = &'a str> {
    text.lines().filter_map(move |line| line.trim().strip_prefix(start)?.split_whitespace().last())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(require: &str, sha256: &[&str]) -> Package {
        Package {
            require: require.into(),
            sha256: sha256.iter().map(|hash| (*hash).to_owned()).collect(),
        }
    }

    #[test]
    fn hash_mismatch_of_pip_is_parsed() {
        let words = "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS \
            FILE.\n    \
                     b==2 from https://x/b-2.whl:\n        Expected sha256 00\n        \
                     Expected     or ff\n             Got        aa";
        let error =
            Error::ClientFailed { line: "pip".into(), how: "ended".into(), words: words.into() };
        let pip = Pip {
            client: "c".into(),
            packages: vec![package("a==1", &["11"]), package("b==2", &["00", "ff"])],
        };
        let Error::Hash { what, found, pinned } = mismatch(error, &pip) else {
            panic!("no mismatch")
        };
        assert_eq!((what.as_str(), found.as_str(), pinned.as_str()), ("b==2", "aa", "00 or ff"));
    }
}
