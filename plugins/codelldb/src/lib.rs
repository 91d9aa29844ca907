//! CodeLLDB: Rust, C and C++.

use dapdock_plugin::prelude::*;

struct CodeLldb;

impl Adapter for CodeLldb {
    fn manifest() -> Manifest {
        Manifest { name: "codelldb".into(), ..Manifest::default() }
    }

    fn resolve(_project: &Workspace, _request: DebugRequest) -> Result<Resolution, Error> {
        Err(Error::unsupported("not yet"))
    }
}

dapdock_plugin::export!(CodeLldb);
