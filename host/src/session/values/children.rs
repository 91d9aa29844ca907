//! The children of a variable, as the plugin shows them.
//!
//! Refuses to ask an adapter for more than it lists well at once: the elements of a
//! long container are read in [`pages`].

use futures_util::future::join_all;

use crate::dap::{self, types as wire};
use crate::model::{Children, Variable, answer};
use crate::session::values::frame::Target;
use crate::session::values::raw::{number, raw, raw_and_hidden, uncounted};
use crate::session::values::{convert, pages};

/// Variables opened unasked in one scope.
const PREFETCHED: usize = 24;

/// A variable with the number of children to fetch unasked.
pub(crate) type Shown = (Variable, u32);

/// What the adapter lists below a reference: attributes, then elements.
#[derive(Default)]
pub(crate) struct Listed {
    pub(crate) rows: Vec<Variable>,
    /// How many elements there are, where the adapter counts those it leaves out.
    pub(crate) counted: Option<u64>,
    /// Names of the adapter's own groups that are left out.
    pub(crate) hidden: Vec<String>,
}

/// All children that are listed at once, some of them opened.
pub(crate) async fn list(
    target: &Target<'_>,
    reference: i64,
    scope: &str,
) -> Result<Listed, dap::Error> {
    let (told, hidden) = raw_and_hidden(target, reference, None).await?;
    let (told, counted) = uncounted(told, target.profile);
    let mut rows = opened(target, shown(target, scope, told).await).await;
    for row in &mut rows {
        if let Some(number) = number(&row.name) {
            row.name = format!("[{number}]");
        }
    }
    Ok(Listed { rows, counted, hidden })
}

/// Opens what the plugin wants opened.
pub(crate) async fn opened(target: &Target<'_>, shown: Vec<Shown>) -> Vec<Variable> {
    let wanted = shown
        .iter()
        .filter(|(variable, prefetch)| *prefetch > 0 && variable.reference > 0)
        .take(PREFETCHED);
    let previews =
        join_all(wanted.map(|(variable, count)| preview(target, variable, *count))).await;
    let mut previews = previews.into_iter();
    let open = |(mut variable, prefetch): Shown| {
        if prefetch > 0 && variable.reference > 0 {
            variable.preview = previews.next().unwrap_or_default();
        }
        variable
    };
    shown.into_iter().map(open).collect()
}

/// The first children of a variable.
pub(crate) async fn preview(target: &Target<'_>, variable: &Variable, count: u32) -> Vec<Variable> {
    let told = match pages::is_long(variable, target.profile) {
        true => pages::elements(target, variable, 0, u64::from(count)).await,
        false => {
            raw(target, variable.reference, Some((0, u64::from(count)))).await.unwrap_or_default()
        }
    };
    let (told, _) = uncounted(told, target.profile);
    let mut shown = shown(target, "", told).await;
    shown.truncate(count as usize);
    shown.into_iter().map(|(variable, _)| variable).collect()
}

/// Applies the plugin's view: hides, counts, summarises, says what to open.
pub(crate) async fn shown(
    target: &Target<'_>,
    scope: &str,
    told: Vec<wire::Variable>,
) -> Vec<Shown> {
    let plugin = target.wire.plugin();
    let views = match plugin.wants_present("variables") && !told.is_empty() {
        true => {
            let given: Vec<answer::Variable> = told.iter().map(convert::for_plugin).collect();
            let turn = target.wire.turn().await;
            let views = plugin.variables(&turn.view, scope, &given).await;
            turn.degrade(views, None)
        }
        false => None,
    };
    let mut told: Vec<Option<wire::Variable>> = told.into_iter().map(Some).collect();
    let Some(views) = views else {
        return told
            .into_iter()
            .flatten()
            .map(|variable| (convert::pointing(variable, target.profile), 0))
            .collect();
    };
    let apply = |view: answer::VariableView| {
        let variable =
            convert::pointing(told.get_mut(view.index as usize)?.take()?, target.profile);
        Some((applied(variable, &view), view.prefetch))
    };
    views.into_iter().filter_map(apply).collect()
}

fn applied(mut variable: Variable, view: &answer::VariableView) -> Variable {
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
    fn a_view_decides_what_is_shown_and_what_opens() {
        let told = wire::Variable {
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
            let variable = applied(convert::variable(told.clone()), &view);
            assert_eq!(
                (variable.value.as_str(), variable.children, variable.reference),
                (value, children, reference)
            );
        }
    }
}
