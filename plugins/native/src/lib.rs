//! What the plugins of debuggers for machine code share: Rust, C and C++, Cargo's packages,
//! GoogleTest, and single source files that are compiled for a launch.
//!
//! Knows languages, compilers and test runners. Knows no debugger and no adapter: those belong to
//! the plugins. The SDK (`dapdock-plugin`) knows neither.

pub mod cargo_manifest;
pub mod check;
pub mod compilers;
pub mod cpp;
pub mod crates;
pub mod gtest;
pub mod programs;
pub mod rust;
pub mod rust_source;
pub mod rust_types;
