//! The expected values: what the program prints when it runs without a debugger.

use std::path::Path;

use anyhow::{Context, Result};

use super::places::{self, Facts};
use super::project::{Alone, Project};
use super::running::Running;
use super::{http, prepare};

/// Runs the program in each way and reads the facts from its output. `port` is one of them.
pub fn facts(project: &Project, directory: &Path) -> Result<Facts> {
    let mut facts = Facts::new();
    facts.insert("directory".to_owned(), directory.display().to_string());
    for alone in &project.alone {
        facts.insert("port".to_owned(), http::free_port()?.to_string());
        let output =
            output(alone, directory, &facts).with_context(|| format!("`{}`", alone.command))?;
        for (name, before) in &alone.facts {
            let before = places::fill(before, directory, &facts)?;
            let value = rest_of_line(&output, &before)
                .with_context(|| format!("`{}` printed no `{before}`:\n{output}", alone.command))?;
            facts.insert(name.clone(), value.to_owned());
        }
    }
    Ok(facts)
}

fn output(alone: &Alone, directory: &Path, facts: &Facts) -> Result<String> {
    let line = places::fill(&alone.command, directory, facts)?;
    let mut command = prepare::command(&line, directory)?;
    for (name, value) in &alone.env {
        command.env(name, places::fill(value, directory, facts)?);
    }
    let mut running = Running::start(command)?;
    running.read_until(alone.ready.as_deref())?;
    if let Some(path) = &alone.request {
        let port = facts["port"].parse().context("a port is a number")?;
        running.output += &http::get(http::connect(port)?, path)?;
        running.output.push('\n');
        if alone.last.is_some() {
            running.read_until(alone.last.as_deref())?;
        }
    }
    Ok(std::mem::take(&mut running.output))
}

/// The rest of the first line with a text, after the text.
fn rest_of_line<'a>(output: &'a str, before: &str) -> Option<&'a str> {
    output.lines().find_map(|line| Some(line.split_once(before)?.1.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_is_the_rest_of_its_line() {
        let output = "order 3\n  total: 42.50 \ntotal: 7\n";
        assert_eq!(rest_of_line(output, "total: "), Some("42.50"));
        assert_eq!(rest_of_line(output, "tax: "), None);
    }
}
