//! Named values on one line of a given number of tokens: first with shorter values, then with fewer
//! of them. Returns the names of the values that were cut, and how many are missing.

use super::value::{Value, value};
use super::{estimate, text::cut_middle};
use crate::model::Variable;

/// Characters a value may have, tried from long to short.
const WIDTHS: [usize; 4] = [90, 56, 36, 20];

/// Values as one line, with the names of missing ones.
pub(super) struct Line {
    /// `a=1  b=2`.
    pub text: String,
    /// Names of the values that are cut, in order.
    pub cut: Vec<String>,
    /// Number of omitted values.
    pub left_out: usize,
}

/// `variables` in at most `tokens`.
pub(super) fn line(variables: &[Variable], tokens: usize) -> Line {
    let narrowest = WIDTHS[WIDTHS.len() - 1];
    WIDTHS
        .iter()
        .map(|&width| with_width(variables, width, usize::MAX))
        .find(|line| estimate(&line.text) <= tokens)
        .unwrap_or_else(|| with_width(variables, narrowest, tokens))
}

fn with_width(variables: &[Variable], width: usize, tokens: usize) -> Line {
    let mut line = Line { text: String::new(), cut: Vec::new(), left_out: 0 };
    let mut used = 0;
    for (index, variable) in variables.iter().enumerate() {
        let Value { text, cut } = value(variable, width);
        let item = format!("{}={text}", cut_middle(&variable.name, 40).0);
        used += estimate(&item) + 1;
        if used > tokens {
            line.left_out = variables.len() - index;
            break;
        }
        if cut {
            line.cut.push(variable.name.clone());
        }
        if index > 0 {
            line.text.push_str("  ");
        }
        line.text.push_str(&item);
    }
    line
}
