//! "Did you mean": the nearest of the known words.

pub(super) use crate::near::nearest;
