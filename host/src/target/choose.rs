//! The plugin for a target: the one that the caller names, else the strongest claim. Equal claims
//! are an error that lists the choices.
//!
//! Knows the catalog, files and what plugins say about them. Starts nothing but their probes.

use std::fs::FileType;

use dapdock_schema::Language;

use crate::file::{self, executable};
use crate::model::answer::RefusalKind;
use crate::model::{LaunchRequest, LaunchTarget, Place, ProposedTarget};
use crate::plugin::{self, Catalog, Plugin, Refused, Workspace};
use crate::process;
use crate::target::claim::Claim;
use crate::target::claims::{by_detect, claims, in_table, opens};
use crate::target::language::is_command;
use crate::target::request::{options, program_of};
use crate::target::stand_in::{self, StandIns};
use crate::target::test_name::{Similar, TestName};
use crate::target::{Error, Wrapped, listener};

/// Words in front of a command that another command runs, at most.
const WRAPPING: usize = 12;

/// The plugin for a launch.
pub(crate) async fn plugin(
    catalog: &Catalog,
    stand_ins: StandIns,
    workspace: &Workspace,
    request: &LaunchRequest,
) -> Result<Plugin, Error> {
    let all = catalog.all().await;
    if let LaunchTarget::Commands(_) = request.target {
        return for_commands(all.into_iter().flatten().collect());
    }
    if let Some(name) = &request.adapter {
        return by_name(catalog, all, name, stand_ins, workspace, request).await;
    }
    match listener::listener(&request.target).await? {
        Some(listener) => listener::plugin(all, request, listener),
        None => by_claim(all, stand_ins, workspace, request).await,
    }
}

/// The plugin whose debugger takes commands without a target.
fn for_commands(mut plugins: Vec<Plugin>) -> Result<Plugin, Error> {
    let adapters = plugins.iter().map(describe).collect();
    plugins.retain(|plugin| {
        let commands = plugin.manifest().profile.evaluate.commands.as_ref();
        commands.is_some_and(|commands| commands.records.is_some())
    });
    let target = "a session for commands".to_owned();
    match plugins.len() {
        1 => Ok(plugins.remove(0)),
        0 => Err(Error::NoAdapter { target, adapters, tests: Vec::new(), wrapped: None }),
        _ => Err(Error::WhichAdapter { target, adapters: names(&plugins) }),
    }
}

/// The plugin that the caller names, if it can debug the target.
async fn by_name(
    catalog: &Catalog,
    all: Vec<Result<Plugin, plugin::Error>>,
    name: &str,
    stand_ins: StandIns,
    workspace: &Workspace,
    request: &LaunchRequest,
) -> Result<Plugin, Error> {
    let able = openers(request, all.iter().flatten());
    let plugin = named(catalog, all, name).await?;
    if request.attaches() {
        // A wrong option is refused before anything is connected.
        plugin.check_options(&options(request)?)?;
    }
    listener::listener(&request.target).await?;
    check_command(&plugin, workspace, request).await?;
    if opens(&plugin, request) {
        return Ok(plugin);
    }
    let other = by_claim(catalog.all().await, stand_ins, workspace, request).await;
    let named = matches!(other, Ok(_) | Err(Error::WhichAdapter { .. }));
    Err(Error::NoCores { adapter: plugin.name().to_owned(), able, named })
}

/// Names of the plugins that open the request's core file.
fn openers<'a>(request: &LaunchRequest, plugins: impl Iterator<Item = &'a Plugin>) -> Vec<String> {
    plugins.filter(|plugin| opens(plugin, request)).map(|plugin| plugin.name().to_owned()).collect()
}

/// The plugin of this name in the configuration, else the only one for a language of this name.
async fn named(
    catalog: &Catalog,
    all: Vec<Result<Plugin, plugin::Error>>,
    name: &str,
) -> Result<Plugin, Error> {
    if catalog.names().any(|known| known == name) {
        return Ok(catalog.get(name).await?);
    }
    let mut fitting: Vec<Plugin> = all.into_iter().flatten().collect();
    fitting.retain(|plugin| {
        plugin.languages().any(|language| language.name.eq_ignore_ascii_case(name))
    });
    if fitting.len() > 1 {
        return Err(Error::WhichAdapter { target: name.to_owned(), adapters: names(&fitting) });
    }
    match fitting.pop() {
        Some(plugin) => Ok(plugin),
        None => Ok(catalog.get(name).await?),
    }
}

