//! How strongly an adapter claims a target.
//!
//! A number, because `detect` of a plugin returns one on the same scale.

/// Strength of a claim, from 0 (none) to 100 (certain): the scale of `detect` in `wit/plugin.wit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Claim(u8);

impl Claim {
    /// No claim.
    pub(crate) const NONE: Self = Self(0);
    /// Machine code, by a language that leaves it to others (`fallback`).
    pub(crate) const FALLBACK: Self = Self(40);
    /// Machine code, by a language without `compilers`.
    pub(crate) const MACHINE_CODE: Self = Self(50);
    /// Tests whose names contain the requested one are listed.
    pub(crate) const LISTS_SIMILAR: Self = Self(50);
    /// Machine code of one of the language's compilers.
    pub(crate) const COMPILED: Self = Self(70);
    /// A table of the manifest claims the target; no plugin is called.
    pub(crate) const TABLE: Self = Self(90);
    /// As `LISTS_SIMILAR`, and a table claims the project.
    pub(crate) const LISTS_SIMILAR_IN_PROJECT: Self = Self(92);
    /// The test is listed.
    pub(crate) const LISTS: Self = Self(95);
    /// The test is listed, and a table claims the project.
    pub(crate) const CERTAIN: Self = Self(100);

    /// The score of `detect`.
    pub(crate) fn detected(score: u8) -> Self {
        Self(score)
    }

    /// Whether there is a claim.
    pub(crate) fn is_some(self) -> bool {
        self > Self::NONE
    }
}
