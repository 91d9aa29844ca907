//! How an adapter lists variables and describes exceptions.

use serde::{Deserialize, Serialize};

/// Variables and exceptions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ValueProfile {
    /// Children that are the adapter's own and not the program's.
    pub hidden: Vec<String>,
    /// Beginnings of the names of scopes with a frame's local variables, besides those with the
    /// presentation hint `locals`, `arguments` or `returnValue`. They are read at every stop, even
    /// if they are `expensive`.
    pub locals: Vec<String>,
    /// An assignment, in the context for statements, adds a member that an object does not have.
    pub adds_members: bool,
    /// Which values scopes list after an assignment.
    pub after_assignment: AfterAssignment,
    /// The adapter cuts long or slow values here: two texts that differ only after this mark are
    /// equal.
    pub cut_mark: Option<String>,
    /// The value with which the adapter answers for a missing child of a path or key of a mapping
    /// instead of an error. `debug_evaluate` displays it; a hook `on-response` can refuse it.
    pub absent: Option<String>,
    /// How elements of long containers are listed.
    pub elements: Elements,
    /// Mappings in which a number is a key, never a position.
    pub mappings: Vec<MappingRule>,
    /// Ends of the names of pointer types: the `memoryReference` of such a value is the address it
    /// points to.
    pub pointers: Vec<String>,
    /// How to read the address that a value holds, of types without a `memoryReference`.
    pub addresses: Vec<AddressRule>,
    /// How to find the causes of an exception in its value, if `exceptionInfo` has none.
    pub causes: Option<Box<CauseRule>>,
}

/// Which values scopes list after an assignment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AfterAssignment {
    /// The current ones, if `scopes` is requested again.
    #[default]
    Current,
    /// Those at the time of the stop: the host evaluates the variables by name.
    OfStop,
}

/// Mappings whose children are entries by number, or are named by their keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct MappingRule {
    /// Names of their types; one with a `<` is a prefix.
    pub types: Vec<String>,
    /// An expression for the value of the key `{key}`, a literal or a name, in `{expr}`; None: the
    /// children are named by their keys, and are searched.
    pub value: Option<String>,
}

/// How to read the address that a value of certain types holds: a pointer, a mapping, a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct AddressRule {
    /// Beginnings of the names of the types.
    pub types: Vec<String>,
    /// An expression for the address that `{expr}` holds; the last hexadecimal number in its value
    /// is the address, 0 is none.
    pub value: String,
}

/// How elements of long containers are listed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Elements {
    /// The largest number that the adapter lists well in one response.
    pub at_once: u64,
    /// The name of a child whose value is the number of elements.
    pub count: Option<String>,
    /// Names of children that stand for omitted elements.
    pub rest: Vec<String>,
    /// How to request elements beyond `at_once`.
    pub pages: Pages,
}

impl Default for Elements {
    fn default() -> Self {
        Self { at_once: 100, count: None, rest: Vec::new(), pages: Pages::Listed }
    }
}

/// How to request a page of elements.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Pages {
    /// Not at all: `variables` returns all elements.
    #[default]
    Listed,
    /// By `start` and `count` of the `variables` request.
    Requested,
    /// By an expression for the elements `{start}` to `{end}` (exclusive) of `{expr}`: a sequence,
    /// or a mapping with its keys.
    Slice(String),
    /// By an expression for each: the element `{n}` of `{expr}`.
    Each(String),
}

/// How to find the causes of an exception in its value: fields of certain types.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct CauseRule {
    /// The function that raises exceptions; its innermost frame has the value.
    pub function: String,
    /// An expression for the value in that frame.
    pub value: String,
    /// Types of fields with a cause; a name that ends in a sign, `error(`, is the beginning of one.
    pub causes: Vec<String>,
    /// Types of fields with a list of causes, in the same notation.
    pub lists: Vec<String>,
    /// Names of fields with the message.
    pub messages: Vec<String>,
    /// Names of only children that stand for the value itself: the target of a pointer.
    pub through: Vec<String>,
}