/// The plugin with the strongest claim.
async fn by_claim(
    all: Vec<Result<Plugin, plugin::Error>>,
    stand_ins: StandIns,
    workspace: &Workspace,
    request: &LaunchRequest,
) -> Result<Plugin, Error> {
    let target = &request.target;
    let (mut plugins, mut broken) = (Vec::new(), Vec::new());
    for plugin in all {
        match plugin {
            Ok(plugin) => plugins.push(plugin),
            Err(error) => broken.push(error.to_string()),
        }
    }
    let mut claims = claims(plugins, workspace, request).await;
    let test = match target {
        LaunchTarget::Named(name) => Some(TestName { name, cwd: request.cwd.as_deref() }),
        _ => None,
    };
    if let Some(test) = &test {
        claims = test.weighed(claims, workspace).await;
    }
    let able = openers(request, claims.iter().map(|(_, plugin)| plugin));
    let winner_ignoring_core = strongest(&claims);
    claims.retain(|(_, plugin)| opens(plugin, request));
    let is_claimed =
        |language: &Language| is_file(target) && in_table(language, workspace, request);
    let best_claim = best(&claims);
    let claims = Box::pin(stand_in::inherited(claims, best_claim, stand_ins, is_claimed)).await;
    let best = best(&claims);
    if let (false, Some(adapter)) = (best.is_some(), winner_ignoring_core) {
        return Err(Error::NoCores { adapter, able, named: false });
    }
    let mut adapters: Vec<String> = claims.iter().map(|(_, plugin)| describe(plugin)).collect();
    adapters.extend(broken);
    let winners = if best.is_some() { with_claim(&claims, best) } else { Vec::new() };
    let winners = with_breakpoints(winners, request);
    if let Some(test) = test
        && best <= Claim::TABLE
        && winners.len() != 1
    {
        no_such_test(&test, best, &claims, &adapters, workspace).await?;
    }
    match winners.as_slice() {
        [plugin] => Ok(plugin.clone()),
        [] => Err(match no_program(request) {
            Some(error) => error,
            None => {
                let plugins = claims.into_iter().map(|(_, plugin)| plugin).collect();
                let wrapped = Box::pin(wrapped(plugins, workspace, request)).await;
                let (target, tests) = (words(target), Vec::new());
                Error::NoAdapter { target, adapters, tests, wrapped }
            }
        }),
        several => Err(Error::WhichAdapter { target: words(target), adapters: names(several) }),
    }
}

/// Name of the plugin with the strongest claim, if there is a claim. Of equal claims the last.
fn strongest(claims: &[(Claim, Plugin)]) -> Option<String> {
    let (claim, plugin) = claims.iter().max_by_key(|(claim, _)| *claim)?;
    claim.is_some().then(|| plugin.name().to_owned())
}

/// The plugins with exactly this claim.
fn with_claim(claims: &[(Claim, Plugin)], wanted: Claim) -> Vec<Plugin> {
    let fitting = claims.iter().filter(|(claim, _)| *claim == wanted);
    fitting.map(|(_, plugin)| plugin.clone()).collect()
}

/// Of several plugins those for the languages of the files with breakpoints, if there are any.
fn with_breakpoints(plugins: Vec<Plugin>, request: &LaunchRequest) -> Vec<Plugin> {
    let mut extensions = Vec::new();
    for breakpoint in &request.breakpoints {
        if let Place::Line { path, .. } = &breakpoint.place {
            extensions.extend(path.extension().map(|text| text.to_string_lossy().to_lowercase()));
        }
    }
    let debugs = |plugin: &&Plugin| {
        plugin
            .languages()
            .flat_map(|language| &language.extensions)
            .any(|own| extensions.contains(own))
    };
    let fitting: Vec<Plugin> = plugins.iter().filter(debugs).cloned().collect();
    if fitting.is_empty() { plugins } else { fitting }
}

