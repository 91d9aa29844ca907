//! Reading a frame: scopes, variables by path, expressions.
//!
//! Flows over the wire. What a variable has inside is read by `children` and `elements`.

use std::collections::HashSet;
use std::time::Duration;

use dapdock_schema::Profile;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, join_all, pending};
use tokio::time::{Instant, timeout};

use crate::dap::arguments::EvaluateArguments;
use crate::dap::{self, request, types as wire};
use crate::model::answer::{EvaluateIntent, Risk};
use crate::model::{
    Children, Effects, EvaluateQuery, Evaluated, Frame, NoValue, Variable, VariablesPage,
    VariablesQuery,
};
use crate::session::adapter::wire::Wire;
use crate::session::values::children::{self, Listed};
use crate::session::values::elements::{self, Page};
use crate::session::values::mapping::Sought;
use crate::session::values::path::{self, Segment};
use crate::session::{
    Error,
    values::{convert, mapping},
};

/// Locals told with a stop.
pub(crate) const LOCALS: usize = 60;
/// Children of children opened by one query.
const OPENED: usize = 400;
/// Elements of a long container shown below another variable.
const LISTED: u32 = 20;
/// A value this long may be cut by the adapter.
const CUT_FROM: usize = 500;

/// A frame to read, with how to read it.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) frame: Option<&'a Frame>,
    /// Variables that were set during this stop: adapters may list them as they were when it came.
    pub(crate) set: &'a [SetVariable],
    /// An expression that may assign, or an assignment, was sent during this stop.
    pub(crate) acted: bool,
    pub(crate) profile: &'a Profile,
    pub(crate) wire: &'a Wire,
}

impl<'a> Target<'a> {
    /// Where nothing was assigned since the stop, or no list is read.
    pub(crate) fn new(frame: Option<&'a Frame>, profile: &'a Profile, wire: &'a Wire) -> Self {
        Self { frame, set: &[], acted: false, profile, wire }
    }
}

/// The locals of the frame, in the adapter's order.
pub(crate) async fn locals(target: &Target<'_>) -> Result<Vec<Variable>, dap::Error> {
    let Some(frame) = target.frame else { return Ok(Vec::new()) };
    let scopes = target
        .wire
        .call::<request::Scopes>(crate::session::stop::snapshot::scopes_of(frame))
        .await?
        .scopes;
    let listed = list_all(target, &local_scopes(&scopes, target.profile))
        .await
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    let mut variables: Vec<_> = listed.into_iter().flat_map(|listed| listed.rows).collect();
    variables.truncate(LOCALS);
    Ok(variables)
}

/// What each scope lists, asked for at once: an adapter may take its time for each.
async fn list_all(target: &Target<'_>, scopes: &[&wire::Scope]) -> Vec<Result<Listed, dap::Error>> {
    join_all(
        scopes.iter().map(|scope| children::list(target, scope.variables_reference, &scope.name)),
    )
    .await
}

/// The same, as they are now: with what was set since.
pub(crate) async fn current_locals(
    target: &Target<'_>,
    frame: &Frame,
) -> Result<Vec<Variable>, Error> {
    let told =
        target.wire.call::<request::Scopes>(crate::session::stop::snapshot::scopes_of(frame)).await;
    let scopes = told.map_err(|error| refused(&error, target))?.scopes;
    let mut variables =
        scope_listing(target, &local_scopes(&scopes, target.profile), &[], None).await?.rows;
    variables.truncate(LOCALS);
    Ok(variables)
}

fn local_scopes<'a>(scopes: &'a [wire::Scope], profile: &Profile) -> Vec<&'a wire::Scope> {
    let hinted = |scope: &&wire::Scope| {
        matches!(scope.presentation_hint.as_deref(), Some("locals" | "arguments" | "returnValue"))
            || profile.variables.locals.iter().any(|name| scope.name.starts_with(name.as_str()))
    };
    let local: Vec<_> = scopes.iter().filter(hinted).collect();
    match local.is_empty() {
        true => {
            let other = |scope: &&wire::Scope| {
                matches!(scope.presentation_hint.as_deref(), Some("registers" | "globals"))
            };
            scopes.iter().find(|scope| !scope.expensive && !other(scope)).into_iter().collect()
        }
        false => local,
    }
}

