//! How `dapdock install` gets Delve: built by the user's Go, so that it fits programs of that Go.

use dapdock_plugin::schema::{Go, Install, Source};

pub fn install() -> Install {
    let go = Go {
        client: "go".into(),
        // Required by this version's go.mod.
        oldest: "1.25".into(),
        package: "github.com/go-delve/delve/cmd/dlv".into(),
        module: "github.com/go-delve/delve".into(),
        version: "v1.27.2".into(),
        sum: "h1:dhcjFjiVoQI53uwsG7EqYiMhdvFuywsBZx4KDOK+sYE=".into(),
    };
    Install {
        tool: "dlv".into(),
        version: "1.27.2".into(),
        platforms: Vec::new(),
        path: "bin/dlv".into(),
        source: Source::Go(go),
    }
}
