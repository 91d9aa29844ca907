//! A watch on a terminal: where the program is above, what happened below. Drawn anew after each
//! event and when the size changes, on the alternate screen, so that the terminal is afterwards as
//! it was.
//!
//! Refuses to know where events come from.

use std::collections::VecDeque;
use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use rustix::termios::tcgetwinsize;

use super::paint;

/// Lines of the lower part that are stored.
const LINES: usize = 1_000;

/// Rows of a terminal that does not say how many it has.
const ROWS: usize = 24;

/// Enters the alternate screen; hides the cursor; long lines are cut at the edge.
const OPEN: &str = "\x1b[?1049h\x1b[?25l\x1b[?7l";
const CLOSE: &str = "\x1b[?7h\x1b[?25h\x1b[?1049l";

/// A terminal that is drawn on. Restored when dropped.
pub struct Screen {
    picture: Picture,
    /// The user wants colours.
    is_coloured: bool,
}

/// What is drawn.
#[derive(Default)]
struct Picture {
    /// The last stop, or the state since.
    place: Vec<String>,
    /// What happened, the latest last.
    log: VecDeque<String>,
}

impl Screen {
    /// Whether standard output is a terminal that can be drawn on.
    pub fn is_here() -> bool {
        io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
    }

    pub fn open() -> Self {
        // One that cannot be written to ends the watch when it is drawn.
        drop(write(OPEN));
        let is_coloured = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
        Self { picture: Picture::default(), is_coloured }
    }

    /// Adds an event and the line in front of it.
    pub fn add(&mut self, before: Option<&str>, kind: &str, text: &str) {
        self.picture.add(before, kind, text);
    }

    pub fn draw(&mut self) -> io::Result<()> {
        // Some terminals have no size.
        let rows = tcgetwinsize(io::stdout()).map_or(0, |size| usize::from(size.ws_row));
        let lines = self.picture.lines(if rows == 0 { ROWS } else { rows });
        let mut drawn = String::from("\x1b[H");
        for (at, line) in lines.iter().enumerate() {
            if at > 0 {
                drawn.push_str("\r\n");
            }
            let line = if self.is_coloured { &paint::lines(line) } else { line };
            drawn.push_str(line);
            drawn.push_str("\x1b[K");
        }
        drawn.push_str("\x1b[J");
        write(&drawn)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        drop(write(CLOSE));
    }
}

fn write(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

impl Picture {
    fn add(&mut self, before: Option<&str>, kind: &str, text: &str) {
        self.log.extend(before.map(str::to_owned));
        match kind {
            "stop" | "end" => {
                self.place = text.lines().map(str::to_owned).collect();
                self.log.extend(text.lines().next().map(str::to_owned));
            }
            // The source stays until the next stop.
            "state" => {
                let first = text.lines().next().unwrap_or_default();
                match self.place.first_mut() {
                    Some(state) => first.clone_into(state),
                    None => self.place = text.lines().map(str::to_owned).collect(),
                }
            }
            _ => self.log.extend(text.lines().map(str::to_owned)),
        }
        let surplus = self.log.len().saturating_sub(LINES);
        self.log.drain(..surplus);
    }

    /// The lines of a screen with this many rows: two thirds at most for the place.
    fn lines(&self, rows: usize) -> Vec<String> {
        let most = (rows * 2 / 3).max(1);
        let mut lines: Vec<String> = self.place.iter().take(most).cloned().collect();
        if rows > lines.len() {
            lines.push("──────── what happens (Ctrl-C ends the watch)".to_owned());
            let room = rows - lines.len();
            let skipped = self.log.len().saturating_sub(room);
            lines.extend(self.log.iter().skip(skipped).cloned());
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: &str = "──────── what happens (Ctrl-C ends the watch)";

    #[test]
    fn place_is_above_and_the_latest_events_below() {
        let mut picture = Picture::default();
        picture.add(None, "state", "▶ running · a-1\nno breakpoint is armed");
        picture.add(None, "output", "stdout| one");
        picture.add(None, "stop", "■ stopped step\n#0 main\n→ 3 code\nlocals: x=1");
        picture.add(Some("2 events were left out"), "output", "stdout| two");
        let stop = ["■ stopped step", "#0 main", "→ 3 code", "locals: x=1"];
        let log = ["stdout| one", "■ stopped step", "2 events were left out", "stdout| two"];
        assert_eq!(picture.lines(9), [&stop[..], &[RULE], &log[..]].concat());
        assert_eq!(picture.lines(7), [&stop[..], &[RULE], &log[2..]].concat());
        // Too small for all of it.
        assert_eq!(picture.lines(3), ["■ stopped step", "#0 main", RULE]);
        assert_eq!(picture.lines(1), ["■ stopped step"]);
        picture.add(None, "state", "▶ running");
        assert_eq!(picture.lines(4), ["▶ running", "#0 main", RULE, "stdout| two"]);
    }

    #[test]
    fn old_events_are_forgotten() {
        let mut picture = Picture::default();
        for number in 0..LINES + 5 {
            picture.add(None, "output", &format!("stdout| {number}"));
        }
        assert_eq!((picture.log.len(), picture.log[0].as_str()), (LINES, "stdout| 5"));
    }
}
