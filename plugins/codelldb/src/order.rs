//! A cargo command, taken apart, and written again with other words. Knows cargo's options and
//! libtest's, and builds nothing.

use dapdock_plugin::prelude::*;

/// A cargo command, taken apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Order {
    pub tests: bool,
    /// Options of the build: `--bin api`, `-p cart`, `--release`.
    pub options: Vec<String>,
    /// `cargo test NAME`.
    pub filter: Option<String>,
    /// The filter is one test's name, or its end.
    pub by_name: bool,
    /// The filter is one test's whole path.
    pub exact: bool,
    /// Arguments of the program.
    pub args: Vec<String>,
    /// `cargo +nightly`.
    pub toolchain: Option<String>,
    /// Where cargo runs.
    pub directory: Option<String>,
    /// The caller wrote no command: where it runs is told with it.
    pub unwritten: bool,
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
/// Those that choose what is built of a package, and those that choose packages.
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
const TEST_VALUE: [&str; 7] =
    ["--test-threads", "--skip", "--logfile", "--color", "--format", "--shuffle-seed", "-Z"];
/// What libtest runs ignored tests for.
const IGNORED: [&str; 2] = ["--ignored", "--include-ignored"];

impl Order {
    /// What follows the word `cargo`.
    pub fn read(words: &[String]) -> Result<Self, Error> {
        let mut rest = words.iter();
        let mut order = Self::default();
        let mut verb = rest.next();
        if let Some(toolchain) = verb.and_then(|word| word.strip_prefix('+')) {
            order.toolchain = Some(toolchain.to_owned());
            verb = rest.next();
        }
        let verb = verb.map(String::as_str).unwrap_or_default();
        order.tests = matches!(verb, "test" | "t" | "nextest");
        // `cargo nextest run`
        rest = if verb == "nextest" {
            rest.as_slice().get(1..).unwrap_or_default().iter()
        } else {
            rest
        };
        while let Some(word) = rest.next() {
            if word == "--" {
                order.args.extend(rest.cloned());
                break;
            }
            if word.starts_with('-') {
                order.options.push(word.clone());
                if WITH_VALUE.contains(&word.as_str()) {
                    order.options.extend(rest.next().cloned());
                }
            } else if order.tests && order.filter.is_none() {
                order.filter = Some(word.clone());
            } else {
                order.args.push(word.clone());
                order.args.extend(rest.cloned());
                break;
            }
        }
        order.checked(verb)
    }

    fn checked(mut self, verb: &str) -> Result<Self, Error> {
        match verb {
            "run" | "r" | "test" | "t" => {}
            "build" | "b" => {
                let refused = Error::unsupported(
                    "`cargo build` runs nothing; `cargo run` builds the same and runs it",
                );
                return Err(refused.hint(self.call(&self.options, &[])));
            }
            "nextest" => {
                let refused = "`cargo nextest` runs every test in a process that no debugger sees; `cargo test` runs it here";
                return Err(Error::unsupported(refused).hint(self.call(&self.options, &[])));
            }
            verb => {
                let refused = Error::unsupported(format!("`cargo {verb}` runs nothing to debug"));
                return Err(refused.hint("use `cargo run …` or `cargo test …`"));
            }
        }
        if self.options.iter().any(|option| option.starts_with("--message-format")) {
            return Err(Error::invalid_request("`--message-format` is ours to set"));
        }
        if self.tests && self.options.iter().any(|option| option == "--doc") {
            return Err(doc_test("what `--doc` asks for"));
        }
        // It is set anyway.
        self.options.retain(|option| option != "--no-run");
        Ok(self)
    }

    /// A test binary's arguments select the test and keep its output in order. One that is asked
    /// for runs, be it ignored.
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

    pub fn runs_ignored(&self) -> bool {
        self.args.iter().any(|arg| IGNORED.contains(&arg.as_str()))
    }

