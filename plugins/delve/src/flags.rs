//! Builds from the options of `go run`, `go test` and `dlv`. `options` knows those of `go`; those
//! of `dlv` are from `dlv help`, Delve 1.27.

use dapdock_golang::options::{self, BUILD_VALUES, Flag, Kind, TEST_VALUES, next, split};
use dapdock_plugin::prelude::*;

use crate::target::GoBuild;

/// Reads the words after `go run`: options, a package or its files, and the program's arguments.
pub fn run(words: &[String]) -> Result<GoBuild, Error> {
    let mut spec = GoBuild::default();
    let mut rest = words;
    while let Some(flag) = next(&mut rest, &BUILD_VALUES) {
        take(&mut spec, flag)?;
    }
    let files = rest.iter().take_while(|word| word.ends_with(".go")).count();
    let (packages, args) = rest.split_at(files.max(1).min(rest.len()));
    spec.packages = if packages.is_empty() { vec![".".into()] } else { packages.to_vec() };
    spec.args = args.to_vec();
    Ok(spec)
}

/// Reads the words after `go test`: packages and options in any order; the words after `-args` are
/// arguments of the program.
pub fn test(words: &[String]) -> Result<GoBuild, Error> {
    let with_value: Vec<&str> =
        BUILD_VALUES.iter().chain(&TEST_VALUES).chain(&["timeout", "exec", "o"]).copied().collect();
    let mut spec = GoBuild { tests: true, ..GoBuild::default() };
    let mut rest = words;
    while let Some((word, after)) = rest.split_first() {
        if word == "-args" || word == "--args" {
            spec.args.extend(after.iter().cloned());
            break;
        }
        match next(&mut rest, &with_value) {
            Some(flag) => take(&mut spec, flag)?,
            None => {
                spec.packages.push(word.clone());
                rest = after;
            }
        }
    }
    if spec.packages.is_empty() {
        spec.packages.push(".".into());
    }
    Ok(spec)
}

