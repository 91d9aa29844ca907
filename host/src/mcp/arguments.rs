//! Coerces the arguments of a caller to the schema of a tool, or names the argument that does not
//! fit and why.
//!
//! Callers write `"12"` for 12, a JSON text for an array, one item for an array of one: these are
//! coerced. An unknown name is refused with the one that is probably intended: ignoring it would
//! give a wrong answer.

use serde_json::{Map, Value, json};

use super::calls;
use super::declared::Declared;
use super::names::{self, synonym};
use super::places;
use super::problem::Problem;
use super::request::{LISTS, Request};
use crate::near::{near, nearest};

/// Names from other tools and from places as text, for a property of an object. Accepted, not
/// listed.
const ALIASES: [(&str, &str); 4] =
    [("path", "file"), ("source", "file"), ("if", "condition"), ("hits", "hit_condition")];

/// Arguments that limit how much a tool does: the largest number is a valid limit.
const AMOUNTS: [&str; 4] = ["count", "depth", "limit", "tail"];

/// Most mistakes that one error names.
const MISTAKES: usize = 6;

/// A value that does not fit.
struct Misfit {
    /// Path of the value: `set[3].line`.
    at: String,
    expected: String,
    got: String,
    /// The word or name that is probably intended.
    intended: Option<String>,
}

/// A mistake, and the arguments without it.
struct Refusal {
    cause: String,
    next: Map<String, Value>,
}

/// The arguments with the types of the schema, without nulls. The proposed call of an error has
/// none of the other mistakes.
pub(super) fn fit(
    tool: &'static Declared,
    given: Map<String, Value>,
) -> Result<Map<String, Value>, Problem> {
    let Refusal { mut cause, mut next } = match check(tool, given) {
        Ok(fitting) => return Ok(fitting),
        Err(refusal) => refusal,
    };
    for _ in 1..MISTAKES {
        let Err(other) = check(tool, next.clone()) else { break };
        cause.push_str(if cause.ends_with('?') { " " } else { ". " });
        cause.push_str(&other.cause);
        next = other.next;
    }
    Err(Request::new(tool, next).refuse(&cause))
}

/// The arguments with the types of the schema, or the first mistake.
fn check(
    tool: &'static Declared,
    given: Map<String, Value>,
) -> Result<Map<String, Value>, Refusal> {
    let schema = tool.schema();
    let properties = properties(&schema);
    let mut fitting = Map::new();
    for (name, value) in &given {
        let value = match properties.get(name) {
            _ if value.is_null() => continue,
            Some(property) => coerce(name, value.clone(), property)
                .map_err(|misfit| ill_typed(tool, name, misfit, &given))?,
            None if tool.unlisted.contains(&name.as_str()) => value.clone(),
            None => return Err(unknown(tool, &properties, name, &given)),
        };
        fitting.insert(name.clone(), value);
    }
    if let Some(missing) = required(&schema).find(|name| !fitting.contains_key(*name)) {
        let cause = format!("{} needs `{missing}`", tool.name);
        return Err(refuse(tool, cause, given));
    }
    match out_of_range(tool, &fitting) {
        None => Ok(fitting),
        Some(number) => Err(too_large(tool, number, given)),
    }
}

/// The argument with a number that is too large for its type, and the number with its path.
fn out_of_range(
    tool: &'static Declared,
    fitting: &Map<String, Value>,
) -> Option<(String, String, u64)> {
    let any_large = fitting.iter().any(|(name, value)| large_number(name, value).is_some());
    if !any_large || tool.parses(fitting.clone()) {
        return None;
    }
    // Some arguments take larger numbers: `since`.
    for (name, value) in fitting {
        let Some((at, number)) = large_number(name, value) else { continue };
        let mut others = fitting.clone();
        others.retain(|other, value| other == name || large_number(other, value).is_none());
        if !tool.parses(others) {
            return Some((name.clone(), at, number));
        }
    }
    None
}

