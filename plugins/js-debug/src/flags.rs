//! Options that keep a runner's tests where the debugger is: in one process, on the lines that were
//! written, and without limits of time that a stop would exceed. Pure.

use crate::target::Run;

/// Who runs a package's tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Runner {
    Node,
    Jest,
    Mocha,
    Vitest,
}

/// Those with a program of their own.
pub const OTHERS: [(Runner, &str); 3] =
    [(Runner::Vitest, "vitest"), (Runner::Jest, "jest"), (Runner::Mocha, "mocha")];

/// Options, each with other words for the same: what the caller says of one of them is the
/// caller's.
type Options = &'static [(&'static str, &'static [&'static str])];

/// Coverage moves the lines.
const JEST: Options = &[
    ("--runInBand", &["-i", "-w", "--maxWorkers"]),
    ("--coverage=false", &["--collectCoverage"]),
    // 0 would be no time at all.
    ("--testTimeout=2000000000", &[]),
];

const MOCHA: Options = &[
    ("--no-parallel", &["-p", "--parallel"]),
    ("--no-watch", &["-w", "--watch"]),
    ("--timeout=0", &["-t"]),
];

/// Whichever pool it has its workers from: processes and threads stop as well.
const VITEST: Options = &[
    ("--no-file-parallelism", &["--fileParallelism", "--maxWorkers"]),
    ("--coverage.enabled=false", &["--coverage"]),
    ("--testTimeout=0", &[]),
    ("--hookTimeout=0", &[]),
];

/// What a file says to have limits of its own, which no option takes away.
const OWN_LIMITS: [&str; 3] = ["jest.setTimeout(", "this.timeout(", "vi.setConfig("];

/// What runs a program of `node_modules/.bin` that is named behind it.
const STARTERS: [&str; 3] = ["npx", "yarn", "pnpm"];

/// What compiles sources as they are loaded: runners, and what Node is told to load first.
const COMPILERS: [&str; 7] =
    ["jest", "vitest", "vite-node", "tsx", "ts-node", "swc-node", "babel-node"];

/// Does this word of a command line name one? `node_modules/.bin/jest`, `jest@30`,
/// `@babel/register`.
pub fn compiles(word: &str) -> bool {
    let plain = |part: &str| {
        part.split(['.', '@']).next().unwrap_or(part).trim_start_matches('_').to_owned()
    };
    word.split(['/', '='])
        .any(|part| COMPILERS.contains(&plain(part).as_str()) || part.ends_with("register"))
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

    /// Of a program's file: `node_modules/jest/bin/jest.js`, `jest@30`.
    fn of(program: &str) -> Option<Self> {
        let name = program.rsplit('/').next().unwrap_or(program);
        let name = name.split(['.', '@']).next().unwrap_or(name).trim_start_matches('_');
        OTHERS.iter().find(|(_, other)| *other == name).map(|(runner, _)| *runner)
    }

    /// Options that choose tests by a part of their names.
    fn filters(self) -> &'static [&'static str] {
        match self {
            Self::Node => &["--test-name-pattern"],
            Self::Mocha => &["-g", "--grep", "-f", "--fgrep"],
            Self::Jest | Self::Vitest => &["-t", "--testNamePattern", "--test-name-pattern"],
        }
    }

    /// Which names the words of a command line choose.
    pub fn filter(self, words: &[String]) -> Option<&str> {
        let own = words.iter().position(|word| word == "--").map_or(words, |end| &words[..end]);
        own.iter().enumerate().find_map(|(at, word)| {
            let (option, value) = word
                .split_once('=')
                .map_or((word.as_str(), None), |(option, value)| (option, Some(value)));
            let value = value.or_else(|| own.get(at + 1).map(String::as_str));
            value.filter(|_| self.filters().contains(&option))
        })
    }

    pub fn unhindered(self) -> impl Iterator<Item = String> {
        self.options().iter().map(|(option, _)| (*option).to_owned())
    }

    /// Those that nothing is said of.
    fn unsaid(self, said: &[String]) -> Vec<String> {
        let key = |word: &str| word.split('=').next().unwrap_or(word).to_owned();
        let is_said = |option: &str, others: &[&str]| {
            said.iter().any(|word| key(word) == key(option) || others.contains(&key(word).as_str()))
        };
        let unsaid = self.options().iter().filter(|(option, others)| !is_said(option, others));
        unsaid.map(|(option, _)| (*option).to_owned()).collect()
    }
}

/// Takes out what has the program run again in a process that the watcher starts, and tells so.
pub fn unwatched(run: &mut Run) -> Option<String> {
    let tool = run.tool.rsplit('/').next().unwrap_or(&run.tool).to_owned();
    let out = match tool.as_str() {
        "tsx" if run.options.first().is_some_and(|word| word == "watch") => {
            vec![run.options.remove(0)]
        }
        "node" | "nodejs" => watching(&mut run.options),
        _ => return None,
    };
    let what = out.join(" ");
    let note = format!(
        "{tool} runs without {what}: it would run the program in another process, again and again"
    );
    (!out.is_empty()).then_some(note)
}

