//! Choice of tools that a caller gets, as flags and configuration state it.

/// A stronger layer replaces each key that it has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolChoice {
    /// Names of toolsets. Absent: the default one, or none where `tools` is present.
    pub toolsets: Option<Vec<String>>,
    /// Names of tools, in addition to those of the toolsets.
    pub tools: Option<Vec<String>>,
    /// Names of tools to leave out.
    pub exclude: Option<Vec<String>>,
    /// Only tools that change nothing.
    pub read_only: Option<bool>,
    /// The list has no schemas.
    pub slim: Option<bool>,
    /// Results have data next to the text.
    pub structured: Option<bool>,
    /// Commands of the debugger may leave it.
    pub allow_shell: Option<bool>,
}

impl ToolChoice {
    /// This choice, each key replaced by that of a stronger one.
    #[must_use]
    pub fn over(self, stronger: Self) -> Self {
        Self {
            toolsets: stronger.toolsets.or(self.toolsets),
            tools: stronger.tools.or(self.tools),
            exclude: stronger.exclude.or(self.exclude),
            read_only: stronger.read_only.or(self.read_only),
            slim: stronger.slim.or(self.slim),
            structured: stronger.structured.or(self.structured),
            allow_shell: stronger.allow_shell.or(self.allow_shell),
        }
    }
}
