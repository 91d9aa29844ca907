//! The children of containers: a page of them, one element by its number, or those that a filter
//! finds.
//!
//! Knows how many there are. Sends nothing itself: [`children`] lists short containers, [`pages`]
//! reads ranges of long ones.

use crate::dap;
use crate::model::{Children, Variable, VariablesQuery};
use crate::session::values::below::open_queried;
use crate::session::values::children::{self, Listed};
use crate::session::values::pages;
use crate::session::values::raw::element_number;
use crate::session::values::reader::FrameReader;

/// How many elements a search reads if one request reads many, and if each takes its own.
const SEARCHED: (u64, u64) = (10_000, 1_000);

/// How many entries of a mapping are compared with a displayed key, if one request reads many, and
/// if each takes its own. An adapter may read all entries before a page anew for each page.
const COMPARED: (u64, u64) = (2_000, 100);

/// Children that answer a query.
pub(crate) struct Page {
    pub(crate) rows: Vec<Variable>,
    /// How many there are, or how many the filter found.
    pub(crate) total: u64,
    /// How many children the parent has, if the adapter says so.
    pub(crate) counted: Option<u64>,
    /// The filter read only this many.
    pub(crate) looked_at: Option<u64>,
    /// Names of groups that are the adapter's own.
    pub(crate) hidden: Vec<String>,
}

/// The page of a variable's children that the query asks for.
pub(crate) async fn page(
    reader: &FrameReader<'_>,
    parent: &Variable,
    query: &VariablesQuery,
) -> Result<Page, dap::Error> {
    let listed = listed(reader, parent).await?;
    if let Some(filter) = &query.filter {
        return Ok(search(reader, parent, &listed, &filter.to_lowercase(), query).await);
    }
    let end = query.start.saturating_add(query.rows());
    let rows = rows(reader, parent, &listed, query.start, end).await;
    Ok(Page {
        rows,
        total: listed.length(),
        counted: listed.counted,
        looked_at: None,
        hidden: listed.hidden,
    })
}

/// The element with this number in a long container. In a mapping the entry at that position has
/// another name: none; one far from the first is not even read.
pub(crate) async fn nth(
    reader: &FrameReader<'_>,
    parent: &Variable,
    listed: &Listed,
    wanted: u64,
) -> Option<Variable> {
    let is_far = wanted >= COMPARED.0;
    if is_far && !is_sequence(reader, Some(parent), listed).await {
        return None;
    }
    let at = listed.attributes().saturating_add(wanted);
    let found = rows(reader, parent, listed, at, at.saturating_add(1)).await.pop();
    found.filter(|row| element_number(&row.name) == Some(wanted))
}

/// The first children, as many as a search reads, and whether there are more.
pub(crate) async fn first(
    reader: &FrameReader<'_>,
    parent: &Variable,
    listed: &Listed,
) -> (Vec<Variable>, bool) {
    let end = search_limit(reader, listed);
    (rows(reader, parent, listed, 0, end).await, end < listed.length())
}

/// The first children, at most so many.
pub(crate) async fn up_to(
    reader: &FrameReader<'_>,
    parent: &Variable,
    most: u64,
) -> Result<Vec<Variable>, dap::Error> {
    let listed = listed(reader, parent).await?;
    Ok(rows(reader, parent, &listed, 0, most).await)
}

/// The first children, as many as are compared with a displayed key.
pub(crate) async fn compared(
    reader: &FrameReader<'_>,
    parent: &Variable,
) -> Result<Vec<Variable>, dap::Error> {
    let (many, few) = COMPARED;
    let most = if reader.wire.quirks().evaluates_each_element() { few } else { many };
    up_to(reader, parent, most).await
}

/// How many children a search reads.
fn search_limit(reader: &FrameReader<'_>, listed: &Listed) -> u64 {
    let most = if reader.wire.quirks().evaluates_each_element() { SEARCHED.1 } else { SEARCHED.0 };
    listed.length().min(most)
}

/// Are the elements numbered from 0, judged by the first two?
pub(crate) async fn is_sequence(
    reader: &FrameReader<'_>,
    parent: Option<&Variable>,
    listed: &Listed,
) -> bool {
    match parent {
        Some(parent) if listed.rows.is_empty() => {
            let first = rows(reader, parent, listed, 0, 2).await;
            first.iter().zip(0..).all(|(row, n)| element_number(&row.name) == Some(n))
        }
        _ => listed.sequence().is_some(),
    }
}

/// What the adapter lists of a variable. A long container is only counted.
pub(crate) async fn listed(
    reader: &FrameReader<'_>,
    parent: &Variable,
) -> Result<Listed, dap::Error> {
    match parent.children {
        Children::Count(count) if reader.wire.quirks().is_long(parent) => {
            Ok(Listed { counted: Some(count), ..Listed::default() })
        }
        _ if parent.reference == 0 => Ok(Listed::default()),
        _ => children::list(reader, parent.reference, "").await,
    }
}

