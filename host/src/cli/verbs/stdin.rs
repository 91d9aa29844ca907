//! Standard input for a program that is launched: `dapdock launch app.py < data` gives it the file
//! `data`, and has read it then. A file of which something has been read, as by `while read`, stays
//! the reader's. A pipe stays the command's own: it may never end.
//!
//! Refuses to know which adapters can give a program standard input.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, SeekFrom, fstat, seek, tell};
use rustix::io::ioctl_fionread;
use serde_json::{Map, Value};

use super::super::say;

/// Adds the file that is our standard input to the options of a launch that names none. False:
/// there is none to add. An error is wrong usage.
pub fn add(arguments: &mut Map<String, Value>) -> Result<bool, String> {
    let is_named = |options: &Map<String, Value>| options.contains_key("stdin");
    if arguments.get("options").and_then(Value::as_object).is_some_and(is_named) {
        return Ok(false);
    }
    let Some(file) = file()? else { return Ok(false) };
    // A loop gives it to one of its commands, as if that one read it.
    let _ = seek(io::stdin(), SeekFrom::End(0));
    let options = arguments.entry("options").or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(options) = options {
        options.insert("stdin".to_owned(), file.display().to_string().into());
    }
    Ok(true)
}

/// Says that the program got nothing of a pipe that is our standard input.
pub fn say_unread() {
    let is_pipe = |stat: rustix::fs::Stat| FileType::from_raw_mode(stat.st_mode).is_fifo();
    let waits = || ioctl_fionread(io::stdin()).is_ok_and(|bytes| bytes > 0);
    if fstat(io::stdin()).is_ok_and(is_pipe) && waits() {
        say("the program reads nothing from a pipe; give it a file: `dapdock launch … < FILE`");
    }
}

/// The regular file that is our standard input, if nothing of it was read.
fn file() -> Result<Option<PathBuf>, String> {
    let is_file = |stat: &rustix::fs::Stat| FileType::from_raw_mode(stat.st_mode).is_file();
    let Some(stat) = fstat(io::stdin()).ok().filter(is_file) else { return Ok(None) };
    if tell(io::stdin()) != Ok(0) {
        return Ok(None);
    }
    let link = Path::new("/proc/self/fd/0");
    let path = match fs::read_link(link) {
        Ok(path) => path,
        Err(error) => {
            say(format_args!(
                "the program gets no standard input: its file has a name in {}, which cannot be \
                 read ({error}); --options stdin=FILE names it",
                link.display()
            ));
            return Ok(None);
        }
    };
    let found = File::open(&path).and_then(|file| fstat(file).map_err(io::Error::from));
    if found.is_ok_and(|found| (found.st_dev, found.st_ino) == (stat.st_dev, stat.st_ino)) {
        return Ok(Some(path));
    }
    Err("standard input is a file without a name; write it to one and name it with --options \
        stdin=FILE, or give the program none with < /dev/null"
        .to_owned())
}
