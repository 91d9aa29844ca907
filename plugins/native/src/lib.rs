//! What the plugins of debuggers for machine code share: Rust, C and C++, Cargo's packages,
//! GoogleTest, make and CMake, and single source files that are compiled for a launch.
//!
//! Knows languages, compilers and test runners. Knows no debugger and no adapter: those belong to
//! the plugins. The SDK (`dapdock-plugin`) knows neither.

pub mod artifacts;
pub mod build;
pub mod build_errors;
pub mod cargo;
pub mod cargo_command;
pub mod cargo_manifest;
pub mod check;
mod cmake;
mod cmake_lists;
pub mod compilers;
pub mod cpp;
pub mod crates;
mod ctest;
mod dry_run;
pub mod gtest;
pub mod gtest_failures;
mod make;
mod make_text;
mod makefile;
pub mod programs;
pub mod projects;
pub mod registers;
pub mod rust;
pub mod rust_source;
pub mod rust_types;
mod script;
mod shell;