/// Refuses a number. The next call has the largest one if it limits an amount.
fn too_large(
    tool: &'static Declared,
    (name, at, number): (String, String, u64),
    mut given: Map<String, Value>,
) -> Refusal {
    let expected = format!("at most {}", u32::MAX);
    if AMOUNTS.contains(&name.as_str()) {
        let cause = format!("{}: `{at}` must be {expected}, got {number}", tool.name);
        given.insert(name, u32::MAX.into());
        return refuse(tool, cause, given);
    }
    let misfit = Misfit { at, expected, got: number.to_string(), intended: None };
    ill_typed(tool, &name, misfit, &given)
}

/// The first number above `u32::MAX`, with its path.
fn large_number(at: &str, value: &Value) -> Option<(String, u64)> {
    match value {
        Value::Number(number) => {
            let number = number.as_u64().filter(|number| *number > u64::from(u32::MAX))?;
            Some((at.to_owned(), number))
        }
        Value::Array(items) => {
            let mut items = items.iter().enumerate();
            items.find_map(|(index, item)| large_number(&format!("{at}[{index}]"), item))
        }
        Value::Object(fields) => {
            fields.iter().find_map(|(key, value)| large_number(&format!("{at}.{key}"), value))
        }
        _ => None,
    }
}

/// The arguments as a caller intends them who knows the tool by another name: those that the tool
/// takes, by its own names.
pub(super) fn intended(tool: &'static Declared, given: Map<String, Value>) -> Map<String, Value> {
    let mut next = given;
    for _ in 0..MISTAKES {
        match check(tool, next) {
            Ok(fitting) => return fitting,
            Err(refusal) => next = refusal.next,
        }
    }
    Map::new()
}

/// Are these valid arguments?
pub(super) fn takes(tool: &'static Declared, given: Map<String, Value>) -> bool {
    fit(tool, given).is_ok_and(|fitting| tool.parses(fitting))
}

/// Refuses arguments. The next call is the given one; missing arguments come from the example of
/// the tool.
fn refuse(tool: &'static Declared, cause: String, mut given: Map<String, Value>) -> Refusal {
    let example: Map<String, Value> = serde_json::from_str(tool.example).unwrap_or_default();
    for name in required(&tool.schema())
        .filter(|name| !given.contains_key(*name))
        .map(str::to_owned)
        .collect::<Vec<_>>()
    {
        given.extend(example.get(&name).map(|value| (name, value.clone())));
    }
    Refusal { cause, next: given }
}

fn properties(schema: &Map<String, Value>) -> Map<String, Value> {
    schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

fn required(schema: &Map<String, Value>) -> impl Iterator<Item = &str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Refuses an unknown name. The next call is the given one with the intended name, or without it.
fn unknown(
    tool: &'static Declared,
    known: &Map<String, Value>,
    name: &str,
    given: &Map<String, Value>,
) -> Refusal {
    let mut cause = format!("{} has no argument `{name}`", tool.name);
    if let Some((argument, next)) = places::joined(tool, known, name, given) {
        cause.push_str(&format!("; a place goes into `{argument}`, as FILE:LINE"));
        return Refusal { cause, next };
    }
    if let Some(next) = into_breakpoints(name, given) {
        cause.push_str("; it belongs to a breakpoint");
        return Refusal { cause, next };
    }
    if let Some(next) = names::in_seconds(name, known, given) {
        cause.push_str("; did you mean `timeout_s`, in seconds?");
        return Refusal { cause, next };
    }
    if let Some((key, next)) = names::in_options(tool.name, name, known, given) {
        cause.push_str(&format!("; it belongs to `options`, as `{key}`"));
        return Refusal { cause, next };
    }
    if let Some(corrected) = into_address(known, given, name) {
        cause.push_str("; it belongs to `address`, as host:port");
        return refuse(tool, cause, corrected);
    }
    let intended = synonym(tool, name, known)
        .or_else(|| similar(name, known))
        .filter(|intended| !given.contains_key(*intended));
    cause.push_str(&match intended {
        Some(intended) => format!("; did you mean `{intended}`?"),
        None if known.is_empty() => "; it takes none".to_owned(),
        None => {
            format!("; it has {}", known.keys().map(String::as_str).collect::<Vec<_>>().join(", "))
        }
    });
    let mut corrected = Map::new();
    for (key, value) in given {
        let key = if key == name { intended } else { Some(key.as_str()) };
        corrected.extend(key.map(|key| (key.to_owned(), value.clone())));
    }
    refuse(tool, cause, corrected)
}

/// The argument with a similar name. `session` also has its first letters: by the measure alone
/// `expression` is similar.
fn similar<'a>(name: &str, known: &'a Map<String, Value>) -> Option<&'a str> {
    let is_session = name.to_lowercase().contains("ses");
    let mut names = near(name, known.keys().map(String::as_str)).into_iter();
    names.find(|known| *known != "session" || is_session)
}

