//! The ports of a plan: every `port:NAME` that it mentions.
//!
//! Refuses to know which process listens.

use std::collections::BTreeSet;
use std::collections::btree_map::Entry;

use serde_json::Value;

use crate::dap::endpoint::{self, Listener};
use crate::model::plan::{LaunchPlan, Piece, Port, Transport};
use crate::model::{Names, references};
use crate::session::Error;
use crate::session::launch;

/// Gives every `port:NAME` a free port, and listens on the one of `Transport::Listen`.
pub(crate) async fn reserve(
    plan: &LaunchPlan,
    names: &mut Names,
) -> Result<Option<Listener>, Error> {
    let failed = |error: std::io::Error| {
        Error::Launch(launch::Error::Spawn { cause: format!("cannot reserve a port: {error}") })
    };
    names.values.insert("host".to_owned(), "127.0.0.1".to_owned());
    let mut listener = None;
    if let Transport::Listen(name) = &plan.transport {
        let reserved = Listener::reserve().await.map_err(failed)?;
        names.values.insert(format!("port:{name}"), reserved.port().to_string());
        listener = Some(reserved);
    }
    for name in mentioned_ports(plan, names) {
        if let Entry::Vacant(unknown) = names.values.entry(name) {
            let port = endpoint::free_port().await.map_err(failed)?;
            unknown.insert(port.to_string());
        }
    }
    Ok(listener)
}

/// Names of the ports that the plan mentions.
fn mentioned_ports(plan: &LaunchPlan, names: &Names) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut note = |piece: &Piece| {
        if let Piece::Value(name) = piece
            && name.starts_with("port:")
        {
            found.insert(name.clone());
        }
    };
    for spawn in &plan.processes {
        spawn.command.args.iter().flatten().for_each(&mut note);
        for text in spawn.command.env.iter().filter_map(|(_, value)| value.as_deref()) {
            references(text, &names.literals).for_each(|piece| note(&piece));
        }
    }
    if let Transport::Connect(endpoint) = &plan.transport
        && let Port::Value(name) = &endpoint.port
    {
        note(&Piece::Value(name.clone()));
    }
    note_references(&plan.arguments, &names.literals, &mut note);
    found
}

fn note_references(value: &Value, literals: &BTreeSet<String>, note: &mut impl FnMut(&Piece)) {
    match value {
        Value::String(text) => references(text, literals).for_each(|piece| note(&piece)),
        Value::Array(items) => items.iter().for_each(|item| note_references(item, literals, note)),
        Value::Object(map) => map.values().for_each(|item| note_references(item, literals, note)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
