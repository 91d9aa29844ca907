//! The children of a variable, as the plugin presents them.
//!
//! Lists all of them by one request. A long container has too many: `elements` and previews read
//! it in [`pages`].

use futures_util::future::join_all;

use crate::dap::{self, types};
use crate::model::{Children, Variable, answer};
use crate::session::values::raw::{self, Rows, element_number};
use crate::session::values::reader::FrameReader;
use crate::session::values::{convert, pages};

/// How many variables of one scope get a preview.
const PREVIEWS: usize = 24;

/// A variable as the plugin presents it.
pub(crate) struct Presented {
    pub(crate) variable: Variable,
    /// How many of its children the preview holds.
    pub(crate) prefetch: u32,
}

impl Presented {
    fn wants_preview(&self) -> bool {
        self.prefetch > 0 && self.variable.reference > 0
    }
}

/// What the adapter lists below a reference: attributes, then elements.
#[derive(Default)]
pub(crate) struct Listed {
    pub(crate) rows: Vec<Variable>,
    /// How many elements there are, if the adapter counts those that it does not list.
    pub(crate) counted: Option<u64>,
    /// Names of groups that are the adapter's own.
    pub(crate) hidden: Vec<String>,
    /// The long container with the elements, if the listed variable is a pointer to it.
    pub(crate) container: Option<Box<Variable>>,
}

/// Lists the children below a reference, with previews.
pub(crate) async fn list(
    reader: &FrameReader<'_>,
    reference: i64,
    scope: &str,
) -> Result<Listed, dap::Error> {
    let Rows { rows, hidden, container } = raw::short(reader, reference).await?;
    if let Some(container) = container.map(|row| reader.wire.quirks().variable(row))
        && let Children::Count(count) = container.children
    {
        let container = Some(Box::new(container));
        return Ok(Listed { counted: Some(count), container, ..Listed::default() });
    }
    let (rows, counted) = reader.wire.quirks().take_count(rows);
    let mut rows = with_previews(reader, present(reader, scope, rows).await).await;
    for row in &mut rows {
        if let Some(number) = element_number(&row.name) {
            row.name = format!("[{number}]");
        }
    }
    Ok(Listed { rows, counted, hidden, container: None })
}

/// Adds the previews that the plugin wants.
pub(crate) async fn with_previews(
    reader: &FrameReader<'_>,
    presented: Vec<Presented>,
) -> Vec<Variable> {
    let wanted = presented.iter().filter(|one| one.wants_preview()).take(PREVIEWS);
    let previews = join_all(wanted.map(|one| preview(reader, &one.variable, one.prefetch))).await;
    let mut previews = previews.into_iter();
    let mut variables = Vec::with_capacity(presented.len());
    for mut one in presented {
        if one.wants_preview() {
            one.variable.preview = previews.next().unwrap_or_default();
        }
        variables.push(one.variable);
    }
    variables
}

/// The first children of a variable.
pub(crate) async fn preview(
    reader: &FrameReader<'_>,
    variable: &Variable,
    count: u32,
) -> Vec<Variable> {
    let rows = if reader.wire.quirks().is_long(variable) {
        pages::elements(reader, variable, 0, u64::from(count)).await
    } else {
        raw::raw(reader, variable.reference, Some((0, u64::from(count)))).await.unwrap_or_default()
    };
    let (rows, _) = reader.wire.quirks().take_count(rows);
    let mut presented = present(reader, "", rows).await;
    presented.truncate(count as usize);
    presented.into_iter().map(|one| one.variable).collect()
}

/// Applies the plugin's hook `present.variables`, which may hide, order, summarise and count
/// variables and says how many children a preview holds.
pub(crate) async fn present(
    reader: &FrameReader<'_>,
    scope: &str,
    rows: Vec<types::Variable>,
) -> Vec<Presented> {
    let plugin = reader.wire.plugin();
    let views = if plugin.wants_present("variables") && !rows.is_empty() {
        let given: Vec<answer::Variable> = rows.iter().map(convert::for_plugin).collect();
        let hook_call = reader.wire.hook_call().await;
        let views = plugin.variables(&hook_call.view, scope, &given).await;
        hook_call.degrade(views, None)
    } else {
        None
    };
    let mut presented = Vec::with_capacity(rows.len());
    let Some(views) = views else {
        for row in rows {
            let variable = reader.wire.quirks().variable(row);
            presented.push(Presented { variable, prefetch: 0 });
        }
        return presented;
    };
    let mut rows: Vec<Option<types::Variable>> = rows.into_iter().map(Some).collect();
    for view in views {
        // A view without a variable, or a second one of the same, is dropped.
        let Some(row) = rows.get_mut(view.index as usize).and_then(Option::take) else { continue };
        let variable = with_view(reader.wire.quirks().variable(row), &view);
        presented.push(Presented { variable, prefetch: view.prefetch });
    }
    presented
}

fn with_view(mut variable: Variable, view: &answer::VariableView) -> Variable {
    if view.secret {
        variable.value = "<secret>".to_owned();
    } else if let Some(summary) = &view.summary {
        variable.value.clone_from(summary);
    }
    match view.elements {
        Some(elements) if elements > 0 && variable.reference > 0 => {
            variable.children = Children::Count(elements)
        }
        None if !view.secret => {}
        _ => (variable.children, variable.reference) = (Children::None, 0),
    }
    variable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn view_of_the_plugin_decides_value_and_children() {
        let row = types::Variable {
            name: "x".into(),
            value: "raw".into(),
            variables_reference: 7,
            ..Default::default()
        };
        let plain = answer::VariableView {
            index: 0,
            summary: None,
            prefetch: 0,
            elements: None,
            secret: false,
        };
        let summed = answer::VariableView { summary: Some("short".into()), ..plain.clone() };
        let counted = answer::VariableView { elements: Some(5), ..summed.clone() };
        let closed = answer::VariableView { elements: Some(0), ..plain.clone() };
        let secret = answer::VariableView { secret: true, ..summed.clone() };
        for (view, value, children, reference) in [
            (plain, "raw", Children::Some, 7),
            (summed, "short", Children::Some, 7),
            (counted, "short", Children::Count(5), 7),
            (closed, "raw", Children::None, 0),
            (secret, "<secret>", Children::None, 0),
        ] {
            let variable = with_view(convert::variable(row.clone()), &view);
            assert_eq!(
                (variable.value.as_str(), variable.children, variable.reference),
                (value, children, reference)
            );
        }
    }
}
