//! A program that Go builds from a module. The module's hash is checked before any of it is
//! compiled; what it needs is held by Go against the checksum database that the user's Go is
//! configured with, and comes from the user's proxy.

use dapdock_schema::Go;
use serde_json::Value;

use super::client::Client;
use super::{Bench, Error};
use crate::process::Command;

/// Puts the program into `bin`.
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

/// The client, whatever module or workspace we are called in.
fn command<const N: usize>(client: &Client<'_>, args: [&str; N], bench: &Bench<'_>) -> Command {
    client.command(args, bench.scratch).env("GOWORK", "off")
}

async fn check_version(client: &Client<'_>, oldest: &str, bench: &Bench<'_>) -> Result<(), Error> {
    let found = client.ask(command(client, ["env", "GOVERSION"], bench)).await?.trim().to_owned();
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
    let answer = client.ask(command(client, ["mod", "download", "-json", &what], bench)).await?;
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
