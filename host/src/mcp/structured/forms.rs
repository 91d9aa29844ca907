//! A list of tools describes each form of data once: with the first tool that has it. Later ones
//! name that place, as the same form for every tool would make the list five times as long.
//!
//! Knows JSON Schema in the plain form of `schema.rs`. Refuses to know any tool.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

/// Shorter forms are described wherever they are.
const SHORT: usize = 140;

/// The forms that are described so far, with their places: `data.stop of debug_attach`.
#[derive(Default)]
pub(in crate::mcp) struct Forms(HashMap<String, String>);

impl Forms {
    /// The schema of a tool's results, without the forms that are described already.
    pub fn shorten(&mut self, tool: &str, mut schema: Map<String, Value>) -> Map<String, Value> {
        self.shorten_inside(tool, "", &mut schema);
        schema
    }

    fn shorten_inside(&mut self, tool: &str, place: &str, schema: &mut Map<String, Value>) {
        if let Some(Value::Object(fields)) = schema.get_mut("properties") {
            for (name, field) in fields {
                let separator = if place.is_empty() { "" } else { "." };
                self.shorten_one(tool, &format!("{place}{separator}{name}"), field);
            }
        }
        if let Some(items) = schema.get_mut("items") {
            self.shorten_one(tool, &format!("{place}[]"), items);
        }
    }

    fn shorten_one(&mut self, tool: &str, place: &str, schema: &mut Value) {
        let Some(object) = schema.as_object_mut() else { return };
        let form = form(object);
        if form.len() > SHORT {
            if let Some(known) = self.0.get(&form) {
                *schema = json!({"type": object["type"], "description": format!("Like {known}.")});
                return;
            }
            self.0.insert(form, format!("{place} of {tool}"));
        }
        self.shorten_inside(tool, place, object);
    }
}

/// The fields of a form: empty if it has none. Its description and whether it may be null differ
/// from place to place.
fn form(schema: &Map<String, Value>) -> String {
    schema.get("properties").map(Value::to_string).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_is_described_once() {
        let mut long = Map::new();
        for name in ["first", "second", "third", "fourth", "fifth"] {
            long.insert(name.to_owned(), json!({"type": "string", "description": "A field."}));
        }
        let whole = json!({"type": "object", "properties": long});
        let maybe = json!({"type": ["object", "null"], "properties": long});
        let short = json!({"type": "object", "properties": {"id": {"type": "integer"}}});
        let list = json!({"type": "array", "items": whole});
        let schema = json!({"type": "object", "properties": {
            "all": list, "one": maybe, "id": short,
        }});
        let schema = schema.as_object().expect("an object");
        let mut forms = Forms::default();
        let like = "Like all[] of a.";
        assert_eq!(
            Value::Object(forms.shorten("a", schema.clone())),
            json!({"type": "object", "properties": {
                "all": list,
                "one": {"type": ["object", "null"], "description": like},
                "id": short,
            }})
        );
        assert_eq!(
            Value::Object(forms.shorten("b", schema.clone())),
            json!({"type": "object", "properties": {
                "all": {"type": "array", "items": {"type": "object", "description": like}},
                "one": {"type": ["object", "null"], "description": like},
                "id": short,
            }})
        );
    }
}
