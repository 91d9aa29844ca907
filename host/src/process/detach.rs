//! Starts a program that outlives this process and belongs to no family.
//!
//! Refuses to know what it is: its first line of output says that it works.

use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};

use super::table;

/// Starts a program and returns its first line of output, empty if it ends without one. It has no
/// other output and no input.
///
/// # Errors
/// The system's, or the line does not come in time.
pub async fn detach(program: &Path, args: &[&str], limit: Duration) -> io::Result<String> {
    #[expect(clippy::disallowed_methods, reason = "it outlives the owner of this process")]
    let mut command = tokio::process::Command::new(program);
    // It is not of the family in which this process may be.
    command.args(args).current_dir("/").env_remove(table::MARK);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let mut line = String::new();
    if let Some(stdout) = child.stdout.take() {
        let mut reader = BufReader::new(stdout);
        match tokio::time::timeout(limit, reader.read_line(&mut line)).await {
            Ok(read) => drop(read?),
            Err(_) => {
                child.start_kill()?;
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
    }
    Ok(line.trim_end().to_owned())
}
