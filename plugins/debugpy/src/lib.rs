//! debugpy: Python.

use dapdock_plugin::prelude::*;

struct Debugpy;

impl Adapter for Debugpy {
    fn manifest() -> Manifest {
        Manifest { name: "debugpy".into(), ..Manifest::default() }
    }

    fn resolve(_project: &Workspace, _request: DebugRequest) -> Result<Resolution, Error> {
        Err(Error::unsupported("not yet"))
    }
}

dapdock_plugin::export!(Debugpy);