/// The error for a test that no plugin lists; `Ok` if another error fits better.
async fn no_such_test(
    test: &TestName<'_>,
    best: Claim,
    claims: &[(Claim, Plugin)],
    adapters: &[String],
    workspace: &Workspace,
) -> Result<(), Error> {
    let similar = test.similar(claims.iter().map(|(_, plugin)| plugin), workspace).await;
    let commands = test_commands(claims, test, workspace);
    if !similar.is_empty() || (!best.is_some() && commands.is_empty()) {
        let likely = similar.first().is_some_and(Similar::is_near);
        let near = similar.into_iter().map(|similar| similar.test).collect();
        let (name, searched) = (test.name.to_owned(), workspace.searched());
        return Err(Error::NoTest { name, near, likely, commands, searched });
    }
    if best.is_some() {
        return Ok(());
    }
    let target = format!("`{}`", test.name);
    let adapters = adapters.to_vec();
    Err(Error::NoAdapter { target, adapters, tests: commands, wrapped: None })
}

/// The error for a command that begins with a path that does not exist or cannot run.
fn no_program(request: &LaunchRequest) -> Option<Error> {
    let LaunchTarget::Command(words) = &request.target else { return None };
    let word = words.first().filter(|word| word.contains('/'))?;
    let path = request.cwd.as_ref().unwrap_or(&request.workspace).join(word);
    let problem = match (path.is_file(), path.exists()) {
        (true, _) if plugin::is_runnable(&path) => return None,
        (true, _) => "is not executable",
        (false, true) => "is not a file",
        (false, false) => "does not exist",
    };
    let near = file::near(&path, FileType::is_file);
    Some(Error::BadPath { what: "program", path, problem: problem.to_owned(), near })
}

/// What a command runs: of `limit 5 tool a` the command `tool a`, of `tool run a.x b` the file with
/// its arguments. None if no plugin knows it.
async fn wrapped(
    plugins: Vec<Plugin>,
    workspace: &Workspace,
    request: &LaunchRequest,
) -> Option<Box<Wrapped>> {
    let LaunchTarget::Command(words) = &request.target else { return None };
    let (start, options) = wrapper(&plugins, words);
    let is_value = |at: usize| at > start && options.contains(&words[at - 1].as_str());
    for at in start..words.len().min(WRAPPING) {
        let (inner, word) = (&words[at..], &words[at]);
        if !(start..at).all(|before| is_setting(&words[before]) || is_value(before)) {
            break;
        }
        if is_value(at) {
            continue;
        }
        let path = request.cwd.as_ref().unwrap_or(&request.workspace).join(word);
        // Most commands only read a file that cannot run.
        let is_program = word.contains('/') && plugin::is_runnable(&path);
        let is_file = path.is_file() && !is_program;
        let is_run = words[1..at].iter().any(|word| word == "run");
        if word.starts_with('-') || (is_file && !is_run) {
            continue;
        }
        let (target, proposed) = if is_file {
            let args = inner[1..].to_vec();
            (LaunchTarget::Program(path.clone()), ProposedTarget::Program { path, args })
        } else {
            let line = ProposedTarget::Command(shell_words::join(inner));
            (LaunchTarget::Command(inner.to_vec()), line)
        };
        let request = LaunchRequest { target, ..request.clone() };
        if best(&claims(plugins.clone(), workspace, &request).await).is_some() {
            let values = (start..at).filter(|before| is_value(*before));
            let omitted = values.map(|value| words[value - 1..=value].join(" ")).collect();
            return Some(Box::new(Wrapped { target: proposed, omitted }));
        }
    }
    None
}

/// How many words name the command that runs another one, and its options whose value is the next
/// word. One that no plugin knows has one word.
fn wrapper<'a>(plugins: &'a [Plugin], words: &[String]) -> (usize, Vec<&'a str>) {
    let mut known = (1, Vec::new());
    for wrapper in plugins.iter().flat_map(|plugin| &plugin.manifest().wrappers) {
        if wrapper.words.len() >= known.0 && words.starts_with(&wrapper.words) {
            known = (wrapper.words.len(), wrapper.values.iter().map(String::as_str).collect());
        }
    }
    known
}

