//! Options that keep a runner's tests debuggable: in one process, without coverage that moves
//! lines, and without timeouts that a stop would exceed. Pure.

use crate::target::Run;

/// The test runner of a package.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Runner {
    Node,
    Jest,
    Mocha,
    Vitest,
}

/// The runners with a program of their own.
pub const OTHERS: [(Runner, &str); 3] =
    [(Runner::Vitest, "vitest"), (Runner::Jest, "jest"), (Runner::Mocha, "mocha")];

/// Options, each with its synonyms: an option that the caller uses, in any form, is not changed.
type Options = &'static [(&'static str, &'static [&'static str])];

/// Coverage moves the lines.
const JEST: Options = &[
    ("--runInBand", &["-i", "-w", "--maxWorkers"]),
    ("--coverage=false", &["--collectCoverage"]),
    // With 0 each test would time out at once.
    ("--testTimeout=2000000000", &[]),
];

const MOCHA: Options = &[
    ("--no-parallel", &["-p", "--parallel"]),
    ("--no-watch", &["-w", "--watch"]),
    ("--timeout=0", &["-t"]),
];

/// The pool of the one worker does not matter: processes and threads both stop.
const VITEST: Options = &[
    ("--no-file-parallelism", &["--fileParallelism", "--maxWorkers"]),
    ("--coverage.enabled=false", &["--coverage"]),
    ("--testTimeout=0", &[]),
    ("--hookTimeout=0", &[]),
];

/// Calls with which a file sets timeouts that no option overrides.
const OWN_TIMEOUTS: [&str; 3] = ["jest.setTimeout(", "this.timeout(", "vi.setConfig("];

/// Tools that run the program of `node_modules/.bin` whose name follows.
const STARTERS: [&str; 3] = ["npx", "yarn", "pnpm"];

/// Programs and modules that compile sources at load.
const COMPILERS: [&str; 7] =
    ["jest", "vitest", "vite-node", "tsx", "ts-node", "swc-node", "babel-node"];

/// Whether a word of a command line names a compiler: `node_modules/.bin/jest`, `jest@30`,
/// `@babel/register`.
pub fn compiles(word: &str) -> bool {
    word.split(['/', '='])
        .any(|part| COMPILERS.contains(&plain_name(part)) || part.ends_with("register"))
}

/// The name in `jest@30`, `jest.js`, `_mocha`.
fn plain_name(name: &str) -> &str {
    name.split(['.', '@']).next().unwrap_or(name).trim_start_matches('_')
}

impl Runner {
    fn options(self) -> Options {
        match self {
            Self::Node => &[],
            Self::Jest => JEST,
            Self::Mocha => MOCHA,
            Self::Vitest => VITEST,
        }
    }

    /// The runner with this program: `node_modules/jest/bin/jest.js`, `jest@30`.
    fn of(program: &str) -> Option<Self> {
        let name = plain_name(program.rsplit('/').next().unwrap_or(program));
        OTHERS.iter().find(|(_, other)| *other == name).map(|(runner, _)| *runner)
    }

    /// Options that select tests by a part of their names.
    fn filters(self) -> &'static [&'static str] {
        match self {
            Self::Node => &["--test-name-pattern"],
            Self::Mocha => &["-g", "--grep", "-f", "--fgrep"],
            Self::Jest | Self::Vitest => &["-t", "--testNamePattern", "--test-name-pattern"],
        }
    }

    /// The value of the option that selects tests in a command line.
    pub fn filter(self, words: &[String]) -> Option<&str> {
        let own = words.iter().position(|word| word == "--").map_or(words, |end| &words[..end]);
        for (at, word) in own.iter().enumerate() {
            let (option, value) = match word.split_once('=') {
                Some((option, value)) => (option, Some(value)),
                None => (word.as_str(), own.get(at + 1).map(String::as_str)),
            };
            if value.is_some() && self.filters().contains(&option) {
                return value;
            }
        }
        None
    }

    /// All options that keep tests debuggable.
    pub fn debug_options(self) -> impl Iterator<Item = String> {
        self.options().iter().map(|(option, _)| (*option).to_owned())
    }

    /// The options that a command line contains in no form.
    fn missing_options(self, words: &[String]) -> Vec<String> {
        let mut missing = Vec::new();
        for (option, synonyms) in self.options() {
            let is_present = words.iter().any(|word| {
                let name = option_name(word);
                name == option_name(option) || synonyms.contains(&name)
            });
            if !is_present {
                missing.push((*option).to_owned());
            }
        }
        missing
    }
}

