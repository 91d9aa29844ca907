//! `variables` requests, and what every reader leaves out of their responses.

use dapdock_schema::Profile;

use crate::dap::arguments::VariablesArguments;
use crate::dap::{self, request, types as wire};
use crate::session::values::frame::Target;

/// The adapter's answer without what is its own; a page where it is given.
pub(crate) async fn raw(
    target: &Target<'_>,
    reference: i64,
    page: Option<(u64, u64)>,
) -> Result<Vec<wire::Variable>, dap::Error> {
    Ok(raw_and_hidden(target, reference, page).await?.0)
}

/// The same, with the names of what is left out.
pub(crate) async fn raw_and_hidden(
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
pub(crate) fn uncounted(
    told: Vec<wire::Variable>,
    profile: &Profile,
) -> (Vec<wire::Variable>, Option<u64>) {
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

/// The number of an element that is named by it: `[3]`, `3`, `0003`.
pub(crate) fn number(name: &str) -> Option<u64> {
    let digits = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name);
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}