impl Listed {
    /// How many elements a sequence has; none: this is a mapping, an object or a scope.
    pub(crate) fn elements(&self) -> Option<u64> {
        let listed = self.rows.len() as u64 - self.sequence()?;
        Some(self.counted.unwrap_or_default().max(listed))
    }

    /// How many children there are, listed or not.
    fn length(&self) -> u64 {
        let listed = self.rows.len() as u64;
        match self.counted {
            Some(counted) if counted > listed => counted + self.attributes(),
            _ => listed,
        }
    }

    /// How many attributes come before the elements. The children of a mapping are all elements.
    fn attributes(&self) -> u64 {
        self.sequence().unwrap_or_default()
    }

    /// How many attributes come before elements numbered from 0; none: this is no sequence.
    fn sequence(&self) -> Option<u64> {
        let before = self.rows.iter().take_while(|row| element_number(&row.name).is_none()).count();
        let has_elements =
            before < self.rows.len() || (self.rows.is_empty() && self.counted.is_some());
        let mut elements = self.rows[before..].iter().zip(0..);
        let is_sequence =
            has_elements && elements.all(|(row, n)| element_number(&row.name) == Some(n));
        is_sequence.then_some(before as u64)
    }
}

/// The children `from` to `to` (exclusive): those that are listed, then elements read page by page.
async fn rows(
    reader: &FrameReader<'_>,
    parent: &Variable,
    listed: &Listed,
    from: u64,
    to: u64,
) -> Vec<Variable> {
    let to = to.min(listed.length());
    let mut rows: Vec<Variable> =
        listed.rows.iter().take(to as usize).skip(from as usize).cloned().collect();
    let parent = listed.container.as_deref().unwrap_or(parent);
    let attributes = listed.attributes();
    let mut next = from.max(listed.rows.len() as u64);
    while next < to {
        let end = to.min(next.saturating_add(reader.wire.quirks().page_size()));
        let page = pages::elements(reader, parent, next - attributes, end - attributes).await;
        if page.is_empty() {
            break;
        }
        let presented = children::present(reader, "", page).await;
        rows.extend(children::with_previews(reader, presented).await);
        next = end;
    }
    rows
}

/// Searches, as deep as the query displays, in names, and in the values of elements, whose names
/// are only numbers.
async fn search(
    reader: &FrameReader<'_>,
    parent: &Variable,
    listed: &Listed,
    wanted: &str,
    query: &VariablesQuery,
) -> Page {
    let (length, end) = (listed.length(), search_limit(reader, listed));
    let mut found = rows(reader, parent, listed, 0, end).await;
    open_queried(reader, &mut found, query).await;
    found.retain_mut(|row| matches_below(row, wanted, query.depth));
    Page {
        total: found.len() as u64,
        rows: found.into_iter().skip(query.start as usize).take(query.rows() as usize).collect(),
        counted: listed.counted,
        looked_at: (end < length).then_some(end),
        hidden: listed.hidden.clone(),
    }
}

/// Whether the variable or one below it, down to `depth` levels, has the text in its name, or an
/// element in its value. Of a variable that does not have it, only children that lead to one stay.
pub(crate) fn matches_below(variable: &mut Variable, wanted: &str, depth: u32) -> bool {
    let has = |text: &str| text.to_lowercase().contains(wanted);
    let is_element = element_number(&variable.name).is_some();
    if !is_element && has(&variable.name) {
        return true;
    }
    let mut below = Vec::new();
    if depth > 1 {
        below = variable.preview.clone();
        below.retain_mut(|child| matches_below(child, wanted, depth - 1));
    }
    // The value of an element is a summary of what is below it.
    if below.is_empty() {
        return is_element && has(&variable.value);
    }
    variable.preview = below;
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dap::types;
    use crate::session::values::convert;

    fn listed(names: &[&str], counted: Option<u64>) -> Listed {
        let row = |name: &&str| {
            convert::variable(types::Variable { name: (*name).to_owned(), ..Default::default() })
        };
        Listed { rows: names.iter().map(row).collect(), counted, ..Listed::default() }
    }

    #[test]
    fn attributes_come_before_the_elements_of_a_sequence() {
        for (names, counted, length, elements) in [
            (&["[0]", "[1]"][..], Some(900), 900, Some(900)),
            (&["tag", "[0]", "[1]"], Some(900), 901, Some(900)),
            (&["'a'", "'b'"], Some(2), 2, None),
            (&["'a'", "[7]"], Some(600), 600, None),
            (&["[0]", "[1]"], None, 2, Some(2)),
            (&["kind", "price"], None, 2, None),
            (&[], Some(300), 300, Some(300)),
            (&[], None, 0, None),
        ] {
            let listed = listed(names, counted);
            assert_eq!((listed.length(), listed.elements()), (length, elements), "{names:?}");
        }
    }

    #[test]
    fn element_number_comes_from_the_name() {
        for (name, expect) in [
            ("[3]", Some(3)),
            ("0003", Some(3)),
            ("0", Some(0)),
            ("x", None),
            ("'3'", None),
            ("", None),
        ] {
            assert_eq!(element_number(name), expect, "{name}");
        }
    }
}
