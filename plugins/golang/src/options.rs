//! The options of `go run` and `go test`: which belong to the build, which to the test binary, and
//! which take the next word as their value. From `go help build` and `go help testflag`, Go 1.26.
//! Reads words; decides nothing about a session.

/// Build options with a value, which may be the next word.
pub const BUILD_VALUES: [&str; 18] = [
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
/// Build options without a value.
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
/// Test options with a value, which may be the next word.
pub const TEST_VALUES: [&str; 21] = [
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
/// Test options without a value.
const TEST_SWITCHES: [&str; 5] = ["benchmem", "failfast", "fullpath", "short", "v"];
/// Options of `go` with which it does not build and run, or prints more.
const OTHER: [&str; 6] = ["n", "x", "c", "i", "json", "artifacts"];

/// The receiver of an option.
pub enum Kind {
    /// The build.
    Build,
    /// The test binary.
    Test,
    /// Ignored, with the reason.
    Dropped(&'static str),
    /// Neither knows it.
    Unknown,
}

/// An option with its value.
pub struct Flag {
    /// Its name, without dashes.
    pub name: String,
    /// After `=`, or the next word.
    pub value: Option<String>,
    /// The words of the command line.
    pub words: Vec<String>,
}

/// The build options that `go list` accepts too.
pub fn for_list(mut flags: &[String]) -> Vec<String> {
    let mut words = Vec::new();
    while let Some(flag) = next(&mut flags, &BUILD_VALUES) {
        if flag.name != "vet" {
            words.extend(flag.words);
        }
    }
    words
}

/// The tags of the build.
pub fn tags(mut flags: &[String]) -> Vec<String> {
    let mut tags = Vec::new();
    while let Some(flag) = next(&mut flags, &BUILD_VALUES) {
        if flag.name == "tags" {
            let list = flag.value.unwrap_or_default();
            tags = list.split([',', ' ']).filter(|tag| !tag.is_empty()).map(Into::into).collect();
        }
    }
    tags
}

/// Splits a command line into words; quotes group words.
pub fn split(line: &str) -> Vec<String> {
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

/// Removes an option from the front; none if the first word is not an option.
pub fn next(words: &mut &[String], with_value: &[&str]) -> Option<Flag> {
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

/// The receiver of an option of `go run`, or of `go test`.
pub fn kind(name: &str, tests: bool) -> Kind {
    match name {
        "trimpath" => Kind::Dropped("breakpoints need the paths of sources"),
        "timeout" => Kind::Dropped("a stopped test would exceed it"),
        _ if BUILD_VALUES.contains(&name) || BUILD_SWITCHES.contains(&name) => Kind::Build,
        _ if tests && (TEST_VALUES.contains(&name) || TEST_SWITCHES.contains(&name)) => Kind::Test,
        _ if tests && name.starts_with("test.") => Kind::Test,
        _ if OTHER.contains(&name) => Kind::Dropped("it has no use in a debug session"),
        _ => Kind::Unknown,
    }
}
