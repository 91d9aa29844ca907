//! Compiling components and calling them: wasmtime, set up once.
//!
//! Knows code, stores, deadlines and traps. Knows neither what a guest may touch
//! ([`grant`](super::grant)) nor what its answers mean ([`answer`](super::answer)).

pub(crate) mod bindings;
pub(crate) mod cache;
pub(crate) mod call;
pub(crate) mod clock;
pub(crate) mod code;
pub(crate) mod component;
pub(crate) mod loader;
pub(crate) mod options;
pub(crate) mod pool;
pub(crate) mod runtime;
pub(crate) mod shared;
pub(crate) mod store;
pub(crate) mod trap;
