//! A program that Go builds from a module. The module's hash is checked before compilation. Go
//! fetches dependencies through the user's proxy and checks them against the user's checksum
//! database.

use dapdock_schema::Go;
use serde_json::Value;

use super::client::Client;
use super::{Bench, Error};
use crate::process::Command;

/// Builds the program into `bin`.
pub(super) async fn make(client: &Client<'_>, go: &Go, bench: &Bench<'_>) -> Result<(), Error> {
    check_version(client, &go.oldest, bench).await?;
    check_sum(client, go, bench).await?;
    let built = format!("{}@{}", go.package, go.version);
    client.say(&format!("building {built}"));
    let bin = bench.made.join("bin").display().to_string();
    let install = command(client, ["install", "-v", &built], bench)
        .env("GOBIN", bin)
        .env("GOFLAGS", "-mod=mod");
    client.run(install).await.map(drop)
}

/// The client without the workspace of the current directory.
fn command<const N: usize>(client: &Client<'_>, args: [&str; N], bench: &Bench<'_>) -> Command {
    client.command(args, bench.scratch).env("GOWORK", "off")
}

async fn check_version(client: &Client<'_>, oldest: &str, bench: &Bench<'_>) -> Result<(), Error> {
    let found = client.query(command(client, ["env", "GOVERSION"], bench)).await?.trim().to_owned();
    if number(&found) < number(oldest) {
        return Err(Error::ClientTooOld {
            client: client.program.clone(),
            found,
            oldest: oldest.to_owned(),
        });
    }
    Ok(())
}

/// `go1.26.8` and `1.25` as numbers.
fn number(version: &str) -> Vec<u32> {
    version
        .trim_start_matches("go")
        .split('.')
        .take(2)
        .filter_map(|part| part.parse().ok())
        .collect()
}

/// Downloads the module and compares its sum with the pin.
async fn check_sum(client: &Client<'_>, go: &Go, bench: &Bench<'_>) -> Result<(), Error> {
    let what = format!("{}@{}", go.module, go.version);
    client.say(&format!("fetching {what}"));
    let answer = client.query(command(client, ["mod", "download", "-json", &what], bench)).await?;
    let answer: Value = serde_json::from_str(&answer).unwrap_or_default();
    let found = answer["Sum"].as_str().unwrap_or("(none)").to_owned();
    if found == go.sum { Ok(()) } else { Err(Error::Hash { what, found, pinned: go.sum.clone() }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_their_first_two_numbers() {
        assert!(number("go1.9.1") < number("1.25"));
        assert!(number("go1.25.0") >= number("1.25"));
        assert!(number("go1.26.8") > number("1.25"));
    }
}
