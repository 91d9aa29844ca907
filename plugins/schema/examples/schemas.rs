//! Writes `wit/manifest.schema.json` and `wit/dap.schema.json`, the published forms of the types.

use dapdock_schema::{dap, manifest_schema};

fn main() -> std::io::Result<()> {
    let wit = concat!(env!("CARGO_MANIFEST_DIR"), "/../../wit");
    for (name, schema) in [("manifest", manifest_schema()), ("dap", dap::schema())] {
        std::fs::write(
            format!("{wit}/{name}.schema.json"),
            serde_json::to_string_pretty(&schema)? + "\n",
        )?;
    }
    Ok(())
}
