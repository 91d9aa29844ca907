//! How the adapter is chosen where only the target identifies it, or where several could debug it.

use serde_json::json;

use crate::caller::{Caller, Start, adapters_config};
use crate::real::stage::{Language, Stage};

/// A script without an extension belongs to the interpreter of its `#!` line, as a program and as
/// the first word of a command.
pub async fn script_belongs_to_its_interpreter(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let (first, code, arguments) = match stage.language {
        Language::Python => (
            "#!/usr/bin/env python3",
            "total = 6 * 7\nprint(total, __import__('sys').argv[1:])  # [stop: total]\n",
            "['a', 'b']",
        ),
        _ => (
            "#!/usr/bin/env -S node --no-warnings",
            "const total = 6 * 7;\nconsole.log(total, process.argv.slice(2)); // [stop: total]\n",
            "[ 'a', 'b' ]",
        ),
    };
    crate::plugin::script(&dir.path().join("tool"), &format!("{first}\n{code}"));
    stage.start_in(dir.path()).await;
    for (target, printed) in [
        (json!({"program": "tool"}), "42 []\n".to_owned()),
        (json!({"command": "./tool a", "args": ["b"]}), format!("42 {arguments}\n")),
    ] {
        let mut launch = target;
        launch["breakpoints"] = json!(["tool:3"]);
        launch["timeout_s"] = json!(50);
        let stop = stage.call("debug_launch", launch).await.good();
        stop.says(&format!(" · {}-", stage.language.adapter()));
        assert!(stop.place().ends_with("  tool:3"), "{}", stop.text);
        assert_eq!(stop.local("total"), "42");
        stage.resume().await.good().says(&printed);
    }
}

/// Two adapters with equal claims are both listed, and either can be named.
pub async fn tie_lists_the_choices(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("dapdock.toml");
    let tools = std::fs::read_to_string(adapters_config()).unwrap();
    std::fs::write(&config, format!("{tools}\n[adapters.mine]\nplugin = \"builtin:debugpy\"\n"))
        .unwrap();
    stage.caller = Caller::start(Start { config, ..Start::structured() }).await;
    let program = stage.language.program("cart");
    let which = |target: &str, call: &str| {
        format!(
            "error[which-adapter] {target} can be debugged by debugpy or mine. Try: debug_launch \
            {call}"
        )
    };
    let reply = stage.call("debug_launch", json!({"program": program})).await;
    reply.fails(&which(
        &program,
        &format!("{{\"program\": \"{program}\", \"adapter\": \"debugpy\"}}"),
    ));
    let reply = stage.call("debug_launch", json!({"program": program, "adapter": "python"})).await;
    reply.fails(&which(
        "python",
        &format!("{{\"program\": \"{program}\", \"adapter\": \"debugpy\"}}"),
    ));
    let stop = stage
        .launch("cart", json!({"adapter": "mine", "breakpoints": [stage.at("cart", "tax")]}))
        .await
        .good();
    stop.says(" · mine-1 · ");
    stage.assert_stop(&stop, "cart", "tax", "tax");
}

/// A language that the configuration takes from an adapter goes to another one: for programs and
/// for `adapter` given as a language, and for nothing else.
pub async fn configured_languages_select_the_adapter(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("dapdock.toml");
    let tools = std::fs::read_to_string(adapters_config()).unwrap();
    let narrowed =
        |language: &str| format!("{tools}\n[adapters.codelldb]\nlanguages = [\"{language}\"]\n");
    std::fs::write(&config, narrowed("rust")).unwrap();
    stage.caller = Caller::start(Start { config: config.clone(), ..Start::structured() }).await;
    let of = |language: Language| {
        json!({
            "program": language.program("cart"), "stop_on_entry": true, "timeout_s": 50,
        })
    };
    let mut named = of(stage.language);
    named["adapter"] = json!("c");
    for (launch, session) in
        [(of(stage.language), "gdb-1"), (of(Language::Rust), "codelldb-2"), (named, "gdb-3")]
    {
        stage.caller.call("debug_launch", launch).await.good().says(&format!(" · {session} · "));
        stage.call("debug_stop", json!({})).await.good();
    }
    std::fs::write(&config, narrowed("rest")).unwrap();
    stage.caller = Caller::start(Start { config, ..Start::structured() }).await;
    let named = json!({"program": stage.language.program("cart"), "adapter": "codelldb"});
    stage.caller.call("debug_launch", named).await.fails(
        "error[plugin] plugin codelldb: languages: the plugin has no \"rest\"; it has rust, c++, \
        c. Try: debug_status \
         {\"detail\": \"adapters\"}",
    );
}

/// With both adapters present CodeLLDB is preferred; gdb is used when named, or when it is the only
/// one.
pub async fn gdb_is_chosen_by_name_or_alone(stage: &mut Stage) {
    let (program, at) = (stage.language.program("cart"), stage.at("cart", "tax"));
    let launch = json!({"program": program, "breakpoints": [at], "timeout_s": 50});
    stage.caller.call("debug_launch", launch.clone()).await.good().says(" · codelldb-1 · ");
    stage.call("debug_stop", json!({})).await.good();
    let which =
        stage.caller.call("debug_launch", json!({"program": program, "adapter": "c"})).await;
    which.fails(&format!(
        "error[which-adapter] c can be debugged by codelldb or gdb. Try: debug_launch \
        {{\"program\": \"{program}\", \
         \"adapter\": \"codelldb\"}}"
    ));
    let mut named = launch.clone();
    named["adapter"] = json!("gdb");
    stage.caller.call("debug_launch", named).await.good().says(" · gdb-2 · ");
    stage.call("debug_stop", json!({})).await.good();
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("dapdock.toml");
    let gdb = stage.language.tool_path().unwrap();
    std::fs::write(&config, format!("[tools.gdb]\npath = {gdb:?}\n")).unwrap();
    stage.caller = Caller::start(Start { config, ..Start::structured() }).await;
    stage.caller.call("debug_launch", launch).await.good().says(" · gdb-1 · ");
}
