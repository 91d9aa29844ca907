//! Schemas of arguments in the plain form that every client takes: no `$schema`, `$ref` or
//! `format`, no nullable type, no combinator where a plain form says the same.
//!
//! Knows the output of schemars, which also visits the subschemas. Adds nothing but
//! `additionalProperties: false`.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// The schema of an argument struct.
pub(super) fn of<T: JsonSchema>() -> Map<String, Value> {
    let mut settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(plain));
    settings.meta_schema = None;
    settings.inline_subschemas = true;
    let root = settings.into_generator().into_root_schema_for::<T>();
    let Value::Object(mut root) = root.to_value() else { return Map::new() };
    for key in ["title", "description"] {
        root.shift_remove(key);
    }
    root.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    root.insert("additionalProperties".into(), Value::Bool(false));
    root
}

/// Rewrites one schema without its subschemas.
fn plain(schema: &mut Schema) {
    without_null(schema);
    let Some(object) = schema.as_object_mut() else { return };
    for key in ["format", "default", "maximum"] {
        object.shift_remove(key);
    }
    // No argument counts below zero.
    if object.get("minimum").and_then(Value::as_u64) == Some(0) {
        object.shift_remove("minimum");
    }
    // `true` is the default.
    for key in ["items", "additionalProperties"] {
        if object.get(key) == Some(&Value::Bool(true)) {
            object.shift_remove(key);
        }
    }
}

/// Removes null from the types, the words and the choices: an argument that is null counts as
/// absent. A single choice that is left replaces the schema.
fn without_null(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|ty| ty != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(words)) = object.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    let Some(Value::Array(choices)) = object.get_mut("anyOf") else { return };
    choices.retain(|choice| choice["type"] != "null");
    if let [Value::Object(only)] = choices.as_mut_slice() {
        let mut only = std::mem::take(only);
        if let Some(description) = object.shift_remove("description") {
            only.insert("description".into(), description);
        }
        *object = only;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Described only here.
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Sample {
        /// How far.
        count: Option<u32>,
        /// Which way.
        kind: Option<Kind>,
        names: Vec<String>,
    }

    #[derive(JsonSchema)]
    #[serde(rename_all = "lowercase")]
    #[expect(dead_code, reason = "only its schema is used")]
    enum Kind {
        In,
        Over,
    }

    #[test]
    fn schema_is_simplified() {
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