/// Node's options for it, taken out.
fn watching(options: &mut Vec<String>) -> Vec<String> {
    let (mut out, mut own) = (Vec::new(), Vec::new());
    let mut words = std::mem::take(options).into_iter();
    while let Some(word) = words.next() {
        let value = (word == "--watch-path").then(|| words.next()).flatten();
        let side = if word.starts_with("--watch") { &mut out } else { &mut own };
        side.push(word);
        side.extend(value);
    }
    *options = own;
    out
}

/// Adds them to a command line that runs tests, and tells so.
pub fn unhinder(run: &mut Run) -> Option<String> {
    let (runner, words, start) = place(run)?;
    let end =
        words[start..].iter().position(|word| word == "--").map_or(words.len(), |end| start + end);
    let options = runner.unsaid(&words[start..end]);
    let note =
        format!("added to the command, so that tests can stand still: {}", options.join(" "));
    let any = !options.is_empty();
    words.splice(end..end, options);
    any.then_some(note)
}

/// The runner, and the words from which on they are its own.
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

/// Who runs tests by this command line, and the words that are its own.
pub fn runner(run: &Run) -> Option<(Runner, Vec<String>)> {
    if run.options.iter().any(|option| option == "--test") {
        return Some((Runner::Node, run.options.clone()));
    }
    let mut run = run.clone();
    let (runner, words, start) = place(&mut run)?;
    Some((runner, words.split_off(start)))
}

/// What is to be said of a test's file.
pub fn own_limits(text: &str) -> Option<String> {
    let own = OWN_LIMITS.iter().find(|call| text.contains(**call))?;
    Some(format!("`{own}…)` sets a limit of time that goes on while the test stands still"))
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
        let (before, told) = (words(&run), unhinder(&mut run));
        assert_eq!((words(&run).as_str(), told.is_some()), (expect, before != expect), "{line}");
    }

    #[test]
    fn tests_stand_still_however_they_are_run() {
        check("jest -t gold", "-t gold --runInBand --coverage=false --testTimeout=2000000000");
        check("npx jest@30 -w 2 --coverage", "jest@30 -w 2 --coverage --testTimeout=2000000000");
        check(
            "pnpm exec mocha a.js -- -x",
            "exec mocha a.js --no-parallel --no-watch --timeout=0 -- -x",
        );
        check("node node_modules/mocha/bin/_mocha -t 5", "-t 5 --no-parallel --no-watch");
        check(
            "yarn vitest run --pool=threads",
            "vitest run --pool=threads --no-file-parallelism --coverage.enabled=false --testTimeout=0 --hookTimeout=0",
        );
        check("npm run jest", "run jest");
        check("npx tsx jest", "tsx jest");
        check("node jest-like.js -t x", "-t x");
    }

    #[test]
    fn what_compiles_as_it_loads_is_known_by_its_name() {
        let told = [
            "/w/node_modules/.bin/jest",
            "jest@30",
            "@babel/register",
            "--import=tsx",
            "ts-node/esm",
            "--test",
            "a.js",
        ];
        assert_eq!(told.map(compiles), [true, true, true, true, true, false, false]);
    }

    #[test]
    fn a_filter_is_found_among_the_runners_own_words() {
        let filter = |tool: &str, line: &str| {
            let run = Run {
                tool: tool.into(),
                options: line.split(' ').map(str::to_owned).collect(),
                ..Run::default()
            };
            let (runner, words) = runner(&run)?;
            runner.filter(&words).map(str::to_owned)
        };
        assert_eq!(filter("jest", "--ci -t gold a.js").as_deref(), Some("gold"));
        assert_eq!(filter("npx", "mocha --grep=gold").as_deref(), Some("gold"));
        assert_eq!(filter("node", "--test --test-name-pattern=a=b").as_deref(), Some("a=b"));
        assert_eq!(filter("mocha", "-t 5"), None);
        assert_eq!(filter("vitest", "run -- -t gold"), None);
        assert_eq!(filter("npx", "tsx -t gold"), None);
    }

    #[test]
    fn nothing_is_watched() {
        let check = |tool: &str, options: &str, expect: &str, out: Option<&str>| {
            let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            let mut run = Run { tool: tool.into(), options: words(options), ..Run::default() };
            let told = unwatched(&mut run);
            let note = |out| {
                format!(
                    "{tool} runs without {out}: it would run the program in another process, again and again"
                )
            };
            assert_eq!(
                (run.options.join(" ").as_str(), told),
                (expect, out.map(note)),
                "{options}"
            );
        };
        check("node", "--watch --no-warnings", "--no-warnings", Some("--watch"));
        check(
            "node",
            "-r a --watch-path ./src --watch-preserve-output",
            "-r a",
            Some("--watch-path ./src --watch-preserve-output"),
        );
        check("node", "--watch-path=./src --test", "--test", Some("--watch-path=./src"));
        check("node", "--test", "--test", None);
        check("tsx", "watch app.ts --watch", "app.ts --watch", Some("watch"));
        check("npm", "run watch", "run watch", None);
    }

    #[test]
    fn limits_in_the_file_are_told() {
        assert_eq!(own_limits("this.timeout = 5"), None);
        let told = own_limits("  this.timeout(500);");
        assert_eq!(
            told.as_deref(),
            Some("`this.timeout(…)` sets a limit of time that goes on while the test stands still")
        );
    }
}
