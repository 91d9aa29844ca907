//! Writes `wit/manifest.schema.json`, the published form of the manifest's types.

fn main() -> std::io::Result<()> {
    let text = serde_json::to_string_pretty(&dapdock_schema::manifest_schema())?;
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../../wit/manifest.schema.json"), text + "\n")
}
