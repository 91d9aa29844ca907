//! A range of the elements of a long container, read as the adapter can: by
//! a paged request, a slice expression, or an expression per element.
//!
//! Refuses to read a whole container because the caller wants three elements of it.

use futures_util::future::join_all;

use crate::dap::arguments::{EvaluateArguments, VariablesArguments};
use crate::dap::{self, request, types};
use crate::model::{Effects, Variable};
use crate::session::adapter::quirks::Page;
use crate::session::values::convert;
use crate::session::values::raw::{element_number, raw, variables};
use crate::session::values::reader::FrameReader;

/// The elements `from` to `to` (exclusive), named by their numbers or keys. Empty if the adapter
/// does not page, or refuses.
pub(crate) async fn elements(
    reader: &FrameReader<'_>,
    parent: &Variable,
    from: u64,
    to: u64,
) -> Vec<types::Variable> {
    match (reader.wire.quirks().page(parent, from, to), &parent.expression) {
        (Some(Page::Requested), _) => by_request(reader, parent.reference, from, to).await,
        (Some(Page::Slice(slice)), Some(expression)) => {
            by_slice(reader, &slice, expression, from).await
        }
        (Some(Page::Each(elements)), _) => by_element(reader, &elements, from).await,
        (Some(Page::Slice(_)) | None, _) => Vec::new(),
    }
}

/// Pages with DAP's `filter`, `start` and `count`.
async fn by_request(
    reader: &FrameReader<'_>,
    reference: i64,
    from: u64,
    to: u64,
) -> Vec<types::Variable> {
    let arguments = VariablesArguments {
        variables_reference: reference,
        filter: Some("indexed".to_owned()),
        start: i64::try_from(from).ok(),
        count: i64::try_from(to - from).ok(),
        ..Default::default()
    };
    let rows = variables(reader, arguments).await.unwrap_or_default();
    // Some adapters list attributes in spite of the filter. If no row has a number, these are the
    // entries of a mapping.
    let has_numbers = rows.iter().any(|row| element_number(&row.name).is_some());
    let mut elements = Vec::with_capacity(rows.len());
    for mut row in rows {
        match element_number(&row.name) {
            Some(number) => row.name = format!("[{number}]"),
            None if has_numbers => continue,
            None => {}
        }
        elements.push(row);
    }
    elements.truncate((to - from) as usize);
    elements
}

/// Evaluates a slice of `expression` that begins at `from`, and lists what is in it.
async fn by_slice(
    reader: &FrameReader<'_>,
    slice: &str,
    expression: &str,
    from: u64,
) -> Vec<types::Variable> {
    let Ok(page) = evaluate(reader, slice).await else { return Vec::new() };
    let mut rows = raw(reader, page.variables_reference, None).await.unwrap_or_default();
    rows.retain(|row| !reader.wire.quirks().counts_elements(&row.name));
    // The elements of a slice are numbered from 0 again; the entries of a mapping have their keys.
    let is_sequence = rows.iter().zip(0..).all(|(row, n)| element_number(&row.name) == Some(n));
    let mut elements = Vec::with_capacity(rows.len());
    for (row, number) in rows.into_iter().zip(from..) {
        let (name, key) = if is_sequence {
            (format!("[{number}]"), number.to_string())
        } else {
            (row.name.clone(), row.name.clone())
        };
        let evaluate_name = Some(format!("{expression}[{key}]"));
        elements.push(types::Variable { name, evaluate_name, ..row });
    }
    elements
}

/// Evaluates each element from the number `from` on, up to the first that fails.
async fn by_element(
    reader: &FrameReader<'_>,
    expressions: &[String],
    from: u64,
) -> Vec<types::Variable> {
    let elements = (from..).zip(expressions).map(|(number, text)| element(reader, text, number));
    join_all(elements).await.into_iter().map_while(|element| element).collect()
}

async fn element(reader: &FrameReader<'_>, text: &str, number: u64) -> Option<types::Variable> {
    let answer = evaluate(reader, text).await.ok()?;
    let name = format!("[{number}]");
    Some(types::Variable { name, ..convert::result(text, answer) })
}

async fn evaluate(
    reader: &FrameReader<'_>,
    text: &str,
) -> Result<dap::responses::EvaluateResponse, dap::Error> {
    let arguments = EvaluateArguments {
        expression: text.to_owned(),
        frame_id: reader.frame.map(|frame| frame.id),
        context: Some(reader.wire.quirks().context(Effects::None).to_owned()),
        format: None,
    };
    reader.wire.call::<request::Evaluate>(arguments).await
}
