//! Conformance: every adapter in every scenario, through the tools only, with the real debuggers.
//!
//! The table in `rows` is the coverage: where a debugger refuses something, its row names the
//! scenario with the exact error. Places are found by markers in the debugged programs, never by
//! line numbers. Without its debugger a test prints that it is skipped; with `REQUIRE_DEBUGGERS` it
//! fails.

mod adapters;
mod attach;
mod boundaries;
mod breakpoints;
mod compat;
mod core_files;
mod coroutines;
mod deadlocks;
mod debugger_commands;
mod debugpy_patches;
mod documents;
mod endings;
mod gdb;
mod gdb_values;
mod go_logs;
mod go_moves;
mod go_panics;
mod goroutines;
mod invalid_input;
mod isolation;
mod javascript_compiled;
mod javascript_effects;
mod javascript_failures;
mod javascript_listings;
mod javascript_logs;
mod javascript_output;
mod javascript_packages;
mod javascript_programs;
mod javascript_sizes;
mod javascript_steps;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod outsiders;
mod processes;
mod python_projects;
mod reports;
mod rows;
mod runners;
mod sources;
mod stacks;
mod stage;
mod steps;
mod structured;
mod targets;
mod values;
mod waits;

use adapters::{choice, fallback, faults, plugin_file, toolchains};
use attach::{c_libraries, debugpy, lost_connections, permissions, servers};
use breakpoints::{
    awaits, function_names, lines_without_code, links, log_points, meetings, native_logs,
    one_line_functions, passes, rust_functions, tail_lines, templates, users_code,
};
use compat::{
    examples, gdb_names, go_names, net_exceptions, net_languages, net_names, net_reads, rust_names,
    viewport_names,
};
use endings::{causes, cpp_exceptions, exceptions, failures, floods, program_errors};
use invalid_input::{invalid_arguments, invalid_breakpoints};
use runners::{
    by_name, go_benchmarks, go_subtests, googletest, javascript, javascript_suites, python,
    unmatched,
};
use sources::{edited_sources, missing_sources};
use targets::{
    binaries, build_tools, cargo, cargo_errors, cmake, commands, directories, go_modules, go_tags,
    launch_json, launch_json_editors, other_debuggers,
};
use values::{
    assignments, bounded, containers, contents, debug_information, effects, evaluations,
    everyday_python, expressions, go_hostile, go_values, hostile, levels, native_hostile,
    optimised, owners, pages, paths, pointers, texts, variants, watches,
};

pub use stage::{Language, Stage, marked, run_scenario};
