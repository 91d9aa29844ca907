//! Order and bound of completions. Knows no kind of value.

use std::collections::BTreeSet;

use rmcp::model::CompletionInfo;

/// Values that begin with the typed text, then those that contain it, each in the given order and
/// in any case; at most 100 (MCP, "Completion").
pub(super) fn info(candidates: Vec<String>, typed: &str) -> CompletionInfo {
    let typed = typed.to_lowercase();
    let (mut first, mut then, mut seen) = (Vec::new(), Vec::new(), BTreeSet::new());
    for value in candidates {
        let lower = value.to_lowercase();
        if !lower.contains(&typed) || !seen.insert(value.clone()) {
            continue;
        }
        let list = if lower.starts_with(&typed) { &mut first } else { &mut then };
        list.push(value);
    }
    first.append(&mut then);
    let total = u32::try_from(first.len()).unwrap_or(u32::MAX);
    let more = first.len() > CompletionInfo::MAX_VALUES;
    first.truncate(CompletionInfo::MAX_VALUES);
    CompletionInfo::with_pagination(first, Some(total), more).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_begin_with_the_text_come_first() {
        let all = ["my_total", "Total", "net", "total", "Total"].map(str::to_owned).to_vec();
        assert_eq!(info(all.clone(), "TOT").values, ["Total", "total", "my_total"]);
        assert_eq!(info(all, "").values, ["my_total", "Total", "net", "total"]);
    }

    #[test]
    fn a_hundred_values_are_returned_and_all_are_counted() {
        let all = (0..150).map(|number| format!("x{number}")).collect();
        let info = info(all, "x");
        assert_eq!((info.values.len(), info.total, info.has_more), (100, Some(150), Some(true)));
    }
}
