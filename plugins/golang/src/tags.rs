//! Build constraints: whether a build includes a source file, and which tags it lacks for that.
//! From `go help buildconstraint`. Pure.

/// Tags of a file are searched among the smallest sets of at most this many.
const MOST: usize = 3;
/// Most tags of a file that are tried, and the longest constraint that is read.
const MOST_OPEN: usize = 12;
const LONGEST: usize = 1_000;

const SYSTEMS: [&str; 17] = [
    "aix",
    "android",
    "darwin",
    "dragonfly",
    "freebsd",
    "hurd",
    "illumos",
    "ios",
    "js",
    "linux",
    "netbsd",
    "openbsd",
    "plan9",
    "solaris",
    "wasip1",
    "windows",
    "zos",
];
const PROCESSORS: [&str; 14] = [
    "386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64",
    "ppc64le", "riscv64", "s390x", "wasm",
];
/// Tags that `go` sets itself, or, like `ignore`, nobody.
const OTHERS: [&str; 6] = ["asan", "gccgo", "ignore", "msan", "race", "unix"];

/// Those of them that depend on options of `go`.
const BY_FLAGS: [&str; 4] = ["asan", "gccgo", "msan", "race"];

/// The system and the processor that the build is for.
#[derive(Clone, Copy, Debug)]
pub struct System {
    /// `linux`.
    pub name: &'static str,
    /// `amd64`.
    pub processor: &'static str,
}

/// What a build lacks to include a file.
#[derive(Debug, PartialEq, Eq)]
pub enum Lack {
    /// It includes it.
    Nothing,
    /// These tags.
    Tags(Vec<String>),
    /// Another system, or nothing could.
    More,
}

/// What a build with these tags lacks to include the file.
pub fn lack(path: &str, text: &str, given: &[String], system: System) -> Lack {
    if !fits_name(path, system) {
        return Lack::More;
    }
    let Some(constraint) = constraint(text) else { return Lack::Nothing };
    let parsed =
        Some(&constraint).filter(|text| text.len() <= LONGEST).and_then(|text| parse(text));
    let Some(expression) = parsed else { return Lack::Nothing };
    let holds = |more: &[&str]| {
        expression.holds(&|tag: &str| {
            more.contains(&tag) || given.iter().any(|one| one == tag) || is_set(tag, system)
        })
    };
    let mut open = Vec::new();
    expression.tags(&mut open);
    // Flags and settings of `go` decide about these.
    let is_undecided = open.iter().any(|tag| BY_FLAGS.contains(tag) || is_common(tag));
    open.retain(|tag| !is_own(tag));
    open.sort_unstable();
    open.dedup();
    let most = if open.len() > MOST_OPEN { 0 } else { MOST.min(open.len()) };
    for count in 0..=most {
        for some in choices(&open, count) {
            if holds(&some) {
                return match count {
                    0 => Lack::Nothing,
                    _ => Lack::Tags(some.into_iter().map(str::to_owned).collect()),
                };
            }
        }
    }
    if is_undecided { Lack::Nothing } else { Lack::More }
}

/// The lines of a file's constraint before the package clause: the one with `//go:build`, or those
/// of the form of Go 1.16 and before, which a blank line has to follow.
pub fn lines(text: &str) -> Vec<&str> {
    let head: Vec<&str> =
        text.lines().map(str::trim).take_while(|line| !line.starts_with("package ")).collect();
    if let Some(line) = head.iter().find(|line| line.starts_with(CONSTRAINT)) {
        return vec![line];
    }
    let end = head.iter().rposition(|line| line.is_empty()).unwrap_or_default();
    head[..end].iter().copied().filter(|line| options(line).is_some()).collect()
}

/// The constraint of a file in the form that follows `//go:build`.
fn constraint(text: &str) -> Option<String> {
    let lines = lines(text);
    if let Some(constraint) = lines.first().and_then(|line| line.strip_prefix(CONSTRAINT)) {
        return Some(constraint.trim().to_owned());
    }
    let parts: Vec<String> = lines.into_iter().filter_map(options).map(one_of).collect();
    (!parts.is_empty()).then(|| parts.join(" && "))
}

/// Before a constraint.
const CONSTRAINT: &str = "//go:build ";

