//! Variables, evaluations and assignments.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::frame::Location;
use super::written;
use crate::model::{self, Children, Compared, Evaluated, VariablesPage};
use crate::view::Lens;

/// A variable, field, element or result.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::mcp) struct Variable {
    name: String,
    r#type: Option<String>,
    /// As the debugger prints it, up to 1000 characters among others, 20000 alone.
    value: String,
    /// Children that were read, in the same form.
    #[schemars(with = "Vec<Map<String, Value>>")]
    children: Vec<Variable>,
    /// Number of all children.
    child_count: Option<u64>,
    /// Address of a pointer's target.
    location: Option<String>,
    /// opens: has children; partial: some were not read; lazy: opening it runs code of the
    /// program; cut: the value is longer; debug_variables reads it by path.
    flags: Vec<Flag>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Flag {
    Opens,
    Partial,
    Lazy,
    Cut,
}

impl Variable {
    /// The variable that the call is about.
    pub fn whole(variable: &model::Variable) -> Self {
        Self::with(variable, written::bounded(&variable.value))
    }

    /// A variable among others.
    pub fn of(variable: &model::Variable) -> Self {
        Self::with(variable, written::bounded_among(&variable.value))
    }

    fn with(variable: &model::Variable, (value, is_cut): (String, bool)) -> Self {
        let read = variable.preview.len() as u64;
        let is_partial = match variable.children {
            Children::None => false,
            Children::Some => read == 0,
            Children::Count(count) => read < count,
        };
        let flags = [
            (Flag::Opens, variable.children != Children::None),
            (Flag::Partial, is_partial),
            (Flag::Lazy, variable.lazy),
            (Flag::Cut, is_cut),
        ];
        Self {
            name: written::text(&variable.name),
            r#type: written::optional(variable.ty.as_ref()),
            value,
            children: all(&variable.preview),
            child_count: match variable.children {
                Children::None => Some(0),
                Children::Some => None,
                Children::Count(count) => Some(count),
            },
            location: variable.address.clone(),
            flags: flags.into_iter().filter_map(|(flag, is_set)| is_set.then_some(flag)).collect(),
        }
    }
}

pub(super) fn all(variables: &[model::Variable]) -> Vec<Variable> {
    variables.iter().map(Variable::of).collect()
}

/// A value that differs from the one before.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Change {
    name: String,
    before: String,
    after: String,
}

impl Change {
    pub fn of(change: &model::Change) -> Self {
        Self {
            name: written::text(&change.name),
            before: written::text(&change.before),
            after: written::text(&change.after),
        }
    }
}

/// Scope of variables.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Scope {
    /// The debugger's name of it; null: a comparison is of the locals.
    name: Option<String>,
    /// Index of its frame.
    frame: u32,
    #[serde(flatten)]
    location: Location,
}

impl Scope {
    fn of(frame: &model::Frame, name: Option<String>, lens: &Lens) -> Self {
        Self { name, frame: frame.index, location: Location::of(frame, lens) }
    }
}

/// Data of `debug_variables`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::mcp) struct Variables {
    scope: Scope,
    /// The variable at `path`; null: the page is of the scope.
    variable: Option<Variable>,
    /// The page: variables of the scope, or children of the variable.
    variables: Vec<Variable>,
    /// Number of the first of them.
    start: u64,
    /// Number of all, or of all that match the filter.
    total: Option<u64>,
    /// The debugger lists fewer than there are.
    capped: bool,
    /// Number that the filter searched, if not all.
    searched: Option<u64>,
    /// A value without children in full; of a text that is paged by bytes the page.
    text: Option<String>,
    other_scopes: Vec<String>,
    /// Groups of the debugger that are left out.
    hidden: Vec<String>,
    /// null: not a comparison.
    diff: Option<Diff>,
}

/// Comparison of locals.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Diff {
    /// Number of the earlier stop.
    since: u32,
    changes: Vec<Change>,
    /// Number of locals that are as before.
    same: usize,
    /// Locals that are compared only as far as a stop stores them.
    partly: Vec<String>,
}

impl Variables {
    pub fn page(page: &VariablesPage, lens: &Lens) -> Self {
        Self {
            scope: Scope::of(&page.frame, Some(page.scope.clone()), lens),
            variable: page.parent.as_ref().map(Variable::whole),
            variables: all(&page.variables),
            start: page.start,
            total: Some(page.total),
            capped: page.capped,
            searched: page.looked_at,
            text: written::optional(page.text.as_ref().map(|text| &text.text)),
            other_scopes: page.other_scopes.clone(),
            hidden: page.hidden.clone(),
            diff: None,
        }
    }

    pub fn comparison(compared: &Compared, lens: &Lens) -> Self {
        let diff = Diff {
            since: compared.since.0,
            changes: compared.changes.iter().map(Change::of).collect(),
            same: compared.same,
            partly: compared.partly.clone(),
        };
        Self {
            scope: Scope::of(&compared.frame, None, lens),
            variable: None,
            variables: Vec::new(),
            start: 0,
            total: None,
            capped: false,
            searched: None,
            text: None,
            other_scopes: Vec::new(),
            hidden: Vec::new(),
            diff: Some(diff),
        }
    }
}

/// An expression with its value, or the reason why it has none.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Evaluation {
    expression: String,
    variable: Option<Variable>,
    error: Option<String>,
}

impl Evaluation {
    pub fn of(evaluated: &Evaluated) -> Self {
        Self {
            expression: written::text(&evaluated.expression),
            variable: evaluated.result.as_ref().ok().map(Variable::whole),
            error: evaluated.result.as_ref().err().map(|why| written::text(&why.to_string())),
        }
    }
}

/// Data of `debug_evaluate`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::mcp) struct Evaluations {
    results: Vec<Evaluation>,
    /// Expressions shown at every stop; null: the call is not about them.
    watches: Option<Vec<String>>,
}

impl Evaluations {
    pub fn of(results: &[Evaluated], watches: &Option<Vec<String>>) -> Self {
        Self { results: results.iter().map(Evaluation::of).collect(), watches: watches.clone() }
    }
}

/// Data of `debug_set`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::mcp) struct Assignment {
    target: String,
    /// Read after the assignment.
    variable: Variable,
    /// null: a new key.
    before: Option<Variable>,
}

impl Assignment {
    pub fn of(assigned: &model::Assigned) -> Self {
        Self {
            target: written::text(&assigned.target),
            variable: Variable::whole(&assigned.after),
            before: assigned.before.as_ref().map(Variable::whole),
        }
    }
}
