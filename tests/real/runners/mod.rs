//! Tests selected by name or by a runner's command line, in every language, and their results.
//! Breakpoints and values in them are asserted elsewhere.

pub mod by_name;
pub mod go_benchmarks;
pub mod go_subtests;
pub mod googletest;
pub mod javascript;
pub mod javascript_suites;
pub mod python;
pub mod unmatched;
