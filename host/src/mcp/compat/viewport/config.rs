//! The bounds of a viewport: what the caller sets, and defaults that shrink in long sessions.

use schemars::JsonSchema;
use serde::Deserialize;

/// Bounds of a viewport.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Given {
    /// Lines of source; default 15, at most 500
    source_context_lines: Option<u32>,
    /// Frames; default 5, at most 500
    stack_depth: Option<u32>,
    /// Levels of locals; default 1, at most 6
    locals_max_depth: Option<u32>,
    /// Locals; default 20, at most 1000
    locals_max_items: Option<u32>,
    /// Characters of a value; default 120, at most 500
    string_truncate_length: Option<u32>,
    /// Children of a value; default 5, at most 20
    collection_preview_items: Option<u32>,
}

/// A bound that cannot hold.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OutOfRange {
    /// The name of the bound.
    pub key: &'static str,
    pub given: u32,
    pub least: u32,
    pub most: u32,
}

impl OutOfRange {
    /// The nearest value that can hold.
    pub fn nearest(&self) -> u32 {
        self.given.clamp(self.least, self.most)
    }
}

/// The bounds that hold at a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Config {
    pub source_lines: usize,
    pub frames: usize,
    pub depth: usize,
    pub locals: usize,
    pub characters: usize,
    pub items: usize,
    /// The number of actions after which the defaults shrank.
    pub shrunk_after: Option<usize>,
}

/// Defaults by number of actions: frames, characters, items, locals.
const STEPS: [(usize, [usize; 4]); 4] =
    [(0, [5, 120, 5, 20]), (20, [3, 80, 3, 12]), (50, [2, 60, 2, 8]), (100, [1, 40, 1, 4])];

impl Given {
    /// # Errors
    /// The first bound that our tools cannot read as far as, or that leaves nothing.
    pub fn check(&self) -> Result<(), OutOfRange> {
        for (key, given, least, most) in [
            ("source_context_lines", self.source_context_lines, 0, 500),
            ("stack_depth", self.stack_depth, 1, 500),
            ("locals_max_depth", self.locals_max_depth, 1, 6),
            ("locals_max_items", self.locals_max_items, 0, 1_000),
            ("string_truncate_length", self.string_truncate_length, 3, 500),
            ("collection_preview_items", self.collection_preview_items, 0, 20),
        ] {
            if let Some(given) = given.filter(|given| !(least..=most).contains(given)) {
                return Err(OutOfRange { key, given, least, most });
            }
        }
        Ok(())
    }

    /// The bounds after this many actions. What the caller sets stays.
    pub fn after(&self, actions: usize) -> Config {
        let step = STEPS.iter().rev().find(|(from, _)| actions >= *from).unwrap_or(&STEPS[0]);
        let [frames, characters, items, locals] = step.1;
        let or = |given: Option<u32>, default| given.map_or(default, |given| given as usize);
        let all = [
            self.stack_depth,
            self.string_truncate_length,
            self.collection_preview_items,
            self.locals_max_items,
        ];
        let shrinks = step.0 > 0 && all.iter().any(Option::is_none);
        Config {
            source_lines: or(self.source_context_lines, 15),
            frames: or(self.stack_depth, frames),
            depth: or(self.locals_max_depth, 1),
            locals: or(self.locals_max_items, locals),
            characters: or(self.string_truncate_length, characters),
            items: or(self.collection_preview_items, items),
            shrunk_after: shrinks.then_some(step.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_shrink_and_given_bounds_stay() {
        for (actions, frames, characters, items, locals) in [
            (0, 5, 120, 5, 20),
            (19, 5, 120, 5, 20),
            (20, 3, 80, 3, 12),
            (49, 3, 80, 3, 12),
            (50, 2, 60, 2, 8),
            (99, 2, 60, 2, 8),
            (100, 1, 40, 1, 4),
        ] {
            let config = Given::default().after(actions);
            assert_eq!(
                (config.frames, config.characters, config.items, config.locals),
                (frames, characters, items, locals)
            );
            assert_eq!((config.source_lines, config.depth), (15, 1));
        }
        let given = Given { stack_depth: Some(9), ..Given::default() };
        assert_eq!(given.after(100).frames, 9);
        assert_eq!(given.after(100).shrunk_after, Some(100));
        assert_eq!(Given::default().after(5).shrunk_after, None);
    }

    #[test]
    fn bounds_that_nothing_can_read_are_refused() {
        let given = Given { stack_depth: Some(501), ..Given::default() };
        let refused = given.check().expect_err("the stack is read no deeper");
        assert_eq!((refused.key, refused.nearest()), ("stack_depth", 500));
        let given = Given { locals_max_depth: Some(0), ..Given::default() };
        assert_eq!(given.check().map_err(|refused| refused.nearest()), Err(1));
        let given = Given { locals_max_items: Some(0), ..Given::default() };
        assert_eq!(given.check(), Ok(()));
    }
}
