//! Addresses where no debugger listens: nobody does, or somebody else.

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;

use super::{Language, Stage, on_stage};
use crate::caller::{Caller, Start, adapters_config};

/// Nothing of ours is starting there: what is not up will not be.
#[tokio::test]
async fn address_where_nobody_listens() {
    on_stage(Language::Python, async |stage: &mut Stage| {
        for adapter in ["codelldb", "debugpy", "delve", "gdb", "js-debug"] {
            let attach = json!({"address": "127.0.0.1:1", "adapter": adapter});
            stage.call("debug_attach", attach).await.fails(&format!(
                "error[unreachable] nothing answers at 127.0.0.1:1: nobody listens there. \
                 Try: debug_attach {{\"address\": \"127.0.0.1:1\", \"adapter\": \"{adapter}\"}} (once something listens there)"
            ));
        }
        stage.call("debug_attach", json!({"address": "127.0.0.1:1"})).await.fails(
            "error[unreachable] nothing answers at 127.0.0.1:1: nobody listens there. \
             Try: debug_attach {\"address\": \"127.0.0.1:1\"} (once something listens there)",
        );
    })
    .await;
}

/// What answers there is no debugger: it goes, or speaks something else.
#[tokio::test]
async fn address_where_something_else_listens() {
    on_stage(Language::Python, async |stage: &mut Stage| {
        let gdb = Language::C.is_here();
        attached_to_no_server(stage, gdb, "", "Remote communication error.  Target disconnected: ").await;
        let http = "HTTP/1.1 400 Bad Request\r\n\r\n";
        let silent = "what listens there is no server of gdb's: it did not answer within 5 s. Try: debug_status ";
        attached_to_no_server(stage, gdb, http, silent).await;
        let dir = tempfile::tempdir().unwrap();
        let config = dir.path().join("config.toml");
        let adapters = std::fs::read_to_string(adapters_config()).unwrap();
        std::fs::write(&config, format!("{adapters}\n[limits]\ninitialize_s = 0.5\n")).unwrap();
        stage.caller = Caller::start(Start { config, ..Start::usual() }).await;
        attached_to_no_debugger(stage, "", "it closes the connection").await;
        attached_to_no_debugger(stage, http, "it did not answer within 0.5 s").await;
    })
    .await;
}

/// gdb connects by itself, and gives up by itself.
async fn attached_to_no_server(stage: &mut Stage, gdb: bool, says: &str, why: &str) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let attach = json!({"address": listener.local_addr().unwrap().to_string(), "adapter": "gdb"});
    let attaches = async {
        if gdb {
            let refused = stage.call("debug_attach", attach).await;
            let told = format!("error[adapter-refused] {why}");
            assert!(refused.is_error && refused.text.starts_with(&told), "{}", refused.text);
        }
    };
    tokio::select! {
        () = attaches => {}
        () = answers(&listener, says) => unreachable!(),
    }
}

/// Says this to each that connects, or closes the connection where that is nothing.
async fn answers(listener: &TcpListener, says: &str) {
    let mut held = Vec::new();
    loop {
        let (mut stream, _) = listener.accept().await.unwrap();
        if !says.is_empty() {
            stream.write_all(says.as_bytes()).await.ok();
            held.push(stream);
        }
    }
}

async fn attached_to_no_debugger(stage: &mut Stage, says: &str, why: &str) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let attaches = async {
        for adapter in ["debugpy", "delve"] {
            let refused =
                stage.call("debug_attach", json!({"address": address, "adapter": adapter})).await;
            refused.fails(&format!(
                "error[unreachable] what listens at {address} is no debugger of this kind: {why}. Try: debug_attach \
                 {{\"address\": \"{address}\", \"adapter\": \"{adapter}\"}} (with the debugger's own port)"
            ));
        }
        let refused =
            stage.call("debug_attach", json!({"address": address, "adapter": "js-debug"})).await;
        refused.fails(&format!(
            "error[invalid-request] what listens at {address} is no inspector of Node.js. \
             Try: name the port that node tells behind `Debugger listening on ws://`"
        ));
    };
    tokio::select! {
        () = attaches => {}
        () = answers(&listener, says) => unreachable!(),
    }
}
