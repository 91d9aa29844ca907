//! One directory of an archive: downloaded from the first address that serves it, checked, and
//! unpacked by `tar`.

use std::path::Path;

use dapdock_schema::Archive;

use super::client::Client;
use super::{Bench, Error, digest};
use crate::process::Command;

/// GNU and BSD tar detect the compression.
const TAR: &str = "tar";

pub(super) async fn make(
    client: &Client<'_>,
    archive: &Archive,
    bench: &Bench<'_>,
) -> Result<(), Error> {
    let file = bench.scratch.join("archive");
    let mut failed = Vec::new();
    for url in &archive.urls {
        match fetch(client, url, &file, bench).await {
            Ok(()) => {
                digest::check(&file, &archive.sha256, url).await?;
                return unpack(client, &file, &archive.take, bench).await;
            }
            Err(error) => failed.push(error),
        }
    }
    Err(Error::all(failed))
}

/// Downloads with the user's own proxy settings; redirections must use https.
async fn fetch(
    client: &Client<'_>,
    url: &str,
    file: &Path,
    bench: &Bench<'_>,
) -> Result<(), Error> {
    client.say(&format!("fetching {url}"));
    let options = ["--fail", "--location", "--silent", "--show-error", "--connect-timeout", "20"];
    let command =
        client.command(options, bench.scratch).args(["--proto", "=https", "--output"]).args([file]);
    client.run(command.args([url])).await.map(drop)
}

/// Unpacks the archive's `take` into the install's directory.
pub(super) async fn unpack(
    client: &Client<'_>,
    file: &Path,
    take: &str,
    bench: &Bench<'_>,
) -> Result<(), Error> {
    let depth = take.split('/').count();
    let tar = Command::new(TAR)
        .args(["--extract", "--no-same-owner", "--file"])
        .args([file])
        .args(["--directory"])
        .args([&bench.made])
        .args([format!("--strip-components={depth}"), take.to_owned()])
        .label("install");
    client.run(tar).await.map(drop)
}
