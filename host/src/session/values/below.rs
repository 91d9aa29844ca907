//! Opens variables that were read: their children, level by level, in bounds.
//!
//! Refuses to open what is computed by code of the program, and functions: what a debugger lists in
//! them is no part of a value.

use futures_util::future::join_all;

use crate::model::{Children, Variable, VariablesQuery};
use crate::session::values::children;
use crate::session::values::reader::FrameReader;

/// How many children one query opens below those that it lists.
const OPENED: usize = 400;

/// How many children are displayed below each of them.
const PREVIEWED: u32 = 20;

/// How many a query may display there.
const MOST_PREVIEWED: u64 = 100;

/// Opens variables down to `depth`, with [`PREVIEWED`] children each.
pub(crate) async fn open_below(reader: &FrameReader<'_>, variables: &mut [Variable], depth: u32) {
    open(reader, variables, depth, PREVIEWED).await;
}

/// Opens the variables of a query: as deep and as many on each level as it displays, or as a filter
/// searches.
pub(crate) async fn open_queried(
    reader: &FrameReader<'_>,
    variables: &mut [Variable],
    query: &VariablesQuery,
) {
    let displayed = query.count.map_or(PREVIEWED, |count| count.clamp(1, MOST_PREVIEWED) as u32);
    let searched = VariablesQuery::SEARCHED_BELOW as u32;
    let read = if query.filter.is_some() { searched } else { displayed };
    open(reader, variables, query.depth, read).await;
}

/// Opens variables level by level, down to `depth`, [`OPENED`] of them at most, each with so many
/// children.
async fn open(reader: &FrameReader<'_>, variables: &mut [Variable], depth: u32, previewed: u32) {
    let mut left = OPENED;
    let mut level: Vec<&mut Variable> = variables.iter_mut().collect();
    for _ in 1..depth {
        let opens = |v: &&mut Variable| v.reference > 0 && !v.lazy && !v.function;
        let open: Vec<&mut Variable> = level.into_iter().filter(opens).take(left).collect();
        left -= open.len();
        let previews = join_all(open.iter().map(|v| first_children(reader, v, previewed))).await;
        level = Vec::new();
        for (variable, (preview, count)) in open.into_iter().zip(previews) {
            variable.preview = preview;
            if let Some(count) = count {
                variable.children = Children::Count(count);
            }
            level.extend(variable.preview.iter_mut());
        }
    }
}

/// The first children of a variable, and how many there are if these are not all.
async fn first_children(
    reader: &FrameReader<'_>,
    variable: &Variable,
    previewed: u32,
) -> (Vec<Variable>, Option<u64>) {
    if reader.wire.quirks().is_long(variable) {
        return (children::preview(reader, variable, previewed).await, None);
    }
    let mut listed = children::list(reader, variable.reference, "").await.unwrap_or_default();
    let all = (listed.rows.len() as u64).max(listed.counted.unwrap_or(0));
    listed.rows.truncate(previewed as usize);
    let is_cut = all > listed.rows.len() as u64;
    (listed.rows, is_cut.then_some(all))
}
