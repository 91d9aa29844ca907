//! The session handle of a guest: identity, state and probes of a running session.

use wasmtime::component::Resource;

use crate::plugin::engine::bindings::host::{HostSession, ProbeOutput, RequestKind};
use crate::plugin::engine::bindings::types::{self, ErrorKind};
use crate::plugin::engine::store::{Guest, Session};
use crate::plugin::grant::probe::Question;
use crate::plugin::grant::refusal::refuse;
use crate::plugin::{answer::convert, grant::probe};

impl HostSession for Guest {
    fn id(&mut self, this: Resource<Session>) -> wasmtime::Result<u32> {
        Ok(self.table.get(&this)?.view.id)
    }

    fn kind(&mut self, this: Resource<Session>) -> wasmtime::Result<RequestKind> {
        Ok(convert::request_kind(self.table.get(&this)?.view.kind))
    }

    fn arguments(&mut self, this: Resource<Session>) -> wasmtime::Result<String> {
        Ok(self.table.get(&this)?.view.arguments.to_string())
    }

    fn state(&mut self, this: Resource<Session>) -> wasmtime::Result<Option<String>> {
        let session = self.table.get(&this)?;
        Ok(session.new_state.as_ref().or(session.view.state.as_ref()).map(ToString::to_string))
    }

    fn set_state(&mut self, this: Resource<Session>, state: String) -> wasmtime::Result<()> {
        let parsed = serde_json::from_str(&state);
        self.table.get_mut(&this)?.new_state =
            Some(parsed.map_err(|error| wasmtime::format_err!("set-state: {error}"))?);
        Ok(())
    }

    fn patience(&mut self, this: Resource<Session>) -> wasmtime::Result<Option<u32>> {
        let patience = self.table.get(&this)?.view.patience;
        Ok(patience.map(|patience| u32::try_from(patience.as_millis()).unwrap_or(u32::MAX)))
    }

    async fn probe(
        &mut self,
        this: Resource<Session>,
        id: String,
        input: String,
    ) -> wasmtime::Result<Result<ProbeOutput, types::Error>> {
        let (size, most) = (input.len(), self.limits().probe_input);
        if size > most {
            let message = format!("the input of probe {id:?} has {size} bytes, more than {most}");
            return Ok(Err(refuse(ErrorKind::InvalidRequest, message, None)));
        }
        let Session { view, manifest, .. } = self.table.get(&this)?;
        let probe = match probe::find(manifest, &id) {
            Ok(probe) => probe,
            Err(error) => return Ok(Err(error)),
        };
        let Some(program) = view.tools.get(&probe.tool) else {
            let message = format!("this session's plan did not use {}", probe.tool);
            return Ok(Err(refuse(ErrorKind::ToolMissing, message, None)));
        };
        let question = Question::new(probe, program, None, Some(input));
        Ok(self.shared.probes.ask(probe, question, self.limits(), &self.extra).await)
    }

    fn drop(&mut self, this: Resource<Session>) -> wasmtime::Result<()> {
        self.table.delete(this)?;
        Ok(())
    }
}
