//! What `go test` runs: the kinds of functions, and the patterns that select them. Reads names;
//! runs nothing.

/// What a test binary can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestKind {
    /// Tests, examples, and fuzz tests with their seed corpus.
    Test,
    /// A benchmark.
    Benchmark,
    /// A fuzz test with generated input.
    Fuzz,
}

impl TestKind {
    /// The kind of a function.
    pub fn of(name: &str) -> Self {
        if name.starts_with("Benchmark") { Self::Benchmark } else { Self::Test }
    }

    /// Whether the options for this kind can run the function.
    pub fn includes(self, name: &str) -> bool {
        match self {
            Self::Test => !name.starts_with("Benchmark"),
            Self::Benchmark => name.starts_with("Benchmark"),
            Self::Fuzz => name.starts_with("Fuzz"),
        }
    }

    /// The word for one of these.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Test => "test",
            Self::Benchmark => "benchmark",
            Self::Fuzz => "fuzz test",
        }
    }

    /// The options that run only the functions that match a pattern.
    pub fn options(self, pattern: &str) -> Vec<String> {
        let words: &[&str] = match self {
            Self::Test => &["-run", pattern],
            Self::Benchmark => &["-run", "^$", "-bench", pattern],
            Self::Fuzz => &["-run", "^$", "-fuzz", pattern],
        };
        words.iter().map(|word| (*word).to_owned()).collect()
    }
}

/// The pattern for `-list`: all names, so that an error can list similar ones, unless the pattern
/// is a regular expression.
pub fn list_pattern(pattern: &str) -> String {
    if plain(pattern).is_some() { ".".into() } else { first(pattern).to_owned() }
}

/// The pattern of the top-level test, without those of subtests.
pub fn first(pattern: &str) -> &str {
    pattern.split('/').next().unwrap_or(pattern)
}

/// The name in `^TestX$/sub`; none for a regular expression.
pub fn plain(pattern: &str) -> Option<&str> {
    let name = first(pattern).trim_start_matches('^').trim_end_matches('$');
    name.chars().all(|c| c.is_alphanumeric() || c == '_').then_some(name)
}

/// Whether the pattern matches a name in the list of [`list_pattern`].
pub fn matches(pattern: &str, name: &str) -> bool {
    let first = first(pattern);
    // The list for a regular expression has only names that match it.
    let Some(plain) = plain(pattern) else { return true };
    match (first.starts_with('^'), first.ends_with('$')) {
        (true, true) => name == plain,
        (true, false) => name.starts_with(plain),
        (false, true) => name.ends_with(plain),
        (false, false) => name.contains(plain),
    }
}
