//! Prints and serves orders.

use std::sync::{Arc, Barrier, Mutex};

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use shop::Order;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Prints what each order costs
    Totals {
        #[arg(long, default_value_t = 1)]
        from: u32,
    },
    /// Serves orders over HTTP
    Serve {
        #[arg(long)]
        port: u16,
    },
    /// Never ends
    Reserve,
}

#[tokio::main]
async fn main() -> Result<()> {
    match Cli::parse().task {
        Task::Totals { from } => totals(from).await,
        Task::Serve { port } => serve(port).await,
        Task::Reserve => reserve(),
    }
}

async fn totals(from: u32) -> Result<()> {
    let (send, mut receive) = tokio::sync::mpsc::channel(8);
    let reader = tokio::spawn(async move {
        for order in shop::orders().into_values().filter(|order| order.number >= from) {
            if send.send(order).await.is_err() {
                break;
            }
        }
    });
    while let Some(order) = receive.recv().await {
        let total = order.total();
        println!("order {}: {total}", order.number);
    }
    reader.await.context("the reader failed")
}

async fn serve(port: u16) -> Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    println!("listening on {port}");
    loop {
        let (stream, _) = listener.accept().await?;
        tokio::spawn(async move {
            if let Err(error) = answer(stream).await {
                println!("failed: {error:#}");
            }
        });
    }
}

async fn answer(mut stream: TcpStream) -> Result<()> {
    let mut buffer = [0; 1024];
    let length = stream.read(&mut buffer).await?;
    let request = std::str::from_utf8(&buffer[..length])?;
    let path = request.split(' ').nth(1).context("no path")?;
    let number: u32 = path.trim_start_matches("/orders/").parse().context("no number")?;
    let order = find(number).await.with_context(|| format!("no order {number}"))?;
    let average = order.average();
    let body = serde_json::json!({"order": order, "average": average}).to_string();
    let response = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    stream.write_all(response.as_bytes()).await?;
    Ok(())
}

async fn find(number: u32) -> Option<Order> {
    tokio::task::yield_now().await;
    shop::orders().remove(&number)
}

fn reserve() -> Result<()> {
    let stock = Arc::new(Mutex::new(7));
    let ledger = Arc::new(Mutex::new(7));
    let both = Arc::new(Barrier::new(2));
    let threads = [("warehouse", &stock, &ledger), ("accounts", &ledger, &stock)].map(
        |(name, first, second)| {
            let (first, second, both) = (first.clone(), second.clone(), both.clone());
            std::thread::Builder::new().name(name.to_owned()).spawn(move || {
                book(name, &first, &second, &both);
            })
        },
    );
    for thread in threads {
        thread?.join().expect("no thread panics");
    }
    Ok(())
}

fn book(name: &str, first: &Mutex<u32>, second: &Mutex<u32>, both: &Barrier) {
    let mut one = first.lock().unwrap();
    both.wait();
    println!("{name} waits");
    let mut two = second.lock().unwrap();
    *one += 1;
    *two += 1;
}