/// The option without its value.
fn option_name(word: &str) -> &str {
    word.split('=').next().unwrap_or(word)
}

/// Removes options with which a watcher runs the program in another process; returns a note.
pub fn remove_watch(run: &mut Run) -> Option<String> {
    let tool = run.tool.rsplit('/').next().unwrap_or(&run.tool).to_owned();
    let removed = match tool.as_str() {
        "tsx" if run.options.first().is_some_and(|word| word == "watch") => {
            vec![run.options.remove(0)]
        }
        "node" | "nodejs" => take_watch_options(&mut run.options),
        _ => return None,
    };
    if removed.is_empty() {
        return None;
    }
    let words = removed.join(" ");
    Some(format!(
        "{tool} runs without {words}: the watcher would run the program in another process"
    ))
}

/// Removes Node's options for its watcher and returns them.
fn take_watch_options(options: &mut Vec<String>) -> Vec<String> {
    let (mut removed, mut rest) = (Vec::new(), Vec::new());
    let mut words = std::mem::take(options).into_iter();
    while let Some(word) = words.next() {
        if word == "--watch-path" {
            removed.push(word);
            removed.extend(words.next());
        } else if word.starts_with("--watch") {
            removed.push(word);
        } else {
            rest.push(word);
        }
    }
    *options = rest;
    removed
}

/// Adds the missing options to a command line that runs tests; returns a note.
pub fn add_debug_options(run: &mut Run) -> Option<String> {
    let (runner, words, start) = place(run)?;
    let end =
        words[start..].iter().position(|word| word == "--").map_or(words.len(), |end| start + end);
    let options = runner.missing_options(&words[start..end]);
    if options.is_empty() {
        return None;
    }
    let note =
        format!("added to the command, for one process without timeouts: {}", options.join(" "));
    words.splice(end..end, options);
    Some(note)
}

/// The runner, the words of the command line, and the index of its first own word.
fn place(run: &mut Run) -> Option<(Runner, &mut Vec<String>, usize)> {
    if let Some(runner) = run.program.as_deref().and_then(Runner::of) {
        return Some((runner, &mut run.args, 0));
    }
    if let Some(runner) = Runner::of(&run.tool) {
        return Some((runner, &mut run.options, 0));
    }
    let tool = run.tool.rsplit('/').next().unwrap_or(&run.tool);
    let is_program =
        |word: &String| !word.starts_with('-') && !matches!(word.as_str(), "exec" | "run" | "dlx");
    let at = run.options.iter().position(is_program).filter(|_| STARTERS.contains(&tool))?;
    Some((Runner::of(&run.options[at])?, &mut run.options, at + 1))
}

/// The test runner of a command line, and its own words.
pub fn runner(run: &Run) -> Option<(Runner, Vec<String>)> {
    if run.options.iter().any(|option| option == "--test") {
        return Some((Runner::Node, run.options.clone()));
    }
    let mut run = run.clone();
    let (runner, words, start) = place(&mut run)?;
    Some((runner, words.split_off(start)))
}

