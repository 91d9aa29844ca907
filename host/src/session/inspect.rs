//! Reading a frame: scopes, variables by path, expressions.
//!
//! Flows over the wire; paging and filtering are done here, because adapters ignore
//! `start` and `count` as often as not.

use dapdock_schema::Profile;
use futures_util::future::join_all;

use super::Error;
use super::path::{self, Segment};
use super::read;
use super::wire::Wire;
use crate::dap::arguments::{EvaluateArguments, VariablesArguments};
use crate::dap::{self, request, types as wire};
use crate::model::{
    Children, Effects, EvaluateQuery, Evaluated, Frame, Variable, VariablesPage, VariablesQuery, answer,
};

/// Locals told with a stop.
const LOCALS: usize = 60;
/// Variables opened unasked in one scope.
const PREFETCHED: usize = 24;
/// Children of children opened by one query.
const OPENED: usize = 400;

/// A frame to read, with how to read it.
#[derive(Clone, Copy)]
pub(super) struct Target<'a> {
    pub(super) frame: Option<&'a Frame>,
    pub(super) profile: &'a Profile,
    pub(super) wire: &'a Wire,
}

/// The locals of the frame, in the adapter's order.
pub(super) async fn locals(target: &Target<'_>) -> Result<Vec<Variable>, dap::Error> {
    let Some(frame) = target.frame else { return Ok(Vec::new()) };
    let scopes = target.wire.call::<request::Scopes>(super::snapshot::scopes_of(frame)).await?.scopes;
    let mut variables = Vec::new();
    for scope in local_scopes(&scopes, target.profile) {
        variables.extend(children(target, scope.variables_reference, &scope.name, LOCALS).await?);
    }
    variables.truncate(LOCALS);
    Ok(variables)
}

fn local_scopes<'a>(scopes: &'a [wire::Scope], profile: &Profile) -> Vec<&'a wire::Scope> {
    let hinted = |scope: &&wire::Scope| {
        matches!(scope.presentation_hint.as_deref(), Some("locals" | "arguments"))
            || profile.variables.locals.iter().any(|name| scope.name.starts_with(name.as_str()))
    };
    let local: Vec<_> = scopes.iter().filter(hinted).collect();
    match local.is_empty() {
        true => scopes.iter().find(|scope| !scope.expensive).into_iter().collect(),
        false => local,
    }
}

/// The children of a reference as the caller should see them, some opened at once.
async fn children(target: &Target<'_>, reference: i64, scope: &str, max: usize) -> Result<Vec<Variable>, dap::Error> {
    let told = raw_children(target, reference, None).await?;
    let mut shown = shown(target, scope, told).await;
    shown.truncate(max);
    let wanted: Vec<(usize, u32, i64)> = shown
        .iter()
        .enumerate()
        .filter(|(_, (variable, prefetch))| *prefetch > 0 && variable.reference > 0)
        .map(|(at, (variable, prefetch))| (at, *prefetch, variable.reference))
        .take(PREFETCHED)
        .collect();
    let previews = join_all(wanted.iter().map(|(_, count, reference)| preview(target, *reference, *count))).await;
    let mut variables: Vec<Variable> = shown.into_iter().map(|(variable, _)| variable).collect();
    for ((at, ..), preview) in wanted.into_iter().zip(previews) {
        variables[at].preview = preview;
    }
    Ok(variables)
}

async fn preview(target: &Target<'_>, reference: i64, count: u32) -> Vec<Variable> {
    let told = raw_children(target, reference, Some((0, u64::from(count)))).await.unwrap_or_default();
    let mut shown = shown(target, "", told).await;
    shown.truncate(count as usize);
    shown.into_iter().map(|(variable, _)| variable).collect()
}

async fn raw_children(
    target: &Target<'_>,
    reference: i64,
    page: Option<(u64, u64)>,
) -> Result<Vec<wire::Variable>, dap::Error> {
    let number = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    let arguments = VariablesArguments {
        variables_reference: reference,
        start: page.map(|(start, _)| number(start)),
        count: page.map(|(_, count)| number(count)),
        ..Default::default()
    };
    let told = target.wire.call::<request::Variables>(arguments).await?.variables;
    let hidden = &target.profile.variables.hidden;
    Ok(told.into_iter().filter(|variable| !hidden.contains(&variable.name)).collect())
}

