//! A page of the elements of a long container, asked for in the way that the profile says
//! (`variables.elements`).
//!
//! Refuses to read all of a container because the caller wants three elements of it.

use dapdock_schema::{Pages, Profile};
use futures_util::future::join_all;

use crate::dap::arguments::{EvaluateArguments, VariablesArguments};
use crate::dap::{self, request, types as wire};
use crate::model::{Children, Variable};
use crate::session::values::convert;
use crate::session::values::frame::Target;
use crate::session::values::raw::{number, raw};

/// Does the adapter take too long, or too much, to list the children of this one?
pub(crate) fn is_long(variable: &Variable, profile: &Profile) -> bool {
    let rule = &profile.variables.elements;
    rule.pages != Pages::Listed
        && matches!(variable.children, Children::Count(count) if count > rule.at_once)
}

/// The elements `from` to `to` (exclusive) as the adapter tells them, named by their
/// numbers or keys; empty: it tells none.
pub(crate) async fn elements(
    target: &Target<'_>,
    parent: &Variable,
    from: u64,
    to: u64,
) -> Vec<wire::Variable> {
    match (&target.profile.variables.elements.pages, &parent.expression) {
        (Pages::Requested, _) => requested(target, parent.reference, from, to).await,
        (Pages::Slice(slice), Some(expression)) => {
            by_slice(target, slice, expression, from, to).await
        }
        (Pages::Each(element), Some(expression)) => {
            by_element(target, element, expression, from, to).await
        }
        (Pages::Listed | Pages::Slice(_) | Pages::Each(_), _) => Vec::new(),
    }
}

async fn requested(target: &Target<'_>, reference: i64, from: u64, to: u64) -> Vec<wire::Variable> {
    let arguments = VariablesArguments {
        variables_reference: reference,
        filter: Some("indexed".to_owned()),
        start: i64::try_from(from).ok(),
        count: i64::try_from(to - from).ok(),
        ..Default::default()
    };
    let told = target
        .wire
        .call::<request::Variables>(arguments)
        .await
        .map(|told| told.variables)
        .unwrap_or_default();
    // Attributes may be told all the same; where nothing is numbered these are the entries of a
    // mapping.
    let numbered = told.iter().any(|row| number(&row.name).is_some());
    let element = |row: &wire::Variable| !numbered || number(&row.name).is_some();
    let named = |row: wire::Variable| match number(&row.name) {
        Some(number) => wire::Variable { name: format!("[{number}]"), ..row },
        None => row,
    };
    told.into_iter().filter(element).take((to - from) as usize).map(named).collect()
}

async fn by_slice(
    target: &Target<'_>,
    slice: &str,
    expression: &str,
    from: u64,
    to: u64,
) -> Vec<wire::Variable> {
    let text = slice
        .replace("{expr}", expression)
        .replace("{start}", &from.to_string())
        .replace("{end}", &to.to_string());
    let Ok(page) = evaluate(target, &text).await else { return Vec::new() };
    let told = raw(target, page.variables_reference, None).await.unwrap_or_default();
    let rule = &target.profile.variables.elements;
    let own = |row: &wire::Variable| {
        rule.count.as_ref() != Some(&row.name) && !rule.rest.contains(&row.name)
    };
    let rows: Vec<wire::Variable> = told.into_iter().filter(own).collect();
    // The keys of a mapping are its own; the numbers of a slice begin anew.
    let anew = rows.iter().zip(0..).all(|(row, n)| number(&row.name) == Some(n));
    let renamed = |(row, n): (wire::Variable, u64)| {
        let name = if anew { format!("[{n}]") } else { row.name.clone() };
        let key = if anew { n.to_string() } else { row.name.clone() };
        wire::Variable { name, evaluate_name: Some(format!("{expression}[{key}]")), ..row }
    };
    rows.into_iter().zip(from..).map(renamed).collect()
}

async fn by_element(
    target: &Target<'_>,
    element: &str,
    expression: &str,
    from: u64,
    to: u64,
) -> Vec<wire::Variable> {
    let text = |n: u64| element.replace("{expr}", expression).replace("{n}", &n.to_string());
    let told = join_all((from..to).map(|n| {
        let text = text(n);
        async move {
            let mut told =
                evaluate(target, &text).await.map(|told| convert::result(&text, told)).ok()?;
            told.name = format!("[{n}]");
            Some(told)
        }
    }));
    told.await.into_iter().map_while(|told| told).collect()
}

async fn evaluate(
    target: &Target<'_>,
    text: &str,
) -> Result<dap::responses::EvaluateResponse, dap::Error> {
    let arguments = EvaluateArguments {
        expression: text.to_owned(),
        frame_id: target.frame.map(|frame| frame.id),
        context: Some(target.profile.evaluate.value.clone()),
        format: None,
    };
    target.wire.call::<request::Evaluate>(arguments).await
}
