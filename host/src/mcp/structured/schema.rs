//! Schemas of results: types in place, `null` in the list of types of a field that may have no
//! value, no `$ref`, no property beyond those listed.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

use super::answer::Answer;

/// The schema of the results of a tool with this data.
pub(in crate::mcp) fn of<T: JsonSchema>() -> Map<String, Value> {
    own::<Answer<T>>()
}

/// The schema of results that have this form.
pub(in crate::mcp) fn own<T: JsonSchema>() -> Map<String, Value> {
    let mut settings =
        SchemaSettings::draft2020_12().for_serialize().with_transform(RecursiveTransform(plain));
    settings.meta_schema = None;
    settings.inline_subschemas = true;
    let root = settings.into_generator().into_root_schema_for::<T>();
    let Value::Object(mut root) = root.to_value() else { return Map::new() };
    for key in ["title", "description"] {
        root.shift_remove(key);
    }
    root
}

/// Rewrites one schema without its subschemas.
fn plain(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    for key in ["format", "minimum", "maximum"] {
        object.shift_remove(key);
    }
    if let Some(Value::String(description)) = object.get_mut("description") {
        *description = description.replace('\n', " ");
    }
    if object.contains_key("properties") {
        object.insert("additionalProperties".to_owned(), Value::Bool(false));
    } else {
        // `true` is the default.
        object.shift_remove("additionalProperties");
    }
}