/// What a function's own blocks call as its arguments are called hides those, though they are
/// listed first.
fn is_outermost(scope: &wire::Scope) -> bool {
    scope.presentation_hint.as_deref() == Some("arguments")
}

/// A variable that was set: the scope that lists it, and its name there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SetVariable {
    pub(crate) scope: String,
    pub(crate) name: String,
}

/// A variable, and the reference of what it was listed in.
pub(crate) struct Found {
    pub(crate) variable: Variable,
    /// None: it is the value of an expression.
    pub(crate) within: Option<i64>,
    /// The variable of a scope that the path starts from.
    pub(crate) root: Option<SetVariable>,
}

/// The variable that a path names in a frame.
pub(crate) async fn locate(target: &Target<'_>, frame: &Frame, text: &str) -> Result<Found, Error> {
    let told =
        target.wire.call::<request::Scopes>(crate::session::stop::snapshot::scopes_of(frame)).await;
    let scopes = told.map_err(|error| refused(&error, target))?.scopes;
    let chosen = local_scopes(&scopes, target.profile);
    find(target, frame, &scopes, &chosen, text, &path::parse(text)).await
}

/// Answers a variables query.
pub(crate) async fn variables(
    target: Target<'_>,
    frame: Frame,
    query: VariablesQuery,
) -> Result<VariablesPage, Error> {
    let told = target
        .wire
        .call::<request::Scopes>(crate::session::stop::snapshot::scopes_of(&frame))
        .await;
    let scopes = told.map_err(|error| refused(&error, &target))?.scopes;
    let chosen = choose(&scopes, query.scope.as_deref(), target.profile)?;
    let names: Vec<String> = chosen.iter().map(|scope| scope.name.clone()).collect();
    let other_scopes = scopes
        .iter()
        .map(|scope| scope.name.clone())
        .filter(|name| !names.contains(name))
        .collect();
    let segments = query.path.as_deref().map(path::parse).unwrap_or_default();
    let (parent, page) = match query.path.as_deref().filter(|_| !segments.is_empty()) {
        None => (
            None,
            fitting(
                scope_listing(&target, &chosen, &within(&scopes, &chosen), None).await?,
                &query,
            ),
        ),
        Some(text) => {
            let mut found =
                find(&target, &frame, &scopes, &chosen, text, &segments).await?.variable;
            let page = elements::page(&target, &found, &query)
                .await
                .map_err(|error| refused(&error, &target))?;
            if let Some(counted) = page.counted {
                found.children = Children::Count(counted);
            }
            (Some(found), page)
        }
    };
    let text = match &parent {
        Some(parent) if is_text(parent, &page, &query) => Some(whole_text(&target, parent).await),
        _ => None,
    };
    let mut variables = page.rows;
    deepen(&target, &mut variables, query.depth).await;
    Ok(VariablesPage {
        frame,
        parent,
        scope: names.join(" + "),
        other_scopes,
        capped: query.filter.is_none()
            && (variables.len() as u64) < query.rows().min(page.total.saturating_sub(query.start)),
        variables,
        start: query.start,
        total: page.total,
        looked_at: page.looked_at,
        hidden: page.hidden,
        text,
    })
}

/// The children of a scope that fit the query.
fn fitting(all: Listed, query: &VariablesQuery) -> Page {
    let wanted = query.filter.as_ref().map(|filter| filter.to_lowercase());
    let fits = |variable: &Variable| {
        wanted.as_ref().is_none_or(|wanted| variable.name.to_lowercase().contains(wanted.as_str()))
    };
    let fitting: Vec<Variable> = all.rows.into_iter().filter(fits).collect();
    let total = fitting.len() as u64;
    let rows = fitting.into_iter().skip(query.start as usize).take(query.rows() as usize).collect();
    Page { rows, total, counted: None, looked_at: None, hidden: all.hidden }
}

/// Is its value all that there is to tell of it? An adapter may say that there is something inside
/// and list nothing of it, as of raw bytes.
fn is_text(variable: &Variable, page: &Page, query: &VariablesQuery) -> bool {
    variable.children == Children::None || (page.total == 0 && query.filter.is_none())
}

