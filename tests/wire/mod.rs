//! The shipped binary as an outside caller sees it, ours and one that is not: protocol,
//! cancellation, and that it takes everything along when it ends.

mod calls;
mod endings;
mod faked;
mod invalid;
mod outside;
mod permissions;
mod protocol;
mod trust;
mod waits;
