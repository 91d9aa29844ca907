//! The plugin's state of a session: strings by name, in a JSON object that the host stores from one
//! hook to the next.

use dapdock_plugin::prelude::*;

/// The initial state of a session.
pub fn initial(name: &str, value: &str) -> String {
    json!({ name: value }).to_string()
}

/// The value of that name; empty if it has none.
pub fn get(session: &Session, name: &str) -> String {
    all(session)[name].as_str().unwrap_or_default().to_owned()
}

/// Stores a value if it differs from the present one.
pub fn set(session: &Session, name: &str, value: &str) {
    let mut state = all(session);
    if state[name].as_str().unwrap_or_default() != value {
        state[name] = value.into();
        session.set_state(&state.to_string());
    }
}

fn all(session: &Session) -> Value {
    let state = session.state().and_then(|text| serde_json::from_str(&text).ok());
    state.filter(Value::is_object).unwrap_or_else(|| json!({}))
}
