//! Where the program of a tool is searched, and in which order.

use dapdock::plugin::Origin;

use super::{Stage, script};

#[tokio::test]
async fn places_of_a_tool_are_searched_in_order() {
    let mut stage = Stage::new();
    let home = stage.dir.path().canonicalize().unwrap();
    let program = |directory: &str, name: &str| {
        let directory = home.join(directory);
        std::fs::create_dir_all(&directory).unwrap();
        script(&directory.join(name), "#!/bin/sh\n");
        directory.join(name)
    };
    stage.env.insert("HOME".into(), home.display().to_string());
    stage.env.insert("PATH".into(), home.join("on-path").display().to_string());
    let plugin = stage.plugin("pinned").await.unwrap();
    assert_eq!(plugin.tool("pinned-adapter"), None);

    let found = program(".cursor/extensions/tests.pinned-1.2.0/bin", "adapter");
    assert_eq!(plugin.tool("pinned-adapter"), Some((found, Origin::Extension)));

    let found = program("on-path", "pinned-adapter");
    assert_eq!(plugin.tool("pinned-adapter"), Some((found, Origin::Path)));

    let found = program("named", "any");
    stage.env.insert("PINNED_ADAPTER".into(), found.display().to_string());
    let plugin = stage.plugin("pinned").await.unwrap();
    assert_eq!(plugin.tool("pinned-adapter"), Some((found, Origin::Variable)));
    assert_eq!(plugin.wrong_choice(), None);

    let found = program("configured", "any");
    stage.tools.insert("pinned-adapter".into(), found.clone().into());
    let plugin = stage.plugin("pinned").await.unwrap();
    assert_eq!(plugin.tool("pinned-adapter"), Some((found, Origin::Configured)));
}

#[tokio::test]
async fn wrong_variable_is_an_error_that_names_it() {
    for (path, problem) in
        [("/no/adapter", "does not exist"), ("adapter", "is not absolute"), ("/", "is a directory")]
    {
        let mut stage = Stage::new();
        stage.env.insert("PINNED_ADAPTER".into(), path.into());
        let plugin = stage.plugin("pinned").await.unwrap();
        let (message, hint) = plugin.wrong_choice().unwrap();
        let start = format!("the environment variable PINNED_ADAPTER {path} {problem}");
        assert!(message.starts_with(&start), "{message}");
        assert_eq!(hint, "correct or unset it");
    }
}