/// Applies the plugin's view: hides, summarises, says what to open.
async fn shown(target: &Target<'_>, scope: &str, told: Vec<wire::Variable>) -> Vec<(Variable, u32)> {
    let plugin = target.wire.plugin();
    let views = match plugin.wants_present("variables") && !told.is_empty() {
        true => {
            let given: Vec<answer::Variable> = told.iter().map(read::for_plugin).collect();
            target.wire.degrade(plugin.variables(&target.wire.view(), scope, &given).await, None)
        }
        false => None,
    };
    let mut told: Vec<Option<wire::Variable>> = told.into_iter().map(Some).collect();
    let Some(views) = views else {
        return told.into_iter().flatten().map(|variable| (read::variable(variable), 0)).collect();
    };
    let apply = |view: answer::VariableView| {
        let mut variable = read::variable(told.get_mut(view.index as usize)?.take()?);
        if view.secret {
            variable.value = "<secret>".to_owned();
            (variable.children, variable.reference) = (Children::None, 0);
        } else if let Some(summary) = view.summary {
            variable.value = summary;
        }
        Some((variable, view.prefetch))
    };
    views.into_iter().filter_map(apply).collect()
}

/// Answers a variables query.
pub(super) async fn variables(target: Target<'_>, frame: Frame, query: VariablesQuery) -> Result<VariablesPage, Error> {
    let told = target.wire.call::<request::Scopes>(super::snapshot::scopes_of(&frame)).await;
    let scopes = told.map_err(|error| refused(&error, &target))?.scopes;
    let chosen = choose(&scopes, query.scope.as_deref(), target.profile)?;
    let names: Vec<String> = chosen.iter().map(|scope| scope.name.clone()).collect();
    let other_scopes = scopes.iter().map(|scope| scope.name.clone()).filter(|name| !names.contains(name)).collect();
    let segments = query.path.as_deref().map(path::parse).unwrap_or_default();
    let (parent, all) = match query.path.as_deref().filter(|_| !segments.is_empty()) {
        None => (None, scope_children(&target, &chosen).await?),
        Some(text) => {
            let found = find(&target, &frame, &scopes, &chosen, text, &segments).await?;
            let all = open(&target, &frame, &found, &query).await?;
            (Some(found), all)
        }
    };
    let mut page = cut(all, &query, parent.as_ref());
    deepen(&target, &mut page.variables, query.depth).await;
    Ok(VariablesPage { frame, parent, scope: names.join(" + "), other_scopes, ..page })
}

fn choose<'a>(
    scopes: &'a [wire::Scope],
    wanted: Option<&str>,
    profile: &Profile,
) -> Result<Vec<&'a wire::Scope>, Error> {
    let Some(wanted) = wanted else { return Ok(local_scopes(scopes, profile)) };
    let lower = wanted.to_lowercase();
    let fits = |scope: &&wire::Scope| scope.name.to_lowercase().starts_with(&lower);
    let found: Vec<_> = scopes.iter().filter(fits).collect();
    match found.is_empty() {
        true => Err(Error::NoSuchScope {
            name: wanted.to_owned(),
            known: scopes.iter().map(|scope| scope.name.clone()).collect(),
        }),
        false => Ok(found),
    }
}

async fn scope_children(target: &Target<'_>, scopes: &[&wire::Scope]) -> Result<Vec<Variable>, Error> {
    let mut all = Vec::new();
    for scope in scopes {
        let some = children(target, scope.variables_reference, &scope.name, usize::MAX).await;
        all.extend(some.map_err(|error| refused(&error, target))?);
    }
    Ok(all)
}

