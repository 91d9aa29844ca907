//! Checks the answer of `resolve` or `resume` and converts it: handles become paths, command lines
//! must match the manifest, and references must name assets, ports or values of earlier processes.
//! Starts nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use dapdock_schema::Profile;
use serde_json::Value;
use wasmtime::component::Resource;

use crate::model::plan::{
    Asset, Build, BuildStep, Command, Endpoint, EnvChanges, LaunchPlan, Piece, Port, ReadyLine,
    Resolution, Role, Spawn, Transport,
};
use crate::model::{plain_name, references};
use crate::plugin::answer::convert::{self, Json};
use crate::plugin::answer::profile;
use crate::plugin::engine::bindings::adapter;
use crate::plugin::engine::call::Failure;
use crate::plugin::engine::store::{Executable, Guest, ProjectFacts};
use crate::plugin::error::{Cause, Lie};
use crate::plugin::grant::{commands, executable};

/// Reads one answer of `resolve` or `resume`.
pub(crate) struct Reader<'a> {
    pub guest: &'a mut Guest,
    pub project: &'a ProjectFacts,
    pub json: Json,
    /// The caller's texts that look like references and are none.
    pub literals: BTreeSet<String>,
    /// Number of the build, if the answer is one, from 1.
    pub round: u32,
}

