//! Schemas as every client takes them: no `$schema`, `$ref`, `format`, nullable types or
//! combinators at the root. What schemars derives is rewritten; nothing is added but
//! `additionalProperties: false`.

use schemars::JsonSchema;
use serde_json::{Map, Value};

/// The schema of an argument struct.
pub(super) fn of<T: JsonSchema>() -> Map<String, Value> {
    let mut root = schemars::schema_for!(T).to_value();
    let definitions = root.get("$defs").cloned().unwrap_or(Value::Null);
    simplify(&mut root, &definitions);
    let Value::Object(mut root) = root else { return Map::new() };
    for key in ["$schema", "$defs", "title", "description"] {
        root.shift_remove(key);
    }
    root.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    root.insert("additionalProperties".into(), Value::Bool(false));
    root
}

/// Rewrites one schema and all below it.
fn simplify(schema: &mut Value, definitions: &Value) {
    resolve(schema, definitions);
    collapse(schema, definitions);
    match schema {
        Value::Object(object) => {
            for key in ["format", "default"] {
                object.shift_remove(key);
            }
            drop_null(object);
            // Below `properties` keys are names, not keywords.
            for (key, value) in object.iter_mut() {
                match (key.as_str(), value) {
                    ("properties", Value::Object(properties)) => {
                        properties
                            .values_mut()
                            .for_each(|property| simplify(property, definitions));
                    }
                    ("enum" | "required" | "const", _) => {}
                    (_, value) => simplify(value, definitions),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| simplify(item, definitions)),
        _ => {}
    }
}

/// Puts the definition in place of a reference, keeping the description that stands beside it.
fn resolve(schema: &mut Value, definitions: &Value) {
    let Some(name) =
        schema.get("$ref").and_then(Value::as_str).and_then(|path| path.rsplit('/').next())
    else {
        return;
    };
    let mut target = definitions.get(name).cloned().unwrap_or_else(|| Value::Object(Map::new()));
    if let (Some(target), Some(description)) = (target.as_object_mut(), schema.get("description")) {
        target.insert("description".into(), description.clone());
    }
    *schema = target;
}

/// `anyOf: [X, null]` is X: arguments that are null count as absent.
fn collapse(schema: &mut Value, definitions: &Value) {
    let Some(choices) = schema.get("anyOf").and_then(Value::as_array) else { return };
    let is_null = |choice: &Value| choice.get("type").and_then(Value::as_str) == Some("null");
    let real: Vec<_> = choices.iter().filter(|choice| !is_null(choice)).cloned().collect();
    if let ([only], true) = (real.as_slice(), real.len() < choices.len()) {
        let mut only = only.clone();
        resolve(&mut only, definitions);
        if let (Some(only), Some(description)) = (only.as_object_mut(), schema.get("description")) {
            only.insert("description".into(), description.clone());
        }
        *schema = only;
    }
}

/// What says nothing.
fn drop_null(object: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = object.get("type") {
        let real: Vec<_> = types.iter().filter(|ty| ty.as_str() != Some("null")).cloned().collect();
        if let [only] = real.as_slice() {
            object.insert("type".into(), only.clone());
        }
    }
    // `minimum: 0` says nothing that the type does not say better.
    if object.get("minimum").and_then(Value::as_u64) == Some(0) {
        object.shift_remove("minimum");
    }
    object.shift_remove("maximum");
    // As is without the word.
    for key in ["items", "additionalProperties"] {
        if object.get(key) == Some(&Value::Bool(true)) {
            object.shift_remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Described only here.
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of interest")]
    struct Sample {
        /// How far.
        count: Option<u32>,
        /// Which way.
        kind: Option<Kind>,
        names: Vec<String>,
    }

    #[derive(JsonSchema)]
    #[serde(rename_all = "lowercase")]
    #[expect(dead_code, reason = "only its schema is of interest")]
    enum Kind {
        In,
        Over,
    }

    #[test]
    fn schemas_are_plain() {
        assert_eq!(
            Value::Object(of::<Sample>()),
            json!({
                "type": "object",
                "properties": {
                    "count": {"description": "How far.", "type": "integer"},
                    "kind": {"description": "Which way.", "type": "string", "enum": ["in", "over"]},
                    "names": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["names"],
                "additionalProperties": false,
            })
        );
    }
}
