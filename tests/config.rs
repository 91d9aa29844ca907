//! `dapdock.toml`: layers, and one-line errors.

use std::path::{Path, PathBuf};

use dapdock::config::{Config, FILE, Flags, Places};
use dapdock::plugin::{Bundled, Source};
use serde_json::json;

static BUNDLED: [Bundled; 2] = [
    Bundled { name: "snake", wasm: b"", sha256: "1" },
    Bundled { name: "crab", wasm: b"", sha256: "2" },
];

fn write(dir: &Path, file: &str, text: &str) -> PathBuf {
    let path = dir.join(file);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn bundled_plugins_are_listed_by_name() {
    let config = Config::load(&Places::default(), &BUNDLED).unwrap();
    assert_eq!(config.adapters.keys().collect::<Vec<_>>(), ["crab", "snake"]);
    assert_eq!(config.adapters["crab"].source, Source::Bundled(&BUNDLED[1]));
}

#[test]
fn later_layers_win_key_by_key() {
    let dir = tempfile::tempdir().unwrap();
    let user = write(
        dir.path(),
        "user.toml",
        "[adapters.snake.settings]\na = 1\nb = {x = 1, y = 0x10}\n[tools.gdb]\npath = \
        \"/usr/bin/gdb\"\n[tools.dlv]\npath = \"bin/dlv\"\n",
    );
    let project = write(
        dir.path(),
        &format!("project/{FILE}"),
        "[adapters.snake]\nlanguages = [\"python\"]\nsettings = {b = {x = \
        2}}\n[adapters.own]\nplugin = \"own.wasm\"\n",
    );
    let named = write(
        dir.path(),
        "named.toml",
        "[adapters.crab]\nplugin = \"builtin:snake\"\n[tools.gdb]\npath = \"/g\"\n",
    );
    let start = write(dir.path(), "project/deep/down/file", "");
    let places = Places {
        user: Some(user.clone()),
        start: start.parent().map(Path::to_owned),
        named: Some(named.clone()),
        trust: true,
        trusted: Vec::new(),
    };
    let config = Config::load(&places, &BUNDLED).unwrap();
    assert_eq!(config.files, [user, project.clone(), named]);
    assert_eq!(config.adapters["snake"].settings, json!({"a": 1, "b": {"x": 2, "y": 16}}));
    assert_eq!(config.adapters["snake"].languages, ["python"]);
    assert_eq!(config.adapters["own"].source, Source::File(project.with_file_name("own.wasm")));
    assert_eq!(config.adapters["crab"].source, Source::Bundled(&BUNDLED[0]));
    assert_eq!(config.tools["gdb"].path, Path::new("/g"));
    assert_eq!(config.tools["dlv"].path, dir.path().join("bin/dlv"));
}

#[test]
fn only_the_named_file_must_exist() {
    let gone = |named| Places { user: Some("/no/user.toml".into()), named, ..Places::default() };
    assert!(Config::load(&gone(None), &BUNDLED).is_ok());
    let error = Config::load(&gone(Some("/no/named.toml".into())), &BUNDLED).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot read /no/named.toml: No such file or directory (os error 2)"
    );
}

#[test]
fn places_follow_the_environment() {
    let env = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
    };
    let cwd = Path::new("/w");
    let usual =
        Places::usual(&env(&[("HOME", "/h"), ("DAPDOCK_CONFIG", "c.toml")]), cwd, Flags::default());
    assert_eq!(usual.user.unwrap(), Path::new("/h/.config/dapdock/dapdock.toml"));
    assert_eq!(usual.named.unwrap(), Path::new("/w/c.toml"));
    let pairs = [("HOME", "/h"), ("XDG_CONFIG_HOME", "/x"), ("DAPDOCK_CONFIG", "c.toml")];
    let usual =
        Places::usual(&env(&pairs), cwd, Flags { file: Some("/f.toml".into()), trust: true });
    assert!(usual.trust);
    assert_eq!(usual.user.unwrap(), Path::new("/x/dapdock/dapdock.toml"));
    assert_eq!(usual.named.unwrap(), Path::new("/f.toml"));
}

#[track_caller]
fn assert_error(text: &str, expect: &str) {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "c.toml", text);
    let places = Places { named: Some(file.clone()), ..Places::default() };
    let error = Config::load(&places, &BUNDLED).unwrap_err().to_string();
    assert_eq!(error.replace(file.to_str().unwrap(), "c.toml"), expect);
}

