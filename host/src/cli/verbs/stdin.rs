//! Standard input for a program that is launched: `dapdock launch app.py < data` gives it the file
//! `data`. A pipe stays the command's own: it may never end.
//!
//! Refuses to know which adapters can give a program standard input.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, fstat};
use serde_json::{Map, Value};

/// Adds the file that is our standard input to the options of a launch that names none. An error is
/// wrong usage.
pub fn add(arguments: &mut Map<String, Value>) -> Result<(), String> {
    let is_named = |options: &Map<String, Value>| options.contains_key("stdin");
    if arguments.get("options").and_then(Value::as_object).is_some_and(is_named) {
        return Ok(());
    }
    let Some(file) = file()? else { return Ok(()) };
    let options = arguments.entry("options").or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(options) = options {
        options.insert("stdin".to_owned(), file.display().to_string().into());
    }
    Ok(())
}

/// The regular file that is our standard input.
fn file() -> Result<Option<PathBuf>, String> {
    let is_file = |stat: &rustix::fs::Stat| FileType::from_raw_mode(stat.st_mode).is_file();
    let Some(stat) = fstat(io::stdin()).ok().filter(is_file) else { return Ok(None) };
    let path = fs::read_link("/proc/self/fd/0");
    let same = |path: &Path| {
        let found = File::open(path).and_then(|file| fstat(file).map_err(io::Error::from));
        found.is_ok_and(|found| (found.st_dev, found.st_ino) == (stat.st_dev, stat.st_ino))
    };
    match path {
        Ok(path) if same(&path) => Ok(Some(path)),
        _ => Err("standard input is a file without a name; write it to one, and name it with \
            --options stdin=FILE"
            .to_owned()),
    }
}