/// All of a value that lists nothing inside; adapters cut it where it is not for the clipboard.
async fn whole_text(target: &Target<'_>, leaf: &Variable) -> String {
    let supported = target.wire.client().capabilities().has("supportsClipboardContext");
    let Some(expression) =
        leaf.expression.as_ref().filter(|_| supported && leaf.value.len() >= CUT_FROM)
    else {
        return leaf.value.clone();
    };
    let arguments = EvaluateArguments {
        expression: expression.clone(),
        frame_id: target.frame.map(|frame| frame.id),
        context: Some("clipboard".to_owned()),
        format: None,
    };
    let whole = target.wire.call::<request::Evaluate>(arguments).await;
    whole.map_or_else(|_| leaf.value.clone(), |whole| whole.result)
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

/// Scopes with more variables than this are not read anew.
const READ_ANEW: usize = 200;

/// What the scopes list, with what was assigned since the stop where the adapter keeps its lists:
/// all of it, or what is called `wanted`. Names of the `inner` scopes hide theirs.
async fn scope_listing(
    target: &Target<'_>,
    scopes: &[&wire::Scope],
    inner: &[&wire::Scope],
    wanted: Option<&str>,
) -> Result<Listed, Error> {
    let acted = target.acted && target.profile.variables.kept;
    let hiding = if target.acted { list_all(target, inner).await } else { Vec::new() };
    let mut seen: HashSet<String> =
        hiding.into_iter().flatten().flat_map(|listed| listed.rows).map(|row| row.name).collect();
    let told = list_all(target, scopes).await.into_iter().collect::<Result<Vec<_>, _>>();
    let mut told = told.map_err(|error| refused(&error, target))?;
    let mut order: Vec<usize> = (0..scopes.len()).collect();
    order.sort_by_key(|at| is_outermost(scopes[*at]));
    for at in order {
        let scope = &scopes[at].name;
        let anew = acted && (wanted.is_some() || told[at].rows.len() <= READ_ANEW);
        for row in &mut told[at].rows {
            // An expression means the innermost of a name.
            let meant =
                seen.insert(row.name.clone()) && wanted.is_none_or(|wanted| wanted == row.name);
            let was_set =
                || target.set.iter().any(|set| set.scope == *scope && set.name == row.name);
            if meant
                && (anew || was_set())
                && let Ok(now) =
                    evaluate_one(target, target.frame, &row.name, Effects::None).await.result
            {
                *row =
                    Variable { name: row.name.clone(), expression: row.expression.take(), ..now };
            }
        }
    }
    let mut all = Listed::default();
    for listed in told {
        all.rows.extend(listed.rows);
        all.hidden.extend(listed.hidden);
    }
    Ok(all)
}

/// Scopes within the chosen ones: those that are listed before them, and blocks of a function of
/// whose arguments it is.
fn within<'a>(scopes: &'a [wire::Scope], chosen: &[&wire::Scope]) -> Vec<&'a wire::Scope> {
    let is_chosen = |scope: &wire::Scope| chosen.iter().any(|one| one.name == scope.name);
    let first = scopes.iter().position(is_chosen).unwrap_or(0);
    let arguments = chosen.iter().any(|scope| is_outermost(scope));
    let inside = |(at, scope): &(usize, &wire::Scope)| {
        let local = scope.presentation_hint.as_deref() == Some("locals");
        !is_chosen(scope) && !scope.expensive && (*at < first || (arguments && local))
    };
    scopes.iter().enumerate().filter(inside).map(|(_, scope)| scope).collect()
}

