//! Invariants that source text can show: uses between modules, headers, widths, names, sizes, and
//! bans for tests. Builds nothing.

mod imports;
mod interface;
mod names;

use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Every `.rs` file below a directory of the workspace: path relative to that directory, and text.
fn sources(under: &str) -> Vec<(String, String)> {
    files(under, "rs")
}

/// Every file with an ending.
fn files(under: &str, ending: &str) -> Vec<(String, String)> {
    let base = root().join(under);
    let mut found = Vec::new();
    let mut open = vec![base.clone()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() && !entry.ends_with("fixtures") {
                open.push(entry);
            } else if entry.extension().is_some_and(|extension| extension == ending) {
                let name = entry.strip_prefix(&base).unwrap().display().to_string();
                found.push((name, fs::read_to_string(&entry).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// Numbered lines without those that are comments.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// `session/actor/mod.rs` belongs to `session`.
fn module(file: &str) -> &str {
    file.split('/').next().unwrap().trim_end_matches(".rs")
}

#[track_caller]
fn none(complaints: Vec<String>, rule: &str) {
    assert!(complaints.is_empty(), "{rule}:\n{}", complaints.join("\n"));
}

/// Complaints about lines of `host/src` outside `allowed` that contain one of `words`.
fn only(allowed: &[&str], words: &[&str]) -> Vec<String> {
    let mut complaints = Vec::new();
    for (file, text) in
        sources("host/src").iter().filter(|(file, _)| !allowed.contains(&module(file)))
    {
        let bad = code(text).filter(|(_, line)| words.iter().any(|word| line.contains(word)));
        complaints.extend(bad.map(|(number, line)| format!("{file}:{number}: {}", line.trim())));
    }
    complaints
}

/// The modules that stand behind `crate::`: one, or several in braces.
fn named(path: &str) -> impl Iterator<Item = &str> {
    let list = path.strip_prefix('{').map_or(path, |list| list.split('}').next().unwrap_or(list));
    let several = path.starts_with('{');
    let word = |item: &str| {
        item.trim_start()
            .find(|c: char| !c.is_ascii_lowercase() && c != '_')
            .unwrap_or(item.trim_start().len())
    };
    list.split(',')
        .take(if several { usize::MAX } else { 1 })
        .map(move |item| &item.trim_start()[..word(item)])
        .filter(|name| !name.is_empty())
}

#[test]
fn arrows_point_one_way() {
    const ARROWS: &[(&str, &[&str])] = &[
        ("model", &["model"]),
        ("limits", &[]),
        ("tcp_table", &[]),
        ("dap", &["dap", "model", "limits", "tcp_table"]),
        ("process", &["process", "model", "limits", "tcp_table"]),
        ("plugin", &["plugin", "process", "model", "limits"]),
        ("provision", &["provision", "plugin", "process", "model", "limits"]),
        ("target", &["target", "provision", "plugin", "process", "model"]),
        (
            "session",
            &["session", "provision", "target", "plugin", "dap", "process", "model", "limits"],
        ),
        ("view", &["view", "session", "model"]),
        ("mirror", &["mirror", "view", "session", "dap", "model", "limits"]),
        ("mcp", &["mcp", "mirror", "view", "session", "model", "limits", "log"]),
        ("config", &["config", "plugin", "model", "limits"]),
        ("log", &["log"]),
        ("socket", &["socket"]),
        ("http", &["http", "limits"]),
        // These build a host from its parts.
        (
            "host",
            &[
                "host", "config", "mcp", "session", "plugin", "process", "socket", "http", "model",
                "limits",
            ],
        ),
        (
            "cli",
            &[
                "cli",
                "host",
                "config",
                "mcp",
                "view",
                "session",
                "provision",
                "plugin",
                "process",
                "socket",
                "model",
                "limits",
                "log",
            ],
        ),
    ];
    // `near`, `pattern` and `file` are functions over words and paths for every module.
    let mut complaints = Vec::new();
    for (file, text) in sources("host/src") {
        if ["lib", "main", "file", "near", "pattern"].contains(&module(&file)) || is_tests(&file) {
            continue;
        }
        let (_, allowed) =
            ARROWS.iter().find(|(from, _)| *from == module(&file)).expect("each module has a row");
        for (number, line) in code(&text) {
            for used in line.split("crate::").skip(1) {
                let bad = named(used).filter(|used| {
                    !allowed.contains(used) && !["near", "file", "pattern"].contains(used)
                });
                complaints.extend(bad.map(|used| format!("{file}:{number}: uses crate::{used}")));
            }
        }
    }
    none(complaints, "an arrow points the wrong way");
}

/// Rooms whose files have an order: none uses one that, directly or through others, uses it.
const ORDERED: &[&str] = &[
    "cli/",
    "config/",
    "dap/",
    "file.rs",
    "file/",
    "http/",
    "mcp/",
    "mirror/",
    "model/",
    "plugin/",
    "process/",
    "provision/",
    "session/actor/",
    "session/adapter/",
    "session/breakpoints/",
    "session/launch/",
    "session/record/",
    "session/stop/",
    "session/values/",
    "socket/",
    "target/",
    "view/",
];

/// Crates outside the host, each as one ordered room.
const ORDERED_CRATES: &[&str] = &["bench/src", "xtask/src"];

#[test]
fn files_of_ordered_rooms_use_one_another_one_way() {
    let mut complaints = circles_in("host/src", ORDERED);
    for directory in ORDERED_CRATES {
        complaints.extend(circles_in(directory, &[""]));
    }
    none(complaints, "files use one another in a circle");
}

/// The circles of a crate that touch a file below one of `rooms`.
fn circles_in(directory: &str, rooms: &[&str]) -> Vec<String> {
    let imports = imports::Imports::read(&sources(directory));
    let mut complaints = Vec::new();
    for circle in imports::circles(&imports.uses()) {
        if circle.iter().any(|file| rooms.iter().any(|room| file.starts_with(room))) {
            let files: Vec<&str> = circle.into_iter().collect();
            complaints.push(format!("{directory}: {}", files.join(", ")));
        }
    }
    complaints
}

/// Files and directories that the guides name in backticks, in one of these directories.
#[test]
fn guides_name_files_that_exist() {
    const BASES: [&str; 4] = ["", "host/src", "host/src/session", "plugins/debugpy"];
    let mut complaints = Vec::new();
    for guide in ["CONTRIBUTING.md", "plugins/README.md", "wit/README.md", "host/src/lib.rs"] {
        let text = fs::read_to_string(root().join(guide)).unwrap();
        for named in text.split('`').skip(1).step_by(2).filter(|named| is_path(named)) {
            let exists = BASES.iter().any(|base| root().join(base).join(named).exists());
            complaints.extend((!exists).then(|| format!("{guide}: {named}")));
        }
    }
    none(complaints, "a guide names a file that does not exist");
}

/// `directory/name`, without a placeholder in capitals.
fn is_path(named: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_./-".contains(c);
    named.contains('/')
        && named.chars().all(is_plain)
        && named.starts_with(|c: char| c.is_ascii_lowercase())
        && !named.starts_with("target/")
}

/// It sets the mode of each, independent of the umask.
#[test]
fn one_module_creates_files_and_directories() {
    const WORDS: [&str; 6] =
        ["fs::write(", "File::create", "create_dir", "DirBuilder", "OpenOptions::new", "tempdir"];
    let mut complaints = Vec::new();
    for (file, text) in sources("host/src") {
        let shipped = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let bad = code(shipped).filter(|(_, line)| WORDS.iter().any(|word| line.contains(word)));
        if file != "file/private.rs" && !is_tests(&file) {
            complaints
                .extend(bad.map(|(number, line)| format!("{file}:{number}: {}", line.trim())));
        }
    }
    none(complaints, "file::private creates what the host writes");
}

#[test]
fn foreign_words_stay_in_their_modules() {
    none(only(&["mcp"], &["rmcp::", "schemars::"]), "only mcp knows MCP");
    none(
        only(&["pattern"], &["Regex::new(", "RegexBuilder::new(", "RegexSet::new("]),
        "crate::pattern bounds what is compiled",
    );
    none(only(&["http", "mcp"], &["hyper::"]), "only http and mcp's part of it know HTTP");
    none(only(&["dap"], &["dapdock_schema::dap"]), "only dap knows DAP's JSON");
    let session: Vec<String> = ["dapdock_schema", ".profile"]
        .into_iter()
        .flat_map(|word| only(&[], &[word]))
        .filter(|found| found.starts_with("session/") && !found.starts_with("session/adapter/"))
        .collect();
    none(session, "only session/adapter reads the profile");
    none(
        only(&["plugin"], &["wasmtime::", "wasmtime_wasi::"]),
        "only plugin knows the guest's runtime",
    );
    none(
        only(
            &["process"],
            &["Command::new(\"", "std::process::Command", "tokio::process::Command"],
        ),
        "only process spawns",
    );
}

/// Languages, debuggers, and their tools and terms. `go`, an English word, counts only as a whole
/// string.
const NAMES: &str = "debugpy pydevd codelldb lldb delve dlv js-debug pwa-node gdb gdbserver \
    lldb-server \
    python pip venv virtualenv pytest unittest traceback asyncio \
    rust rustc cargo libtest c++ cpp clang gcc googletest gtest ctest cmake \
    \"go golang gopls goroutine goroutines \
    javascript typescript node nodejs node.js npm npx yarn pnpm tsc tsx jest mocha vitest";

/// Files that may name some of them.
const NAMED: &[(&str, &str)] = &[
    // The package clients of the user.
    ("provision/", "pip venv npm \"go"),
    ("plugin/answer/pins.rs", "pip npm"),
    // Libraries are named after the mangling scheme.
    ("file/executable.rs", "rustc cpp"),
    ("plugin/engine/trap.rs", "rustc rust"),
    // Servers are named after the programs that they debug.
    ("mcp/compat/", "gdb \"go rust"),
    // Keys of results that programs know.
    ("mcp/structured/context.rs", "goroutine"),
    // The usual variable for log filters.
    ("log.rs", "rust"),
];

#[test]
fn no_language_and_no_adapter_is_named_in_the_host() {
    let mut complaints = Vec::new();
    for (file, text) in sources("host/src").iter().filter(|(file, _)| !is_tests(file)) {
        let named = NAMED
            .iter()
            .filter(|(place, _)| file.starts_with(place))
            .flat_map(|(_, words)| words.split(' '));
        let named: Vec<&str> = named.collect();
        let own = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for (number, line) in code(own) {
            // Variables of the build.
            let line = line.replace("env!(\"CARGO_", "").to_lowercase();
            let words = line.split(|c: char| !c.is_ascii_alphanumeric() && !"-+.\"".contains(c));
            for word in words.filter(|word| !word.is_empty()) {
                let bare = word.trim_matches(|c| "-.\"".contains(c));
                let parts = word.split('.').map(|part| match part.trim_matches('"') {
                    "go" => part.trim_end_matches('"'),
                    part => part,
                });
                let all = [bare].into_iter().chain(parts);
                let bad = all.filter(|name| {
                    NAMES.split_whitespace().any(|one| one == *name) && !named.contains(name)
                });
                complaints.extend(bad.map(|name| format!("{file}:{number}: {name}")));
            }
        }
    }
    none(complaints, "a plugin is missing a way to say it");
}

#[test]
fn every_module_says_what_it_knows() {
    let headless = |under: &str| {
        let files = sources(under).into_iter().filter(|(_, text)| !text.starts_with("//! "));
        files.map(|(file, _)| format!("{under}/{file}")).collect::<Vec<_>>()
    };
    none(
        [headless("host/src"), headless("tests"), headless("xtask/src")].concat(),
        "a header is missing",
    );
}

/// Every Rust file of the workspace except the debugged test programs.
fn all_sources() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for under in ["bench", "host", "plugins", "tests", "xtask"] {
        for (file, text) in sources(under) {
            all.push((format!("{under}/{file}"), text));
        }
    }
    all
}

/// rustfmt does not wrap strings, nor the expression around one that is too long.
#[test]
fn lines_are_at_most_100_columns_wide() {
    let mut complaints = Vec::new();
    for (file, text) in all_sources() {
        for (index, line) in text.lines().enumerate() {
            if line.chars().count() > 100 {
                complaints.push(format!("{file}:{}", index + 1));
            }
        }
    }
    none(complaints, "a line is wider than 100 columns");
}

#[test]
fn a_condition_is_an_if() {
    let mut complaints = Vec::new();
    for (file, text) in all_sources() {
        let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
        let mut finder = BoolMatches::default();
        finder.visit_file(&parsed);
        if finder.count > 0 {
            complaints.push(format!("{file}: {}", finder.count));
        }
    }
    none(complaints, "a `match` on a bool is an `if`");
}

/// Counts the `match` expressions of a file that have an arm for `true` or `false`.
#[derive(Default)]
struct BoolMatches {
    count: usize,
}

impl<'ast> Visit<'ast> for BoolMatches {
    fn visit_expr_match(&mut self, found: &'ast syn::ExprMatch) {
        if found.arms.iter().any(|arm| is_bool(&arm.pat)) {
            self.count += 1;
        }
        visit::visit_expr_match(self, found);
    }
}

fn is_bool(pattern: &syn::Pat) -> bool {
    let syn::Pat::Lit(literal) = pattern else { return false };
    matches!(literal.lit, syn::Lit::Bool(_))
}

#[test]
fn tests_wait_for_events_and_run_always() {
    let forbidden = [concat!("sle", "ep("), concat!("#[ig", "nore")];
    let mut complaints = Vec::new();
    for (file, text) in sources("tests") {
        let bad = code(&text).filter(|(_, line)| forbidden.iter().any(|word| line.contains(word)));
        complaints
            .extend(bad.map(|(number, line)| format!("tests/{file}:{number}: {}", line.trim())));
    }
    none(complaints, "a test that waits for time, or does not run");
}

#[test]
fn standard_output_is_the_protocols() {
    none(only(&[], &["println!(", "print!(", "dbg!("]), "stdout carries MCP and nothing else");
}

/// Limits on a plugin: 3,000 lines of Rust, and files of at most 550 lines, those of its runtime
/// code included.
#[test]
fn plugins_are_small() {
    let mut complaints = Vec::new();
    for plugin in ["codelldb", "debugpy", "delve", "gdb", "js-debug"] {
        let mut total = 0;
        for (_, text) in sources(&format!("plugins/{plugin}/src")) {
            let shipped = text.split("#[cfg(test)]").next().unwrap_or_default();
            total += code(shipped).filter(|(_, line)| !line.trim().is_empty()).count();
        }
        if total > 3000 {
            complaints.push(format!("{plugin} has {total} lines of code, more than 3,000"));
        }
        for (directory, ending) in
            [("src", "rs"), ("src", "py"), ("src", "js"), ("runtime", "py"), ("runtime", "js")]
        {
            let directory = format!("plugins/{plugin}/{directory}");
            if !root().join(&directory).is_dir() {
                continue;
            }
            for (file, text) in files(&directory, ending) {
                if text.lines().count() > 550 {
                    complaints.push(format!("{directory}/{file} is longer than 550 lines"));
                }
            }
        }
    }
    none(complaints, "move the rest to the host or the SDK, or make it two plugins");
}

/// A file of tests, or in a folder of them.
fn is_tests(file: &str) -> bool {
    file.ends_with("/tests.rs") || file.contains("/tests/")
}
