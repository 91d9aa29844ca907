//! Results as data: each must have the form that its tool lists.

use std::collections::HashMap;

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;

use super::{Proposal, RequestId};

/// The schemas of a host's results, each compiled at the first result of its tool: a row calls few
/// of the tools.
pub struct Results {
    list: Value,
    compiler: Compiler,
    schemas: Schemas,
    /// By tool; `None`: a tool in the form of another server without a schema.
    compiled: HashMap<String, Option<SchemaIndex>>,
    /// By tool: what it takes.
    taken: HashMap<String, SchemaIndex>,
    /// Open calls with their tools.
    open: HashMap<RequestId, String>,
    /// The arguments of the latest call.
    latest: Value,
}

impl Results {
    /// The schemas of a list of tools.
    pub fn of(list: Value) -> Self {
        Self {
            list,
            compiler: Compiler::new(),
            schemas: Schemas::new(),
            compiled: HashMap::new(),
            taken: HashMap::new(),
            open: HashMap::new(),
            latest: Value::Null,
        }
    }

    /// Every schema of the list compiles.
    pub fn compile_all(&mut self) {
        let tools = self.list["tools"].as_array().unwrap().iter();
        let names: Vec<_> = tools.map(|tool| tool["name"].as_str().unwrap().to_owned()).collect();
        for name in names {
            self.schema(&name);
        }
    }

    fn schema(&mut self, tool: &str) -> Option<SchemaIndex> {
        if let Some(compiled) = self.compiled.get(tool) {
            return *compiled;
        }
        let compiled = match self.listed(tool).map(|schema| whole(schema, &self.list)) {
            Some(schema) => {
                let place = format!("tools/{tool}.json");
                self.compiler.add_resource(&place, schema).unwrap();
                Some(self.compiler.compile(&place, &mut self.schemas).unwrap())
            }
            None => None,
        };
        self.compiled.insert(tool.to_owned(), compiled);
        compiled
    }

    /// The schema of a tool in the list. A family's tool with the name of one of ours has none.
    fn listed(&self, tool: &str) -> Option<&Value> {
        let mut tools = self.list["tools"].as_array().unwrap().iter();
        let schema = tools.find(|other| other["name"] == tool)?.get("outputSchema")?;
        assert_eq!(schema["type"], "object", "{tool}");
        Some(schema)
    }

    /// Whether a tool has the form of another server: its errors have no data.
    fn is_foreign(&self, tool: &str) -> bool {
        self.listed(tool).is_some_and(|schema| schema["properties"].get("context").is_none())
    }

    /// A call of a tool was sent.
    pub fn expect(&mut self, call: RequestId, params: &Value) {
        self.open.insert(call, params["name"].as_str().unwrap().to_owned());
        self.latest = params["arguments"].clone();
    }

    /// Asserts that the tool takes the arguments of a call that an error proposes; arguments that
    /// repeat the caller's may be unlisted ones. Beside the tools of a family ours are called
    /// without being listed, also those whose names the family uses.
    #[track_caller]
    pub fn takes(&mut self, proposal: &Proposal, error: &str) {
        let Proposal { tool, arguments } = proposal;
        let Some(schema) = self.arguments_of(tool) else { return };
        let index = match self.taken.get(tool) {
            Some(index) => *index,
            None => {
                let place = format!("arguments/{tool}.json");
                self.compiler.add_resource(&place, schema.clone()).unwrap();
                let index = self.compiler.compile(&place, &mut self.schemas).unwrap();
                self.taken.insert(tool.clone(), index);
                index
            }
        };
        let mut arguments = arguments.clone();
        if let Value::Object(arguments) = &mut arguments {
            arguments.retain(|name, _| {
                self.latest.get(name).is_none() || schema["properties"].get(name).is_some()
            });
        }
        if let Err(wrong) = self.schemas.validate(&arguments, index) {
            panic!("{error}\n{wrong:#}");
        }
    }

    /// The schema of the arguments of a listed tool of ours.
    fn arguments_of(&self, tool: &str) -> Option<Value> {
        let mut tools = self.list["tools"].as_array().unwrap().iter();
        let is_ours = tools.clone().any(|other| other["name"] == "debug_targets");
        let listed = tools.find(|other| other["name"] == tool).filter(|_| is_ours)?;
        Some(listed["inputSchema"].clone())
    }

    /// Checks the result of a call.
    #[track_caller]
    pub fn check(&mut self, call: RequestId, result: &Value) {
        let tool = self.open.remove(&call).unwrap();
        let Some(schema) = self.schema(&tool) else { return };
        let is_error = result["isError"] == true;
        let data = &result["structuredContent"];
        if is_error && self.is_foreign(&tool) {
            return assert!(data.is_null(), "{tool}: {data:#}");
        }
        if let Err(error) = self.schemas.validate(data, schema) {
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
