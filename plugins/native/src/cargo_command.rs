//! Parses a cargo command and writes it again with changes. Knows the options of cargo and of
//! libtest, and builds nothing.

use dapdock_plugin::prelude::*;

/// A parsed cargo command.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CargoCommand {
    /// `cargo test`.
    pub tests: bool,
    /// Options of the build: `--bin api`, `-p cart`, `--release`.
    pub options: Vec<String>,
    /// `cargo test NAME`.
    pub filter: Option<String>,
    /// The filter is the name of one test, or the end of it.
    pub by_name: bool,
    /// The filter is the whole path of one test.
    pub exact: bool,
    /// Arguments of the program.
    pub args: Vec<String>,
    /// `cargo +nightly`.
    pub toolchain: Option<String>,
    /// The directory in which cargo runs.
    pub directory: Option<String>,
    /// The command is not the caller's own text: calls proposed for it include its directory.
    pub composed: bool,
}

/// Options of cargo whose value is the next word.
const WITH_VALUE: [&str; 15] = [
    "-p",
    "--package",
    "--bin",
    "--example",
    "--test",
    "--bench",
    "-F",
    "--features",
    "--profile",
    "--target",
    "--manifest-path",
    "--target-dir",
    "-j",
    "--jobs",
    "--exclude",
];
/// Options that select targets of a package, and options that select packages.
const CHOOSE: [&str; 10] = [
    "--lib",
    "--bin",
    "--bins",
    "--test",
    "--tests",
    "--example",
    "--examples",
    "--bench",
    "--benches",
    "--all-targets",
];
const PACKAGES: [&str; 5] = ["-p", "--package", "--workspace", "--all", "--exclude"];
/// Options of libtest whose value is the next word.
const TEST_WITH_VALUE: [&str; 7] =
    ["--test-threads", "--skip", "--logfile", "--color", "--format", "--shuffle-seed", "-Z"];
/// Options of libtest that run ignored tests.
const IGNORED: [&str; 2] = ["--ignored", "--include-ignored"];

impl CargoCommand {
    /// Parses the words after `cargo`.
    pub fn parse(words: &[String]) -> Result<Self, Error> {
        let mut rest = words.iter();
        let mut command = Self::default();
        let mut verb = rest.next();
        if let Some(toolchain) = verb.and_then(|word| word.strip_prefix('+')) {
            command.toolchain = Some(toolchain.to_owned());
            verb = rest.next();
        }
        let verb = verb.map(String::as_str).unwrap_or_default();
        command.tests = matches!(verb, "test" | "t" | "nextest");
        // `cargo nextest run`
        rest = if verb == "nextest" {
            rest.as_slice().get(1..).unwrap_or_default().iter()
        } else {
            rest
        };
        while let Some(word) = rest.next() {
            if word == "--" {
                command.args.extend(rest.cloned());
                break;
            }
            if word.starts_with('-') {
                command.options.push(word.clone());
                if WITH_VALUE.contains(&word.as_str()) {
                    command.options.extend(rest.next().cloned());
                }
            } else if command.tests && command.filter.is_none() {
                command.filter = Some(word.clone());
            } else {
                command.args.push(word.clone());
                command.args.extend(rest.cloned());
                break;
            }
        }
        command.checked(verb)
    }

    fn checked(mut self, verb: &str) -> Result<Self, Error> {
        match verb {
            "run" | "r" | "test" | "t" => {}
            "build" | "b" => {
                let error = Error::unsupported(
                    "`cargo build` runs nothing; `cargo run` builds the same and runs it",
                );
                return Err(error.hint(self.launch_call(&self.options, &[])));
            }
            "nextest" => {
                let error = "`cargo nextest` runs each test in a process without the debugger; use \
                    `cargo test`";
                return Err(Error::unsupported(error).hint(self.launch_call(&self.options, &[])));
            }
            verb => {
                let error = Error::unsupported(format!("`cargo {verb}` runs nothing to debug"));
                return Err(error.hint("use `cargo run …` or `cargo test …`"));
            }
        }
        if self.options.iter().any(|option| option.starts_with("--message-format")) {
            return Err(Error::invalid_request("`--message-format` is set by dapdock"));
        }
        if self.tests && self.options.iter().any(|option| option == "--doc") {
            return Err(doc_test_error("what `--doc` asks for"));
        }
        // The build adds it.
        self.options.retain(|option| option != "--no-run");
        Ok(self)
    }

    /// Arguments of the test binary: they select the test and keep its output in order. A test
    /// requested by name runs even if it is ignored.
    pub fn program_args(&self) -> Vec<String> {
        let mut args: Vec<String> = self.filter.iter().cloned().collect();
        if self.tests {
            args.extend((self.by_name || self.exact).then(|| "--exact".to_owned()));
            args.extend(
                (self.by_name && !self.runs_ignored()).then(|| "--include-ignored".to_owned()),
            );
            for (option, whole) in
                [("--nocapture", "--nocapture"), ("--test-threads", "--test-threads=1")]
            {
                let given = self.args.iter().any(|arg| arg.starts_with(option));
                args.extend((!given).then(|| whole.to_owned()));
            }
        }
        args.extend(self.args.iter().cloned());
        args
    }

    /// Tests with `#[ignore]` run too.
    pub fn runs_ignored(&self) -> bool {
        self.args.iter().any(|arg| IGNORED.contains(&arg.as_str()))
    }

