//! Which plugin debugs a target: by name, by what manifests claim, by what plugins
//! detect. A tie is an error that lists the choices.

use std::fs::FileType;
use std::path::Path;

use dapdock_schema::Language;
use serde_json::Value;

use crate::file::{self, executable};
use crate::model::answer::RefusalKind;
use crate::model::{LaunchRequest, LaunchTarget};
use crate::plugin::{self, Catalog, Plugin, Workspace};
use crate::process::Listener;
use crate::session::Error;
use crate::session::breakpoints::Territory;
use crate::session::breakpoints::place;
use crate::session::launch;
use crate::session::setup::{AdapterInfo, Setup};
use crate::session::target::claim::{COMPILED, FALLBACK, MACHINE_CODE, TABLE};
use crate::session::target::request::program_of;
use crate::session::target::stand_in::{self, Heirs};
use crate::session::target::test_name::{Like, Named};
use crate::{process, provision};

/// Most bytes of a JSON file that says whether a directory is a program.
const JSON: u64 = 1 << 20;

/// The files that this adapter leaves to the others of the configuration. What debugs machine code
/// debugs that of every language.
pub(crate) async fn territory(catalog: &Catalog, plugin: &Plugin) -> Territory {
    let all = catalog.all().await;
    let machine = |language: &Language| language.executables || !language.sections.is_empty();
    let own = &plugin.manifest().languages;
    let any_machine_code = own.iter().any(|language| language.executables);
    let others = all.iter().flatten().flat_map(|other| &other.manifest().languages);
    let strange = others.filter(|language| !(any_machine_code && machine(language)));
    let mine: Vec<&String> = own.iter().flat_map(|language| &language.extensions).collect();
    let foreign = strange
        .flat_map(|language| &language.extensions)
        .filter(|extension| !mine.contains(extension));
    Territory { adapter: plugin.name().to_owned(), foreign: foreign.cloned().collect() }
}

/// The plugin for a launch.
pub(crate) async fn plugin(
    setup: &Setup,
    workspace: &Workspace,
    request: &LaunchRequest,
) -> Result<Plugin, Error> {
    let catalog = &setup.catalog;
    let heirs = if setup.auto_install { Heirs::Installed } else { Heirs::Equipped };
    let all = catalog.all().await;
    let listener = listener(&request.target).await?;
    match &request.adapter {
        Some(name) => {
            let able = openers(request, all.iter().flatten());
            let plugin = named(catalog, all, name).await?;
            understands(&plugin, workspace, request)?;
            if opens(&plugin, request) {
                return Ok(plugin);
            }
            let other = claimed(catalog.all().await, heirs, workspace, request).await;
            let named = matches!(other, Ok(_) | Err(Error::WhichAdapter { .. }));
            Err(Error::NoCores { adapter: plugin.name().to_owned(), able, named })
        }
        None => match listener {
            Some(listener) => listening(all, request, listener),
            None => claimed(all, heirs, workspace, request).await,
        },
    }
}

/// Who listens at the address that is asked for, if one is. Nothing waits for what nobody serves.
async fn listener(target: &LaunchTarget) -> Result<Option<Listener>, Error> {
    let LaunchTarget::Address(host, port) = target else { return Ok(None) };
    let addresses = process::loopback(host);
    if addresses.is_empty() {
        return Ok(Some(Listener::Unknown));
    }
    let port = *port;
    let found = tokio::task::spawn_blocking(move || process::listener(&addresses, port)).await;
    match found.unwrap_or(Listener::Unknown) {
        Listener::Nobody => Err(Error::Launch(launch::Error::Unreachable {
            address: describe(target),
            cause: "nobody listens there".to_owned(),
        })),
        listener => Ok(Some(listener)),
    }
}

