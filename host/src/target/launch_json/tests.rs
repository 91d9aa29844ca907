//! Reading configurations.

use std::collections::BTreeMap;

use dapdock_schema::ConfiguredCommand;
use serde_json::json;

use super::*;

fn manifest() -> Manifest {
    let module = ConfiguredCommand {
        key: "module".into(),
        value: None,
        words: ["run".into(), "-m".into(), "{module}".into()].to_vec(),
    };
    let test = ConfiguredCommand {
        key: "mode".into(),
        value: Some("test".into()),
        words: ["t", "-C", "{at}", "{flags}"].map(str::to_owned).into(),
    };
    let names = [
        ("environment", "env"),
        ("stopAtEntry", "stopOnEntry"),
        ("to.port", "port"),
        ("to.name", "host"),
    ];
    let names = names.map(|(theirs, shared)| (theirs.to_owned(), shared.to_owned())).into();
    let options = [("ownCode", "own_code"), ("dump", "core"), ("attach.symbols", "file")];
    let options = options.map(|(theirs, ours)| (theirs.to_owned(), ours.to_owned())).into();
    Manifest {
        configurations: Configurations {
            types: vec!["x".into()],
            names,
            options,
            implied: [("mode", "plain"), ("launch.how", "here"), ("attach.how", "there")]
                .map(|(key, value)| (key.to_owned(), vec![value.to_owned()]))
                .into(),
            commands: vec![module, test],
        },
        ..Manifest::default()
    }
}

#[test]
fn a_core_file_is_relative_to_the_workspace() {
    let core =
        |value| read(value).map(|read| (read.request.core, read.request.options, read.ignored));
    let dumped = json!({"program": "a", "dump": "core.1"});
    assert_eq!(core(dumped), Ok((Some("/w/core.1".into()), "{}".into(), Vec::new())));
    let joined = json!({"request": "attach", "processId": 7, "dump": "core.1"});
    assert_eq!(core(joined), Ok((None, "{}".into(), vec!["core".to_owned()])));
    assert_eq!(
        core(json!({"program": "a", "dump": 1})),
        Err("the core file must be a text, got 1".into())
    );
}

#[test]
fn implied_values_count_for_their_request_only() {
    let ignored = |value| read(value).unwrap().ignored;
    let launch = |how: &str| ignored(json!({"program": "a", "how": how, "mode": "plain"}));
    assert_eq!((launch("here"), launch("there")), (vec![], vec!["how".to_owned()]));
    let attach =
        |how: &str| ignored(json!({"request": "attach", "port": 1, "how": how, "mode": "plain"}));
    assert_eq!((attach("here"), attach("there")), (vec!["how".to_owned()], vec![]));
}

