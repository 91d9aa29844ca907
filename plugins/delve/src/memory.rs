//! What must last from one call to the next: words by name, kept in the session's state.

use dapdock_plugin::prelude::*;

/// The first state of a session.
pub fn first(name: &str, word: &str) -> String {
    json!({ name: word }).to_string()
}

/// The word of that name; empty: there is none.
pub fn word(session: &Session, name: &str) -> String {
    all(session)[name].as_str().unwrap_or_default().to_owned()
}

/// Keeps a word, unless it is kept already.
pub fn keep(session: &Session, name: &str, word: &str) {
    let mut state = all(session);
    if state[name].as_str().unwrap_or_default() != word {
        state[name] = word.into();
        session.set_state(&state.to_string());
    }
}

fn all(session: &Session) -> Value {
    let state = session.state().and_then(|text| serde_json::from_str(&text).ok());
    state.filter(Value::is_object).unwrap_or_else(|| json!({}))
}