/// Whose debugger listens is told by the name of the process that does, where that is one of this
/// machine.
fn listening(
    all: Vec<Result<Plugin, plugin::Error>>,
    request: &LaunchRequest,
    listener: Listener,
) -> Result<Plugin, Error> {
    let able: Vec<Plugin> =
        all.into_iter().flatten().filter(|plugin| plugin.manifest().addresses).collect();
    let adapters = names(able.iter().cloned());
    let program = match listener {
        Listener::Process(pid) => program_of(pid).ok(),
        Listener::Nobody | Listener::Unknown => None,
    };
    let serves = |plugin: &Plugin| {
        let program = program.as_ref().map(|program| program.to_string_lossy());
        program.is_some_and(|program| is_one_of(&plugin.manifest().servers, &program))
    };
    let mut found: Vec<Plugin> = able.into_iter().filter(serves).collect();
    match (found.len(), found.pop()) {
        (1, Some(plugin)) => Ok(plugin),
        _ => Err(Error::AdapterNeeded { target: describe(&request.target), adapters }),
    }
}

/// Can it do what the request asks of a core file, if it asks anything?
fn opens(plugin: &Plugin, request: &LaunchRequest) -> bool {
    request.core.is_none() || plugin.manifest().cores
}

/// Names of those that can.
fn openers<'a>(request: &LaunchRequest, plugins: impl Iterator<Item = &'a Plugin>) -> Vec<String> {
    plugins.filter(|plugin| opens(plugin, request)).map(|plugin| plugin.name().to_owned()).collect()
}

/// By the adapter's name in the configuration, else by a language it is used for.
async fn named(
    catalog: &Catalog,
    all: Vec<Result<Plugin, plugin::Error>>,
    name: &str,
) -> Result<Plugin, Error> {
    if catalog.names().any(|known| known == name) {
        return Ok(catalog.get(name).await?);
    }
    let speaks = |plugin: &Plugin| {
        plugin.languages().any(|language| language.name.eq_ignore_ascii_case(name))
    };
    let mut fitting: Vec<Plugin> = all.into_iter().flatten().filter(speaks).collect();
    match (fitting.len(), fitting.pop()) {
        (1, Some(plugin)) => Ok(plugin),
        (0, _) | (_, None) => Ok(catalog.get(name).await?),
        (_, Some(last)) => {
            fitting.push(last);
            Err(Error::WhichAdapter { target: name.to_owned(), adapters: names(fitting) })
        }
    }
}

async fn claimed(
    all: Vec<Result<Plugin, plugin::Error>>,
    heirs: Heirs,
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
    let mut scores = scored(plugins, workspace, request).await;
    let test = match target {
        LaunchTarget::Named(name) => Some(Named { name, cwd: request.cwd.as_deref() }),
        _ => None,
    };
    if let Some(test) = &test {
        scores = test.weighed(scores, workspace).await;
    }
    let able = openers(request, scores.iter().map(|(_, plugin)| plugin));
    let likeliest = scores.iter().max_by_key(|(score, _)| *score).filter(|(score, _)| *score > 0);
    let likeliest = likeliest.map(|(_, plugin)| plugin.name().to_owned());
    scores.retain(|(_, plugin)| opens(plugin, request));
    let meant = |language: &Language| is_file(target) && in_table(language, workspace, request);
    let claim = best(&scores);
    let scores = Box::pin(stand_in::inherited(scores, claim, heirs, meant)).await;
    let best = best(&scores);
    if let (0, Some(adapter)) = (best, likeliest) {
        return Err(Error::NoCores { adapter, able, named: false });
    }
    let adapters = scores.iter().map(|(_, plugin)| claims(plugin)).chain(broken).collect();
    if let Some(test) = test
        .filter(|_| best <= TABLE && scores.iter().filter(|(score, _)| *score == best).count() != 1)
    {
        let near = test.near(scores.iter().map(|(_, plugin)| plugin), workspace).await;
        let tests = test_commands(&scores, &test, workspace);
        if !near.is_empty() || (best == 0 && tests.is_empty()) {
            let likely = near.first().is_some_and(Like::is_alike);
            let near = near.into_iter().map(|like| like.test).collect();
            return Err(Error::NoTest {
                name: test.name.to_owned(),
                near,
                likely,
                commands: tests,
            });
        }
        if best == 0 {
            return Err(Error::NoAdapter { target: describe(target), adapters, tests });
        }
    }
    let mut winners: Vec<Plugin> = scores
        .into_iter()
        .filter(|(score, _)| *score == best && best > 0)
        .map(|(_, plugin)| plugin)
        .collect();
    let target = describe(target);
    match (winners.len(), winners.pop()) {
        (1, Some(plugin)) => Ok(plugin),
        (0, _) | (_, None) => Err(no_program(request).unwrap_or(Error::NoAdapter {
            target,
            adapters,
            tests: Vec::new(),
        })),
        (_, Some(last)) => {
            winners.push(last);
            Err(Error::WhichAdapter { target, adapters: names(winners) })
        }
    }
}

