//! Changes between two stops: a line for each local that changed, then a count of the others.

use super::text::{Text, counted, cut_differing, cut_middle};
use super::{Lens, cap};
use crate::model::{Change, Compared, SessionId};

/// Characters of each of the two values.
const SIDE: usize = 200;

/// Old and new values, and the names of values that are compared in part.
pub fn changed(it: &Compared, session: &SessionId, lens: &Lens) -> Text {
    let word = match (it.changes.is_empty(), it.partly.is_empty()) {
        (false, _) => "changed",
        (true, true) => "nothing changed",
        (true, false) => "no change found",
    };
    let frame = format!("frame #{} {}", it.frame.index, cut_middle(&it.frame.name, 60).0);
    let mut lines = vec![format!("{word} since stop {} · {frame}", it.since.0)];
    lines.extend(it.changes.iter().map(line));
    if it.same > 0 {
        lines.push(format!("{} as before", counted(it.same as u64, "local")));
    }
    let call = lens.call("debug_variables", session);
    if let Some(first) = it.partly.first() {
        let names = it.partly.join(", ");
        let whole = call.clone().with("path", first.as_str());
        lines.push(format!(
            "compared only to the depth that a stop stores: {names}; the current value: {whole}"
        ));
    }
    let name = it.changes.first().map_or("NAME", |change| change.name.as_str());
    cap(Text::lines(lines), &call.with("path", name).with("diff", true))
}

fn line(change: &Change) -> String {
    let (before, after) = cut_differing(&change.before, &change.after, SIDE);
    format!("  {} = {before} → {after}", cut_middle(&change.name, 80).0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Epoch;
    use crate::view::sample::{self, lens};

    fn displayed(changes: Vec<Change>, same: usize, partly: &[&str]) -> Text {
        let frame = sample::stop().frames.remove(0);
        let partly = partly.iter().map(|name| (*name).to_owned()).collect();
        changed(
            &Compared { frame, since: Epoch(6), changes, same, partly },
            &SessionId("py-3f9c".into()),
            &lens(),
        )
    }

    #[test]
    fn old_and_new_values_stand_in_a_line() {
        assert_eq!(
            displayed(
                vec![sample::change("0.1", "1.2"), sample::change("a\nb", "(none)")],
                2,
                &["cart"]
            ),
            "changed since stop 6 · frame #0 apply_discount\n  \
               rate = 0.1 → 1.2\n  \
               rate = a\\nb → (none)\n\
             2 locals as before\n\
             compared only to the depth that a stop stores: cart; the current value: \
             debug_variables path=cart"
        );
        assert!(
            displayed(vec![], 0, &["cart"])
                .starts_with("no change found since stop 6 · frame #0 apply_discount\ncompared")
        );
        assert_eq!(
            displayed(vec![], 1, &[]),
            "nothing changed since stop 6 · frame #0 apply_discount\n1 local as before"
        );
    }
}