#[test]
fn errors_name_line_column_and_key() {
    assert_error("\n[adapter.x]\n", "c.toml:2:2: unknown key `adapter`; did you mean `adapters`?");
    assert_error(
        "[adapters.snake]\nplugins = \"x\"\n",
        "c.toml:2:1: unknown key `adapters.snake.plugins`; did you mean `plugin`?",
    );
    assert_error("[adapters.snake]\n  zzz = 1\n", "c.toml:2:3: unknown key `adapters.snake.zzz`");
    assert_error(
        "[tools.\"é\"]\npath = 1\n",
        "c.toml:2:8: `tools.é.path` is a number, expected text",
    );
    assert_error(
        "[tools.gdb]\n",
        "c.toml:1:8: `tools.gdb` is without `path`, expected a table with a path",
    );
    assert_error("adapters = 1\n", "c.toml:1:12: `adapters` is a number, expected a table");
    assert_error(
        "[adapters.snake]\nlanguages = [\"a\", 2]\n",
        "c.toml:2:19: `adapters.snake.languages` is a number, expected text",
    );
    assert_error(
        "[adapters.snake]\nsettings = []\n",
        "c.toml:2:12: `adapters.snake.settings` is a list, expected a table",
    );
    assert_error(
        "[adapters.new]\nlanguages = []\n",
        "c.toml:1:11: `adapters.new.plugin` is missing: \"builtin:NAME\" or the path of a \
        component",
    );
    assert_error(
        "[adapters.x]\nplugin = \"builtin:snaek\"\n",
        "c.toml:2:10: `adapters.x.plugin`: no plugin `snaek` is built in; there are snake, crab; \
        did you mean `snake`?",
    );
    assert_error(
        "[adapters.x]\nplugin = { url = \"https://x\", sha256 = \"0\" }\n",
        "c.toml:2:10: `adapters.x.plugin`: plugins by URL are not supported yet; download it and \
        give its path",
    );
    assert_error(
        "[adapters.x]\nplugin = { uri = \"https://x\" }\n",
        "c.toml:2:12: unknown key `adapters.x.plugin.uri`; did you mean `url`?",
    );
    assert_error("[mcp]\ntool = []\n", "c.toml:2:1: unknown key `mcp.tool`; did you mean `tools`?");
    assert_error("[mcp]\nslim = 1\n", "c.toml:2:8: `mcp.slim` is a number, expected a boolean");
    assert_error("[adapters\n", "c.toml:1:10: unclosed table, expected `]`");
}

/// A project in `project/` and a user's file, loaded; errors have the directory's name removed.
#[track_caller]
fn project(text: &str, user: &str, trust: bool) -> Result<Config, String> {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let file = write(&root, &format!("project/{FILE}"), text);
    let user = write(&root, "user.toml", user);
    let start = file.parent().map(|dir| dir.join("deep"));
    let places = Places { user: Some(user), start, named: None, trust, trusted: Vec::new() };
    Config::load(&places, &BUNDLED)
        .map_err(|error| error.to_string().replace(&format!("{}/", root.display()), ""))
}

const TOOL: &str = "[limits]\nsessions = 2\n[tools.gdb]\npath = \"evil\"\n";
const PLUGIN: &str = "[adapters.own]\nplugin = \"evil.wasm\"\n";

#[test]
fn projects_choose_what_runs_only_where_the_user_trusts_them() {
    let reason = "chooses what runs, and this project is not trusted: read it, then add trust = \
        [\"project\"] to user.toml, \
               or start dapdock with --trust";
    let untrusted = |text, place, key| {
        for user in ["", "trust = []", "trust = [\"projec\", \"project/deep\", \"/no/such\"]"] {
            assert_eq!(
                project(text, user, false),
                Err(format!("project/{FILE}:{place}: `{key}` {reason}")),
                "{user}"
            );
        }
    };
    untrusted(TOOL, "3:8", "tools.gdb.path");
    untrusted(PLUGIN, "1:11", "adapters.own.plugin");
    untrusted(&format!("{PLUGIN}{TOOL}"), "1:11", "adapters.own.plugin");
    for (user, trust) in [("", true), ("trust = [\"project\"]", false), ("trust = [\".\"]", false)]
    {
        assert!(
            project(TOOL, user, trust).unwrap().tools["gdb"].path.ends_with("project/evil"),
            "{user}"
        );
        assert!(project(PLUGIN, user, trust).unwrap().adapters.contains_key("own"), "{user}");
    }
}

#[test]
fn settings_that_run_nothing_need_no_trust() {
    let harmless =
        "[adapters.snake]\nplugin = \"builtin:crab\"\nsettings = {a = 1}\n[limits]\nsessions = 2\n";
    assert_eq!(project(harmless, "", false).unwrap().limits, [("sessions", 2.0)]);
}

#[test]
fn projects_do_not_trust_themselves() {
    for trust in [false, true] {
        assert_eq!(
            project(&format!("trust = [\".\"]\n{TOOL}"), "", trust),
            Err(format!(
                "project/{FILE}:1:1: `trust` is not allowed in a project's file: move it to \
                user.toml"
            ))
        );
        assert_eq!(
            project("\nauto_install = true\n", "", trust),
            Err(format!(
                "project/{FILE}:2:1: `auto_install` is not allowed in a project's file: move \
                it to user.toml"
            ))
        );
    }
}

#[test]
fn projects_do_not_choose_tools() {
    for trust in [false, true] {
        assert_eq!(
            project("[mcp]\nread_only = false\n", "[mcp]\nread_only = true\n", trust),
            Err(format!(
                "project/{FILE}:1:2: `mcp` is not allowed in a project's file: move it to \
                user.toml"
            ))
        );
    }
}

#[test]
fn auto_install_is_off_by_default() {
    assert!(!project("", "", false).unwrap().auto_install);
    assert!(project("", "auto_install = true", false).unwrap().auto_install);
    assert_error(
        "auto_install = 1\n",
        "c.toml:1:16: `auto_install` is a number, expected a boolean",
    );
}

#[test]
fn file_named_by_the_user_is_trusted_anywhere() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), FILE, &format!("trust = [\".\"]\n{TOOL}"));
    let places = Places {
        start: Some(dir.path().to_owned()),
        named: Some(file.clone()),
        ..Places::default()
    };
    let config = Config::load(&places, &BUNDLED).unwrap();
    assert_eq!(
        (config.files, config.tools["gdb"].path.clone()),
        (vec![file.clone()], file.with_file_name("evil"))
    );
}
