//! The options of `go run`, `go test` and `dlv`: which are the build's, which the
//! test binary's, and which take the next word as their value. From `go help build`,
//! `go help testflag` and `dlv help`, Go 1.26 and Delve 1.27.

use dapdock_plugin::prelude::*;

use crate::target::Order;

/// Options of the build whose value may be the next word.
const BUILD_VALUES: [&str; 18] = [
    "C",
    "p",
    "asmflags",
    "buildmode",
    "compiler",
    "covermode",
    "coverpkg",
    "gccgoflags",
    "gcflags",
    "installsuffix",
    "ldflags",
    "mod",
    "modfile",
    "overlay",
    "pgo",
    "pkgdir",
    "tags",
    "vet",
];
/// Options of the build that are set or not.
const BUILD_SWITCHES: [&str; 10] = [
    "a",
    "asan",
    "cover",
    "linkshared",
    "modcacherw",
    "msan",
    "race",
    "trimpath",
    "work",
    "buildvcs",
];
/// Options of a test binary whose value may be the next word.
const TEST_VALUES: [&str; 21] = [
    "bench",
    "benchtime",
    "blockprofile",
    "blockprofilerate",
    "count",
    "coverprofile",
    "cpu",
    "cpuprofile",
    "fuzz",
    "fuzzminimizetime",
    "fuzztime",
    "list",
    "memprofile",
    "memprofilerate",
    "mutexprofile",
    "outputdir",
    "parallel",
    "run",
    "shuffle",
    "skip",
    "trace",
];
/// Options of a test binary that are set or not.
const TEST_SWITCHES: [&str; 5] = ["benchmem", "failfast", "fullpath", "short", "v"];
/// Options of `go` that would have something else happen than a build and a run.
const OTHER: [&str; 6] = ["n", "x", "c", "i", "json", "artifacts"];

/// What an option is for.
enum Kind {
    Build,
    Test,
    /// Left out, with the reason.
    Dropped(&'static str),
    Unknown,
}

/// One option, its value taken from the next word where it has one.
struct Flag {
    name: String,
    value: Option<String>,
    words: Vec<String>,
}

/// What follows `go run`: options, a package or its files, and the program's arguments.
pub fn run(words: &[String]) -> Result<Order, Error> {
    let mut order = Order::default();
    let mut rest = words;
    while let Some(flag) = next(&mut rest, &BUILD_VALUES) {
        take(&mut order, flag)?;
    }
    let files = rest.iter().take_while(|word| word.ends_with(".go")).count();
    let (packages, args) = rest.split_at(files.max(1).min(rest.len()));
    order.packages = if packages.is_empty() { vec![".".into()] } else { packages.to_vec() };
    order.args = args.to_vec();
    Ok(order)
}

/// What follows `go test`: packages and options in any order; after `-args` all is the program's.
pub fn test(words: &[String]) -> Result<Order, Error> {
    let with_value: Vec<&str> =
        BUILD_VALUES.iter().chain(&TEST_VALUES).chain(&["timeout", "exec", "o"]).copied().collect();
    let mut order = Order { tests: true, ..Order::default() };
    let mut rest = words;
    while let Some((word, after)) = rest.split_first() {
        if word == "-args" || word == "--args" {
            order.args.extend(after.iter().cloned());
            break;
        }
        match next(&mut rest, &with_value) {
            Some(flag) => take(&mut order, flag)?,
            None => {
                order.packages.push(word.clone());
                rest = after;
            }
        }
    }
    if order.packages.is_empty() {
        order.packages.push(".".into());
    }
    Ok(order)
}

/// Of the options of a build those that `go list` has, too.
pub fn of_list(mut flags: &[String]) -> Vec<String> {
    let taken = std::iter::from_fn(|| next(&mut flags, &BUILD_VALUES));
    taken.filter(|flag| flag.name != "vet").flat_map(|flag| flag.words).collect()
}

/// The options of a build that are told beside the target: a line of them, or a list of words.
pub fn beside(order: &mut Order, told: &Value) -> Result<(), Error> {
    let listed = || {
        told.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let words: Vec<String> = told.as_str().map_or_else(listed, split);
    let mut rest = &words[..];
    while let Some(flag) = next(&mut rest, &BUILD_VALUES) {
        if flag.name == "C" {
            return Err(Error::unsupported("`-C` of `build_flags` is not heeded")
                .hint("the same call with `cwd`"));
        }
        take(order, flag)?;
    }
    match rest.first() {
        Some(word) => {
            Err(Error::invalid_request(format!("`{word}` of `build_flags` is no option")))
        }
        None => Ok(()),
    }
}

/// The words of a line; what is in quotes is of one.
fn split(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// What stands between `dlv VERB` and `--`: names, and the build's options.
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
            Some(flag) => heeded(&flag)?,
            None => {
                names.push(word.clone());
                rest = after;
            }
        }
    }
    Ok((names, flags))
}

