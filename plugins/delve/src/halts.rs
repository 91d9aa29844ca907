//! Hits of log breakpoints that Delve reports twice around a pause. Delve sends the program a
//! SIGTRAP to stop it (proc/native, `requestManualStop`). If the program has just stopped at a
//! breakpoint by itself, the signal waits, and ends the single step over that breakpoint before it
//! has moved: the same hit is reported again (proc_linux.go, `resume`). Knows lines of log
//! breakpoints as Delve writes them; whether a line is one is decided elsewhere.

use dapdock_plugin::prelude::*;

/// As many lines are compared: of goroutines that hit at the same time.
const LINES: usize = 64;

/// The lines that Delve may write twice.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
pub struct Halts {
    /// A pause has been requested, and the program has not stopped.
    pending: bool,
    /// The last line of each goroutine: before the stop, and after it until its next one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    last: Vec<String>,
}

impl Halts {
    /// A pause is requested.
    pub fn requested(&mut self) {
        *self = Self { pending: true, last: Vec::new() };
    }

    /// The program has stopped.
    pub fn stopped(&mut self) {
        if !self.pending {
            self.last.clear();
        }
        self.pending = false;
    }

    /// Whether lines change this.
    pub fn is_idle(&self) -> bool {
        !self.pending && self.last.is_empty()
    }

    /// Takes a line of a log breakpoint; true if it repeats the hit before the stop.
    pub fn repeats(&mut self, line: &str) -> bool {
        let before = self.last.iter().position(|other| goroutine(other) == goroutine(line));
        let before = before.map(|at| self.last.swap_remove(at));
        if !self.pending {
            return before.is_some_and(|before| before == line);
        }
        if self.last.len() < LINES {
            self.last.push(line.to_owned());
        }
        false
    }
}

/// `> [Go 18` of `> [Go 18]: MESSAGE`.
fn goroutine(line: &str) -> &str {
    line.split(']').next().unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lines: &[&str], expect: &[bool]) {
        let mut halts = Halts::default();
        let mut repeats = Vec::new();
        for line in lines {
            match *line {
                "pause" => halts.requested(),
                "stop" => halts.stopped(),
                line => repeats.push(halts.repeats(line)),
            }
        }
        assert_eq!(repeats, expect, "{lines:?}");
    }

    #[test]
    fn a_hit_is_repeated_only_after_the_stop_of_a_pause() {
        let (one, other) = ("> [Go 1]: i=1\n", "> [Go 1]: i=2\n");
        check(&["pause", one, "stop", one, one], &[false, true, false]);
        check(&["pause", one, "stop", other, one], &[false, false, false]);
        check(&["pause", one, other, "stop", one], &[false, false, false]);
        check(&["pause", one, one, "stop", other], &[false, false, false]);
        check(&[one, one, "stop", one], &[false, false, false]);
        check(&[one, "pause", "stop", one], &[false, false]);
        // The stop at another place in between.
        check(&["pause", one, "stop", "stop", one], &[false, false]);
        let third = "> [Go 18]: i=1\n";
        check(&["pause", one, third, "stop", third, one, one], &[false, false, true, true, false]);
    }

    #[test]
    fn nothing_is_stored_without_a_pause() {
        let mut halts = Halts::default();
        halts.repeats("> [Go 1]: i=1\n");
        assert!(halts.is_idle());
    }
}
