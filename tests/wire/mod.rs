//! The shipped binary as an outside caller sees it: protocol, cancellation, and that it takes everything along when it
//! ends.

mod calls;
mod endings;
mod protocol;
