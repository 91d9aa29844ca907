//! Opens variables that were read: their children, level by level, in bounds.
//!
//! Refuses to open what is computed by code of the program.

use futures_util::future::join_all;

use crate::model::{Children, Variable};
use crate::session::values::children;
use crate::session::values::reader::FrameReader;

/// How many children one query opens below those that it lists.
const OPENED: usize = 400;

/// How many children are displayed below each of them.
const PREVIEWED: u32 = 20;

/// Opens variables level by level, down to `depth`, [`OPENED`] of them at most.
pub(crate) async fn open_below(reader: &FrameReader<'_>, variables: &mut [Variable], depth: u32) {
    let mut left = OPENED;
    let mut level: Vec<&mut Variable> = variables.iter_mut().collect();
    for _ in 1..depth {
        let open: Vec<&mut Variable> =
            level.into_iter().filter(|v| v.reference > 0 && !v.lazy).take(left).collect();
        left -= open.len();
        let previews = join_all(open.iter().map(|v| first_children(reader, v))).await;
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
) -> (Vec<Variable>, Option<u64>) {
    if reader.wire.quirks().is_long(variable) {
        return (children::preview(reader, variable, PREVIEWED).await, None);
    }
    let mut listed = children::list(reader, variable.reference, "").await.unwrap_or_default();
    let all = (listed.rows.len() as u64).max(listed.counted.unwrap_or(0));
    listed.rows.truncate(PREVIEWED as usize);
    let is_cut = all > listed.rows.len() as u64;
    (listed.rows, is_cut.then_some(all))
}