/// Of a command that begins with a path which is not there, or which nothing can run.
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
    let near = place::near(&path, FileType::is_file);
    Some(Error::BadPath { what: "program", path, problem: problem.to_owned(), near })
}

fn is_file(target: &LaunchTarget) -> bool {
    matches!(target, LaunchTarget::Program(path) if !path.is_dir())
}

/// The highest claim. One of machine code by a plugin whose adapter is not there yields to the next
/// that has its own: what debugs one program debugs the other.
fn best(scores: &[(u8, Plugin)]) -> u8 {
    let highest = |scores: &mut dyn Iterator<Item = &(u8, Plugin)>| {
        scores.map(|(score, _)| *score).max().unwrap_or(0)
    };
    let best = highest(&mut scores.iter());
    let at_hand = highest(&mut scores.iter().filter(|(_, plugin)| plugin.is_equipped()));
    if best < TABLE && at_hand >= FALLBACK { at_hand } else { best }
}

/// What each claims. Where a table can say it, no plugin is asked.
async fn scored(
    plugins: Vec<Plugin>,
    workspace: &Workspace,
    request: &LaunchRequest,
) -> Vec<(u8, Plugin)> {
    let claimed: Vec<bool> = match &request.target {
        LaunchTarget::Program(path) if path.is_dir() => of_directory(&plugins, path),
        _ => {
            let in_table = |language: &Language| in_table(language, workspace, request);
            plugins.iter().map(|plugin| plugin.languages().any(in_table)).collect()
        }
    };
    let settled =
        plugins.iter().zip(&claimed).any(|(plugin, claimed)| *claimed && opens(plugin, request));
    let mut scores = Vec::new();
    for (plugin, claimed) in plugins.into_iter().zip(claimed) {
        let score = match (claimed, settled) {
            (true, _) => TABLE,
            (false, true) => 0,
            (false, false) => score(&plugin, workspace, request).await,
        };
        scores.push((score, plugin));
    }
    scores
}

/// Whose program a directory is: by what makes one of it, else by what marks a project.
fn of_directory(plugins: &[Plugin], directory: &Path) -> Vec<bool> {
    let names = file::names(directory);
    let has = |wanted: &String| match (wanted.strip_prefix('*'), wanted.split_once('#')) {
        (Some(end), _) => names.iter().any(|name| name.ends_with(end)),
        (None, Some((name, place))) => says(&directory.join(name), place),
        (None, None) => names.contains(wanted),
    };
    let by = |files: fn(&Language) -> &Vec<String>| {
        let claims =
            |plugin: &Plugin| plugin.languages().any(|language| files(language).iter().any(has));
        plugins.iter().map(claims).collect::<Vec<bool>>()
    };
    let by_entry = by(|language| &language.entries);
    if by_entry.contains(&true) { by_entry } else { by(|language| &language.project_files) }
}