/// The options of `// +build linux,!cgo darwin`.
fn options(line: &str) -> Option<&str> {
    let options = line.strip_prefix("//")?.trim_start().strip_prefix("+build")?;
    options.starts_with([' ', '\t']).then_some(options)
}

/// A blank separates alternatives, a comma what an alternative needs.
fn one_of(options: &str) -> String {
    let options: Vec<String> =
        options.split_whitespace().map(|option| option.replace(',', " && ")).collect();
    format!("({})", options.join(" || "))
}

/// Whether no build includes the file, because its constraint needs `ignore`.
pub fn is_ignored(text: &str) -> bool {
    const IGNORE: &str = "ignore";
    let Some(constraint) = constraint(text).filter(|text| text.len() <= LONGEST) else {
        return false;
    };
    let Some(expression) = parse(&constraint) else { return false };
    let mut tags = Vec::new();
    expression.tags(&mut tags);
    tags.contains(&IGNORE)
        && !expression.holds(&|tag| tag != IGNORE)
        && !expression.holds(&|_| false)
}

/// The sets of so many tags.
fn choices<'a>(tags: &[&'a str], count: usize) -> Vec<Vec<&'a str>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for (at, tag) in tags.iter().enumerate() {
        for mut rest in choices(&tags[at + 1..], count - 1) {
            rest.insert(0, tag);
            found.push(rest);
        }
    }
    found
}

/// Whether the end of the file's name, `_linux_arm64.go`, names another system or processor.
fn fits_name(path: &str, system: System) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = name.strip_suffix(".go").unwrap_or(name);
    let name = name.strip_suffix("_test").unwrap_or(name);
    let parts: Vec<&str> = name.split('_').skip(1).collect();
    let is_known = |part: &str| SYSTEMS.contains(&part) || PROCESSORS.contains(&part);
    let ends = match parts.as_slice() {
        [.., os, processor] if SYSTEMS.contains(os) && PROCESSORS.contains(processor) => {
            &parts[parts.len() - 2..]
        }
        [.., last] if is_known(last) => &parts[parts.len() - 1..],
        _ => return true,
    };
    ends.iter().all(|part| is_set(part, system))
}

/// Whether `go` decides about the tag.
fn is_own(tag: &str) -> bool {
    SYSTEMS.contains(&tag) || PROCESSORS.contains(&tag) || OTHERS.contains(&tag) || is_common(tag)
}

fn is_set(tag: &str, system: System) -> bool {
    let is_unix = tag == "unix" && !matches!(system.name, "windows" | "js" | "wasip1" | "plan9");
    tag == system.name || tag == system.processor || is_unix || is_common(tag)
}

/// Tags of every usual build: `cgo` and the versions of Go.
fn is_common(tag: &str) -> bool {
    matches!(tag, "gc" | "cgo") || tag.starts_with("go1.")
}

/// A constraint.
enum Expression<'a> {
    Tag(&'a str),
    Not(Box<Expression<'a>>),
    All(Vec<Expression<'a>>),
    Any(Vec<Expression<'a>>),
}

impl<'a> Expression<'a> {
    fn holds(&self, is_set: &impl Fn(&str) -> bool) -> bool {
        match self {
            Self::Tag(tag) => is_set(tag),
            Self::Not(one) => !one.holds(is_set),
            Self::All(parts) => parts.iter().all(|part| part.holds(is_set)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(is_set)),
        }
    }

    fn tags(&self, tags: &mut Vec<&'a str>) {
        match self {
            Self::Tag(tag) => tags.push(tag),
            Self::Not(one) => one.tags(tags),
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.tags(tags)),
        }
    }
}

fn parse(text: &str) -> Option<Expression<'_>> {
    let mut rest = text;
    let expression = any(&mut rest)?;
    rest.trim().is_empty().then_some(expression)
}

fn any<'a>(rest: &mut &'a str) -> Option<Expression<'a>> {
    let mut parts = vec![all(rest)?];
    while take(rest, "||") {
        parts.push(all(rest)?);
    }
    Some(Expression::Any(parts))
}

fn all<'a>(rest: &mut &'a str) -> Option<Expression<'a>> {
    let mut parts = vec![one(rest)?];
    while take(rest, "&&") {
        parts.push(one(rest)?);
    }
    Some(Expression::All(parts))
}