/// Walks a path from the chosen scopes, then the others, then as an expression.
async fn find(
    target: &Target<'_>,
    frame: &Frame,
    scopes: &[wire::Scope],
    chosen: &[&wire::Scope],
    text: &str,
    segments: &[Segment],
) -> Result<Found, Error> {
    let others = scopes
        .iter()
        .filter(|scope| !scope.expensive && !chosen.iter().any(|seen| seen.name == scope.name));
    let mut missed = None;
    let mut chosen = chosen.to_vec();
    chosen.sort_by_key(|scope| is_outermost(scope));
    for scope in chosen.iter().copied().chain(others) {
        let first = segments.first().map(|segment| segment.key.name());
        let roots = scope_listing(target, &[scope], &[], first.as_deref()).await?.rows;
        match walk(target, (scope.variables_reference, roots), text, segments).await {
            Ok(found) => {
                let root = |segment: &Segment| SetVariable {
                    scope: scope.name.clone(),
                    name: segment.key.name(),
                };
                return Ok(Found { root: segments.first().map(root), ..found });
            }
            // The scope that leads furthest tells what is missing.
            Err(miss) => {
                missed =
                    Some(missed.filter(|seen: &Miss| seen.depth >= miss.depth).unwrap_or(miss));
            }
        }
    }
    if let Some(miss) = missed.take_if(|miss| miss.sure) {
        return Err(miss.error);
    }
    if !path::reads_only(text) {
        return Err(Error::NotAPath { text: text.to_owned() });
    }
    match evaluate_one(target, Some(frame), text, Effects::None).await.result {
        Ok(found) if target.profile.variables.absent.as_ref() != Some(&found.value) => {
            let expression = found.expression.or_else(|| Some(text.to_owned()));
            Ok(Found { variable: Variable { expression, ..found }, within: None, root: None })
        }
        _ => Err(missed.map_or(Error::Superseded, |miss| miss.error)),
    }
}

struct Miss {
    depth: usize,
    /// The container was counted, so that no expression finds more in it.
    sure: bool,
    error: Error,
}

async fn walk(
    target: &Target<'_>,
    (scope, roots): (i64, Vec<Variable>),
    text: &str,
    segments: &[Segment],
) -> Result<Found, Miss> {
    let mut parent: Option<Variable> = None;
    let mut level = Listed { rows: roots, ..Listed::default() };
    let mut walked = 0;
    for (depth, segment) in segments.iter().enumerate() {
        let miss = |sure, error| Miss { depth, sure, error };
        let sought = step(target, parent.as_ref(), &mut level, segment, &text[..walked]).await;
        let Sought::Found(mut found) = sought else {
            let by_key = mapping::are_numbered(parent.as_ref(), target.profile);
            let sequence = !by_key && elements::is_sequence(target, parent.as_ref(), &level).await;
            let parent = text[..walked].trim_end_matches(['.', '[', '-', '>']).to_owned();
            let beyond = level
                .elements()
                .zip(segment.key.number())
                .filter(|(count, number)| number >= count);
            let name = segment.key.name();
            return Err(match (sought, beyond) {
                (Sought::NotAmong(looked_at), _) => {
                    miss(true, Error::NotAmong { parent, key: name, looked_at })
                }
                (_, Some((count, number))) if sequence => {
                    miss(true, Error::NoSuchElement { parent, number, count })
                }
                (sought, _) => {
                    // What is numbered there is no key.
                    let near = if by_key { Vec::new() } else { near(&name, &level.rows) };
                    let sure = matches!(sought, Sought::None);
                    miss(sure, Error::NoSuchVariable { parent, segment: name, near })
                }
            });
        };
        if found.lazy {
            *found = children::opened_lazy(target, *found).await;
        }
        walked = segment.end;
        if depth + 1 == segments.len() {
            let within = Some(parent.map_or(scope, |parent| parent.reference));
            return Ok(Found { variable: *found, within, root: None });
        }
        level = elements::listed(target, &found)
            .await
            .map_err(|error| miss(false, refused(&error, target)))?;
        parent = Some(*found);
    }
    Err(Miss { depth: 0, sure: false, error: Error::Superseded })
}

/// The child that a segment names: one of those listed, or an element that is not.
async fn step(
    target: &Target<'_>,
    parent: Option<&Variable>,
    level: &mut Listed,
    segment: &Segment,
    walked: &str,
) -> Sought {
    if let Some((parent, rule)) =
        parent.and_then(|parent| Some((parent, mapping::rule(parent, target.profile)?)))
        && !matches!(segment.key, path::Key::Member(_))
    {
        return mapping::value(target, parent, rule, &segment.key, (level, walked)).await;
    }
    if let Some(at) =
        path::position(level.rows.iter().map(|child| child.name.as_str()), &segment.key)
    {
        return Sought::Found(Box::new(level.rows.swap_remove(at)));
    }
    let Some((parent, number)) = parent.zip(segment.key.number()) else { return Sought::Unknown };
    let found = elements::nth(target, parent, level, number).await;
    found.map_or(Sought::Unknown, |found| Sought::Found(Box::new(found)))
}

