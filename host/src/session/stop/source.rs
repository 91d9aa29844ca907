//! The source around a frame's line, and how current it is.

use std::io;
use std::time::SystemTime;

use crate::file;
use crate::model::{Frame, Note, SourceWindow};
use crate::session::adapter::source_maps::Maps;

/// Lines before and after the frame's line.
const CONTEXT: (u32, u32) = (2, 2);
/// A larger source is not displayed, in bytes.
const MAX_SOURCE: u64 = 64 << 20;

/// The source around the frame's line; empty if the frame has none.
///
/// # Errors
/// The file cannot be read.
pub(super) async fn window(frame: Option<&Frame>) -> io::Result<SourceWindow> {
    let place = frame.and_then(|frame| Some((frame.path.clone()?, frame.line)));
    let Some((path, line)) = place.filter(|(_, line)| *line > 0) else {
        return Ok(SourceWindow::default());
    };
    let window = tokio::task::spawn_blocking(move || {
        let text = file::read(&path, MAX_SOURCE)?;
        let modified = std::fs::metadata(&path).and_then(|facts| facts.modified()).ok();
        Ok(SourceWindow { modified, ..around(&String::from_utf8_lossy(&text), line) })
    });
    window.await?
}

/// The whole source of a frame; empty if it cannot be read.
pub(super) async fn text(frame: &Frame) -> String {
    let Some(path) = frame.path.clone() else { return String::new() };
    let read = move || file::read(&path, MAX_SOURCE).unwrap_or_default();
    let bytes = tokio::task::spawn_blocking(read).await.unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn around(text: &str, line: u32) -> SourceWindow {
    let first = line.saturating_sub(CONTEXT.0).max(1);
    let count = (line - first + 1 + CONTEXT.1) as usize;
    let lines: Vec<String> =
        text.lines().skip(first as usize - 1).take(count).map(str::to_owned).collect();
    // A file that changed after the build may be shorter than the debugger believes.
    if lines.len() > (line - first) as usize {
        SourceWindow { first, lines, modified: None }
    } else {
        SourceWindow::default()
    }
}

/// A note that the source of the user's frame cannot be displayed. Only the adapter can interpret
/// a path that is not absolute: there is no note about it.
pub(super) fn missing(frame: Option<&Frame>, error: &io::Error) -> Option<Note> {
    let frame = frame.filter(|frame| frame.is_user())?;
    let path = frame.path.clone().filter(|path| path.is_absolute())?;
    let why = match error.kind() {
        io::ErrorKind::NotFound => "is not here".to_owned(),
        _ => format!("cannot be shown: {error}"),
    };
    Some(Note::SourceIsAbsent { path, why })
}

/// When the running code was generated from the frame's source, if a source map says so.
pub(super) async fn generated(frame: Option<&Frame>, maps: &Maps) -> Option<SystemTime> {
    let path = frame?.path.as_ref()?;
    maps.settle().await;
    maps.generated(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn window_stays_inside_the_file() {
        let text = "one\ntwo\nthree\nfour\nfive\nsix";
        let window = |first, lines: &[&str]| SourceWindow {
            first,
            lines: lines.iter().map(|line| (*line).to_owned()).collect(),
            modified: None,
        };
        assert_eq!(around(text, 1), window(1, &["one", "two", "three"]));
        assert_eq!(around(text, 6), window(4, &["four", "five", "six"]));
        assert_eq!(around(text, 7), SourceWindow::default());
    }
}
