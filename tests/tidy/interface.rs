//! The plugin interface only grows within a version: `wit/surface.txt` lists every function and
//! type of `plugin.wit` and every key of the two schemas.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{none, root};

#[test]
fn interface_only_grows() {
    let read = |file: &str| std::fs::read_to_string(root().join("wit").join(file)).unwrap();
    let mut now = wit_items(&read("plugin.wit"));
    for (name, file) in [("manifest", "manifest.schema.json"), ("dap", "dap.schema.json")] {
        schema_items(name, &serde_json::from_str(&read(file)).unwrap(), &mut now);
    }
    let text = read("surface.txt");
    let listed: BTreeSet<String> = text.lines().map(str::to_owned).collect();
    let gone = listed.difference(&now).map(|item| format!("gone or changed: {item}"));
    let new = now.difference(&listed).map(|item| format!("not in surface.txt: {item}"));
    none(gone.chain(new).collect(), "the interface has changed");
}

/// Each function, type and world of the package, with the containers around it.
fn wit_items(text: &str) -> BTreeSet<String> {
    let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap()).collect();
    let code = code.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    let (mut items, mut around) = (BTreeSet::new(), Vec::new());
    let mut rest = code.as_str();
    while let Some(end) = rest.find(['{', '}', ';']) {
        let (head, sign) = (rest[..end].trim(), &rest[end..=end]);
        let kind = head.split(' ').next().unwrap_or_default();
        let is_container = ["interface", "world", "resource"].contains(&kind);
        let mut length = end + 1;
        match sign {
            "{" if is_container => around.push(head.to_owned()),
            "}" => drop(around.pop()),
            _ => {
                if sign == "{" {
                    length += rest[length..].find('}').unwrap() + 1;
                }
                let item = rest[..length].trim().trim_end_matches(';');
                let path: Vec<&str> = around.iter().map(String::as_str).chain([item]).collect();
                items.insert(path.join(" / "));
            }
        }
        rest = &rest[length..];
    }
    items
}

/// Each property of a schema with its type.
fn schema_items(name: &str, schema: &Value, items: &mut BTreeSet<String>) {
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        items.insert(format!("{name}.{key}: {}", shape(property)));
    }
    for key in schema["required"].as_array().into_iter().flatten() {
        items.insert(format!("{name} requires {key}"));
    }
    for (key, definition) in schema["$defs"].as_object().into_iter().flatten() {
        let name = format!("{} {key}", name.split(' ').next().unwrap());
        if definition["properties"].is_object() {
            schema_items(&name, definition, items);
        } else {
            items.insert(format!("{name}: {}", shape(definition)));
        }
    }
}

/// A schema without its words.
fn shape(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let mut shapes = serde_json::Map::new();
            for (key, value) in members {
                if key != "description" && key != "default" {
                    shapes.insert(key.clone(), shape(value));
                }
            }
            Value::Object(shapes)
        }
        Value::Array(items) => items.iter().map(shape).collect(),
        other => other.clone(),
    }
}

#[test]
fn items_of_an_interface_have_its_name() {
    let text = "package a:b@1.0.0;\n/// Words.\ninterface i {\n  enum e { a,\n b }\n  resource r \
        {\n    f: func();\n  }\n}\nworld w { import i; }";
    let items = [
        "interface i / enum e { a, b }",
        "interface i / resource r / f: func()",
        "package a:b@1.0.0",
        "world w / import i",
    ];
    assert_eq!(wit_items(text), BTreeSet::from(items.map(str::to_owned)));
}