#[test]
fn an_option_of_one_request_is_none_of_the_other() {
    let options = |value| read(value).map(|read| (read.request.options, read.ignored)).unwrap();
    let joined = json!({"request": "attach", "port": 1, "symbols": "a"});
    assert_eq!(options(joined), (r#"{"file":"a"}"#.to_owned(), Vec::new()));
    let started = json!({"program": "a", "symbols": "a"});
    assert_eq!(options(started), ("{}".to_owned(), vec!["symbols".to_owned()]));
}

fn read(value: Value) -> Result<Read, String> {
    read_with(value, &Overrides::default())
}

fn read_with(value: Value, overrides: &Overrides) -> Result<Read, String> {
    let Value::Object(map) = value else { panic!("an object") };
    let (workspace, environment) = (Path::new("/w"), BTreeMap::new());
    let surroundings = Surroundings { workspace, environment: &environment };
    request(&map, &manifest(), "mine", surroundings, overrides)
}

#[test]
fn the_caller_is_stronger_than_the_file() {
    let given = json!({"module": "app", "args": ["${input:x}"], "cwd": "${file}",
        "stopOnEntry": true, "env": {"A": "1"}});
    let overrides = Overrides {
        inputs: Map::new(),
        args: Some(vec!["mine".into()]),
        cwd: Some("/else".into()),
        stop_on_entry: Some(false),
        adapter: None,
        core: Some("/c".into()),
        stdin: None,
        env: vec![("A".into(), Some("mine".into()))],
    };
    let Read { request, ignored } = read_with(given.clone(), &overrides).unwrap();
    assert_eq!(ignored, [""; 0]);
    let words = ["run", "-m", "app", "mine"].map(str::to_owned).to_vec();
    assert_eq!((request.target, request.args), (LaunchTarget::Command(words), Vec::new()));
    assert_eq!((request.cwd, request.stop_on_entry), (Some("/else".into()), false));
    assert_eq!(request.core, Some("/c".into()));
    assert_eq!(request.env.last(), Some(&("A".to_owned(), Some("mine".to_owned()))));
    let why = read(given).err().unwrap();
    assert_eq!(why, "`${file}` is not known without an editor; options.inputs answers it");
}

#[test]
fn an_env_file_is_read_as_editors_do() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("x.env");
    let lines = "# remark\n\nexport A=\"b\\nc\"\nB=pa$word # no \
        remark\nC='${A}\\n/x'\nA=2\nD=${A}${C}\nE=\nF=${E}${NONE}\n";
    std::fs::write(&file, lines).unwrap();
    let text = |name: &str, value: &str| (name.to_owned(), Some(value.to_owned()));
    let read = env_file(&file, &BTreeMap::new()).unwrap();
    let (first, second) = (
        [text("A", "b\nc"), text("B", "pa$word # no remark")],
        [text("C", "b\nc\\n/x"), text("A", "2")],
    );
    let third = [text("D", "2b\nc\\n/x"), text("E", ""), text("F", "")];
    assert_eq!(
        (read.env, read.absent),
        ([&first[..], &second, &third].concat(), vec!["NONE".to_owned()])
    );
    let read = self::read(json!({"program": "a", "envFile": file})).unwrap();
    assert_eq!(read.ignored, ["${NONE} of envFile, which nothing defines"]);
    std::fs::write(&file, "A=1\nsecret\n").unwrap();
    let why = env_file(&file, &BTreeMap::new()).err().unwrap();
    assert_eq!(why, format!("`envFile` {}: line 2 is not NAME=value", file.display()));
}

#[test]
fn shared_keys_and_options_are_read_and_others_reported() {
    let read = read(json!({
        "name": "a", "type": "x", "request": "launch", "program": "b.x", "args": ["1", "a b"],
            "cwd": "sub",
        "env": {"A": "1", "B": null}, "stopOnEntry": true, "ownCode": false,
            "preLaunchTask": "build", "console": "c",
    }))
    .unwrap();
    let request = read.request;
    assert_eq!(request.target, LaunchTarget::Program("/w/b.x".into()));
    assert_eq!(
        (request.args, request.cwd),
        (vec!["1".to_owned(), "a b".to_owned()], Some("/w/sub".into()))
    );
    assert_eq!(request.env, [("A".to_owned(), Some("1".to_owned())), ("B".to_owned(), None)]);
    assert_eq!((request.options.as_str(), request.stop_on_entry), (r#"{"own_code":false}"#, true));
    assert_eq!(
        (request.adapter.as_deref(), read.ignored),
        (Some("mine"), vec!["preLaunchTask".to_owned()])
    );
}

#[test]
fn a_manifest_renames_shared_keys() {
    let request = json!({"program": "a", "environment": [{"name": "A", "value": "1"}],
        "stopAtEntry": true});
    let request = read(request).unwrap();
    assert_eq!(request.request.env, [("A".to_owned(), Some("1".to_owned()))]);
    assert_eq!((request.request.stop_on_entry, request.ignored), (true, Vec::new()));
    let both = read(json!({"program": "a", "stopAtEntry": true, "stopOnEntry": false})).unwrap();
    assert_eq!((both.request.stop_on_entry, both.ignored), (false, vec!["stopAtEntry".to_owned()]));
    let (args, file) = (Some(Vec::new()), Some(PathBuf::from("/x")));
    let overrides = Overrides { args, stdin: file.clone(), core: file, ..Overrides::default() };
    let attach = read_with(json!({"request": "attach", "port": 1}), &overrides).unwrap();
    assert_eq!(
        (attach.request.stdin.or(attach.request.core), attach.ignored),
        (None, ["args", "stdin", "core"].map(|key| format!("{key} of the call")).to_vec())
    );
    let rest = read(json!({"request": "attach", "to": {"port": 1, "more": 2}})).unwrap();
    assert_eq!(rest.ignored, ["to"]);
}

#[test]
fn a_manifest_can_make_a_command_of_keys() {
    for (given, words) in [
        (
            json!({"module": "app", "args": "one 'two three'"}),
            vec!["run", "-m", "app", "one", "two three"],
        ),
        (json!({"mode": "test", "flags": ["-a", "-b"], "args": ["c"]}), vec!["t", "-a", "-b", "c"]),
        (json!({"mode": "test", "at": "x y"}), vec!["t", "-C", "x y"]),
    ] {
        let words = words.into_iter().map(str::to_owned).collect();
        let Read { request, ignored } = read(given).unwrap();
        assert_eq!((request.target, ignored), (LaunchTarget::Command(words), Vec::new()));
    }
    let other = read(json!({"mode": "debug", "program": "a"})).unwrap();
    assert_eq!(
        (other.request.target, other.ignored),
        (LaunchTarget::Program("/w/a".into()), vec!["mode".to_owned()])
    );
    assert_eq!(read(json!({"mode": "plain", "program": "a"})).unwrap().ignored, [""; 0]);
}

#[test]
fn a_program_is_in_the_working_directory_if_only_that_has_it() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("sub")).unwrap();
    for path in ["both", "sub/both", "sub/below"] {
        std::fs::write(dir.path().join(path), "").unwrap();
    }
    for (program, want) in [("both", "both"), ("below", "sub/below"), ("none", "none")] {
        let Value::Object(given) = json!({"program": program, "cwd": "sub"}) else {
            panic!("an object")
        };
        let (workspace, environment) = (dir.path(), &BTreeMap::new());
        let surroundings = Surroundings { workspace, environment };
        let request = request(&given, &manifest(), "mine", surroundings, &Overrides::default())
            .unwrap()
            .request;
        assert_eq!(request.target, LaunchTarget::Program(dir.path().join(want)), "{program}");
    }
}

#[test]
fn attaching_is_by_process_or_port() {
    for (given, want) in [
        (json!({"processId": "17"}), LaunchTarget::Process(17)),
        (json!({"to": {"name": "h", "port": 5678}}), LaunchTarget::Address("h".into(), 5678)),
        (json!({"port": 9229}), LaunchTarget::Address("127.0.0.1".into(), 9229)),
    ] {
        let mut given = given;
        given["request"] = "attach".into();
        assert_eq!(read(given).unwrap().request.target, want);
    }
}

#[test]
fn missing_and_wrong_keys_are_errors() {
    for (given, why) in [
        (json!({}), "it names no `program`"),
        (json!({"program": 3}), "`program` must be a text, got 3"),
        (json!({"program": "a", "args": [1]}), "`args` must be a list of texts"),
        (
            json!({"request": "attach", "port": 70_000}),
            "`port` must be a number of at most 65535, got 70000",
        ),
        (
            json!({"program": "a", "environment": [{"A": "1"}]}),
            "`env` must be an object, or a list of {\"name\", \"value\"}",
        ),
        (json!({"request": "attach"}), "it names neither a process (`processId`) nor a `port`"),
    ] {
        assert_eq!(read(given).err().as_deref(), Some(why));
    }
}