/// Walks a path from the chosen scopes, then the others, then as an expression.
async fn find(
    target: &Target<'_>,
    frame: &Frame,
    scopes: &[wire::Scope],
    chosen: &[&wire::Scope],
    text: &str,
    segments: &[Segment],
) -> Result<Variable, Error> {
    let others = scopes.iter().filter(|scope| !scope.expensive && !chosen.iter().any(|seen| seen.name == scope.name));
    let mut missed = None;
    for scope in chosen.iter().copied().chain(others) {
        let roots = scope_children(target, &[scope]).await?;
        match walk(target, roots, text, segments).await {
            Ok(found) => return Ok(found),
            // The scope that leads furthest tells what is missing.
            Err(miss) => {
                missed = Some(missed.filter(|seen: &Miss| seen.depth >= miss.depth).unwrap_or(miss));
            }
        }
    }
    match evaluate_one(target, Some(frame), text, Effects::None).await.result {
        Ok(found) => Ok(found),
        Err(_) => Err(missed.map_or(Error::Superseded, |miss| miss.error)),
    }
}

struct Miss {
    depth: usize,
    error: Error,
}

async fn walk(target: &Target<'_>, roots: Vec<Variable>, text: &str, segments: &[Segment]) -> Result<Variable, Miss> {
    let mut level = roots;
    let mut walked = 0;
    for (depth, segment) in segments.iter().enumerate() {
        let at = level.iter().position(|child| path::matches(&child.name, &segment.name));
        let Some(at) = at else {
            let parent = text[..walked].trim_end_matches(['.', '[', '-', '>']).to_owned();
            let near = near(&segment.name, &level);
            return Err(Miss { depth, error: Error::NoSuchVariable { parent, segment: segment.name.clone(), near } });
        };
        let found = level.swap_remove(at);
        walked = segment.end;
        if depth + 1 == segments.len() {
            return Ok(found);
        }
        let told = children(target, found.reference, "", usize::MAX).await;
        level = told.map_err(|error| Miss { depth, error: refused(&error, target) })?;
    }
    Err(Miss { depth: 0, error: Error::Superseded })
}

/// Names like this one, the likeliest first.
fn near(name: &str, level: &[Variable]) -> Vec<String> {
    let mut names: Vec<(f64, &str)> =
        level.iter().map(|child| (strsim::jaro_winkler(name, &child.name), child.name.as_str())).collect();
    names.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    names.into_iter().take(6).map(|(_, name)| name.to_owned()).collect()
}

/// The children of the variable that a path names.
async fn open(
    target: &Target<'_>,
    frame: &Frame,
    found: &Variable,
    query: &VariablesQuery,
) -> Result<Vec<Variable>, Error> {
    if found.reference == 0 {
        return Ok(Vec::new());
    }
    let all = children(target, found.reference, "", usize::MAX).await.map_err(|error| refused(&error, target))?;
    let beyond = query.start + query.count > all.len() as u64 && query.filter.is_none();
    match (beyond, &target.profile.variables.slice, &found.expression) {
        (true, Some(slice), Some(expression)) if !all.is_empty() => {
            let rest = rest_by_slice(target, frame, slice, expression, all.len() as u64, query).await;
            Ok(all.into_iter().chain(rest).collect())
        }
        _ => Ok(all),
    }
}

/// Elements that the adapter leaves out, read with an expression of the profile.
/// Placeholders stand for those between, which nobody asked for.
async fn rest_by_slice(
    target: &Target<'_>,
    frame: &Frame,
    slice: &str,
    expression: &str,
    have: u64,
    query: &VariablesQuery,
) -> Vec<Variable> {
    let start = query.start.max(have);
    let end = query.start + query.count;
    let text =
        slice.replace("{expr}", expression).replace("{start}", &start.to_string()).replace("{end}", &end.to_string());
    let Ok(page) = evaluate_one(target, Some(frame), &text, Effects::None).await.result else { return Vec::new() };
    let told = children(target, page.reference, "", usize::MAX).await.unwrap_or_default();
    if told.is_empty() {
        return Vec::new();
    }
    let number = |child: Variable, n: u64| {
        let expression = Some(format!("{expression}[{n}]"));
        Variable { name: format!("[{n}]"), expression, ..child }
    };
    let gap = (have..start).map(|n| Variable {
        name: format!("[{n}]"),
        value: String::new(),
        ty: None,
        children: Children::None,
        preview: Vec::new(),
        expression: None,
        reference: 0,
    });
    gap.chain(told.into_iter().zip(start..).map(|(child, n)| number(child, n))).collect()
}

