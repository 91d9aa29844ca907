//! Source files that are missing or edited after the build: what a stop shows then.

pub mod edited_sources;
pub mod missing_sources;