/// Does a text stand in that place of a JSON file?
fn says(path: &Path, place: &str) -> bool {
    let json: Option<Value> =
        file::read(path, JSON).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    json.is_some_and(|json| json.pointer(place).is_some_and(Value::is_string))
}

/// What a plugin claims whose tables say nothing.
async fn score(plugin: &Plugin, workspace: &Workspace, request: &LaunchRequest) -> u8 {
    let target = &request.target;
    let file = match target {
        LaunchTarget::Program(path) => path.to_string_lossy().into_owned(),
        LaunchTarget::Command(words) => words.first().cloned().unwrap_or_default(),
        LaunchTarget::Process(pid) => match program_of(*pid) {
            Ok(program) => program.to_string_lossy().into_owned(),
            Err(_) => return 0,
        },
        LaunchTarget::Named(_) | LaunchTarget::Address(..) => return 0,
    };
    let image = match target {
        LaunchTarget::Process(pid) => process::image(*pid).unwrap_or_default(),
        _ => workspace.root.join(&file),
    };
    let machine_code = file::is_machine_code(&image);
    let fits = |language: &Language| {
        language.executables || (!machine_code && !language.project_files.is_empty())
    };
    if !plugin.languages().any(fits) {
        return 0;
    }
    let speaks = |name: &str| plugin.languages().any(|language| language.name == name);
    let detected = match plugin.detect(workspace, Some(&file)).await {
        Ok(found) => {
            found.iter().filter(|one| speaks(&one.language)).map(|one| one.score).max().unwrap_or(0)
        }
        Err(error) => {
            tracing::warn!(%error, "detect failed; the plugin is passed over");
            0
        }
    };
    let own = |language: &Language| if language.fallback { FALLBACK } else { MACHINE_CODE };
    if !machine_code {
        return detected;
    }
    // Who has made it, for a language that knows its makers; what others have made is none of its.
    let claim =
        |language: &Language| match (language.compilers.is_empty(), compiled(language, &image)) {
            (true, _) => own(language),
            (false, true) => COMPILED,
            (false, false) => 0,
        };
    let claims = plugin.languages().filter(|language| language.executables).map(claim);
    claims.max().unwrap_or(0).max(detected)
}

/// Has a compiler of the language made it?
fn compiled(language: &Language, image: &Path) -> bool {
    let told =
        if language.compilers.is_empty() { Vec::new() } else { executable::compilers(image) };
    told.iter().any(|text| language.compilers.iter().any(|start| text.starts_with(start)))
}

/// Command lines that run the test: how each language has it that has a project here.
fn test_commands(scores: &[(u8, Plugin)], test: &Named<'_>, workspace: &Workspace) -> Vec<String> {
    let here = |language: &&Language| test.is_in_project_of(language, workspace);
    let languages = scores.iter().flat_map(|(_, plugin)| plugin.languages()).filter(here);
    languages
        .filter_map(|language| Some(language.test_command.as_ref()?.replace("{test}", test.name)))
        .collect()
}

/// What debugs machine code alone runs files, and the commands of its manifest.
fn understands(
    plugin: &Plugin,
    workspace: &Workspace,
    request: &LaunchRequest,
) -> Result<(), Error> {
    let LaunchTarget::Command(words) = &request.target else { return Ok(()) };
    let Some(word) = words.first().filter(|word| !word.contains('/')) else { return Ok(()) };
    let native =
        plugin.languages().all(|language| language.executables || !language.sections.is_empty());
    let known = plugin.languages().any(|language| is_command(language, word));
    let there = request.cwd.as_ref().unwrap_or(&workspace.root).join(word).exists();
    if native && !known && !there {
        Err(Error::Plugin(plugin::Refused::Request {
            kind: RefusalKind::TargetMissing,
            message: format!(
                "`{word}` is no command that {} knows, and no file there: what it builds is named \
                by its path",
                plugin.name()
            ),
            hint: None,
        }))
    } else {
        Ok(())
    }
}