fn cut(all: Vec<Variable>, query: &VariablesQuery, parent: Option<&Variable>) -> VariablesPage {
    let wanted = query.filter.as_ref().map(|filter| filter.to_lowercase());
    let fits = |variable: &Variable| {
        wanted.as_ref().is_none_or(|wanted| variable.name.to_lowercase().contains(wanted.as_str()))
    };
    let fitting: Vec<Variable> = all.into_iter().filter(fits).collect();
    let told = match parent.map(|parent| parent.children) {
        Some(Children::Count(count)) if query.filter.is_none() => count,
        _ => 0,
    };
    let have = fitting.len() as u64;
    VariablesPage {
        frame: Frame {
            index: 0,
            id: 0,
            name: String::new(),
            path: None,
            line: 0,
            column: 0,
            kind: crate::model::FrameKind::User,
        },
        parent: None,
        scope: String::new(),
        other_scopes: Vec::new(),
        total: Some(have.max(told)),
        capped: told > have,
        start: query.start,
        variables: fitting.into_iter().skip(query.start as usize).take(query.count as usize).collect(),
    }
}

/// Opens children level by level, as far as the bound goes.
async fn deepen(target: &Target<'_>, variables: &mut [Variable], depth: u32) {
    let mut left = OPENED;
    let mut level: Vec<&mut Variable> = variables.iter_mut().collect();
    for _ in 1..depth {
        let open: Vec<&mut Variable> = level.into_iter().filter(|v| v.reference > 0).take(left).collect();
        left -= open.len();
        let told = join_all(open.iter().map(|v| children(target, v.reference, "", OPENED))).await;
        level = Vec::new();
        for (variable, told) in open.into_iter().zip(told) {
            variable.preview = told.unwrap_or_default();
            level.extend(variable.preview.iter_mut());
        }
    }
}

/// Evaluates all expressions; each has its own answer.
pub(super) async fn evaluate(target: Target<'_>, query: EvaluateQuery) -> Vec<Evaluated> {
    let mut answers = Vec::with_capacity(query.expressions.len());
    for expression in &query.expressions {
        answers.push(evaluate_one(&target, target.frame, expression, query.effects).await);
    }
    answers
}

/// Evaluates one expression.
pub(super) async fn evaluate_one(
    target: &Target<'_>,
    frame: Option<&Frame>,
    expression: &str,
    effects: Effects,
) -> Evaluated {
    let context = match effects {
        Effects::None => &target.profile.evaluate.value,
        Effects::Allow => &target.profile.evaluate.statement,
    };
    let arguments = EvaluateArguments {
        expression: expression.to_owned(),
        frame_id: frame.map(|frame| frame.id),
        context: Some(context.clone()),
        format: None,
    };
    let result = match target.wire.call::<request::Evaluate>(arguments).await {
        Ok(told) => Ok(presented(target, read::result(expression, told)).await),
        Err(error) => Err(read::words(&error, target.profile)),
    };
    Evaluated { expression: expression.to_owned(), result }
}

/// A single value as the plugin shows it, with as many children as it asks for.
async fn presented(target: &Target<'_>, told: wire::Variable) -> Variable {
    let plain = read::variable(told.clone());
    let Some((mut variable, prefetch)) = shown(target, "", vec![told]).await.pop() else { return plain };
    if prefetch > 0 && variable.reference > 0 {
        variable.preview = preview(target, variable.reference, prefetch).await;
    }
    variable
}

/// An adapter's refusal as an error of the session.
pub(super) fn refused(error: &dap::Error, target: &Target<'_>) -> Error {
    Error::from_dap(error, target.profile)
}
