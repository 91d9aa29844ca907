//! A request of HTTP to a server on this machine. Waits as long as the server is stopped.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};

use anyhow::{Context, Result};

/// A port that no server has.
pub fn free_port() -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("cannot find a port")?;
    Ok(listener.local_addr().context("cannot find a port")?.port())
}

/// Connects, so that the server has the request even when it is stopped.
pub fn connect(port: u16) -> Result<TcpStream> {
    TcpStream::connect((Ipv4Addr::LOCALHOST, port)).context("the server does not listen")
}

/// Status line, headers and body of the response.
pub fn get(mut stream: TcpStream, path: &str) -> Result<String> {
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).context("cannot send the request")?;
    let mut response = Vec::new();
    stream.read_to_end(&mut response).context("cannot read the response")?;
    Ok(String::from_utf8_lossy(&response).replace('\r', ""))
}
