//! Answers a query for variables: a scope or what is inside of a variable, page by page.

use futures_util::future::join_all;

use crate::dap::arguments::EvaluateArguments;
use crate::dap::request;
use crate::model::{Children, Frame, Variable, VariablesPage, VariablesQuery};
use crate::session::Error;
use crate::session::values::children::{self, Listed};
use crate::session::values::elements::{self, Page};
use crate::session::values::frame::{Target, refused};
use crate::session::values::scope::{choose, scope_listing, scopes_of, within};
use crate::session::values::walk::find;
use crate::session::values::{pages, path};

/// Children of children opened by one query.
const OPENED: usize = 400;

/// Elements of a long container shown below another variable.
const LISTED: u32 = 20;

/// A value this long may be cut by the adapter.
const CUT_FROM: usize = 500;

/// Answers a variables query.
pub(crate) async fn variables(
    target: Target<'_>,
    frame: Frame,
    query: VariablesQuery,
) -> Result<VariablesPage, Error> {
    let told = target.wire.call::<request::Scopes>(scopes_of(&frame)).await;
    let scopes = told.map_err(|error| refused(&error, &target))?.scopes;
    let chosen = choose(&scopes, query.scope.as_deref(), target.profile)?;
    let names: Vec<String> = chosen.iter().map(|scope| scope.name.clone()).collect();
    let other_scopes = scopes
        .iter()
        .map(|scope| scope.name.clone())
        .filter(|name| !names.contains(name))
        .collect();
    let segments = query.path.as_deref().map(path::parse).unwrap_or_default();
    let (parent, page) = match query.path.as_deref().filter(|_| !segments.is_empty()) {
        None => (
            None,
            fitting(
                scope_listing(&target, &chosen, &within(&scopes, &chosen), None).await?,
                &query,
            ),
        ),
        Some(text) => {
            let mut found =
                find(&target, &frame, &scopes, &chosen, text, &segments).await?.variable;
            let page = elements::page(&target, &found, &query)
                .await
                .map_err(|error| refused(&error, &target))?;
            if let Some(counted) = page.counted {
                found.children = Children::Count(counted);
            }
            (Some(found), page)
        }
    };
    let text = match &parent {
        Some(parent) if is_text(parent, &page, &query) => Some(whole_text(&target, parent).await),
        _ => None,
    };
    let mut variables = page.rows;
    deepen(&target, &mut variables, query.depth).await;
    Ok(VariablesPage {
        frame,
        parent,
        scope: names.join(" + "),
        other_scopes,
        capped: query.filter.is_none()
            && (variables.len() as u64) < query.rows().min(page.total.saturating_sub(query.start)),
        variables,
        start: query.start,
        total: page.total,
        looked_at: page.looked_at,
        hidden: page.hidden,
        text,
    })
}

/// The children of a scope that fit the query.
fn fitting(all: Listed, query: &VariablesQuery) -> Page {
    let wanted = query.filter.as_ref().map(|filter| filter.to_lowercase());
    let fits = |variable: &Variable| {
        wanted.as_ref().is_none_or(|wanted| variable.name.to_lowercase().contains(wanted.as_str()))
    };
    let fitting: Vec<Variable> = all.rows.into_iter().filter(fits).collect();
    let total = fitting.len() as u64;
    let rows = fitting.into_iter().skip(query.start as usize).take(query.rows() as usize).collect();
    Page { rows, total, counted: None, looked_at: None, hidden: all.hidden }
}

/// Is its value all that there is to tell of it? An adapter may say that there is something inside
/// and list nothing of it, as of raw bytes.
fn is_text(variable: &Variable, page: &Page, query: &VariablesQuery) -> bool {
    variable.children == Children::None || (page.total == 0 && query.filter.is_none())
}

/// All of a value that lists nothing inside; adapters cut it where it is not for the clipboard.
async fn whole_text(target: &Target<'_>, leaf: &Variable) -> String {
    let supported = target.wire.client().capabilities().has("supportsClipboardContext");
    let Some(expression) =
        leaf.expression.as_ref().filter(|_| supported && leaf.value.len() >= CUT_FROM)
    else {
        return leaf.value.clone();
    };
    let arguments = EvaluateArguments {
        expression: expression.clone(),
        frame_id: target.frame.map(|frame| frame.id),
        context: Some("clipboard".to_owned()),
        format: None,
    };
    let whole = target.wire.call::<request::Evaluate>(arguments).await;
    whole.map_or_else(|_| leaf.value.clone(), |whole| whole.result)
}

/// Opens children level by level, as far as the bound goes.
async fn deepen(target: &Target<'_>, variables: &mut [Variable], depth: u32) {
    let mut left = OPENED;
    let mut level: Vec<&mut Variable> = variables.iter_mut().collect();
    for _ in 1..depth {
        let open: Vec<&mut Variable> =
            level.into_iter().filter(|v| v.reference > 0 && !v.lazy).take(left).collect();
        left -= open.len();
        let told = join_all(open.iter().map(|v| some(target, v))).await;
        level = Vec::new();
        for (variable, (told, all)) in open.into_iter().zip(told) {
            variable.preview = told;
            if let Some(all) = all {
                variable.children = Children::Count(all);
            }
            level.extend(variable.preview.iter_mut());
        }
    }
}

/// The first that are listed of a variable, and how many there are where these are not all.
async fn some(target: &Target<'_>, variable: &Variable) -> (Vec<Variable>, Option<u64>) {
    if pages::is_long(variable, target.profile) {
        return (children::preview(target, variable, LISTED).await, None);
    }
    let mut listed = children::list(target, variable.reference, "").await.unwrap_or_default();
    let all = (listed.rows.len() as u64).max(listed.counted.unwrap_or(0));
    listed.rows.truncate(LISTED as usize);
    let is_cut = all > listed.rows.len() as u64;
    (listed.rows, is_cut.then_some(all))
}
