//! `variables` requests, and what every reader removes from their answers.

use crate::dap::arguments::VariablesArguments;
use crate::dap::{self, request, types as wire};
use crate::session::values::reader::FrameReader;

/// The variables below a reference, without those that are the adapter's own. `page`: start and
/// count, for adapters that page.
pub(crate) async fn raw(
    reader: &FrameReader<'_>,
    reference: i64,
    page: Option<(u64, u64)>,
) -> Result<Vec<wire::Variable>, dap::Error> {
    Ok(raw_and_hidden(reader, reference, page).await?.0)
}

/// The same, with the names of the hidden ones.
pub(crate) async fn raw_and_hidden(
    reader: &FrameReader<'_>,
    reference: i64,
    page: Option<(u64, u64)>,
) -> Result<(Vec<wire::Variable>, Vec<String>), dap::Error> {
    let number = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    let mut rows = variables(
        reader,
        VariablesArguments {
            variables_reference: reference,
            start: page.map(|(start, _)| number(start)),
            count: page.map(|(_, count)| number(count)),
            ..Default::default()
        },
    )
    .await?;
    if let Some(nameless) = nameless_child(&rows) {
        rows = variables(
            reader,
            VariablesArguments { variables_reference: nameless, ..Default::default() },
        )
        .await?;
    }
    let quirks = reader.wire.quirks();
    let (hidden, rows): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|variable| quirks.is_hidden(&variable.name));
    Ok((rows, hidden.into_iter().map(counted).collect()))
}

/// The text for a group of variables that is not listed: its name, and how many variables it has if
/// the adapter reports that.
fn counted(group: wire::Variable) -> String {
    match group.named_variables {
        Some(count) if count > 0 => format!("{count} {}", group.name),
        _ => group.name,
    }
}

/// One `variables` request.
pub(crate) async fn variables(
    reader: &FrameReader<'_>,
    arguments: VariablesArguments,
) -> Result<Vec<wire::Variable>, dap::Error> {
    Ok(reader.wire.call::<request::Variables>(arguments).await?.variables)
}

/// The reference of an only child without a name, which some adapters put below a pointer: its
/// children count as those of the pointer.
pub(crate) fn nameless_child(rows: &[wire::Variable]) -> Option<i64> {
    match rows {
        [only] if only.name.is_empty() && only.variables_reference > 0 => {
            Some(only.variables_reference)
        }
        _ => None,
    }
}

/// The number of an element, from its name: `[3]`, `3`, `0003`.
pub(crate) fn element_number(name: &str) -> Option<u64> {
    let digits = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name);
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}
