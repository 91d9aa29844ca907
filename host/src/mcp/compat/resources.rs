//! Resources of families: the answers of their tools, by the addresses of their documents.
//!
//! Refuses to know what an answer says.

use std::ptr;

use super::{FAMILIES, net};
use crate::mcp::declared::Toolset;
use crate::mcp::registry::Registered;

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

impl Resource {
    /// The tool that makes its text.
    pub fn registered(&self) -> Option<&'static Registered> {
        let family = FAMILIES.iter().find(|family| family.toolset == self.toolset)?;
        let mut tools = family.names.iter().map(|name| &name.tool);
        tools.find(|tool| tool.declared.name == self.tool)
    }
}

/// All resources of all families.
pub(in crate::mcp) fn resources() -> impl Iterator<Item = &'static Resource> {
    net::RESOURCES.iter()
}

/// The template of the sources of the current session's program, of families that have it.
pub(in crate::mcp) const SOURCE: (Toolset, &str) = (net::TOOLSET, "debugger://source/{+file}");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::arguments;

    #[test]
    fn resource_is_the_answer_of_a_name_without_arguments() {
        for resource in resources() {
            let tool = resource.registered().expect(resource.uri);
            assert!(arguments::takes(&tool.declared, serde_json::Map::new()), "{}", resource.uri);
        }
    }
}
