//! The children of a variable, as the plugin shows them.
//!
//! Refuses to ask an adapter for more than it lists well at once: the elements of a
//! long container are read by `elements`.

use dapdock_schema::Profile;
use futures_util::future::join_all;

use crate::dap::arguments::VariablesArguments;
use crate::dap::{self, request, types as wire};
use crate::model::{Children, Effects, Variable, answer};
use crate::session::values::convert;
use crate::session::values::elements;
use crate::session::values::inspect::{Target, evaluate_one};

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
    let (told, hidden) = told(target, reference, None).await?;
    let (told, counted) = uncounted(told, target.profile);
    let mut rows = opened(target, shown(target, scope, told).await).await;
    for row in &mut rows {
        if let Some(number) = elements::number(&row.name) {
            row.name = format!("[{number}]");
        }
    }
    Ok(Listed { rows, counted, hidden })
}

/// The value of one that is lazy: the only thing listed inside, as DAP has it. An adapter that
/// lists what has to make the value instead is asked for the expression.
pub(crate) async fn opened_lazy(target: &Target<'_>, lazy: Variable) -> Variable {
    let listed =
        list(target, lazy.reference, "").await.map(|listed| listed.rows).unwrap_or_default();
    let value = match <[Variable; 1]>::try_from(listed) {
        Ok([only]) if only.name == lazy.name && !only.lazy => Some(only),
        _ => match &lazy.expression {
            Some(expression) => {
                evaluate_one(target, target.frame, expression, Effects::None).await.result.ok()
            }
            None => None,
        },
    };
    let named =
        |value| Variable { name: lazy.name.clone(), expression: lazy.expression.clone(), ..value };
    value.map_or_else(|| lazy.clone(), named)
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
    let told = match elements::is_long(variable, target.profile) {
        true => elements::raw(target, variable, 0, u64::from(count)).await,
        false => {
            raw(target, variable.reference, Some((0, u64::from(count)))).await.unwrap_or_default()
        }
    };
    let (told, _) = uncounted(told, target.profile);
    let mut shown = shown(target, "", told).await;
    shown.truncate(count as usize);
    shown.into_iter().map(|(variable, _)| variable).collect()
}

/// The adapter's answer without what is its own; a page where it is given.
pub(crate) async fn raw(
    target: &Target<'_>,
    reference: i64,
    page: Option<(u64, u64)>,
) -> Result<Vec<wire::Variable>, dap::Error> {
    Ok(told(target, reference, page).await?.0)
}

/// The same, with the names of what is left out.
async fn told(
    target: &Target<'_>,
    reference: i64,
    page: Option<(u64, u64)>,
) -> Result<(Vec<wire::Variable>, Vec<String>), dap::Error> {
    let number = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    let arguments = VariablesArguments {
        variables_reference: reference,
        start: page.map(|(start, _)| number(start)),
        count: page.map(|(_, count)| number(count)),
        ..Default::default()
    };
    let mut told = target.wire.call::<request::Variables>(arguments).await?.variables;
    // What has no name is the parent once more, as behind a pointer: what is in it counts.
    if let [only] = told.as_slice()
        && only.name.is_empty()
        && only.variables_reference > 0
    {
        let arguments = VariablesArguments {
            variables_reference: only.variables_reference,
            ..Default::default()
        };
        told = target.wire.call::<request::Variables>(arguments).await?.variables;
    }
    let hidden = &target.profile.variables.hidden;
    let (left_out, told): (Vec<_>, Vec<_>) =
        told.into_iter().partition(|variable| hidden.contains(&variable.name));
    Ok((told, left_out.into_iter().map(|variable| variable.name).collect()))
}

/// Takes out the children that count the elements or stand for those left out.
fn uncounted(told: Vec<wire::Variable>, profile: &Profile) -> (Vec<wire::Variable>, Option<u64>) {
    let rule = &profile.variables.elements;
    let Some(count) = &rule.count else { return (told, None) };
    let Some(elements) =
        told.iter().find(|child| child.name == *count).and_then(|child| child.value.parse().ok())
    else {
        return (told, None);
    };
    let own = |child: &wire::Variable| child.name != *count && !rule.rest.contains(&child.name);
    (told.into_iter().filter(own).collect(), Some(elements))
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
