//! Results as data: each must have the form that its tool lists.

use std::collections::{HashMap, HashSet};

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;

use super::RequestId;

/// The schemas of a host's results.
pub struct Results {
    schemas: Schemas,
    /// By tool.
    listed: HashMap<String, SchemaIndex>,
    /// Tools in the form of another server: their errors have no data.
    foreign: HashSet<String>,
    /// Open calls with their tools.
    open: HashMap<RequestId, String>,
}

impl Results {
    /// The schemas of a list of tools.
    pub fn of(list: &Value) -> Self {
        let (mut compiler, mut schemas) = (Compiler::new(), Schemas::new());
        let (mut listed, mut foreign) = (HashMap::new(), HashSet::new());
        for tool in list["tools"].as_array().unwrap() {
            let name = tool["name"].as_str().unwrap();
            let place = format!("tools/{name}.json");
            // A family's tool with the name of one of ours, which its calls may run.
            if tool.get("outputSchema").is_none() {
                continue;
            }
            assert_eq!(tool["outputSchema"]["type"], "object", "{name}");
            let schema = whole(&tool["outputSchema"], list);
            if schema["properties"].get("context").is_none() {
                foreign.insert(name.to_owned());
            }
            compiler.add_resource(&place, schema).unwrap();
            listed.insert(name.to_owned(), compiler.compile(&place, &mut schemas).unwrap());
        }
        Self { schemas, listed, foreign, open: HashMap::new() }
    }

    /// A call of a tool was sent.
    pub fn expect(&mut self, call: RequestId, tool: &str) {
        self.open.insert(call, tool.to_owned());
    }

    /// Checks the result of a call.
    #[track_caller]
    pub fn check(&mut self, call: RequestId, result: &Value) {
        let tool = self.open.remove(&call).unwrap();
        let Some(schema) = self.listed.get(&tool) else { return };
        let is_error = result["isError"] == true;
        let data = &result["structuredContent"];
        if is_error && self.foreign.contains(&tool) {
            return assert!(data.is_null(), "{tool}: {data:#}");
        }
        if let Err(error) = self.schemas.validate(data, *schema) {
            panic!("{tool}: {error:#}\n{data:#}");
        }
        let text = result["content"][0]["text"].as_str().unwrap();
        // A tool of another server, whose text is the data.
        if serde_json::from_str::<Value>(text).is_ok_and(|written| written == *data) {
            return;
        }
        if data.get("success").is_some() {
            assert_eq!(data["success"], !is_error, "{data:#}");
            return assert_eq!(data["error"].is_object(), is_error, "{data:#}");
        }
        assert_eq!(data["status"], if is_error { "error" } else { "success" }, "{data:#}");
        assert_eq!(data["error"].is_object(), is_error, "{data:#}");
        if let (true, Some(code)) = (is_error, data["error"]["code"].as_str()) {
            assert!(text.contains(&format!("error[{code}] ")), "{text}\n{data:#}");
        }
    }
}

/// The schema with each form that another place of the list describes: `Like PLACE of TOOL.`
fn whole(schema: &Value, list: &Value) -> Value {
    if let Some(place) = schema["description"].as_str().and_then(|text| text.strip_prefix("Like "))
    {
        let (place, tool) = place.strip_suffix('.').unwrap().split_once(" of ").unwrap();
        let mut tools = list["tools"].as_array().unwrap().iter();
        let described = tools.find(|other| other["name"] == tool).unwrap();
        let mut form = &described["outputSchema"];
        for name in place.replace("[]", ".[]").split('.') {
            form = if name == "[]" { &form["items"] } else { &form["properties"][name] };
        }
        assert!(form["properties"].is_object(), "{place} of {tool}");
        let mut form = whole(form, list);
        form["type"] = schema["type"].clone();
        return form;
    }
    let mut schema = schema.clone();
    let fields = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (_, field) in fields.into_iter().flatten() {
        *field = whole(field, list);
    }
    if let Some(items) = schema.get_mut("items") {
        *items = whole(items, list);
    }
    schema
}