/// Options of `dlv` that say how the program is run, which the call itself says here.
fn heeded(flag: &Flag) -> Result<(), Error> {
    let hint = match flag.name.as_str() {
        "wd" => "the same call with `cwd`",
        "redirect" | "r" => "the same call with `options.stdin`",
        _ => return Ok(()),
    };
    let dashes = if flag.name.len() > 1 { "--" } else { "-" };
    Err(Error::unsupported(format!("`dlv {dashes}{}` is not heeded", flag.name)).hint(hint))
}

/// Options that make a server of `dlv`.
pub fn serves(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or(word);
    ["--headless", "--listen", "-l", "--accept-multiclient", "--continue"].contains(&name)
}

/// Takes an option from the front; none: what stands there is no option.
fn next(words: &mut &[String], with_value: &[&str]) -> Option<Flag> {
    let (word, after) = words.split_first()?;
    let bare = word
        .strip_prefix("--")
        .or_else(|| word.strip_prefix('-'))
        .filter(|bare| !bare.is_empty())?;
    *words = after;
    let mut taken = vec![word.clone()];
    let (name, value) = match bare.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None if with_value.contains(&bare.strip_prefix("test.").unwrap_or(bare)) => {
            let (value, after) =
                after.split_first().map_or((None, after), |(value, after)| (Some(value), after));
            *words = after;
            taken.extend(value.cloned());
            (bare, value.cloned())
        }
        None => (bare, None),
    };
    Some(Flag { name: name.to_owned(), value, words: taken })
}

fn kind(name: &str, tests: bool) -> Kind {
    match name {
        "trimpath" => Kind::Dropped("breakpoints need the paths of sources"),
        "timeout" => Kind::Dropped("a test that is debugged has all the time it needs"),
        _ if BUILD_VALUES.contains(&name) || BUILD_SWITCHES.contains(&name) => Kind::Build,
        _ if tests && (TEST_VALUES.contains(&name) || TEST_SWITCHES.contains(&name)) => Kind::Test,
        _ if tests && name.starts_with("test.") => Kind::Test,
        _ if OTHER.contains(&name) => Kind::Dropped("it is not for debugging"),
        _ => Kind::Unknown,
    }
}

