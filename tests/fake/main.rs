//! The fake adapter as a process; see `mod.rs`.

#![allow(clippy::unwrap_used, missing_docs, reason = "a test's other half")]

#[path = "mod.rs"]
mod fake;

use dapdock::dap::Quick;
use fake::{End, Heard, Script, serve};
use tokio::net::{TcpListener, TcpStream};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let script = arguments.next().unwrap_or_else(|| "{}".into());
    let script: Script = serde_json::from_str(&script).unwrap();
    let end = match (arguments.next().as_deref(), arguments.next()) {
        (Some("--connect"), Some(address)) => tcp(script, TcpStream::connect(address).await.unwrap()).await,
        (Some("--listen"), Some(port)) => {
            let listener = TcpListener::bind(("127.0.0.1", port.parse().unwrap())).await.unwrap();
            tcp(script, listener.accept().await.unwrap().0).await
        }
        _ => serve(script, tokio::io::stdin(), tokio::io::stdout(), Heard::default()).await,
    };
    // Not a return: tokio's thread may still be blocked reading stdin.
    std::process::exit(if matches!(end, Ok(End::Normal)) { 0 } else { 3 });
}

async fn tcp(script: Script, stream: TcpStream) -> std::io::Result<End> {
    stream.set_nodelay(true)?;
    let (read, write) = stream.into_split();
    serve(script, Quick::new(read), write, Heard::default()).await
}