/// The arguments with `host` and `port` as one address.
fn into_address(
    known: &Map<String, Value>,
    given: &Map<String, Value>,
    name: &str,
) -> Option<Map<String, Value>> {
    let is_part = matches!(name, "host" | "port") && known.contains_key("address");
    if !is_part || given.contains_key("address") || given.contains_key("pid") {
        return None;
    }
    let text = |name| given.get(name).and_then(string);
    let part = |name, other: &str| match text(name) {
        Some(Value::String(text)) => text,
        _ => other.to_owned(),
    };
    let address = format!("{}:{}", part("host", "127.0.0.1"), part("port", "PORT"));
    let mut corrected = given.clone();
    corrected.retain(|name, _| name != "host" && name != "port");
    corrected.insert("address".to_owned(), address.into());
    Some(corrected)
}

/// The arguments with this one in the breakpoints, if it is a key of a breakpoint. A breakpoint
/// keeps its own value of the key, and only one that logs takes `every` and `max_hits`.
fn into_breakpoints(name: &str, given: &Map<String, Value>) -> Option<Map<String, Value>> {
    let key = places::breakpoint_key(name)?;
    let list = LISTS.into_iter().find(|list| given.contains_key(*list))?;
    let mut corrected = given.clone();
    let value = corrected.shift_remove(name)?;
    let items = corrected.get_mut(list)?;
    if !items.is_array() {
        *items = Value::Array(vec![items.take()]);
    }
    for item in items.as_array_mut()? {
        let text = item.as_str().unwrap_or_default();
        let logs = item.get("log").is_some() || text.contains(" log ");
        let has_own = match key {
            "condition" => text.contains(" if "),
            "log" => text.contains(" log "),
            "every" | "max_hits" => !logs,
            _ => false,
        };
        match item {
            Value::Object(fields) if !has_own => {
                fields.entry(key).or_insert_with(|| value.clone());
            }
            Value::String(_) if !has_own => *item = json!({"at": item.take(), key: value}),
            _ => {}
        }
    }
    Some(corrected)
}

/// Refuses a value. The next call is the given one with the intended value, the value of the
/// example, or without the argument.
fn ill_typed(
    tool: &'static Declared,
    name: &str,
    misfit: Misfit,
    given: &Map<String, Value>,
) -> Refusal {
    let Misfit { at, expected, got, intended } = misfit;
    let cause = format!("{}: `{at}` must be {expected}, got {got}", tool.name);
    if let Some((item, key)) = in_list(name, &at).filter(|_| LISTS.contains(&name)) {
        let fix = |fields| renamed(fields, key?, intended.as_ref()?);
        let next = Request::new(tool, given.clone()).with_item(item, fix).arguments;
        return Refusal { cause, next };
    }
    let example: Map<String, Value> = serde_json::from_str(tool.example).unwrap_or_default();
    let mut corrected = given.clone();
    match intended.filter(|_| at == name).map(Value::from).or_else(|| example.get(name).cloned()) {
        Some(value) => drop(corrected.insert(name.to_owned(), value)),
        None => drop(corrected.shift_remove(name)),
    }
    refuse(tool, cause, corrected)
}

