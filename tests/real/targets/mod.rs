//! What a launch accepts as its target: files, directories, command lines, launch.json. Adapters
//! that compete for a target are in `adapters`, tests as targets in `runners`.

pub mod binaries;
pub mod build_tools;
pub mod cargo;
pub mod cargo_errors;
pub mod cmake;
pub mod commands;
pub mod directories;
pub mod go_modules;
pub mod go_tags;
pub mod launch_json;
pub mod launch_json_editors;
pub mod other_debuggers;
