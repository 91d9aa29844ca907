//! The elements of containers: a page of them, one by its number, or those that a filter finds.

use dapdock_schema::Pages;

use crate::dap;
use crate::model::{Children, Variable, VariablesQuery};
use crate::session::values::children::{self, Listed};
use crate::session::values::frame::Target;
use crate::session::values::pages;
use crate::session::values::raw::number;

/// Elements that a filter looks at, where one question answers for many and where each has its own.
const LOOKED_AT: (u64, u64) = (10_000, 1_000);

/// Children that answer a query.
pub(crate) struct Page {
    pub(crate) rows: Vec<Variable>,
    /// How many there are, or how many the filter found.
    pub(crate) total: u64,
    /// How many children the parent has, where the adapter said so.
    pub(crate) counted: Option<u64>,
    /// A filter looked at so many only.
    pub(crate) looked_at: Option<u64>,
    /// Names of the adapter's own groups that are left out.
    pub(crate) hidden: Vec<String>,
}

/// The page of a variable's children that the query asks for.
pub(crate) async fn page(
    target: &Target<'_>,
    parent: &Variable,
    query: &VariablesQuery,
) -> Result<Page, dap::Error> {
    let listed = listed(target, parent).await?;
    match &query.filter {
        None => {
            let rows = rows(
                target,
                parent,
                &listed,
                query.start,
                query.start.saturating_add(query.rows()),
            )
            .await;
            Ok(Page {
                rows,
                total: listed.length(),
                counted: listed.counted,
                looked_at: None,
                hidden: listed.hidden,
            })
        }
        Some(filter) => Ok(search(target, parent, &listed, &filter.to_lowercase(), query).await),
    }
}

/// The one element of a long container that a path names; none: there is none. The one at that
/// place in a mapping has another name.
pub(crate) async fn nth(
    target: &Target<'_>,
    parent: &Variable,
    listed: &Listed,
    wanted: u64,
) -> Option<Variable> {
    let at = listed.attributes().saturating_add(wanted);
    let found = rows(target, parent, listed, at, at.saturating_add(1)).await.pop();
    found.filter(|row| number(&row.name) == Some(wanted))
}

/// As many of its children as a filter looks at; are there more?
pub(crate) async fn first(
    target: &Target<'_>,
    parent: &Variable,
    listed: &Listed,
) -> (Vec<Variable>, bool) {
    let end = reach(target, listed);
    (rows(target, parent, listed, 0, end).await, end < listed.length())
}

/// How far a look goes that may find one of many.
fn reach(target: &Target<'_>, listed: &Listed) -> u64 {
    let most = match target.profile.variables.elements.pages {
        Pages::Each(_) => LOOKED_AT.1,
        _ => LOOKED_AT.0,
    };
    listed.length().min(most)
}

/// Are its elements numbered from 0, as far as a look at the first tells?
pub(crate) async fn is_sequence(
    target: &Target<'_>,
    parent: Option<&Variable>,
    listed: &Listed,
) -> bool {
    match parent {
        Some(parent) if listed.rows.is_empty() => {
            let first = rows(target, parent, listed, 0, 2).await;
            first.iter().zip(0..).all(|(row, n)| number(&row.name) == Some(n))
        }
        _ => listed.sequence().is_some(),
    }
}

/// What the adapter lists of a variable: nothing of a long one.
pub(crate) async fn listed(target: &Target<'_>, parent: &Variable) -> Result<Listed, dap::Error> {
    match parent.children {
        Children::Count(count) if pages::is_long(parent, target.profile) => {
            Ok(Listed { counted: Some(count), ..Listed::default() })
        }
        _ if parent.reference == 0 => Ok(Listed::default()),
        _ => children::list(target, parent.reference, "").await,
    }
}

impl Listed {
    /// How many elements a sequence has; none: it is a mapping, an object or a scope.
    pub(crate) fn elements(&self) -> Option<u64> {
        let listed = self.rows.len() as u64 - self.sequence()?;
        Some(self.counted.unwrap_or_default().max(listed))
    }

    fn length(&self) -> u64 {
        let listed = self.rows.len() as u64;
        self.counted
            .filter(|counted| *counted > listed)
            .map_or(listed, |counted| counted + self.attributes())
    }

    /// What stands before the elements of a sequence; the children of a mapping are all elements.
    fn attributes(&self) -> u64 {
        self.sequence().unwrap_or_default()
    }

    /// How many attributes stand before elements numbered from 0.
    fn sequence(&self) -> Option<u64> {
        let before = self.rows.iter().take_while(|row| number(&row.name).is_none()).count();
        let mut elements = self.rows[before..].iter().zip(0..);
        let some = before < self.rows.len() || (self.rows.is_empty() && self.counted.is_some());
        (some && elements.all(|(row, n)| number(&row.name) == Some(n))).then_some(before as u64)
    }
}

/// The children `from` to `to` (exclusive): those listed, then elements read for it.
async fn rows(
    target: &Target<'_>,
    parent: &Variable,
    listed: &Listed,
    from: u64,
    to: u64,
) -> Vec<Variable> {
    let (have, to) = (listed.rows.len() as u64, to.min(listed.length()));
    let mut rows: Vec<Variable> =
        listed.rows.iter().take(to as usize).skip(from as usize).cloned().collect();
    let attributes = listed.attributes();
    let mut next = from.max(have);
    while next < to {
        let end = to.min(next.saturating_add(target.profile.variables.elements.at_once.max(1)));
        let told = pages::elements(target, parent, next - attributes, end - attributes).await;
        if told.is_empty() {
            break;
        }
        rows.extend(children::opened(target, children::shown(target, "", told).await).await);
        next = end;
    }
    rows
}

/// Looks at names, and at the values of elements, which have none.
async fn search(
    target: &Target<'_>,
    parent: &Variable,
    listed: &Listed,
    wanted: &str,
    query: &VariablesQuery,
) -> Page {
    let fits = |row: &Variable| {
        let text = if number(&row.name).is_some() { &row.value } else { &row.name };
        text.to_lowercase().contains(wanted)
    };
    let (length, end) = (listed.length(), reach(target, listed));
    let found: Vec<Variable> =
        rows(target, parent, listed, 0, end).await.into_iter().filter(fits).collect();
    Page {
        total: found.len() as u64,
        rows: found.into_iter().skip(query.start as usize).take(query.rows() as usize).collect(),
        counted: listed.counted,
        looked_at: (end < length).then_some(end),
        hidden: listed.hidden.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dap::types as wire;
    use crate::session::values::convert;

    fn listed(names: &[&str], counted: Option<u64>) -> Listed {
        let row = |name: &&str| {
            convert::variable(wire::Variable { name: (*name).to_owned(), ..Default::default() })
        };
        Listed { rows: names.iter().map(row).collect(), counted, ..Listed::default() }
    }

    #[test]
    fn attributes_stand_before_the_elements_of_a_sequence() {
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
    fn elements_are_told_by_their_names() {
        for (name, expect) in [
            ("[3]", Some(3)),
            ("0003", Some(3)),
            ("0", Some(0)),
            ("x", None),
            ("'3'", None),
            ("", None),
        ] {
            assert_eq!(number(name), expect, "{name}");
        }
    }
}
