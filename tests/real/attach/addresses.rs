//! Attaching to addresses where nothing listens, or something that is no debugger.

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;

use crate::caller::{Caller, Start, adapters_config};
use crate::real::{Language, Stage, run_scenario};

/// The host starts nothing at that address itself, so it does not wait for a listener to appear.
#[tokio::test]
async fn nothing_listens_at_the_address() {
    run_scenario(Language::Python, async |stage: &mut Stage| {
        for adapter in ["codelldb", "debugpy", "delve", "gdb", "js-debug"] {
            let attach = json!({"address": "127.0.0.1:1", "adapter": adapter});
            stage.call("debug_attach", attach).await.fails(&format!(
                "error[unreachable] nothing answers at 127.0.0.1:1: no socket listens there. \
                 Try: debug_attach {{\"address\": \"127.0.0.1:1\", \"adapter\": \"{adapter}\"}} \
                 (once something listens there)"
            ));
        }
        stage.call("debug_attach", json!({"address": "127.0.0.1:1"})).await.fails(
            "error[unreachable] nothing answers at 127.0.0.1:1: no socket listens there. \
             Try: debug_attach {\"address\": \"127.0.0.1:1\"} (once something listens there)",
        );
    })
    .await;
}

/// The listener closes the connection or does not speak the debugger's protocol.
#[tokio::test]
async fn something_else_listens_at_the_address() {
    run_scenario(Language::Python, async |stage: &mut Stage| {
        let gdb = Language::C.is_here();
        gdb_attach_is_refused(stage, gdb, "", "Remote communication error.  Target disconnected: ")
            .await;
        let http = "HTTP/1.1 400 Bad Request\r\n\r\n";
        let silent = "no gdb server listens there: no answer within 5 s. Try: debug_status ";
        gdb_attach_is_refused(stage, gdb, http, silent).await;
        let dir = tempfile::tempdir().unwrap();
        let config = dir.path().join("config.toml");
        let adapters = std::fs::read_to_string(adapters_config()).unwrap();
        std::fs::write(&config, format!("{adapters}\n[limits]\ninitialize_s = 0.5\n")).unwrap();
        stage.caller = Caller::start(Start { config, ..Start::structured() }).await;
        attach_is_refused(stage, "", "it closes the connection").await;
        attach_is_refused(stage, http, "it did not answer within 0.5 s").await;
    })
    .await;
}

/// gdb opens the connection itself, and has its own time limit.
async fn gdb_attach_is_refused(stage: &mut Stage, gdb: bool, says: &str, why: &str) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let attach = json!({"address": listener.local_addr().unwrap().to_string(), "adapter": "gdb"});
    let attach_calls = async {
        if gdb {
            let refused = stage.call("debug_attach", attach).await;
            let error = format!("error[adapter-refused] {why}");
            assert!(refused.is_error && refused.text.starts_with(&error), "{}", refused.text);
        }
    };
    tokio::select! {
        () = attach_calls => {}
        () = serve(&listener, says) => unreachable!(),
    }
}

/// Sends `says` to every client that connects; with an empty text it closes the connection.
async fn serve(listener: &TcpListener, says: &str) {
    let mut streams = Vec::new();
    loop {
        let (mut stream, _) = listener.accept().await.unwrap();
        if !says.is_empty() {
            stream.write_all(says.as_bytes()).await.ok();
            streams.push(stream);
        }
    }
}

async fn attach_is_refused(stage: &mut Stage, says: &str, why: &str) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let attach_calls = async {
        for adapter in ["debugpy", "delve"] {
            let refused =
                stage.call("debug_attach", json!({"address": address, "adapter": adapter})).await;
            refused.fails(&format!(
                "error[unreachable] what listens at {address} is no debugger of this kind: {why}. \
                Try: debug_attach \
                 {{\"address\": \"{address}\", \"adapter\": \"{adapter}\"}} (with the debugger's \
                 own port)"
            ));
        }
        let refused =
            stage.call("debug_attach", json!({"address": address, "adapter": "js-debug"})).await;
        refused.fails(&format!(
            "error[invalid-request] the server at {address} is not an inspector of Node.js. \
             Try: give the port that node prints after `Debugger listening on ws://`"
        ));
    };
    tokio::select! {
        () = attach_calls => {}
        () = serve(&listener, says) => unreachable!(),
    }
}
