//! Answers a query for variables, page by page: what a scope lists, or what is inside a variable.

use serde_json::{Value, json};

use crate::dap::arguments::EvaluateArguments;
use crate::dap::responses::EvaluateResponse;
use crate::dap::{self, request};
use crate::model::{Children, Frame, PageText, Variable, VariablesPage, VariablesQuery};
use crate::session::Error;
use crate::session::values::address;
use crate::session::values::below::open_queried;
use crate::session::values::children::Listed;
use crate::session::values::elements::{self, Page, matches_below};
use crate::session::values::path;
use crate::session::values::reader::FrameReader;
use crate::session::values::scope::{self, choose, current_listing, inner_scopes};
use crate::session::values::walk::find;

/// A value of this length, in bytes, is read again: the adapter may have cut it. A text is paged by
/// its own characters, without quotes and escapes.
const LONG: usize = 200;

/// Answers a variables query.
pub(crate) async fn variables(
    reader: FrameReader<'_>,
    frame: Frame,
    query: VariablesQuery,
) -> Result<VariablesPage, Error> {
    let scopes = scope::of_frame(&reader, &frame).await.map_err(|error| reader.refused(&error))?;
    let chosen = choose(&scopes, query.scope.as_deref(), reader.wire.quirks())?;
    let names: Vec<String> = chosen.iter().map(|scope| scope.name.clone()).collect();
    let other_scopes = scopes
        .iter()
        .map(|scope| scope.name.clone())
        .filter(|name| !names.contains(name))
        .collect();
    let segments = query.path.as_deref().map(path::parse).unwrap_or_default();
    let (parent, page) = match query.path.as_deref() {
        Some(text) if !segments.is_empty() => {
            let found = find(&reader, &frame, &scopes, &chosen, text, &segments).await?;
            let mut parent = found.variable;
            address::read(&reader, &mut parent).await;
            let page = elements::page(&reader, &parent, &query)
                .await
                .map_err(|error| reader.refused(&error))?;
            if let Some(counted) = page.counted {
                parent.children = Children::Count(counted);
            }
            (Some(parent), page)
        }
        _ => {
            let inner = inner_scopes(&scopes, &chosen);
            let listed = current_listing(&reader, &chosen, &inner, None).await?;
            (None, scope_page(&reader, listed, &query).await)
        }
    };
    let text = match &parent {
        Some(parent) if is_leaf(parent, &page, &query) => {
            let text = text(&reader, parent, &query).await;
            Some(text.map_err(|error| reader.refused(&error))?)
        }
        _ => None,
    };
    let mut variables = page.rows;
    if query.filter.is_none() {
        open_queried(&reader, &mut variables, &query).await;
    }
    let expected = query.rows().min(page.total.saturating_sub(query.start));
    Ok(VariablesPage {
        frame,
        parent,
        scope: names.join(" + "),
        other_scopes,
        arguments: Vec::new(),
        capped: query.filter.is_none() && (variables.len() as u64) < expected,
        variables,
        start: query.start,
        total: page.total,
        looked_at: page.looked_at,
        hidden: page.hidden,
        text,
    })
}

/// The variables of a scope that match the query.
async fn scope_page(reader: &FrameReader<'_>, all: Listed, query: &VariablesQuery) -> Page {
    let mut rows = all.rows;
    if let Some(filter) = &query.filter {
        let wanted = filter.to_lowercase();
        open_queried(reader, &mut rows, query).await;
        rows.retain_mut(|variable| matches_below(variable, &wanted, query.depth));
    }
    let total = rows.len() as u64;
    let rows = rows.into_iter().skip(query.start as usize).take(query.rows() as usize).collect();
    Page { rows, total, counted: None, looked_at: None, hidden: all.hidden }
}

/// Is there nothing to read but the variable's value? Some adapters announce children and list
/// none, as of raw bytes.
fn is_leaf(variable: &Variable, page: &Page, query: &VariablesQuery) -> bool {
    variable.children == Children::None || (page.total == 0 && query.filter.is_none())
}

/// The value of a leaf, in full as far as the adapter answers so. Adapters cut long values, but not
/// in the context `clipboard`, which has a text itself. Of a very long text a plugin may answer
/// with the beginning, and with the bytes of the whole as `indexedVariables`: then the page is
/// requested by the numbers of its bytes.
///
/// # Errors
/// The text is longer than what is displayed of it, and cannot be read.
async fn text(
    reader: &FrameReader<'_>,
    leaf: &Variable,
    query: &VariablesQuery,
) -> Result<PageText, dap::Error> {
    let displayed = PageText { text: leaf.value.clone(), bytes: None };
    let is_supported = reader.wire.client().capabilities().has("supportsClipboardContext");
    let Some(expression) = &leaf.expression else { return Ok(displayed) };
    let is_short = leaf.value.len() < LONG && !reader.wire.quirks().is_cut(&leaf.value);
    if !is_supported || (is_short && query.start == 0 && query.count.is_none()) {
        return Ok(displayed);
    }
    let whole = match clipboard(reader, expression, None).await {
        Ok(whole) => whole,
        Err(_) if is_short || query.start == 0 => return Ok(displayed),
        Err(error) => return Err(error),
    };
    let bytes = whole.indexed_variables.and_then(|bytes| u64::try_from(bytes).ok());
    let Some(bytes) = bytes.filter(|bytes| *bytes > whole.result.len() as u64) else {
        return Ok(PageText { text: whole.result, bytes: None });
    };
    let from = query.start.min(bytes);
    let to = from.saturating_add(query.characters()).min(bytes);
    let part = clipboard(reader, expression, Some(json!({"from": from, "to": to}))).await?;
    Ok(PageText { text: part.result, bytes: Some(bytes) })
}

async fn clipboard(
    reader: &FrameReader<'_>,
    expression: &str,
    format: Option<Value>,
) -> Result<EvaluateResponse, dap::Error> {
    let arguments = EvaluateArguments {
        expression: expression.to_owned(),
        frame_id: reader.frame.map(|frame| frame.id),
        context: Some("clipboard".to_owned()),
        format,
    };
    reader.wire.call::<request::Evaluate>(arguments).await
}
