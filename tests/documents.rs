//! Documents of the bundled plugins: the tools and parameters that they name exist.

use std::path::Path;

/// Every document: path and text.
fn documents() -> Vec<(String, String)> {
    let plugins = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("plugins");
    let mut all = Vec::new();
    for plugin in std::fs::read_dir(plugins).unwrap().flatten() {
        for file in std::fs::read_dir(plugin.path().join("documents")).into_iter().flatten() {
            let path = file.unwrap().path();
            all.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
        }
    }
    all
}

#[test]
fn tools_and_parameters_in_documents_exist() {
    let (mut tools, mut parameters) = (0, 0);
    for (path, text) in documents() {
        for part in text.split("`debug_").skip(1) {
            let (span, rest) = part.split_once('`').unwrap();
            let name = format!("debug_{}", span.split(' ').next().unwrap());
            let declared = dapdock::mcp::declared().find(|declared| declared.name == name);
            let declared = declared.unwrap_or_else(|| panic!("{path}: {name}"));
            let schema = declared.schema();
            tools += 1;
            // `TOOL` with `ONE`, `TWO`
            let named = rest.strip_prefix(" with ").unwrap_or_default();
            let named = named.split(['|', '.', '\n']).next().unwrap_or_default();
            for word in named.split('`').skip(1).step_by(2) {
                assert!(!schema["properties"][word].is_null(), "{path}: {name} has no {word}");
                parameters += 1;
            }
        }
    }
    assert!(tools > 50 && parameters > 20, "{tools} {parameters}");
}
