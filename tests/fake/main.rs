//! The fake adapter as a process; see `mod.rs`.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test's other half")]

#[path = "mod.rs"]
mod fake;

use std::io::Write;

use dapdock::dap::Quick;
use fake::{End, Received, Script, serve};
use tokio::net::{TcpListener, TcpStream};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let script = arguments.next().unwrap_or_else(|| "{}".into());
    let script: Script = serde_json::from_str(&script).unwrap();
    let last_words = script.last_words.clone();
    let received = std::env::var_os("FAKE_HEARD").map(Received::into_file).unwrap_or_default();
    let end = match (arguments.next().as_deref(), arguments.next()) {
        (Some("--connect"), Some(address)) => {
            tcp(script, TcpStream::connect(address).await.unwrap(), received).await
        }
        (Some("--listen"), Some(port)) => {
            let listener = TcpListener::bind(("127.0.0.1", port.parse().unwrap())).await.unwrap();
            tcp(script, listener.accept().await.unwrap().0, received).await
        }
        _ => serve(script, tokio::io::stdin(), tokio::io::stdout(), received).await,
    };
    if matches!(end, Ok(End::Crashed)) {
        std::io::stderr().write_all(last_words.as_bytes()).unwrap();
    }
    // Not a return: tokio's thread may still be blocked reading stdin.
    std::process::exit(if matches!(end, Ok(End::Normal)) { 0 } else { 3 });
}

async fn tcp(script: Script, stream: TcpStream, received: Received) -> std::io::Result<End> {
    stream.set_nodelay(true)?;
    let (read, write) = stream.into_split();
    serve(script, Quick::new(read), write, received).await
}