/// An adapter of machine code of its own languages alone: what a process runs says whether it is of
/// one.
pub(crate) fn speaks(plugin: &Plugin, pid: u32) -> Result<(), Error> {
    let Ok(image) = process::image(pid) else { return Ok(()) };
    let strange = |language: &Language| {
        !language.executables
            && !language.sections.is_empty()
            && !executable::has_section(&image, &language.sections)
    };
    match plugin.languages().next().filter(|_| plugin.languages().all(strange)) {
        None => Ok(()),
        Some(language) => {
            let program = program_of(pid)?;
            let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Err(Error::NoSuchProcess {
                pid,
                why: format!("it runs {name}, which is no program of {}", language.name),
            })
        }
    }
}

fn in_table(language: &Language, workspace: &Workspace, request: &LaunchRequest) -> bool {
    match &request.target {
        LaunchTarget::Command(words) => words.first().is_some_and(|word| {
            let image = || request.cwd.as_ref().unwrap_or(&workspace.root).join(word);
            // A lone name is looked for elsewhere.
            is_command(language, word)
                || word.contains('/') && executable::has_section(&image(), &language.sections)
        }),
        LaunchTarget::Program(path) => {
            let extension =
                path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
            extension.is_some_and(|extension| language.extensions.contains(&extension))
                || executable::has_section(path, &language.sections)
                || interpreter(path).is_some_and(|word| is_command(language, &word))
        }
        LaunchTarget::Process(pid) => program_of(*pid).is_ok_and(|program| {
            let image = process::image(*pid).unwrap_or_else(|_| program.clone());
            is_command(language, &program.to_string_lossy())
                || executable::has_section(&image, &language.sections)
        }),
        LaunchTarget::Named(name) => {
            Named { name, cwd: request.cwd.as_deref() }.claimed(language, workspace)
        }
        LaunchTarget::Address(..) => false,
    }
}

fn is_command(language: &Language, word: &str) -> bool {
    is_one_of(&language.commands, word)
}

/// `word3.12`, `/usr/bin/word3` and `word` are one command.
fn is_one_of(commands: &[String], word: &str) -> bool {
    let name = Path::new(word)
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    commands.iter().any(|command| *command == name || command == bare)
}

/// The program of a script's first line.
fn interpreter(path: &Path) -> Option<String> {
    let head = file::head(path, 256).ok()?;
    let text = String::from_utf8_lossy(&head);
    let line = text.strip_prefix("#!")?.lines().next()?;
    let mut words = line.split_whitespace();
    let first = words.next()?.to_owned();
    if first.ends_with("/env") {
        words.find(|word| !word.starts_with('-')).map(str::to_owned)
    } else {
        Some(first)
    }
}

fn names(plugins: impl IntoIterator<Item = Plugin>) -> Vec<String> {
    plugins.into_iter().map(|plugin| plugin.name().to_owned()).collect()
}

fn claims(plugin: &Plugin) -> String {
    let languages: Vec<&str> = plugin.languages().map(|language| language.name.as_str()).collect();
    format!("{} ({})", plugin.name(), languages.join(", "))
}

/// As errors name it.
fn describe(target: &LaunchTarget) -> String {
    match target {
        LaunchTarget::Command(_) | LaunchTarget::Named(_) => format!("`{}`", target.words()),
        _ => target.words(),
    }
}

/// What callers may know of an adapter.
pub(crate) fn info(name: &str, plugin: Result<Plugin, plugin::Error>) -> AdapterInfo {
    match plugin {
        Ok(plugin) => AdapterInfo {
            name: name.to_owned(),
            title: plugin.manifest().title.clone(),
            languages: plugin.languages().map(|language| language.name.clone()).collect(),
            standing: Ok(provision::standing(&plugin)),
        },
        Err(error) => AdapterInfo {
            name: name.to_owned(),
            title: String::new(),
            languages: Vec::new(),
            standing: Err(error.to_string()),
        },
    }
}
