//! Whether the result of a flow is about the present: generations of the debuggee's state.
//!
//! Every `stopped` event that can become the current stop, every move and the end of a debuggee
//! begins one. A flow takes the present one along. Nothing else makes a [`Generation`], so an old
//! result cannot pass for a new one.

/// The time from one `stopped` event or move to the next of either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Generation(u32);

/// The present generation.
#[derive(Debug)]
pub(crate) struct Generations(Generation);

impl Generations {
    /// Before the first stop.
    pub(crate) fn first() -> Self {
        Self(Generation(0))
    }

    pub(crate) fn present(&self) -> Generation {
        self.0
    }

    /// Begins the next one.
    pub(crate) fn next(&mut self) -> Generation {
        self.0 = Generation(self.0.0.wrapping_add(1));
        self.0
    }

    pub(crate) fn is_present(&self, generation: Generation) -> bool {
        generation == self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_latest_generation_is_present() {
        let mut generations = Generations::first();
        let before = generations.present();
        assert!(generations.is_present(before));
        let now = generations.next();
        assert!(generations.is_present(now) && generations.present() == now);
        assert!(!generations.is_present(before));
    }
}
