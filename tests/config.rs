//! `dapdock.toml`: layers, and mistakes told in one line.

use std::path::{Path, PathBuf};

use dapdock::config::{Bundled, Config, FILE, Places};
use dapdock::plugin::Source;
use serde_json::json;

const BUNDLED: Bundled = &[("snake", b"snake's"), ("crab", b"crab's")];

fn write(dir: &Path, file: &str, text: &str) -> PathBuf {
    let path = dir.join(file);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn bundled_plugins_stand_under_their_names() {
    let config = Config::load(&Places::default(), BUNDLED).unwrap();
    assert_eq!(config.adapters.keys().collect::<Vec<_>>(), ["crab", "snake"]);
    assert_eq!(config.adapters["crab"].source, Source::Bundled(b"crab's"));
}

#[test]
fn later_layers_win_key_by_key() {
    let dir = tempfile::tempdir().unwrap();
    let user = write(
        dir.path(),
        "user.toml",
        "[adapters.snake.settings]\na = 1\nb = {x = 1, y = 0x10}\n[tools.gdb]\npath = \"/usr/bin/gdb\"\n[tools.dlv]\npath = \"bin/dlv\"\n",
    );
    let project = write(
        dir.path(),
        &format!("project/{FILE}"),
        "[adapters.snake]\nlanguages = [\"python\"]\nsettings = {b = {x = 2}}\n[adapters.own]\nplugin = \"own.wasm\"\n",
    );
    let named =
        write(dir.path(), "named.toml", "[adapters.crab]\nplugin = \"builtin:snake\"\n[tools.gdb]\npath = \"/g\"\n");
    let start = write(dir.path(), "project/deep/down/file", "");
    let places =
        Places { user: Some(user.clone()), start: start.parent().map(Path::to_owned), named: Some(named.clone()) };
    let config = Config::load(&places, BUNDLED).unwrap();
    assert_eq!(config.files, [user, project.clone(), named]);
    assert_eq!(config.adapters["snake"].settings, json!({"a": 1, "b": {"x": 2, "y": 16}}));
    assert_eq!(config.adapters["snake"].languages, ["python"]);
    assert_eq!(config.adapters["own"].source, Source::File(project.with_file_name("own.wasm")));
    assert_eq!(config.adapters["crab"].source, Source::Bundled(b"snake's"));
    assert_eq!(config.tools["gdb"], Path::new("/g"));
    assert_eq!(config.tools["dlv"], dir.path().join("bin/dlv"));
}

#[test]
fn only_the_named_file_must_exist() {
    let gone = |named| Places { user: Some("/no/user.toml".into()), start: None, named };
    assert!(Config::load(&gone(None), BUNDLED).is_ok());
    let error = Config::load(&gone(Some("/no/named.toml".into())), BUNDLED).unwrap_err();
    assert_eq!(error.to_string(), "cannot read /no/named.toml: No such file or directory (os error 2)");
}

#[test]
fn places_follow_the_environment() {
    let env = |pairs: &[(&str, &str)]| pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let cwd = Path::new("/w");
    let usual = Places::usual(&env(&[("HOME", "/h"), ("DAPDOCK_CONFIG", "c.toml")]), cwd, None);
    assert_eq!(usual.user.unwrap(), Path::new("/h/.config/dapdock/dapdock.toml"));
    assert_eq!(usual.named.unwrap(), Path::new("/w/c.toml"));
    let pairs = [("HOME", "/h"), ("XDG_CONFIG_HOME", "/x"), ("DAPDOCK_CONFIG", "c.toml")];
    let usual = Places::usual(&env(&pairs), cwd, Some("/f.toml".into()));
    assert_eq!(usual.user.unwrap(), Path::new("/x/dapdock/dapdock.toml"));
    assert_eq!(usual.named.unwrap(), Path::new("/f.toml"));
}

#[track_caller]
fn wrong(text: &str, expect: &str) {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "c.toml", text);
    let places = Places { named: Some(file.clone()), ..Places::default() };
    let error = Config::load(&places, BUNDLED).unwrap_err().to_string();
    assert_eq!(error.replace(file.to_str().unwrap(), "c.toml"), expect);
}

#[test]
fn mistakes_are_told_by_line_column_and_key() {
    wrong("\n[adapter.x]\n", "c.toml:2:2: unknown key `adapter`; did you mean `adapters`?");
    wrong(
        "[adapters.snake]\nplugins = \"x\"\n",
        "c.toml:2:1: unknown key `adapters.snake.plugins`; did you mean `plugin`?",
    );
    wrong("[adapters.snake]\n  zzz = 1\n", "c.toml:2:3: unknown key `adapters.snake.zzz`");
    wrong("[tools.\"é\"]\npath = 1\n", "c.toml:2:8: `tools.é.path` is a number, expected text");
    wrong("[tools.gdb]\n", "c.toml:1:8: `tools.gdb` is without `path`, expected a table with a path");
    wrong("adapters = 1\n", "c.toml:1:12: `adapters` is a number, expected a table");
    wrong(
        "[adapters.snake]\nlanguages = [\"a\", 2]\n",
        "c.toml:2:19: `adapters.snake.languages` is a number, expected text",
    );
    wrong("[adapters.snake]\nsettings = []\n", "c.toml:2:12: `adapters.snake.settings` is a list, expected a table");
    wrong(
        "[adapters.new]\nlanguages = []\n",
        "c.toml:1:11: `adapters.new.plugin` is missing: \"builtin:NAME\" or the path of a component",
    );
    wrong(
        "[adapters.x]\nplugin = \"builtin:snaek\"\n",
        "c.toml:2:10: `adapters.x.plugin`: no plugin `snaek` is built in; there are snake, crab; did you mean `snake`?",
    );
    wrong(
        "[adapters.x]\nplugin = { url = \"https://x\", sha256 = \"0\" }\n",
        "c.toml:2:10: `adapters.x.plugin`: plugins by URL are not supported yet; download it and give its path",
    );
    wrong(
        "[adapters.x]\nplugin = { uri = \"https://x\" }\n",
        "c.toml:2:12: unknown key `adapters.x.plugin.uri`; did you mean `url`?",
    );
    wrong("[adapters\n", "c.toml:1:10: unclosed table, expected `]`");
}
