//! The table of figures with their floors and budgets. Measures nothing.

use std::fmt;
use std::time::Duration;

/// The unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Milliseconds,
    Mebibytes,
    Bytes,
    Tokens,
}

/// The limit of a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Budget {
    /// The figure has no limit.
    None,
    /// At most this, in the figure's unit.
    AtMost(f64),
    /// At most this multiple of the floor.
    Ratio(f64),
    /// At most this much more than the floor, in the figure's unit.
    Above(f64),
}

struct Row {
    name: String,
    unit: Unit,
    ours: f64,
    floor: Option<(f64, &'static str)>,
    budget: Budget,
}

/// All figures of a run.
pub struct Table {
    runs: u32,
    rows: Vec<Row>,
}

impl Table {
    pub fn new(runs: u32) -> Self {
        Self { runs, rows: Vec::new() }
    }

    /// A figure without a floor.
    pub fn plain(&mut self, name: &str, unit: Unit, ours: f64, budget: Budget) {
        self.rows.push(Row { name: name.to_owned(), unit, ours, floor: None, budget });
    }

    /// A figure with its floor, which `floor.1` describes.
    pub fn with_floor(
        &mut self,
        name: &str,
        unit: Unit,
        ours: f64,
        floor: (f64, &'static str),
        budget: Budget,
    ) {
        self.rows.push(Row { name: name.to_owned(), unit, ours, floor: Some(floor), budget });
    }

    /// Names of the figures over budget.
    pub fn over_budget(&self) -> Vec<&str> {
        self.rows.iter().filter(|row| !row.is_in_budget()).map(|row| row.name.as_str()).collect()
    }
}

impl Row {
    fn is_in_budget(&self) -> bool {
        let floor = self.floor.map_or(0.0, |(floor, _)| floor);
        match self.budget {
            Budget::None => true,
            Budget::AtMost(most) => self.ours <= most,
            Budget::Ratio(times) => self.ours <= floor * times,
            Budget::Above(more) => self.ours <= floor + more,
        }
    }

    fn budget(&self) -> String {
        match self.budget {
            Budget::None => "-".to_owned(),
            Budget::AtMost(most) => format!("≤ {}", self.unit.format(most)),
            Budget::Ratio(times) => format!("≤ {times}×"),
            Budget::Above(more) => format!("≤ floor + {}", self.unit.format(more)),
        }
    }

    fn verdict(&self) -> &'static str {
        if self.budget == Budget::None {
            ""
        } else if self.is_in_budget() {
            "ok"
        } else {
            "OVER"
        }
    }
}

impl Unit {
    fn format(self, figure: f64) -> String {
        match self {
            Self::Milliseconds if figure < 1.0 => format!("{figure:.3} ms"),
            Self::Milliseconds => format!("{figure:.1} ms"),
            Self::Mebibytes => format!("{figure:.1} MiB"),
            Self::Bytes => format!("{figure:.0} B"),
            Self::Tokens => format!("{figure:.0} tokens"),
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<[String; 6]> = self.rows.iter().map(cells).collect();
        let heads =
            ["figure", "ours", "floor", "ratio", "budget", "the floor is"].map(str::to_owned);
        let wide = |at: usize| {
            rows.iter().chain([&heads]).map(|row| row[at].chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<_> = (0..heads.len()).map(wide).collect();
        writeln!(f, "medians of {} runs; of first stops the lower quartiles", self.runs)?;
        for row in [&heads].into_iter().chain(&rows) {
            let mut line = String::new();
            for ((at, cell), width) in row.iter().enumerate().zip(&widths) {
                // Numbers are aligned to the right.
                line += &if (1..4).contains(&at) {
                    format!("{cell:>width$}  ")
                } else {
                    format!("{cell:<width$}  ")
                };
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

fn cells(row: &Row) -> [String; 6] {
    let dash = || "-".to_owned();
    [
        row.name.clone(),
        row.unit.format(row.ours),
        row.floor.map_or_else(dash, |(floor, _)| row.unit.format(floor)),
        row.floor.map_or_else(dash, |(floor, _)| format!("{:.2}×", row.ours / floor)),
        format!("{} {}", row.budget(), row.verdict()).trim_end().to_owned(),
        row.floor.map_or_else(dash, |(_, what)| what.to_owned()),
    ]
}

/// The median in milliseconds; 0 without times.
pub fn median(times: &[Duration]) -> f64 {
    let sorted = sorted(times);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// The lower quartile in milliseconds; 0 without times.
pub fn lower_quartile(times: &[Duration]) -> f64 {
    let sorted = sorted(times);
    sorted.get(sorted.len() / 4).copied().unwrap_or(0.0)
}

fn sorted(times: &[Duration]) -> Vec<f64> {
    let mut sorted: Vec<_> = times.iter().map(|time| time.as_secs_f64() * 1e3).collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_over_budget_are_named() {
        let mut table = Table::new(1);
        table.plain("list", Unit::Bytes, 11.0, Budget::AtMost(12.0));
        table.plain("memory", Unit::Mebibytes, 16.0, Budget::AtMost(15.0));
        table.with_floor("stop", Unit::Milliseconds, 116.0, (100.0, "bare"), Budget::Ratio(1.15));
        table.with_floor("step", Unit::Milliseconds, 14.0, (10.0, "bare"), Budget::Above(5.0));
        assert_eq!(table.over_budget(), ["memory", "stop"]);
    }

    #[test]
    fn the_median_is_the_middle_value() {
        let times = [30, 10, 20].map(Duration::from_millis);
        assert_eq!(median(&times), 20.0);
        assert_eq!(lower_quartile(&times), 10.0);
    }
}