fn take(order: &mut Order, flag: Flag) -> Result<(), Error> {
    let bare = flag.name.strip_prefix("test.").unwrap_or(&flag.name).to_owned();
    match kind(&flag.name, order.tests) {
        Kind::Build if flag.name == "C" => order.moved = flag.value,
        Kind::Build => order.flags.extend(flag.words),
        Kind::Test if bare == "run" => order.run = flag.value,
        Kind::Test if bare == "bench" => order.bench = flag.value,
        Kind::Test if bare == "fuzz" => order.fuzz = flag.value,
        Kind::Test => {
            let value = flag.value.map(|value| format!("={value}")).unwrap_or_default();
            order.args.push(format!("-test.{bare}{value}"));
        }
        Kind::Dropped(why) => order.notes.push(format!("`-{}` is left out: {why}", flag.name)),
        // What `go test` does not know goes to the test binary, for its own flags.
        Kind::Unknown if order.tests && !["exec", "o"].contains(&bare.as_str()) => {
            order.args.extend(flag.words)
        }
        Kind::Unknown => {
            let verb = if order.tests { "test" } else { "run" };
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
    use crate::choice::Sort;

    #[track_caller]
    fn check(line: &str, flags: &str, packages: &str, run: Option<&str>, args: &str) {
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        let told = test(&words).map_err(|error| error.message);
        let told = told.map(|o| (o.flags.join(" "), o.packages.join(" "), o.run, o.args.join(" ")));
        assert_eq!(
            told,
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
    fn a_list_has_the_options_of_the_build_but_one() {
        let words = |line: &str| -> Vec<String> { line.split(' ').map(String::from).collect() };
        assert_eq!(of_list(&words("-race -vet off -tags x,y -vet=all")), words("-race -tags x,y"));
    }

    #[test]
    fn options_of_a_build_are_a_line_or_a_list() {
        let told = |tests: bool, told: Value| {
            let mut order = Order { tests, flags: vec!["-race".into()], ..Order::default() };
            let told = beside(&mut order, &told).map_err(|error| error.message);
            told.map(|()| ([order.flags, order.args].concat().join("|"), order.notes.len()))
        };
        let want = |words: &str, notes| Ok((words.to_owned(), notes));
        assert_eq!(told(false, Value::Null), want("-race", 0));
        let line = json!(" -tags=a,b -ldflags '-X m.v=\"1 2\"' -trimpath");
        assert_eq!(told(false, line), want("-race|-tags=a,b|-ldflags|-X m.v=\"1 2\"", 1));
        assert_eq!(told(true, json!(["-tags", "a b", "-v"])), want("-race|-tags|a b|-test.v", 0));
        assert_eq!(
            told(false, json!("-tags a ./b")),
            Err("`./b` of `build_flags` is no option".into())
        );
        assert_eq!(told(false, json!("-C x")), Err("`-C` of `build_flags` is not heeded".into()));
    }

    #[test]
    fn what_is_asked_for_most_particularly_has_to_be_there() {
        let wanted = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(String::from).collect();
            let order = test(&words).map_err(|error| error.message);
            order.map(|order| {
                (
                    order.wanted().map(|(sort, pattern)| (sort, pattern.to_owned())),
                    order.chosen().collect(),
                )
            })
        };
        let words = |words: &[&str]| -> Vec<String> {
            words.iter().map(|word| (*word).to_owned()).collect()
        };
        for (line, want, chosen) in [
            ("-run X", Some((Sort::Test, "X")), words(&["-test.run=X"])),
            (
                "-bench=. -run ^$",
                Some((Sort::Benchmark, ".")),
                words(&["-test.run=^$", "-test.bench=."]),
            ),
            ("-test.fuzz X", Some((Sort::Fuzz, "X")), words(&["-test.fuzz=X"])),
            ("./a", None, Vec::new()),
        ] {
            assert_eq!(
                wanted(line),
                Ok((want.map(|(sort, pattern)| (sort, pattern.to_owned())), chosen)),
                "{line}"
            );
        }
    }

    #[test]
    fn what_hinders_debugging_is_left_out_and_named() {
        let words = ["-timeout", "30s", "-trimpath", "."].map(String::from);
        let order = test(&words).map_err(|error| error.message);
        let notes = order.map(|order| order.notes);
        let want = [
            "`-timeout` is left out: a test that is debugged has all the time it needs",
            "`-trimpath` is left out: breakpoints need the paths of sources",
        ];
        assert_eq!(notes, Ok(want.map(String::from).to_vec()));
        let words = ["-exec", "sudo", "."].map(String::from);
        let refused = test(&words).err().map(|error| error.message);
        assert_eq!(refused.as_deref(), Some("`go test -exec` cannot be debugged"));
    }
}
