//! The demo as data: for each language a program, the calls, and what each answer must contain.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::ValueEnum;
use serde_json::{Value, json};

use crate::layout::Layout;

/// Language of the debugged program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// examples/python, through debugpy
    Python,
    /// examples/rust, built and debugged through CodeLLDB
    Rust,
}

/// One session.
pub struct Script {
    /// The row of `xtask/adapters.toml` it needs.
    pub adapter: &'static str,
    /// An introduction for the reader.
    pub introduction: String,
    pub calls: Vec<Call>,
}

/// One tool call.
pub struct Call {
    pub tool: &'static str,
    pub arguments: Value,
    /// Texts that the answer must contain.
    pub expect: Vec<&'static str>,
    /// The point of the answer, for a reader.
    pub note: &'static str,
}

impl Call {
    /// The note, with the time the call took.
    pub fn remark(&self, took: Duration) -> String {
        format!("{} · the call took {} ms", self.note, took.as_millis())
    }
}

/// Data of one language.
struct Texts {
    adapter: &'static str,
    file: &'static str,
    launch: Value,
    /// Expressions for the item's price before any discount, and for the correct total.
    price: &'static str,
    right: &'static str,
}

impl Script {
    pub fn of(language: Language, layout: &Layout) -> Result<Self> {
        let texts = texts(language);
        let line = marked(layout, texts.file)?;
        let mut launch = texts.launch;
        launch["breakpoints"] =
            json!([format!("{}:{line} if total > {}", texts.file, texts.price)]);
        let calls = vec![
            Call {
                tool: "debug_launch",
                arguments: launch,
                expect: vec!["■ stopped breakpoint #1", "total=11880", "Heft"],
                note: "stopped only where the discount is taken from more than its item",
            },
            Call {
                tool: "debug_evaluate",
                arguments: json!({"expressions": [texts.price, texts.right]}),
                expect: vec!["= 3000", "= 11580"],
                note: "the item costs 3000, so the total should become 11580",
            },
            Call {
                tool: "debug_step",
                arguments: json!({}),
                expect: vec!["■ stopped after step", "total 11880→10692"],
                note: "it becomes 10692: the tenth came off everything before it, too",
            },
            Call {
                tool: "debug_continue",
                arguments: json!({}),
                expect: vec!["□ exited with code 1", "total 121.32, expected 130.20"],
                note: "that is the missing money",
            },
        ];
        Ok(Self { adapter: texts.adapter, introduction: introduction(texts.file), calls })
    }
}

fn texts(language: Language) -> Texts {
    match language {
        Language::Python => Texts {
            adapter: "debugpy",
            file: "examples/python/checkout.py",
            launch: json!({"program": "examples/python/checkout.py"}),
            price: "item.price * item.quantity",
            right: "total - item.price * item.quantity // 10",
        },
        Language::Rust => Texts {
            adapter: "codelldb",
            file: "examples/rust/src/main.rs",
            launch: json!({"command": "cargo run", "cwd": "examples/rust"}),
            price: "item.price * quantity",
            right: "total - item.price * quantity * 10 / 100",
        },
    }
}

fn introduction(file: &str) -> String {
    format!(
        "{file} computes a total that is too low. An agent asks why, over MCP;\n\
         every line below a call (>) is what the agent reads."
    )
}

/// The line with the marker, so that the program may be edited.
fn marked(layout: &Layout, file: &str) -> Result<usize> {
    let text = fs::read_to_string(layout.root.join(file))
        .with_context(|| format!("cannot read {file}"))?;
    let index = text.lines().position(|line| line.contains("[stop: discount]"));
    index
        .map(|index| index + 1)
        .with_context(|| format!("{file} has no line marked [stop: discount]"))
}
