//! Lines around a stop, dedented, the current one marked.

use super::text::cut_end;
use crate::model::SourceWindow;

/// The window cut to `around` lines before and after `line`.
pub(super) fn source(window: &SourceWindow, line: u32, around: u32, width: usize) -> Vec<String> {
    let numbered: Vec<(u32, &str)> = (window.first..)
        .zip(window.lines.iter().map(|text| text.trim_end()))
        .filter(|(number, _)| number.abs_diff(line) <= around)
        .collect();
    let indent = numbered
        .iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(_, text)| indentation(text))
        .min()
        .unwrap_or(0);
    let digits = numbered.last().map_or(1, |(number, _)| number.to_string().len());
    numbered
        .into_iter()
        .map(|(number, text)| {
            let mark = if number == line { '→' } else { ' ' };
            let code: String = text.chars().skip(indent).collect::<String>().replace('\t', "  ");
            format!("{mark} {number:>digits$}  {}", cut_end(&code, width).0).trim_end().to_owned()
        })
        .collect()
}

fn indentation(text: &str) -> usize {
    text.chars().take_while(|c| c.is_whitespace()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_current_line_is_marked_and_common_indentation_dropped() {
        let lines = [
            "    for item in items:",
            "        rate = 1",
            "",
            "        total += rate",
            "    return total",
        ];
        let window =
            SourceWindow { first: 8, lines: lines.map(str::to_owned).into(), modified: None };
        let text = source(&window, 11, 2, 40);
        assert_eq!(
            text,
            ["   9      rate = 1", "  10", "→ 11      total += rate", "  12  return total"]
        );
        assert!(source(&SourceWindow::default(), 3, 2, 40).is_empty());
    }
}
