//! Results of commands in an opened session, and what its program prints, until a caller has them.
//!
//! A caller may go away at any moment, also while its answer is under way: what it has taken and
//! not kept comes back, and the next command has it. Refuses to know what a result means.

use std::collections::BTreeMap;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Results at most; beyond them the oldest are forgotten.
const RESULTS: usize = 32;

/// Bytes of the program's output at most; beyond them the oldest lines are forgotten.
const STORED: usize = 256 * 1024;

/// Bytes of it in one answer, at the end of a line; the next answer has the rest.
const ANSWER: usize = 16 * 1024;

/// A command whose answer came after its caller had gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LateCommand {
    /// The command.
    pub command: String,
    /// Its output, or the reason why it failed.
    pub output: Result<String, String>,
}

/// What no caller has yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uncollected(Arc<Mutex<Stored>>);

/// By the order in which they came, as they may come back later.
#[derive(Debug, Default)]
struct Stored {
    next: u64,
    results: BTreeMap<u64, LateCommand>,
    /// Lines, and parts of lines as they were printed.
    printed: BTreeMap<u64, String>,
    bytes: usize,
    forgotten: u64,
}

impl Stored {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn shrink(&mut self) {
        while self.results.len() > RESULTS {
            self.results.pop_first();
        }
        while self.bytes > STORED
            && let Some((_, oldest)) = self.printed.pop_first()
        {
            self.bytes -= oldest.len();
            self.forgotten += oldest.len() as u64;
        }
    }
}

impl Uncollected {
    /// Adds the result of a command whose caller has gone.
    pub(crate) fn add(&self, result: LateCommand) {
        let mut stored = self.stored();
        let number = stored.number();
        stored.results.insert(number, result);
        stored.shrink();
    }

    /// Adds what the program has printed: a part of a line, or the rest of one that is complete.
    pub(crate) fn print(&self, part: &str, complete: bool) {
        let mut stored = self.stored();
        let end = if complete { "\n" } else { "" };
        stored.bytes += part.len() + end.len();
        let latest = stored.next;
        match stored.printed.get_mut(&latest) {
            Some(open) if !open.ends_with('\n') && open.len() < ANSWER => {
                open.push_str(part);
                open.push_str(end);
            }
            _ => {
                let number = stored.number();
                stored.printed.insert(number, part.to_owned() + end);
            }
        }
        stored.shrink();
    }

    /// What has come until now, for the caller that gets this result.
    pub(crate) fn take(&self, result: Option<LateCommand>) -> Collected {
        let mut stored = self.stored();
        let results = mem::take(&mut stored.results);
        let own = result.map(|result| (stored.number(), result));
        let (mut printed, mut room) = (BTreeMap::new(), ANSWER);
        while let Some(first) = stored.printed.first_entry() {
            if first.get().len() > room && !printed.is_empty() {
                break;
            }
            room = room.saturating_sub(first.get().len());
            let (number, part) = first.remove_entry();
            stored.bytes -= part.len();
            printed.insert(number, part);
        }
        let forgotten = mem::take(&mut stored.forgotten);
        Collected { store: self.clone(), results, own, printed, forgotten }
    }

    fn stored(&self) -> MutexGuard<'_, Stored> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Results in the hands of a caller. Dropped without [`keep`](Self::keep), they are there for the
/// next command, in their order.
#[derive(Debug, Default)]
pub struct Collected {
    store: Uncollected,
    results: BTreeMap<u64, LateCommand>,
    own: Option<(u64, LateCommand)>,
    printed: BTreeMap<u64, String>,
    forgotten: u64,
}

impl Collected {
    /// Earlier commands whose callers had gone, in the order of their answers.
    pub fn late(&self) -> impl Iterator<Item = &LateCommand> {
        self.results.values()
    }

    /// What the program has printed since the result before, as it was printed.
    pub fn printed(&self) -> String {
        self.printed.values().map(String::as_str).collect()
    }

    /// Bytes of its output before that which are no longer stored.
    pub fn forgotten(&self) -> u64 {
        self.forgotten
    }

    /// The caller has them.
    pub fn keep(mut self) {
        self.printed.clear();
        self.keep_results();
    }

    /// The caller has the results; the next command has what the program has printed.
    pub fn keep_results(mut self) {
        self.results.clear();
        self.own = None;
        self.forgotten = 0;
    }
}

impl Drop for Collected {
    fn drop(&mut self) {
        let mut stored = self.store.stored();
        stored.results.append(&mut self.results);
        stored.results.extend(self.own.take());
        stored.bytes += self.printed.values().map(String::len).sum::<usize>();
        stored.printed.append(&mut self.printed);
        stored.forgotten += self.forgotten;
        stored.shrink();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(command: &str) -> LateCommand {
        LateCommand { command: command.into(), output: Ok(String::new()) }
    }

    fn commands(collected: &Collected) -> Vec<&str> {
        collected.late().map(|late| late.command.as_str()).collect()
    }

    #[test]
    fn dropped_results_come_back_in_their_order() {
        let store = Uncollected::default();
        store.add(result("a"));
        store.print("one", true);
        store.print("tw", false);
        let first = store.take(Some(result("b")));
        store.print("o", true);
        let second = store.take(Some(result("c")));
        assert_eq!((commands(&first), first.printed().as_str()), (vec!["a"], "one\ntw"));
        assert_eq!((commands(&second), second.printed().as_str()), (vec![], "o\n"));
        drop(second);
        drop(first);
        let all = store.take(None);
        assert_eq!((commands(&all), all.printed().as_str()), (vec!["a", "b", "c"], "one\ntwo\n"));
        all.keep();
        let none = store.take(None);
        assert_eq!((commands(&none), none.printed().as_str()), (vec![], ""));
    }

    #[test]
    fn output_comes_back_without_collected_results() {
        let store = Uncollected::default();
        store.add(result("a"));
        store.print("one", true);
        store.take(Some(result("b"))).keep_results();
        let rest = store.take(None);
        assert_eq!((commands(&rest), rest.printed().as_str()), (vec![], "one\n"));
    }

    #[test]
    fn long_output_is_in_several_answers() {
        let store = Uncollected::default();
        let text = "x".repeat(ANSWER / 2);
        let line = text.clone() + "\n";
        (0..3).for_each(|_| store.print(&text, true));
        for lines in [1, 1, 1, 0] {
            let part = store.take(None);
            assert_eq!(part.printed(), line.repeat(lines));
            part.keep();
        }
        let fit = STORED / line.len();
        (0..fit + 2).for_each(|_| store.print(&text, true));
        assert_eq!(store.take(None).forgotten(), 2 * line.len() as u64);
    }

    #[test]
    fn oldest_results_are_forgotten() {
        let store = Uncollected::default();
        (0..=RESULTS).for_each(|n| store.add(result(&n.to_string())));
        let all = store.take(None);
        assert_eq!((commands(&all).len(), commands(&all)[0]), (RESULTS, "1"));
    }
}