/// Whether a word between a command and the command that it runs is an option, a number, a variable
/// or `run`.
fn is_setting(word: &str) -> bool {
    let is_number = word.starts_with(|first: char| first.is_ascii_digit());
    is_number || word.starts_with('-') || word.contains('=') || word == "run"
}

fn is_file(target: &LaunchTarget) -> bool {
    matches!(target, LaunchTarget::Program(path) if !path.is_dir())
}

/// The strongest claim. A claim on machine code by a plugin whose adapter is missing yields to the
/// next one with an adapter: adapters of machine code debug each other's programs.
fn best(claims: &[(Claim, Plugin)]) -> Claim {
    let (mut best, mut equipped) = (Claim::NONE, Claim::NONE);
    for (claim, plugin) in claims {
        best = best.max(*claim);
        if plugin.is_equipped() {
            equipped = equipped.max(*claim);
        }
    }
    if best < Claim::TABLE && equipped >= Claim::FALLBACK { equipped } else { best }
}

/// Command lines that run the test, one per language with a project here.
fn test_commands(
    claims: &[(Claim, Plugin)],
    test: &TestName<'_>,
    workspace: &Workspace,
) -> Vec<String> {
    let mut commands = Vec::new();
    for language in claims.iter().flat_map(|(_, plugin)| plugin.languages()) {
        if let Some(command) = &language.test_command
            && test.is_in_project_of(language, workspace)
        {
            commands.push(command.replace("{test}", test.name));
        }
    }
    commands
}

/// Refuses a command that an adapter of machine code does not know and that is no file.
async fn check_command(
    plugin: &Plugin,
    workspace: &Workspace,
    request: &LaunchRequest,
) -> Result<(), Error> {
    let LaunchTarget::Command(words) = &request.target else { return Ok(()) };
    let Some(word) = words.first().filter(|word| !word.contains('/')) else { return Ok(()) };
    let native =
        plugin.languages().all(|language| language.executables || !language.sections.is_empty());
    let known = plugin.languages().any(|language| is_command(language, word));
    let exists = request.cwd.as_ref().unwrap_or(&workspace.root).join(word).exists();
    if !native || known || exists || by_detect(plugin, workspace, word).await.is_some() {
        return Ok(());
    }
    let message = format!(
        "`{word}` is not a command that {} knows, and there is no such file; name what it builds \
         by its path",
        plugin.name()
    );
    Err(Refused::Request { kind: RefusalKind::TargetMissing, message, hint: None }.into())
}

/// Refuses a process for an adapter that debugs the machine code of certain languages only, if its
/// executable is of none of them.
pub(crate) fn check_process(plugin: &Plugin, pid: u32) -> Result<(), Error> {
    let Ok(image) = process::image(pid) else { return Ok(()) };
    for language in plugin.languages() {
        let by_section = !language.executables && !language.sections.is_empty();
        if !by_section || executable::has_section(&image, &language.sections) {
            return Ok(());
        }
    }
    let Some(language) = plugin.languages().next() else { return Ok(()) };
    let program = program_of(pid)?;
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let why = format!("it runs {name}, which is not a {} program", language.name);
    Err(Error::NoSuchProcess { pid, why })
}

fn names(plugins: &[Plugin]) -> Vec<String> {
    plugins.iter().map(|plugin| plugin.name().to_owned()).collect()
}

/// Name and languages of an adapter.
fn describe(plugin: &Plugin) -> String {
    let languages: Vec<&str> = plugin.languages().map(|language| language.name.as_str()).collect();
    format!("{} ({})", plugin.name(), languages.join(", "))
}

/// The target as errors name it.
fn words(target: &LaunchTarget) -> String {
    match target {
        LaunchTarget::Command(_) | LaunchTarget::Named(_) => format!("`{}`", target.words()),
        _ => target.words(),
    }
}
