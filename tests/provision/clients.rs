//! How each kind of client is called, and what is made of the files it fetches.

use serde_json::Value;

use super::{User, ended};

/// The hash that the plugin pins.
const SUM: &str = "h1:dhcjFjiVoQI53uwsG7EqYiMhdvFuywsBZx4KDOK+sYE=";

/// A Go with one module, which builds `dlv` from it.
pub(super) fn go(sum: &str) -> String {
    format!(
        r#"case "$1" in
            env) echo go1.26.8 ;;
            mod) echo '{{"Sum": "{sum}"}}' ;;
            install) mkdir -p "$GOBIN"; echo '#!/bin/sh' > "$GOBIN/dlv"; chmod +x "$GOBIN/dlv" ;;
        esac"#
    )
}

pub(super) fn good_go() -> String {
    go(SUM)
}

/// The version of a tool of the user's is not asked for.
#[tokio::test]
async fn own_tool_is_listed_without_a_version() {
    let user = User::with(&[("dlv", "exit 0")]);
    let row = user.listed("delve").await;
    assert_eq!(
        (&row["state"], &row["version"], &row["pinned"]),
        (&"on PATH".into(), &Value::Null, &true.into())
    );
}

#[tokio::test]
async fn tool_of_no_plugin_is_a_note_of_the_list() {
    let user = User::with(&[]);
    let config = user.dir.path().join("named.toml");
    std::fs::write(&config, "[tools.gdb]\npath = \"/no\"\n[tools.codeldb]\npath = \"/no\"\n")
        .unwrap();
    let list = user.run(&["list", "--json", "--config", config.to_str().unwrap()]).await;
    let expected = format!(
        "dapdock: note: [tools.codeldb] in {}:3 is no plugin's tool; did you mean `codelldb`?\n",
        config.display()
    );
    assert_eq!(list.err, expected);
    assert!(serde_json::from_str::<Value>(&list.out).is_ok(), "{}", list.out);
}

#[tokio::test]
async fn install_is_listed_found_and_removed() {
    let user = User::with(&[("go", &good_go())]);
    let before = user.listed("delve").await;
    assert_eq!(
        (&before["state"], &before["note"]),
        (&"not installed".into(), &"dapdock adapters install delve".into())
    );
    let printed = user.run(&["install", "delve"]).await.good();
    let after = user.listed("delve").await;
    let path = after["path"].as_str().unwrap();
    assert!(path.starts_with(user.installs().join("delve/1.27.2-").to_str().unwrap()), "{path}");
    assert!(
        printed.starts_with("delve 1.27.2 installed in ") && printed.trim_end().ends_with(path),
        "{printed}"
    );
    assert_eq!((&after["state"], &after["version"]), (&"installed".into(), &"1.27.2".into()));
    assert!(std::path::Path::new(path).is_file());
    assert_eq!(
        user.run(&["install", "delve"]).await.good(),
        format!("delve 1.27.2 is there: {path}\n")
    );
    assert_eq!(
        user.notes(),
        [
            "go env GOVERSION",
            "go mod download -json github.com/go-delve/delve@v1.27.2",
            "go install -v github.com/go-delve/delve/cmd/dlv@v1.27.2",
        ],
        "the second install asks nobody"
    );
    assert!(user.run(&["remove", "delve"]).await.good().starts_with("removed delve 1.27.2-"));
    assert_eq!(user.listed("delve").await["state"], "not installed");
    assert_eq!(user.left(), [""; 0]);
    assert_eq!(user.run(&["remove", "delve"]).await.good(), "delve is not installed\n");
}

#[tokio::test]
async fn environment_gets_the_pinned_packages_with_their_hashes() {
    let python = r#"case "$2" in
            venv) mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
            pip) case "$3" in
                freeze) echo debugpy==1.8.22 ;;
                *) for word; do last=$word; done; cat "$last" >> "$NOTES" ;;
            esac ;;
        esac"#;
    let user = User::with(&[("python3", python)]);
    let printed = user.run(&["install", "debugpy"]).await.good();
    assert!(printed.starts_with("debugpy 1.8.22 installed in "), "{printed}");
    let notes = user.notes();
    let pip = "python3 -m pip install --no-input --disable-pip-version-check --progress-bar off \
        --only-binary :all: \
               --require-hashes --requirement ";
    assert!(notes[0].starts_with("python3 -m venv ") && notes[1].starts_with(pip), "{notes:?}");
    let hash = "--hash=sha256:a9e9d3550e15ca479c59333e90845029190531f0cacfedab3b815a57bd913947";
    assert!(notes[2].starts_with(&format!("debugpy==1.8.22 {hash} --hash=")), "{notes:?}");
    assert_eq!((notes.len(), user.left()), (4, vec!["debugpy".to_owned()]));
}

/// With the user's own settings pip can succeed and install the packages elsewhere.
#[tokio::test]
async fn packages_installed_elsewhere_are_an_error() {
    let python = r#"case "$2" in venv) mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;; esac"#;
    let user = User::with(&[("python3", python)]);
    user.run(&["install", "debugpy"]).await.fails(&["debugpy==1.8.22 is not in the install"]);
    assert_eq!(user.listed("debugpy").await["state"], "not installed");
}

#[tokio::test]
async fn concurrent_installs_make_one() {
    let user = User::with(&[("go", &good_go())]);
    let two = [user.start(&["install", "delve"]), user.start(&["install", "delve"])];
    for one in two {
        ended(one).await.good();
    }
    let built = user.notes().iter().filter(|note| note.starts_with("go install ")).count();
    assert_eq!(built, 1, "{:?}", user.notes());
    assert_eq!(user.left(), ["delve"]);
}

#[tokio::test]
async fn directory_can_be_named() {
    let user = User::with(&[("go", &good_go())]);
    let printed = user.run(&["install", "delve", "--dir", "here"]).await.good();
    let place = user.dir.path().canonicalize().unwrap().join("here/delve");
    assert!(printed.contains(place.to_str().unwrap()), "{printed}");
    assert!(!user.installs().exists());
}
