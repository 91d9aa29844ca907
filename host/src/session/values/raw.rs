//! `variables` requests, and what every reader removes from their answers.

use crate::dap::arguments::VariablesArguments;
use crate::dap::{self, request, types};
use crate::session::values::reader::FrameReader;

/// The variables below a reference, without those that are the adapter's own. `page`: start and
/// count, for adapters that page.
pub(crate) async fn raw(
    reader: &FrameReader<'_>,
    reference: i64,
    page: Option<(u64, u64)>,
) -> Result<Vec<types::Variable>, dap::Error> {
    let number = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    let arguments = VariablesArguments {
        variables_reference: reference,
        start: page.map(|(start, _)| number(start)),
        count: page.map(|(_, count)| number(count)),
        ..Default::default()
    };
    let rows = variables(reader, arguments).await?;
    let rows = match nameless_child(&rows) {
        Some(nameless) => variables(reader, all_of(nameless.variables_reference)).await?,
        None => rows,
    };
    Ok(without_hidden(reader, rows).0)
}

/// What the adapter lists below a reference.
pub(crate) struct Rows {
    pub(crate) rows: Vec<types::Variable>,
    /// Names of those that are the adapter's own, which are not among the rows.
    pub(crate) hidden: Vec<String>,
    /// In place of rows: the long container to which the listed variable points.
    pub(crate) container: Option<types::Variable>,
}

/// The variables below a reference, but not those of a long container behind a pointer.
pub(crate) async fn short(reader: &FrameReader<'_>, reference: i64) -> Result<Rows, dap::Error> {
    let quirks = reader.wire.quirks();
    let mut rows = variables(reader, all_of(reference)).await?;
    if let Some(nameless) = nameless_child(&rows) {
        if quirks.is_long(&quirks.variable(nameless.clone())) {
            return Ok(Rows { container: rows.pop(), rows, hidden: Vec::new() });
        }
        rows = variables(reader, all_of(nameless.variables_reference)).await?;
    }
    let (rows, hidden) = without_hidden(reader, rows);
    Ok(Rows { rows, hidden, container: None })
}

fn all_of(reference: i64) -> VariablesArguments {
    VariablesArguments { variables_reference: reference, ..Default::default() }
}

/// The program's variables, and the names of the adapter's own.
fn without_hidden(
    reader: &FrameReader<'_>,
    rows: Vec<types::Variable>,
) -> (Vec<types::Variable>, Vec<String>) {
    let quirks = reader.wire.quirks();
    let (hidden, rows): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|variable| quirks.is_hidden(&variable.name));
    (rows, hidden.into_iter().map(counted).collect())
}

/// The text for a group of variables that is not listed: its name, and how many variables it has if
/// the adapter reports that.
fn counted(group: types::Variable) -> String {
    match group.named_variables {
        Some(count) if count > 0 => format!("{count} {}", group.name),
        _ => group.name,
    }
}

/// One `variables` request.
pub(crate) async fn variables(
    reader: &FrameReader<'_>,
    arguments: VariablesArguments,
) -> Result<Vec<types::Variable>, dap::Error> {
    Ok(reader.wire.call::<request::Variables>(arguments).await?.variables)
}

/// An only child without a name, which some adapters put below a pointer: its children count as
/// those of the pointer.
pub(crate) fn nameless_child(rows: &[types::Variable]) -> Option<&types::Variable> {
    match rows {
        [only] if only.name.is_empty() && only.variables_reference > 0 => Some(only),
        _ => None,
    }
}

/// The number of an element, from its name: `[3]`, `3`, `0003`.
pub(crate) fn element_number(name: &str) -> Option<u64> {
    let digits = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name);
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}
