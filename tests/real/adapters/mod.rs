//! Which adapter debugs a target, and adapters, plugins, tools and compilers that are missing, too
//! old or broken. What a session does afterwards is asserted elsewhere.

pub mod choice;
pub mod doctor;
pub mod fallback;
pub mod faults;
pub mod plugin_file;
pub mod toolchains;
