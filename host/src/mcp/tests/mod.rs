//! Tools without a debuggee: budgets of the list, coercion of arguments, texts of errors, and the
//! protocol over an in-memory connection.

mod answers;
mod arguments;
mod budgets;
mod wire;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};

use super::arguments::fit;
use super::asking::Asking;
use super::call::Call;
use super::compat;
use super::declared::Declared;
use super::listing::{list, listed};
use super::registry::{Registered, declared, registered};
use super::repair;
use super::request::Request;
use super::server::Server;
use super::toolset::{ChoiceError, Tools};
use super::{Transport, serve};
use crate::limits::Limits;
use crate::model::ToolChoice;
use crate::plugin::{Catalog, Engine, Options};
use crate::process::Owner;
use crate::session::{Sessions, Setup, Shell};

pub(super) fn sessions(limits: &Arc<Limits>) -> Arc<Sessions> {
    let owner = Owner::new(limits.clone());
    let env = BTreeMap::new();
    let options = Options {
        cache: None,
        limits: limits.clone(),
        owner: owner.clone(),
        env,
        tools: BTreeMap::new(),
        adapters: None,
    };
    let catalog = Catalog::new(Engine::new(options), BTreeMap::new());
    let setup = Setup { catalog, limits: limits.clone(), auto_install: false };
    Sessions::new(Box::new(move |_| Ok(setup.clone())), owner)
}

fn call() -> Call {
    call_of("debug_status", Map::new())
}

fn call_of(name: &'static str, given: Map<String, Value>) -> Call {
    let limits = Arc::new(Limits::default());
    Call {
        sessions: sessions(&limits),
        workspace: "/w".into(),
        home: None,
        limits,
        request: Request::new(&tool(name).declared, given),
        shell: Shell::Refused,
        progress: None,
        memory: Arc::default(),
        concern: Arc::default(),
        asking: Asking::default(),
        chosen: Vec::new(),
        lacks: Arc::default(),
    }
}

fn tool(name: &str) -> &'static Registered {
    registered().iter().find(|tool| tool.declared.name == name).expect("the tool exists")
}

/// Our tools and those of families.
fn all() -> impl Iterator<Item = &'static Declared> {
    declared().chain(compat::names().map(|name| &name.tool.declared))
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}