/// Index and key of `set[3].line`; the index of `set[3]`.
fn in_list<'a>(name: &str, at: &'a str) -> Option<(usize, Option<&'a str>)> {
    let (number, key) = at.strip_prefix(name)?.strip_prefix('[')?.split_once(']')?;
    Some((number.parse().ok()?, key.strip_prefix('.')))
}

/// The object with a key renamed.
fn renamed(item: Value, key: &str, intended: &str) -> Option<Value> {
    let Value::Object(fields) = item else { return None };
    let name = |name: String| if name == key { intended.to_owned() } else { name };
    Some(Value::Object(fields.into_iter().map(|(key, value)| (name(key), value)).collect()))
}

/// The value with the type of the schema.
fn coerce(at: &str, value: Value, schema: &Value) -> Result<Value, Misfit> {
    if let Some(choices) = schema.get("anyOf").and_then(Value::as_array) {
        return any(at, value, choices);
    }
    let fitted = match schema.get("type").and_then(Value::as_str) {
        Some("integer") => integer(&value),
        Some("number") => number(&value),
        Some("boolean") => boolean(&value),
        Some("string") => string(&value),
        Some("array") => return array(at, value, schema),
        Some("object") => return object(at, value, schema),
        _ => Some(value.clone()),
    };
    let fitted = fitted.ok_or_else(|| misfit(at, expected(schema), &value))?;
    // No tool has negative numbers.
    if fitted.as_i64().is_some_and(|number| number < 0) && is(schema, "integer") {
        return Err(misfit(at, "0 or more".to_owned(), &value));
    }
    match schema.get("enum").and_then(Value::as_array) {
        Some(words) => word(at, fitted, words),
        None => Ok(fitted),
    }
}

/// Coerces to the choice for objects, or to the first that fits.
fn any(at: &str, value: Value, choices: &[Value]) -> Result<Value, Misfit> {
    if value.is_object()
        && let Some(choice) = choices.iter().find(|choice| is(choice, "object"))
    {
        return coerce(at, value, choice);
    }
    if let Some(fitted) = choices.iter().find_map(|choice| coerce(at, value.clone(), choice).ok()) {
        return Ok(fitted);
    }
    let wanted = choices.iter().map(expected).collect::<Vec<_>>().join(" or ");
    Err(misfit(at, wanted, &value))
}

fn is(schema: &Value, ty: &str) -> bool {
    schema.get("type").and_then(Value::as_str) == Some(ty)
}

fn integer(value: &Value) -> Option<Value> {
    match value {
        Value::Number(number) if number.is_i64() || number.is_u64() => Some(value.clone()),
        Value::Number(number) => number
            .as_f64()
            .filter(|n| n.fract() == 0.0 && n.abs() < 9e15)
            .map(|n| (n as i64).into()),
        Value::String(text) => {
            text.trim().trim_start_matches('#').parse::<i64>().ok().map(Value::from)
        }
        _ => None,
    }
}

fn number(value: &Value) -> Option<Value> {
    match value {
        Value::Number(_) => Some(value.clone()),
        Value::String(text) => {
            text.trim().parse::<f64>().ok().filter(|n| n.is_finite()).map(Value::from)
        }
        _ => None,
    }
}

fn boolean(value: &Value) -> Option<Value> {
    match value {
        Value::Bool(_) => Some(value.clone()),
        Value::String(text) => text.trim().to_lowercase().parse::<bool>().ok().map(Value::Bool),
        _ => None,
    }
}

fn string(value: &Value) -> Option<Value> {
    match value {
        Value::String(_) => Some(value.clone()),
        Value::Number(number) => Some(Value::String(number.to_string())),
        _ => None,
    }
}

fn array(at: &str, value: Value, schema: &Value) -> Result<Value, Misfit> {
    let items = match value {
        Value::Array(items) => items,
        Value::String(text) if text.trim_start().starts_with('[') => {
            match serde_json::from_str(&text) {
                Ok(Value::Array(items)) => items,
                _ => vec![Value::String(text)],
            }
        }
        single => vec![single],
    };
    let Some(of) = schema.get("items") else { return Ok(Value::Array(items)) };
    let fit = |(index, item)| coerce(&format!("{at}[{index}]"), item, of);
    items.into_iter().enumerate().map(fit).collect::<Result<_, _>>().map(Value::Array)
}

