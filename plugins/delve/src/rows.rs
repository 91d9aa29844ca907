//! Lists of variables without what Delve adds to the program's, and without the fields of channels
//! that only the runtime understands. Pure.

use dapdock_plugin::prelude::*;

use crate::entries;

/// The fields of a channel that say something to callers (runtime/chan.go, `hchan`).
const CHANNEL: [&str; 5] = ["qcount", "dataqsiz", "buf", "closed", "recvx"];

/// Removes what Delve adds to the program's variables: `len()` as an element of a map, and
/// `string()` as an element of bytes (service/dap/server.go, `metadataToDAPVariables`).
pub fn of_the_program(mut body: dap::VariablesResponse) -> dap::VariablesResponse {
    // No expression reaches a blank field.
    body.variables.retain(|variable| !matches!(variable.name.as_str(), "len()" | "string()" | "_"));
    body.variables = entries::merged(body.variables);
    let has = |name: &str| body.variables.iter().any(|variable| variable.name == name);
    if has("qcount") && has("dataqsiz") && has("elemsize") {
        body.variables.retain(|variable| CHANNEL.contains(&variable.name.as_str()));
    }
    for variable in &mut body.variables {
        let ty = variable.type_.as_deref().unwrap_or_default();
        fix_count(ty, &mut variable.named_variables);
    }
    body
}

/// Sets the count of named children to 0 where they are only Delve's additions.
pub fn fix_count(ty: &str, named: &mut Option<i64>) {
    if ty.starts_with("map[") || ty.ends_with("]uint8") || ty.ends_with("]int32") {
        *named = Some(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(name: &str, ty: &str, named: i64) -> dap::Variable {
        dap::Variable {
            name: name.into(),
            type_: Some(ty.into()),
            named_variables: Some(named),
            ..Default::default()
        }
    }

    fn names(variables: Vec<dap::Variable>) -> Vec<String> {
        let body = of_the_program(dap::VariablesResponse { variables });
        body.variables.into_iter().map(|variable| variable.name).collect()
    }

    #[test]
    fn additions_of_delve_are_removed() {
        let variables = vec![
            one("len()", "int", 0),
            one("\"a\"", "string: main.Item", 0),
            one("tags", "map[string]int", 1),
            one("raw", "[]uint8", 1),
            one("_", "sync.noCopy", 0),
        ];
        assert_eq!(
            of_the_program(dap::VariablesResponse { variables }).variables,
            [
                one("\"a\"", "main.Item", 0),
                one("tags", "map[string]int", 0),
                one("raw", "[]uint8", 0)
            ]
        );
    }

    #[test]
    fn channels_have_few_fields() {
        let fields = |all: &[&str]| names(all.iter().map(|name| one(name, "uint", 0)).collect());
        let channel = ["qcount", "dataqsiz", "buf", "elemsize", "closed", "sendx", "lock"];
        assert_eq!(fields(&channel), ["qcount", "dataqsiz", "buf", "closed"]);
        assert_eq!(fields(&["qcount", "dataqsiz", "lock"]), ["qcount", "dataqsiz", "lock"]);
    }
}