fn one<'a>(rest: &mut &'a str) -> Option<Expression<'a>> {
    if take(rest, "!") {
        return Some(Expression::Not(Box::new(one(rest)?)));
    }
    if take(rest, "(") {
        let inside = any(rest)?;
        return take(rest, ")").then_some(inside);
    }
    let text = rest.trim_start();
    let is_tag = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let end = text.find(|c| !is_tag(c)).unwrap_or(text.len());
    *rest = &text[end..];
    (end > 0).then(|| Expression::Tag(&text[..end]))
}

fn take(rest: &mut &str, sign: &str) -> bool {
    let Some(after) = rest.trim_start().strip_prefix(sign) else { return false };
    *rest = after;
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINUX: System = System { name: "linux", processor: "amd64" };

    #[track_caller]
    fn check(path: &str, constraint: &str, given: &[&str], expect: Lack) {
        let given: Vec<String> = given.iter().map(|tag| (*tag).to_owned()).collect();
        let text = format!("// Text.\n\n//go:build {constraint}\n\npackage x\n");
        assert_eq!(lack(path, &text, &given, LINUX), expect, "{path} {constraint}");
    }

    fn tags(tags: &[&str]) -> Lack {
        Lack::Tags(tags.iter().map(|tag| (*tag).to_owned()).collect())
    }

    #[test]
    fn smallest_set_of_tags_is_found() {
        check("a.go", "pro", &[], tags(&["pro"]));
        check("a.go", "pro", &["pro"], Lack::Nothing);
        check("a.go", "!pro", &[], Lack::Nothing);
        check("a.go", "!pro", &["pro"], Lack::More);
        check("a.go", "(a && b) || c", &[], tags(&["c"]));
        check("a.go", "a && b && linux && !race", &["a"], tags(&["b"]));
        check("a.go", "go1.18 && unix && cgo", &[], Lack::Nothing);
        check("a.go", "race", &[], Lack::Nothing);
        check("a.go", "!cgo", &[], Lack::Nothing);
        check("a.go", "a && b && c && d", &[], Lack::More);
        check("a.go", &"(".repeat(2_000), &[], Lack::Nothing);
        let many: Vec<String> = (0..50).map(|tag| format!("t{tag}")).collect();
        check("a.go", &many.join(" && "), &[], Lack::More);
    }

    #[test]
    fn other_systems_lack_more_than_tags() {
        check("a.go", "windows", &[], Lack::More);
        check("a.go", "windows || pro", &[], tags(&["pro"]));
        check("a.go", "ignore", &[], Lack::More);
        check("a_windows_test.go", "pro", &[], Lack::More);
        check("a_linux_arm64.go", "pro", &[], Lack::More);
        check("linux.go", "pro", &["pro"], Lack::Nothing);
        check("my_linux_amd64_test.go", "!pro", &[], Lack::Nothing);
    }

    #[test]
    fn constraint_stands_before_the_package() {
        assert_eq!(constraint("package x\n\n//go:build pro\n"), None);
        assert_eq!(constraint("// a\n//go:build  pro \npackage x\n").as_deref(), Some("pro"));
        assert_eq!(lack("a.go", "//go:build a &\npackage x\n", &[], LINUX), Lack::Nothing);
    }

    #[test]
    fn old_constraints_are_read() {
        let two = "// Text.\n// +build a,!b c\n//+build d\n\npackage x\n";
        assert_eq!(constraint(two).as_deref(), Some("(a && !b || c) && (d)"));
        assert_eq!(lines(two), ["// +build a,!b c", "//+build d"]);
        assert_eq!(lack("a.go", two, &[], LINUX), tags(&["a", "d"]));
        // The comment of the package, and one that a newer constraint replaces.
        assert_eq!(constraint("// +build a\npackage x\n"), None);
        let both = "//go:build b\n// +build a\n\npackage x\n";
        assert_eq!(constraint(both).as_deref(), Some("b"));
    }

    #[test]
    fn ignored_files_are_in_no_build() {
        for (head, expect) in [
            ("//go:build ignore", true),
            ("// +build ignore", true),
            ("//go:build ignore && linux", true),
            ("//go:build ignore || tools", false),
            ("//go:build !ignore", false),
            ("//go:build tools", false),
        ] {
            assert_eq!(is_ignored(&format!("{head}\n\npackage main\n")), expect, "{head}");
        }
    }
}