/// Names like this one, the likeliest first.
pub(crate) fn near(name: &str, level: &[Variable]) -> Vec<String> {
    let mut names: Vec<(f64, &str)> = level
        .iter()
        .map(|child| (strsim::jaro_winkler(name, &child.name), child.name.as_str()))
        .collect();
    names.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    names.into_iter().take(6).map(|(_, name)| name.to_owned()).collect()
}

/// Opens children level by level, as far as the bound goes.
async fn deepen(target: &Target<'_>, variables: &mut [Variable], depth: u32) {
    let mut left = OPENED;
    let mut level: Vec<&mut Variable> = variables.iter_mut().collect();
    for _ in 1..depth {
        let open: Vec<&mut Variable> =
            level.into_iter().filter(|v| v.reference > 0 && !v.lazy).take(left).collect();
        left -= open.len();
        let told = join_all(open.iter().map(|v| some(target, v))).await;
        level = Vec::new();
        for (variable, (told, all)) in open.into_iter().zip(told) {
            variable.preview = told;
            if let Some(all) = all {
                variable.children = Children::Count(all);
            }
            level.extend(variable.preview.iter_mut());
        }
    }
}

/// The first that are listed of a variable, and how many there are where these are not all.
async fn some(target: &Target<'_>, variable: &Variable) -> (Vec<Variable>, Option<u64>) {
    if elements::is_long(variable, target.profile) {
        return (children::preview(target, variable, LISTED).await, None);
    }
    let mut listed = children::list(target, variable.reference, "").await.unwrap_or_default();
    let all = (listed.rows.len() as u64).max(listed.counted.unwrap_or(0));
    listed.rows.truncate(LISTED as usize);
    let is_cut = all > listed.rows.len() as u64;
    (listed.rows, is_cut.then_some(all))
}

/// Evaluates all expressions within one time, or until nobody waits any more; each has its own
/// answer. Where one runs out of it, those behind it are not asked, and `busy` says so until the
/// adapter has answered.
pub(crate) async fn evaluate(
    target: Target<'_>,
    query: EvaluateQuery,
    abandoned: impl Future<Output = ()>,
) -> (Vec<Evaluated>, Option<Late>) {
    let deadline = Instant::now() + query.patience;
    let over = timeout(query.patience, abandoned).map(drop).shared();
    let mut answers = Vec::with_capacity(query.expressions.len());
    let mut late = None;
    for expression in &query.expressions {
        let (result, left) = match late {
            Some(_) => (Err(NoValue::NotAsked), None),
            // What it does would be done for nobody.
            None if over.clone().now_or_never().is_some() => (Err(NoValue::NotAsked), None),
            None => {
                let left = deadline.saturating_duration_since(Instant::now());
                evaluate_until(&target, target.frame, expression, query.effects, left, over.clone())
                    .await
            }
        };
        late = late.or(left);
        let result = match result {
            Err(NoValue::TimedOut(_)) => Err(NoValue::TimedOut(query.patience)),
            result => result,
        };
        answers.push(Evaluated { expression: expression.clone(), result });
    }
    (answers, late)
}

/// Evaluates one expression within the limit of every request.
pub(crate) async fn evaluate_one(
    target: &Target<'_>,
    frame: Option<&Frame>,
    expression: &str,
    effects: Effects,
) -> Evaluated {
    let patience = target.wire.limit();
    let over = timeout(patience, pending::<()>()).map(drop);
    let (result, _) = evaluate_until(target, frame, expression, effects, patience, over).await;
    Evaluated { expression: expression.to_owned(), result }
}

/// An answer that did not come in time, and may still come.
pub(crate) struct Late {
    pub(crate) expression: String,
    pub(crate) answer: BoxFuture<'static, ()>,
}

/// An adapter that can leave an expression does so this much later than its caller hears that its
/// time is over.
const LEAVES: Duration = Duration::from_millis(20);

