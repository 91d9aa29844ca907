//! Arguments after `cargo xtask test --`: those of libtest that make sense for several processes.
//! Knows no test.

use anyhow::{Context, Result, bail};

/// What was requested of the run.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    /// Selects tests; a test binary reads it with `--list`: names, `--exact`, `--skip NAME`.
    pub selection: Vec<String>,
    /// Print what tests print while they run, one test process at a time.
    pub nocapture: bool,
    /// How many test processes at a time.
    pub at_once: Option<usize>,
}

impl Arguments {
    /// Parses them. An unknown option is an error: without it other tests would run than requested.
    pub fn parse(words: &[String]) -> Result<Self> {
        let mut arguments = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.split_once('=').unwrap_or((word, "")) {
                ("--nocapture" | "--no-capture", "") => arguments.nocapture = true,
                ("--exact", "") => arguments.selection.push(word.clone()),
                ("--skip" | "--test-threads", "") => {
                    let value = words.next().with_context(|| format!("{word} needs a value"))?;
                    arguments.option(word, value)?;
                }
                (option @ ("--skip" | "--test-threads"), value) => {
                    arguments.option(option, value)?;
                }
                _ if word.starts_with('-') => bail!(
                    "`{word}` is not understood; there are NAME, --exact, --skip NAME, \
                     --nocapture and --test-threads N"
                ),
                _ => arguments.selection.push(word.clone()),
            }
        }
        Ok(arguments)
    }

    fn option(&mut self, option: &str, value: &str) -> Result<()> {
        if option == "--skip" {
            self.selection.extend([option.to_owned(), value.to_owned()]);
            return Ok(());
        }
        match value.parse() {
            Ok(number) if number > 0 => self.at_once = Some(number),
            _ => bail!("{option} needs a number above 0, got `{value}`"),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Arguments> {
        Arguments::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn names_and_options_are_read() {
        let read = parse("real::waits --exact --skip go --skip=rust --nocapture").unwrap();
        let selection = ["real::waits", "--exact", "--skip", "go", "--skip", "rust"];
        assert_eq!(read.selection, selection);
        assert!(read.nocapture);
        assert_eq!(parse("--test-threads 3").unwrap().at_once, Some(3));
        assert_eq!(parse("--test-threads=3").unwrap().at_once, Some(3));
        assert_eq!(parse("").unwrap(), Arguments::default());
    }

    #[test]
    fn unknown_options_are_errors() {
        for line in ["--ignored", "--test-threads", "--test-threads 0", "--skip", "-q"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
