//! Answers a query for variables, page by page: what a scope lists, or what is inside a variable.

use crate::dap::arguments::EvaluateArguments;
use crate::dap::request;
use crate::model::{Children, Frame, Variable, VariablesPage, VariablesQuery};
use crate::session::Error;
use crate::session::values::address;
use crate::session::values::below::open_queried;
use crate::session::values::children::Listed;
use crate::session::values::elements::{self, Page, matches_below};
use crate::session::values::path;
use crate::session::values::reader::FrameReader;
use crate::session::values::scope::{self, choose, current_listing, inner_scopes};
use crate::session::values::walk::find;

/// A value of this length, in bytes, is read again: the adapter may have cut it, and a text is
/// paged by its own characters, without quotes and escapes.
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
            Some(whole_text(&reader, parent, &query).await)
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

/// The whole value of a leaf. Adapters cut long values, but not in the context `clipboard`.
async fn whole_text(reader: &FrameReader<'_>, leaf: &Variable, query: &VariablesQuery) -> String {
    let is_supported = reader.wire.client().capabilities().has("supportsClipboardContext");
    let Some(expression) = &leaf.expression else { return leaf.value.clone() };
    if !is_supported || (leaf.value.len() < LONG && query.start == 0) {
        return leaf.value.clone();
    }
    let arguments = EvaluateArguments {
        expression: expression.clone(),
        frame_id: reader.frame.map(|frame| frame.id),
        context: Some("clipboard".to_owned()),
        format: None,
    };
    let whole = reader.wire.call::<request::Evaluate>(arguments).await;
    whole.map_or_else(|_| leaf.value.clone(), |whole| whole.result)
}
