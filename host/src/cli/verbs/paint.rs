//! Colours of a text on a terminal. Refuses to change its characters.

use anstyle::{AnsiColor, Style};

/// The text with the colour of each line.
pub fn lines(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let style = style(line);
        format!("{style}{line}{style:#}")
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn style(line: &str) -> Style {
    let plain = Style::new();
    let colour = |colour: AnsiColor| plain.fg_color(Some(colour.into()));
    match line.chars().next() {
        Some('■') => colour(AnsiColor::Yellow).bold(),
        Some('▶') => colour(AnsiColor::Blue).bold(),
        Some('□') => colour(AnsiColor::Green).bold(),
        Some('→') => plain.bold(),
        _ if line.starts_with("error[") => colour(AnsiColor::Red),
        _ if line.starts_with("next: ") => plain.dimmed(),
        _ => plain,
    }
}