impl Reader<'_> {
    pub fn resolution(&mut self, answer: adapter::Resolution) -> Result<Resolution, Failure> {
        match answer {
            adapter::Resolution::Build(plan) => Ok(Resolution::Build(self.build(plan)?)),
            adapter::Resolution::Ready(plan) => Ok(Resolution::Ready(Box::new(self.launch(plan)?))),
        }
    }

    fn build(&mut self, plan: adapter::BuildPlan) -> Result<Build, Failure> {
        let most = self.guest.limits().build_rounds;
        if self.round > most {
            return Err(self
                .wrong("build-plan", format!("asks for build {}, more than {most}", self.round)));
        }
        if plan.steps.is_empty() {
            return Err(self.wrong("build-plan.steps", "a build without steps"));
        }
        let mut steps = Vec::new();
        for (at, step) in plan.steps.into_iter().enumerate() {
            let field = format!("build-plan.steps[{at}]");
            let command = self.command(&field, step.command)?;
            self.references(&field, &command, &Provided::default())?;
            steps.push(BuildStep {
                label: step.label,
                command,
                timeout: Duration::from_secs(step.timeout_s.into()),
            });
        }
        Ok(Build {
            steps,
            state: self.json.any("build-plan.state", &plan.state)?,
            round: self.round,
        })
    }

    fn launch(&mut self, plan: adapter::LaunchPlan) -> Result<LaunchPlan, Failure> {
        let mut provided = Provided::default();
        let assets = self.assets(plan.assets, &mut provided)?;
        if let adapter::Transport::Listen(name) = &plan.transport {
            provided.values.insert(format!("port:{name}"));
        }
        let mut processes = Vec::new();
        for (at, process) in plan.processes.into_iter().enumerate() {
            let field = format!("launch-plan.processes[{at}]");
            processes.push(self.process(&field, process, &mut provided)?);
        }
        let transport = self.transport(plan.transport, &provided)?;
        let is_adapter = |process: &Spawn| process.role == Role::Adapter;
        if transport == Transport::Stdio && !processes.iter().any(is_adapter) {
            let reason = "stdio, but no process has the role `adapter`";
            return Err(self.wrong("launch-plan.transport", reason));
        }
        let arguments = self.json.object("launch-plan.arguments", &plan.arguments)?;
        self.references_in(&arguments, "launch-plan.arguments", &provided)?;
        let initialize = plan
            .initialize
            .map(|text| self.json.object("launch-plan.initialize", &text))
            .transpose()?;
        let program =
            plan.program.map(|handle| self.take(handle)).transpose()?.map(|taken| taken.path);
        let used = self.used(&processes, self.programs(&arguments)?);
        Ok(LaunchPlan {
            processes,
            assets,
            transport,
            request: convert::model_request_kind(plan.request),
            arguments,
            initialize,
            program,
            profile: self.profile(plan.profile.as_deref())?,
            state: plan.state.map(|text| self.json.any("launch-plan.state", &text)).transpose()?,
            notes: plan.notes,
            tools: self.guest.minted.tools.clone(),
            used,
        })
    }

    fn assets(
        &self,
        assets: Vec<adapter::Asset>,
        provided: &mut Provided,
    ) -> Result<Vec<Asset>, Failure> {
        let mut checked = Vec::new();
        for (at, adapter::Asset { name, content }) in assets.into_iter().enumerate() {
            if plain_name(&name).is_none() || !provided.assets.insert(name.clone()) {
                let field = format!("launch-plan.assets[{at}].name");
                return Err(
                    self.wrong(field, format!("{name:?} is not a plain file name of its own"))
                );
            }
            checked.push(Asset { name, content });
        }
        if !checked.is_empty() {
            provided.assets.insert(".".into());
        }
        Ok(checked)
    }

    fn process(
        &mut self,
        field: &str,
        process: adapter::Process,
        provided: &mut Provided,
    ) -> Result<Spawn, Failure> {
        let command = self.command(field, process.command)?;
        self.references(field, &command, provided)?;
        let ready = process.ready.map(|ready| self.ready(field, ready, provided)).transpose()?;
        let role = convert::role(process.role);
        Ok(Spawn { role, command, ready, takes_stdin: process.takes_stdin })
    }

    fn ready(
        &self,
        field: &str,
        ready: adapter::ReadyLine,
        provided: &mut Provided,
    ) -> Result<ReadyLine, Failure> {
        let pattern = profile::compile(&ready.pattern)
            .map_err(|reason| self.wrong(format!("{field}.ready.pattern"), reason))?;
        provided.values.extend(pattern.capture_names().flatten().map(str::to_owned));
        Ok(ReadyLine {
            output: convert::ready_output(ready.output),
            pattern: ready.pattern,
            timeout: Duration::from_millis(ready.timeout_ms.into()),
        })
    }

    fn transport(
        &self,
        transport: adapter::Transport,
        provided: &Provided,
    ) -> Result<Transport, Failure> {
        Ok(match transport {
            adapter::Transport::Stdio => Transport::Stdio,
            adapter::Transport::Listen(name) => Transport::Listen(name),
            adapter::Transport::Connect(endpoint) => {
                Transport::Connect(self.endpoint("launch-plan.transport", endpoint, provided)?)
            }
        })
    }

    fn endpoint(
        &self,
        field: &str,
        endpoint: adapter::Endpoint,
        provided: &Provided,
    ) -> Result<Endpoint, Failure> {
        let port = match endpoint.port {
            adapter::Port::Number(number) => Port::Number(number),
            adapter::Port::Value(name) => {
                self.reference(field, &Piece::Value(name.clone()), provided)?;
                Port::Value(name)
            }
        };
        Ok(Endpoint { host: endpoint.host, port })
    }

    fn command(&mut self, field: &str, command: adapter::Command) -> Result<Command, Failure> {
        let taken = self.take(command.program)?;
        let args =
            command.args.into_iter().map(|pieces| self.pieces(pieces)).collect::<Result<_, _>>()?;
        let env: EnvChanges = command.env.into_iter().map(|var| (var.name, var.value)).collect();
        let cwd = command.cwd.map(|dir| self.project.root().join(dir));
        let command = Command { program: taken.path, tool: taken.tool, args, env, cwd };
        commands::check(&self.project.manifest.commands, &command).map_err(|lie| self.lied(lie))?;
        if !executable::is_runnable(&command.program) {
            return Err(self.wrong(
                format!("{field}.program"),
                format!("{} cannot be run", command.program.display()),
            ));
        }
        Ok(command)
    }

    fn pieces(&mut self, pieces: Vec<adapter::Piece>) -> Result<Vec<Piece>, Failure> {
        let mut checked = Vec::with_capacity(pieces.len());
        for piece in pieces {
            checked.push(match piece {
                adapter::Piece::Text(text) => Piece::Text(text),
                adapter::Piece::Exe(handle) => {
                    Piece::Text(self.take(handle)?.path.to_string_lossy().into_owned())
                }
                adapter::Piece::Value(name) => Piece::Value(name),
                adapter::Piece::Asset(name) => Piece::Asset(name),
            });
        }
        Ok(checked)
    }

    fn take(&mut self, handle: Resource<Executable>) -> Result<Executable, Failure> {
        Ok(self.guest.table.delete(handle)?)
    }

    /// The manifest's profile with the plan's keys merged over it.
    fn profile(&self, text: Option<&str>) -> Result<Profile, Failure> {
        let own = &self.project.manifest.profile;
        let field = "launch-plan.profile";
        let profile = match text {
            None => return Ok(own.clone()),
            Some(text) => {
                let over = self.json.object(field, text)?;
                let mut merged =
                    serde_json::to_value(own).map_err(|error| self.wrong(field, error))?;
                merge(&mut merged, over);
                serde_path_to_error::deserialize(merged).map_err(|error| {
                    self.wrong(format!("{field}.{}", error.path()), error.inner())
                })?
            }
        };
        profile::check(&profile)
            .and_then(|()| profile::check_patterns(&profile, Some(own)))
            .map_err(|(key, reason)| self.wrong(format!("{field}.{key}"), reason))?;
        Ok(profile)
    }

    /// Checks the keys that the adapter executes: each is the path of a handle of this call, or the
    /// target that the caller named.
    fn programs(&self, arguments: &Value) -> Result<Vec<PathBuf>, Failure> {
        let mut programs = Vec::new();
        for key in &self.project.manifest.programs {
            let pointer = format!("/{}", key.replace('.', "/"));
            match arguments.pointer(&pointer).map(first_word) {
                None | Some(Some("")) => {}
                Some(Some(program)) if self.may_run(program) => {
                    programs.push(PathBuf::from(program))
                }
                Some(found) => {
                    let value = found
                        .map_or_else(|| "something that is not text".to_owned(), str::to_owned);
                    return Err(self.lied(Lie::Program { key: key.clone(), value }));
                }
            }
        }
        Ok(programs)
    }

    /// Programs that the plan starts or lets the adapter start, by tool.
    fn used(&self, processes: &[Spawn], programs: Vec<PathBuf>) -> BTreeMap<String, PathBuf> {
        let mut used = BTreeMap::new();
        for Spawn { command, .. } in processes {
            used.insert(command.tool.clone(), command.program.clone());
        }
        for path in programs {
            let tool = self.guest.minted.tools.iter().find(|(_, minted)| **minted == path);
            let name = tool.map_or("workspace", |(name, _)| name);
            used.insert(name.to_owned(), path);
        }
        used
    }

    fn may_run(&self, program: &str) -> bool {
        self.guest.minted.paths.contains(Path::new(program))
            || executable::is_target(program, self.project)
    }

    fn references(
        &self,
        field: &str,
        command: &Command,
        provided: &Provided,
    ) -> Result<(), Failure> {
        for piece in command.args.iter().flatten() {
            self.reference(field, piece, provided)?;
        }
        for text in command.env.iter().filter_map(|(_, value)| value.as_deref()) {
            references(text, &self.literals)
                .try_for_each(|piece| self.reference(field, &piece, provided))?;
        }
        Ok(())
    }

    fn references_in(
        &self,
        value: &Value,
        field: &str,
        provided: &Provided,
    ) -> Result<(), Failure> {
        match value {
            Value::String(text) => references(text, &self.literals)
                .try_for_each(|piece| self.reference(field, &piece, provided)),
            Value::Array(items) => {
                items.iter().try_for_each(|item| self.references_in(item, field, provided))
            }
            Value::Object(map) => map.iter().try_for_each(|(key, item)| {
                self.references_in(item, &format!("{field}.{key}"), provided)
            }),
            _ => Ok(()),
        }
    }

    fn reference(&self, place: &str, piece: &Piece, provided: &Provided) -> Result<(), Failure> {
        let (known, name) = match piece {
            Piece::Text(_) => return Ok(()),
            Piece::Value(name) => (is_reserved(name) || provided.values.contains(name), name),
            Piece::Asset(name) => (provided.assets.contains(name), name),
        };
        if known {
            return Ok(());
        }
        Err(self.lied(Lie::Reference { place: place.to_owned(), name: name.clone() }))
    }

    fn wrong(&self, field: impl Into<String>, reason: impl ToString) -> Failure {
        Cause::answer(self.json.function, field, reason).into()
    }

    fn lied(&self, lie: Lie) -> Failure {
        Cause::Lied { function: self.json.function, lie }.into()
    }
}

/// Names that a process may refer to.
#[derive(Default)]
struct Provided {
    values: BTreeSet<String>,
    assets: BTreeSet<String>,
}

/// The host reserves a free port for every `port:NAME`; `host` is its loopback address.
fn is_reserved(name: &str) -> bool {
    name == "host" || name.strip_prefix("port:").is_some_and(|name| !name.is_empty())
}

/// The first word of text or a list; empty for null. `None` for any other value.
fn first_word(value: &Value) -> Option<&str> {
    match value {
        Value::Null => Some(""),
        Value::String(text) => Some(text),
        Value::Array(words) => words.first()?.as_str(),
        _ => None,
    }
}

/// Replaces the keys of `over` in the sections of the profile `base`.
fn merge(base: &mut Value, over: Value) {
    let (Value::Object(base), Value::Object(over)) = (base, over) else { return };
    for (name, section) in over {
        match (base.get_mut(&name), section) {
            (Some(Value::Object(own)), Value::Object(keys)) => own.extend(keys),
            (_, section) => drop(base.insert(name, section)),
        }
    }
}
