//! Env files (`envFile`).
//!
//! Refuses to know configurations.

use std::collections::BTreeMap;
use std::path::Path;

use super::{MAX, variables};
use crate::file;

/// The variables of an env file.
pub(super) struct EnvFile {
    pub(super) env: Vec<(String, Option<String>)>,
    /// Names in `${…}` that nothing defines.
    pub(super) absent: Vec<String>,
}

/// Reads `NAME=value` lines as editors do: one pair of quotes around a value is removed, `\n` in
/// double quotes is a line end, `#` begins a comment line, `${…}` names a variable from above or of
/// the environment. An error gives the number of a line only, because its text may be a secret.
pub(super) fn env_file(
    path: &Path,
    environment: &BTreeMap<String, String>,
) -> Result<EnvFile, String> {
    let fail = |why: String| format!("`envFile` {}: {why}", path.display());
    let bytes = file::read(path, MAX).map_err(|error| fail(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| fail("is not UTF-8".to_owned()))?;
    let mut read = EnvFile { env: Vec::new(), absent: Vec::new() };
    for (line, number) in text.trim_start_matches('\u{feff}').lines().map(str::trim).zip(1..) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (name, value) =
            line.split_once('=').ok_or_else(|| fail(format!("line {number} is not NAME=value")))?;
        let name = name.strip_prefix("export ").unwrap_or(name).trim();
        let value = value.trim();
        let quoted = |quote| value.strip_prefix(quote)?.strip_suffix(quote);
        let lines = quoted('"').map(|value| value.replace("\\n", "\n"));
        let value = lines.unwrap_or_else(|| quoted('\'').unwrap_or(value).to_owned());
        let known = |name: &str| read.env.iter().rev().find(|(one, _)| one == name)?.1.clone();
        let value = variables::of_env_file(&value, known, environment, &mut read.absent);
        read.env.push((name.to_owned(), Some(value)));
    }
    Ok(read)
}
