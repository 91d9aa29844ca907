//! What can be debugged here: one line each, by adapter, with the call that starts the first.

use super::text::{Text, counted, cut_middle, one_line};
use super::{Call, Lens, cap};
use crate::model::plan::{Target, TargetKind};
use crate::session::{COUNTED, Targets};

/// Programs and tests, `limit` at most.
pub fn targets(targets: &Targets, limit: usize, lens: &Lens) -> Text {
    let mut lines = Vec::new();
    let mut last = "";
    for (adapter, target) in targets.found.iter().take(limit) {
        if adapter != last {
            lines.push(adapter.clone());
            last = adapter;
        }
        lines.push(line(target, lens));
    }
    if lines.is_empty() {
        lines.push(nothing(targets.others));
    }
    if targets.found.len() > limit {
        let least = if targets.found.len() < COUNTED as usize { "" } else { "at least " };
        let more = counted((targets.found.len() - limit) as u64, "target");
        lines.push(format!("{least}{more} more: narrow with filter or kind"));
    }
    if let Some(searched) = targets.searched {
        lines.push(format!(
            "note: the workspace is large; searched {}, the others are not listed",
            counted(searched as u64, "file")
        ));
    }
    for (adapter, why) in &targets.failed {
        lines.push(format!("note: {adapter}: {}", cut_middle(why, 300).0));
    }
    let first = targets.found.first().map(|(_, target)| launch(target, lens));
    let next = first.or_else(|| (targets.others > 0).then(|| Call::new("debug_targets")));
    lines.extend(next.map(|next| format!("next: {next}")));
    cap(Text::lines(lines), &Call::new("debug_targets").with("filter", "NAME"))
}

/// No targets, or none that match the query.
fn nothing(others: usize) -> String {
    match others {
        0 => {
            let launch = Call::new("debug_launch");
            format!("no targets found here; {launch} takes any program or command")
        }
        others => format!(
            "no target matches filter and kind; there are {}",
            counted(others as u64, "other")
        ),
    }
}

fn line(target: &Target, lens: &Lens) -> String {
    let place = match (&target.file, target.line) {
        (Some(file), Some(line)) if *file != target.id && target.id.starts_with(file) => {
            format!("  line {line}")
        }
        (Some(file), Some(line)) if *file != target.id => format!("  {file}:{line}"),
        (Some(file), None) if *file != target.id => format!("  {file}"),
        _ => String::new(),
    };
    let label = if target.label == target.id {
        String::new()
    } else {
        format!("  {}", one_line(&target.label))
    };
    format!("  {} {}{}{label}", argument(target, lens), one_line(&target.id), place)
}

/// The argument of `debug_launch` that takes it: a test's name, a path, or a command line.
fn argument(target: &Target, lens: &Lens) -> &'static str {
    match target.kind {
        TargetKind::Test | TargetKind::TestGroup => "test",
        _ if lens.workspace.join(&target.id).exists() => "program",
        _ => "command",
    }
}

fn launch(target: &Target, lens: &Lens) -> Call {
    Call::new("debug_launch").with(argument(target, lens), target.id.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(kind: TargetKind, id: &str, place: Option<(&str, u32)>) -> (String, Target) {
        let (file, line) = place.unzip();
        let target = Target {
            id: id.into(),
            kind,
            label: id.into(),
            file: file.map(str::to_owned),
            line,
            needs_build: false,
        };
        ("one".into(), target)
    }

    #[test]
    fn each_target_names_its_argument() {
        let lens = Lens { workspace: env!("CARGO_MANIFEST_DIR").into(), usual: None };
        let found = vec![
            target(TargetKind::Test, "cart::gold", Some(("src/cart.x", 12))),
            target(TargetKind::Program, "Cargo.toml", None),
            target(TargetKind::Test, "src/a.x::total", Some(("src/a.x", 3))),
            target(TargetKind::Program, "run api", Some(("src/api.x", 1))),
        ];
        let all = Targets {
            found,
            failed: vec![("two".into(), "no\nword".into())],
            ..Targets::default()
        };
        let want = "one\n  test cart::gold  src/cart.x:12\n  program Cargo.toml\n";
        let inside = "  test src/a.x::total  line 3\n";
        assert_eq!(
            targets(&all, 9, &lens),
            format!(
                "{want}{inside}  command run api  src/api.x:1\nnote: two: no\\nword\nnext: \
                debug_launch test=cart::gold"
            )
        );
        let none = Targets { others: 3, ..Targets::default() };
        let rendered = "no target matches filter and kind; there are 3 others\nnext: debug_targets";
        assert_eq!(targets(&none, 2, &lens), rendered);
        let many = vec![target(TargetKind::Test, "a", None); COUNTED as usize];
        let rendered = targets(&Targets { found: many, ..Targets::default() }, 1, &lens);
        assert!(rendered.contains("\nat least 999 targets more: narrow"), "{rendered}");
        assert!(
            targets(&all, 2, &lens)
                .starts_with(&format!("{want}2 targets more: narrow with filter or kind\n"))
        );
    }
}