async fn evaluate_until(
    target: &Target<'_>,
    frame: Option<&Frame>,
    expression: &str,
    effects: Effects,
    patience: Duration,
    over: impl Future<Output = ()>,
) -> (Result<Variable, NoValue>, Option<Late>) {
    let (text, context) = match translated(target, expression, effects, patience).await {
        Ok(sent) => sent,
        Err(why) => return (Err(why), None),
    };
    let arguments = EvaluateArguments {
        expression: text,
        frame_id: frame.map(|frame| frame.id),
        context: Some(context),
        format: None,
    };
    let wire = target.wire.clone();
    let mut answer: BoxFuture<'static, _> =
        Box::pin(async move { wire.evaluate(arguments, patience + LEAVES).await });
    let told = tokio::select! {
        biased;
        told = &mut answer => Some(told),
        () = over => None,
    };
    match told {
        Some(Ok(told)) => (Ok(presented(target, convert::result(expression, told)).await), None),
        Some(Err(error)) => (Err(refusal(target, expression, effects, &error)), None),
        None => {
            target.wire.client().cancel("evaluate");
            let late = Late {
                expression: expression.to_owned(),
                answer: Box::pin(async move { drop(answer.await) }),
            };
            (Err(NoValue::TimedOut(patience)), Some(late))
        }
    }
}

/// An adapter that has a context of its own for statements refuses them in the one for values, in
/// words that tell nobody so.
fn refusal(target: &Target<'_>, expression: &str, effects: Effects, error: &dap::Error) -> NoValue {
    let words = convert::words(error, target.profile);
    let contexts = &target.profile.evaluate;
    let refused = matches!(error, dap::Error::Refused { .. });
    if let (true, false, Some((target, value))) =
        (refused, contexts.assigns, path::assignment(expression))
    {
        return NoValue::OnlySet { words, target, value };
    }
    match refused
        && contexts.assigns
        && effects == Effects::None
        && contexts.value != contexts.statement
        && path::assigns(expression)
    {
        true => NoValue::NeedsEffects(Some(words)),
        false => NoValue::Refused(words),
    }
}

/// What is sent for an expression, and in which context: the plugin's word, else the profile's.
async fn translated(
    target: &Target<'_>,
    expression: &str,
    effects: Effects,
    patience: Duration,
) -> Result<(String, String), NoValue> {
    let (context, intent) = match effects {
        Effects::None => (&target.profile.evaluate.value, EvaluateIntent::Value),
        Effects::Allow => (&target.profile.evaluate.statement, EvaluateIntent::Call),
    };
    let plugin = target.wire.plugin();
    if !plugin.wants_translate("evaluation-text") {
        return Ok((expression.to_owned(), context.clone()));
    }
    let mut turn = target.wire.turn().await;
    turn.view.patience = Some(patience + LEAVES);
    let answer = plugin.evaluation_text(&turn.view, expression, intent).await;
    if let Some(refusal) = answer.as_ref().err().and_then(crate::plugin::Error::refusal) {
        return Err(NoValue::Refused(refusal.message.clone()));
    }
    match turn.degrade(answer, None) {
        Some(told) if effects == Effects::None && told.risk >= Risk::WritesState => {
            Err(NoValue::NeedsEffects(None))
        }
        Some(told) => Ok((told.expression, told.context)),
        None => Ok((expression.to_owned(), context.clone())),
    }
}

/// The expression by which the plugin assigns, with its context; none where it leaves that to the
/// host.
pub(crate) async fn assignment(
    target: &Target<'_>,
    expression: &str,
    value: &str,
) -> Result<Option<(String, String)>, Error> {
    let plugin = target.wire.plugin();
    if !plugin.wants_translate("evaluation-text") {
        return Ok(None);
    }
    let text = format!("{expression} = {value}");
    let turn = target.wire.turn().await;
    let answer = plugin.evaluation_text(&turn.view, &text, EvaluateIntent::Assign).await;
    if let Some(refusal) = answer.as_ref().err().and_then(crate::plugin::Error::refusal) {
        return Err(Error::NotSet {
            target: expression.to_owned(),
            message: refusal.message.clone(),
        });
    }
    Ok(turn.degrade(answer, None).map(|told| (told.expression, told.context)))
}

/// A single value as the plugin shows it, with as many children as it asks for.
async fn presented(target: &Target<'_>, told: wire::Variable) -> Variable {
    let plain = convert::pointing(told.clone(), target.profile);
    let shown = children::shown(target, "", vec![told]).await;
    children::opened(target, shown).await.pop().unwrap_or(plain)
}

/// An adapter's refusal as an error of the session.
pub(crate) fn refused(error: &dap::Error, target: &Target<'_>) -> Error {
    Error::from_dap(error, target.profile)
}
