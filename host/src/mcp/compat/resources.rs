//! A resource of a family: the answer of one of its tools, by the address of its documents.
//!
//! Refuses to know which there are and what an answer says.

use std::ptr;

use crate::mcp::declared::Toolset;

/// A resource of a family.
#[derive(Debug)]
pub(in crate::mcp) struct Resource {
    pub toolset: Toolset,
    pub uri: &'static str,
    pub name: &'static str,
    pub description: &'static str,
    /// The name that answers; it takes no arguments.
    pub tool: &'static str,
    pub follows: Follows,
}

/// What changes a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::mcp) enum Follows {
    Sessions,
    /// Also those for the next launch.
    Breakpoints,
}

impl PartialEq for Resource {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self, other)
    }
}