/// Adds the caller's `build_flags`: a command line, or a list of words.
pub fn add_build_flags(spec: &mut GoBuild, flags: &Value) -> Result<(), Error> {
    let words: Vec<String> = match flags {
        Value::String(line) => split(line),
        Value::Array(words) => words.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    let mut rest = &words[..];
    while let Some(flag) = next(&mut rest, &BUILD_VALUES) {
        if flag.name == "C" {
            return Err(Error::unsupported("`-C` in `build_flags` is not supported")
                .hint("the same call with `cwd`"));
        }
        take(spec, flag)?;
    }
    match rest.first() {
        Some(word) => {
            Err(Error::invalid_request(format!("`{word}` in `build_flags` is not an option")))
        }
        None => Ok(()),
    }
}

/// Reads the words between `dlv` and `--`: names, starting with the verb, and build options.
pub fn dlv(words: &[String]) -> Result<(Vec<String>, Vec<String>), Error> {
    let with_value = [
        "build-flags",
        "listen",
        "l",
        "log-dest",
        "log-output",
        "output",
        "tty",
        "wd",
        "backend",
        "init",
        "redirect",
        "r",
        "api-version",
    ];
    let (mut names, mut flags, mut rest) = (Vec::new(), Vec::new(), words);
    while let Some((word, after)) = rest.split_first() {
        match next(&mut rest, &with_value) {
            Some(flag) if flag.name == "build-flags" => {
                flags.extend(split(&flag.value.unwrap_or_default()));
            }
            Some(flag) => check_supported(&flag)?,
            None => {
                names.push(word.clone());
                rest = after;
            }
        }
    }
    Ok((names, flags))
}

/// Refuses options of `dlv` that have a parameter of the call in their place.
fn check_supported(flag: &Flag) -> Result<(), Error> {
    let hint = match flag.name.as_str() {
        "wd" => "the same call with `cwd`",
        "redirect" | "r" => "the same call with `options.stdin`",
        _ => return Ok(()),
    };
    let dashes = if flag.name.len() > 1 { "--" } else { "-" };
    Err(Error::unsupported(format!("`dlv {dashes}{}` is not supported", flag.name)).hint(hint))
}

/// Whether the option starts `dlv` as a server.
pub fn is_server_option(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or(word);
    ["--headless", "--listen", "-l", "--accept-multiclient", "--continue"].contains(&name)
}

fn take(spec: &mut GoBuild, flag: Flag) -> Result<(), Error> {
    let bare = flag.name.strip_prefix("test.").unwrap_or(&flag.name).to_owned();
    match options::kind(&flag.name, spec.tests) {
        Kind::Build if flag.name == "C" => spec.change_dir = flag.value,
        Kind::Build => spec.flags.extend(flag.words),
        Kind::Test if bare == "run" => spec.run = flag.value,
        Kind::Test if bare == "bench" => spec.bench = flag.value,
        Kind::Test if bare == "fuzz" => spec.fuzz = flag.value,
        Kind::Test => {
            let value = flag.value.map(|value| format!("={value}")).unwrap_or_default();
            spec.args.push(format!("-test.{bare}{value}"));
        }
        Kind::Dropped(why) => spec.notes.push(format!("`-{}` is ignored: {why}", flag.name)),
        // `go test` passes unknown options to the test binary, which may define them.
        Kind::Unknown if spec.tests && !["exec", "o"].contains(&bare.as_str()) => {
            spec.args.extend(flag.words)
        }
        Kind::Unknown => {
            let verb = if spec.tests { "test" } else { "run" };
            return Err(Error::unsupported(format!(
                "`go {verb} -{}` cannot be debugged",
                flag.name
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dapdock_golang::test_kinds::TestKind;

    #[track_caller]
    fn check(line: &str, flags: &str, packages: &str, run: Option<&str>, args: &str) {
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        let read = test(&words).map_err(|error| error.message);
        let read = read.map(|o| (o.flags.join(" "), o.packages.join(" "), o.run, o.args.join(" ")));
        assert_eq!(
            read,
            Ok((flags.into(), packages.into(), run.map(str::to_owned), args.into())),
            "{line}"
        );
    }

    #[test]
    fn options_go_to_the_build_or_to_the_test_binary() {
        check("", "", ".", None, "");
        check("./a -run X -v", "", "./a", Some("X"), "-test.v");
        check("-race -tags x,y -run=X/y ./...", "-race -tags x,y", "./...", Some("X/y"), "");
        check(
            "-count 1 -benchtime 1x ./a -short",
            "",
            "./a",
            None,
            "-test.count=1 -test.benchtime=1x -test.short",
        );
        check("./a -test.run X -golden", "", "./a", Some("X"), "-golden");
        check("./a -args -run X", "", "./a", None, "-run X");
    }

    #[test]
    fn go_list_gets_the_build_options_without_vet() {
        let words = |line: &str| -> Vec<String> { line.split(' ').map(String::from).collect() };
        assert_eq!(
            options::for_list(&words("-race -vet off -tags x,y -vet=all")),
            words("-race -tags x,y")
        );
    }

    /// All options, and the number of notes, after `build_flags` were added to `-race`.
    fn added(tests: bool, flags: Value) -> Result<(String, usize), String> {
        let mut spec = GoBuild { tests, flags: vec!["-race".into()], ..GoBuild::default() };
        add_build_flags(&mut spec, &flags).map_err(|error| error.message)?;
        Ok(([spec.flags, spec.args].concat().join("|"), spec.notes.len()))
    }

    #[test]
    fn build_flags_are_a_line_or_a_list() {
        let want = |words: &str, notes| Ok((words.to_owned(), notes));
        assert_eq!(added(false, Value::Null), want("-race", 0));
        let line = json!(" -tags=a,b -ldflags '-X m.v=\"1 2\"' -trimpath");
        assert_eq!(added(false, line), want("-race|-tags=a,b|-ldflags|-X m.v=\"1 2\"", 1));
        assert_eq!(added(true, json!(["-tags", "a b", "-v"])), want("-race|-tags|a b|-test.v", 0));
        assert_eq!(
            added(false, json!("-tags a ./b")),
            Err("`./b` in `build_flags` is not an option".into())
        );
        assert_eq!(
            added(false, json!("-C x")),
            Err("`-C` in `build_flags` is not supported".into())
        );
    }

    #[test]
    fn tags_of_the_environment_are_replaced_by_those_of_the_command() {
        let tags = |environment: &str, flags: &str| {
            let spec = GoBuild {
                environment: split(environment),
                flags: split(flags),
                ..GoBuild::default()
            };
            spec.tags().join(" ")
        };
        assert_eq!(tags("-mod=mod -tags=a,b", "-race"), "a b");
        assert_eq!(tags("-tags=a,b", "-race -tags c"), "c");
        assert_eq!(tags("'-tags=a b'", ""), "a b");
    }

    #[track_caller]
    fn check_request(line: &str, expect: Option<(TestKind, &str)>, selection: &[&str]) {
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        let spec = test(&words).unwrap();
        assert_eq!(spec.requested(), expect, "{line}");
        assert_eq!(spec.selection().collect::<Vec<_>>(), selection, "{line}");
    }

    #[test]
    fn fuzz_and_benchmark_options_precede_run() {
        check_request("-run X", Some((TestKind::Test, "X")), &["-test.run=X"]);
        check_request(
            "-bench=. -run ^$",
            Some((TestKind::Benchmark, ".")),
            &["-test.run=^$", "-test.bench=."],
        );
        check_request("-test.fuzz X", Some((TestKind::Fuzz, "X")), &["-test.fuzz=X"]);
        check_request("./a", None, &[]);
    }

    #[test]
    fn options_that_prevent_debugging_are_ignored_with_a_note() {
        let words = ["-timeout", "30s", "-trimpath", "."].map(String::from);
        let spec = test(&words).map_err(|error| error.message);
        let notes = spec.map(|spec| spec.notes);
        let want = [
            "`-timeout` is ignored: a stopped test would exceed it",
            "`-trimpath` is ignored: breakpoints need the paths of sources",
        ];
        assert_eq!(notes, Ok(want.map(String::from).to_vec()));
        let words = ["-exec", "sudo", "."].map(String::from);
        let refused = test(&words).err().map(|error| error.message);
        assert_eq!(refused.as_deref(), Some("`go test -exec` cannot be debugged"));
    }
}