/// A note about a timeout in a test's file.
pub fn own_timeout(text: &str) -> Option<String> {
    let call = OWN_TIMEOUTS.iter().find(|call| text.contains(**call))?;
    Some(format!("`{call}…)` sets a timeout that also runs while the test is stopped"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expect: &str) {
        let words: Vec<String> = line.split(' ').map(String::from).collect();
        let mut run = match words[0].as_str() {
            "node" => {
                Run { program: Some(words[1].clone()), args: words[2..].to_vec(), ..Run::default() }
            }
            tool => Run { tool: tool.into(), options: words[1..].to_vec(), ..Run::default() },
        };
        let words = |run: &Run| [run.options.clone(), run.args.clone()].concat().join(" ");
        let (before, note) = (words(&run), add_debug_options(&mut run));
        assert_eq!((words(&run).as_str(), note.is_some()), (expect, before != expect), "{line}");
    }

    #[test]
    fn debug_options_are_added_to_every_form_of_command() {
        check("jest -t gold", "-t gold --runInBand --coverage=false --testTimeout=2000000000");
        check("npx jest@30 -w 2 --coverage", "jest@30 -w 2 --coverage --testTimeout=2000000000");
        check(
            "pnpm exec mocha a.js -- -x",
            "exec mocha a.js --no-parallel --no-watch --timeout=0 -- -x",
        );
        check("node node_modules/mocha/bin/_mocha -t 5", "-t 5 --no-parallel --no-watch");
        check(
            "yarn vitest run --pool=threads",
            "vitest run --pool=threads --no-file-parallelism --coverage.enabled=false \
             --testTimeout=0 --hookTimeout=0",
        );
        check("npm run jest", "run jest");
        check("npx tsx jest", "tsx jest");
        check("node jest-like.js -t x", "-t x");
    }

    #[test]
    fn compilers_are_recognized_by_name() {
        let words = [
            "/w/node_modules/.bin/jest",
            "jest@30",
            "@babel/register",
            "--import=tsx",
            "ts-node/esm",
            "--test",
            "a.js",
        ];
        assert_eq!(words.map(compiles), [true, true, true, true, true, false, false]);
    }

    fn filter(tool: &str, line: &str) -> Option<String> {
        let run = Run {
            tool: tool.into(),
            options: line.split(' ').map(str::to_owned).collect(),
            ..Run::default()
        };
        let (runner, words) = runner(&run)?;
        runner.filter(&words).map(str::to_owned)
    }

    #[test]
    fn a_filter_is_found_among_the_runners_own_words() {
        assert_eq!(filter("jest", "--ci -t gold a.js").as_deref(), Some("gold"));
        assert_eq!(filter("npx", "mocha --grep=gold").as_deref(), Some("gold"));
        assert_eq!(filter("node", "--test --test-name-pattern=a=b").as_deref(), Some("a=b"));
        assert_eq!(filter("mocha", "-t 5"), None);
        assert_eq!(filter("vitest", "run -- -t gold"), None);
        assert_eq!(filter("npx", "tsx -t gold"), None);
    }

    #[track_caller]
    fn check_watch(tool: &str, options: &str, expect: &str, removed: Option<&str>) {
        let words = options.split_whitespace().map(str::to_owned).collect();
        let mut run = Run { tool: tool.into(), options: words, ..Run::default() };
        let note = remove_watch(&mut run);
        let expected_note = removed.map(|words| {
            format!(
                "{tool} runs without {words}: \
                 the watcher would run the program in another process"
            )
        });
        assert_eq!(run.options.join(" "), expect, "{options}");
        assert_eq!(note, expected_note, "{options}");
    }

    #[test]
    fn watchers_are_removed() {
        check_watch("node", "--watch --no-warnings", "--no-warnings", Some("--watch"));
        check_watch(
            "node",
            "-r a --watch-path ./src --watch-preserve-output",
            "-r a",
            Some("--watch-path ./src --watch-preserve-output"),
        );
        check_watch("node", "--watch-path=./src --test", "--test", Some("--watch-path=./src"));
        check_watch("node", "--test", "--test", None);
        check_watch("tsx", "watch app.ts --watch", "app.ts --watch", Some("watch"));
        check_watch("npm", "run watch", "run watch", None);
    }

    #[test]
    fn a_timeout_in_the_file_has_a_note() {
        assert_eq!(own_timeout("this.timeout = 5"), None);
        assert_eq!(
            own_timeout("  this.timeout(500);").as_deref(),
            Some("`this.timeout(…)` sets a timeout that also runs while the test is stopped")
        );
    }
}