    /// What chooses tests: libtest runs those that any of them fits.
    pub fn filters(&self) -> Vec<&str> {
        let mut filters: Vec<&str> = self.filter.iter().map(String::as_str).collect();
        let mut args = self.args.iter().filter(|_| self.tests);
        while let Some(arg) = args.next() {
            if TEST_VALUE.contains(&arg.as_str()) {
                args.next();
            } else if !arg.starts_with('-') {
                filters.push(arg);
            }
        }
        filters
    }

    /// Its options without those that choose what is built; `packages`: and of which package.
    pub fn unchosen(&self, packages: bool) -> Vec<String> {
        let mut kept = Vec::new();
        let mut options = self.options.iter();
        while let Some(option) = options.next() {
            let name = option.split_once('=').map_or(option.as_str(), |(name, _)| name);
            let value = if WITH_VALUE.contains(&option.as_str()) { options.next() } else { None };
            if !(CHOOSE.contains(&name) || (packages && PACKAGES.contains(&name))) {
                kept.extend([Some(option), value].into_iter().flatten().cloned());
            }
        }
        kept
    }

    /// The call that does the same with these options, and these more arguments of the program.
    pub fn call(&self, options: &[String], more: &[&str]) -> String {
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
        let directory = self.directory.as_ref().filter(|_| self.unwritten);
        let cwd = directory
            .map(|directory| format!(", \"cwd\": {}", json!(directory)))
            .unwrap_or_default();
        format!("debug_launch {{\"command\": {}{cwd}}}", json!(line))
    }
}

/// rustdoc has them, and nobody else.
pub fn doc_test(what: &str) -> Error {
    let refused = Error::unsupported(format!(
        "{what} is a doc test, which rustdoc compiles and runs out of sight"
    ));
    refused.hint("move its code into a #[test] function and debug that")
}

/// As a word of a command line.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=+./:,@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Order, Error> {
        Order::read(&line.split(' ').map(String::from).collect::<Vec<_>>())
    }

    #[track_caller]
    fn check(line: &str, options: &str, args: &str) {
        let order = read(line).map_err(|error| error.message);
        let said = order.map(|order| (order.options.join(" "), order.program_args().join(" ")));
        assert_eq!(said, Ok((options.to_owned(), args.to_owned())), "{line}");
    }

    #[test]
    fn cargo_commands_are_read_as_cargo_reads_them() {
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
    fn what_runs_nothing_is_refused_with_what_does() {
        let refused = |line: &str| {
            read(line).err().map(|error| (error.message, error.hint.unwrap_or_default())).unwrap()
        };
        assert_eq!(refused("clippy").0, "`cargo clippy` runs nothing to debug");
        assert_eq!(
            refused("build --bin api").1,
            r#"debug_launch {"command": "cargo run --bin api"}"#
        );
        assert_eq!(
            refused("nextest run gold -p a").1,
            r#"debug_launch {"command": "cargo test -p a gold"}"#
        );
        assert!(refused("test --doc").0.contains("is a doc test"));
    }

    #[test]
    fn every_word_that_chooses_tests_is_known() {
        let filters = |line: &str| read(line).unwrap().filters().join(" ");
        assert_eq!(filters("test gold -- silver --skip tin --nocapture lead"), "gold silver lead");
        assert_eq!(filters("test -- --test-threads 2 silver"), "silver");
        assert_eq!(filters("run a -- b"), "");
    }

    #[test]
    fn a_command_is_written_again_with_another_choice() {
        let order =
            read("+nightly test -p app --lib --features=a --bin=x -F b gold -- --exact").unwrap();
        assert_eq!(order.unchosen(true).join(" "), "--features=a -F b");
        assert_eq!(order.unchosen(false).join(" "), "-p app --features=a -F b");
        let call = order.call(&["--lib".to_owned()], &["a b"]);
        assert_eq!(
            call,
            r#"debug_launch {"command": "cargo +nightly test --lib gold -- --exact 'a b'"}"#
        );
        let there = Order { directory: Some("/w".into()), unwritten: true, ..Order::default() };
        assert_eq!(there.call(&[], &[]), r#"debug_launch {"command": "cargo run", "cwd": "/w"}"#);
    }
}