    /// All filters: libtest runs the tests that match any of them.
    pub fn filters(&self) -> Vec<&str> {
        let mut filters: Vec<&str> = self.filter.iter().map(String::as_str).collect();
        let mut args = self.args.iter().filter(|_| self.tests);
        while let Some(arg) = args.next() {
            if TEST_WITH_VALUE.contains(&arg.as_str()) {
                args.next();
            } else if !arg.starts_with('-') {
                filters.push(arg);
            }
        }
        filters
    }

    /// Options without those that select targets and, with `packages`, those that select packages.
    pub fn options_without_selection(&self, packages: bool) -> Vec<String> {
        let mut remaining = Vec::new();
        let mut options = self.options.iter();
        while let Some(option) = options.next() {
            let name = option.split_once('=').map_or(option.as_str(), |(name, _)| name);
            let value = if WITH_VALUE.contains(&option.as_str()) { options.next() } else { None };
            if !(CHOOSE.contains(&name) || (packages && PACKAGES.contains(&name))) {
                remaining.extend([Some(option), value].into_iter().flatten().cloned());
            }
        }
        remaining
    }

    /// The launch call for the same command with these options, and more arguments of the program.
    pub fn launch_call(&self, options: &[String], more: &[&str]) -> String {
        let toolchain = self.toolchain.iter().map(|name| format!("+{name}"));
        let verb = if self.tests { "test" } else { "run" };
        let mut words = vec!["cargo".to_owned()];
        words.extend(
            toolchain
                .chain([verb.to_owned()])
                .chain(options.iter().cloned())
                .chain(self.filter.clone()),
        );
        let args: Vec<String> =
            self.args.iter().cloned().chain(more.iter().map(|&arg| arg.to_owned())).collect();
        words.extend((!args.is_empty()).then(|| "--".to_owned()));
        let line = words.iter().chain(&args).map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
        let directory = self.directory.as_ref().filter(|_| self.composed);
        let cwd = directory
            .map(|directory| format!(", \"cwd\": {}", json!(directory)))
            .unwrap_or_default();
        format!("debug_launch {{\"command\": {}{cwd}}}", json!(line))
    }
}

/// The error for a doc test, which only rustdoc can run.
pub fn doc_test_error(what: &str) -> Error {
    let error = Error::unsupported(format!(
        "{what} is a doc test, which rustdoc compiles and runs in a process of its own"
    ));
    error.hint("move its code into a #[test] function and debug that")
}

/// A word quoted for a command line.
fn quoted(word: &str) -> String {
    let is_plain = word.chars().all(|c| c.is_alphanumeric() || "-_=+./:,@%".contains(c));
    if is_plain && !word.is_empty() {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<CargoCommand, Error> {
        CargoCommand::parse(&line.split(' ').map(String::from).collect::<Vec<_>>())
    }

    #[track_caller]
    fn check(line: &str, options: &str, args: &str) {
        let command = parse(line).map_err(|error| error.message);
        let result =
            command.map(|command| (command.options.join(" "), command.program_args().join(" ")));
        assert_eq!(result, Ok((options.to_owned(), args.to_owned())), "{line}");
    }

    #[test]
    fn commands_parse_as_in_cargo() {
        check("run", "", "");
        check("run --bin api -- --port 1", "--bin api", "--port 1");
        check("r --release x -y", "--release", "x -y");
        check("+nightly run -p cart fail", "-p cart", "fail");
        check("test", "", "--nocapture --test-threads=1");
        check("test --lib parse", "--lib", "parse --nocapture --test-threads=1");
        check("test --no-run --lib", "--lib", "--nocapture --test-threads=1");
        check("test a::b -- --test-threads=4", "", "a::b --nocapture --test-threads=4");
    }

    #[test]
    fn commands_that_run_nothing_propose_one_that_does() {
        let error = |line: &str| {
            parse(line).err().map(|error| (error.message, error.hint.unwrap_or_default())).unwrap()
        };
        assert_eq!(error("clippy").0, "`cargo clippy` runs nothing to debug");
        assert_eq!(
            error("build --bin api").1,
            r#"debug_launch {"command": "cargo run --bin api"}"#
        );
        assert_eq!(
            error("nextest run gold -p a").1,
            r#"debug_launch {"command": "cargo test -p a gold"}"#
        );
        assert!(error("test --doc").0.contains("is a doc test"));
    }

    #[test]
    fn all_filters_are_found() {
        let filters = |line: &str| parse(line).unwrap().filters().join(" ");
        assert_eq!(filters("test gold -- silver --skip tin --nocapture lead"), "gold silver lead");
        assert_eq!(filters("test -- --test-threads 2 silver"), "silver");
        assert_eq!(filters("run a -- b"), "");
    }

    #[test]
    fn command_is_rewritten_with_another_selection() {
        let command =
            parse("+nightly test -p app --lib --features=a --bin=x -F b gold -- --exact").unwrap();
        assert_eq!(command.options_without_selection(true).join(" "), "--features=a -F b");
        assert_eq!(command.options_without_selection(false).join(" "), "-p app --features=a -F b");
        let launch_call = command.launch_call(&["--lib".to_owned()], &["a b"]);
        assert_eq!(
            launch_call,
            r#"debug_launch {"command": "cargo +nightly test --lib gold -- --exact 'a b'"}"#
        );
        let there = CargoCommand {
            directory: Some("/w".into()),
            composed: true,
            ..CargoCommand::default()
        };
        assert_eq!(
            there.launch_call(&[], &[]),
            r#"debug_launch {"command": "cargo run", "cwd": "/w"}"#
        );
    }
}