fn object(at: &str, value: Value, schema: &Value) -> Result<Value, Misfit> {
    let fields = match value {
        Value::Object(fields) => fields,
        Value::String(text) => match serde_json::from_str(&text) {
            Ok(Value::Object(fields)) => fields,
            _ => return Err(misfit(at, "an object".into(), &Value::String(text))),
        },
        other => return Err(misfit(at, "an object".into(), &other)),
    };
    let Some(known) = schema.get("properties").and_then(Value::as_object) else {
        return Ok(Value::Object(fields));
    };
    let mut fitting = Map::new();
    for (name, value) in without_aliases(fields, known) {
        let below = format!("{at}.{name}");
        match known.get(&name) {
            None => return Err(unknown_key(&below, &name, known)),
            Some(_) if value.is_null() => {}
            Some(property) => drop(fitting.insert(name, coerce(&below, value, property)?)),
        }
    }
    Ok(Value::Object(fitting))
}

/// The fields with aliases replaced, except where the real name is given too.
fn without_aliases(fields: Map<String, Value>, known: &Map<String, Value>) -> Map<String, Value> {
    let mut all = Map::new();
    let (aliases, own): (Vec<_>, Vec<_>) =
        fields.into_iter().partition(|(name, _)| !known.contains_key(name));
    all.extend(own);
    for (name, value) in aliases {
        let intended =
            ALIASES.iter().find(|(alias, real)| *alias == name && known.contains_key(*real));
        match intended.filter(|(_, real)| !all.contains_key(*real)) {
            Some((_, real)) => all.insert((*real).to_owned(), value),
            None => all.insert(name, value),
        };
    }
    all
}

fn unknown_key(at: &str, name: &str, known: &Map<String, Value>) -> Misfit {
    let alias = ALIASES.iter().find(|(alias, real)| *alias == name && known.contains_key(*real));
    let intended = nearest(name, known.keys().map(String::as_str)).filter(|_| alias.is_none());
    let expected = match (alias, intended) {
        (Some((_, real)), _) => format!("omitted where `{real}` is given"),
        (None, Some(intended)) => format!("named `{intended}`"),
        (None, None) => {
            format!("one of {}", known.keys().map(String::as_str).collect::<Vec<_>>().join(", "))
        }
    };
    let intended = intended.map(str::to_owned);
    Misfit { at: at.to_owned(), expected, got: format!("`{name}`"), intended }
}

/// One of a fixed set of words.
fn word(at: &str, value: Value, words: &[Value]) -> Result<Value, Misfit> {
    let text = value.as_str().unwrap_or_default();
    let known: Vec<_> = words.iter().filter_map(Value::as_str).collect();
    if let Some(word) = known.iter().find(|word| word.eq_ignore_ascii_case(text)) {
        return Ok(Value::String((*word).to_owned()));
    }
    let intended = calls::word(text, &known).or_else(|| nearest(text, known.iter().copied()));
    let hint = intended.map(|word| format!(" (did you mean `{word}`?)")).unwrap_or_default();
    let misfit = misfit(at, format!("one of {}{hint}", known.join(", ")), &value);
    Err(Misfit { intended: intended.map(str::to_owned), ..misfit })
}

fn expected(schema: &Value) -> String {
    match schema.get("type").and_then(Value::as_str) {
        Some("integer") => "a whole number".into(),
        Some("number") => "a number".into(),
        Some("boolean") => "true or false".into(),
        Some("string") => "a string".into(),
        Some("array") => "an array".into(),
        Some("object") => "an object".into(),
        _ => "something else".into(),
    }
}

fn misfit(at: &str, expected: String, got: &Value) -> Misfit {
    let json = got.to_string();
    let got = match json.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &json[..end]),
        None => json,
    };
    Misfit { at: at.to_owned(), expected, got, intended: None }
}
