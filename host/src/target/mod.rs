//! What a launch is about, before a session exists: what launch.json names.
//!
//! Starts nothing. Refuses to know sessions.

pub mod launch_json;
