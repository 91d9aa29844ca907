//! `eval_variable`, `examine_variable`, `get_debugger_output`.

use std::collections::VecDeque;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::start::Failed;
use super::{Compatible, Nothing, Ours, TOOLSET, forward, run};
use crate::mcp::call::{Call, Reply};
use crate::mcp::declared::{Effect, Form, Toolset};
use crate::mcp::outcome::Outcome;
use crate::mcp::problem::Problem;
use crate::mcp::structured;
use crate::mcp::tool::Tool;
use crate::model::{OutputLine, OutputPage, Stream};

#[derive(Deserialize, JsonSchema)]
pub(super) struct Variable {
    /// Variable, or a path as `user.orders[3].total`; of a package as `config.Port`
    name: String,
    /// Levels of children; default 1
    depth: Option<u32>,
    /// Default: local, else of the package
    scope: Option<Scope>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Scope {
    Local,
    Package,
}

/// Data of `eval_variable` and `examine_variable`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Examined {
    #[schemars(with = "structured::Variable")]
    variable: Value,
    /// The frame in which it is read.
    scope: Frame,
}

#[derive(Serialize, JsonSchema)]
struct Frame {
    function: String,
    file: String,
    line: u64,
}

impl Examined {
    /// From the data of a page.
    fn of(mut page: Value) -> Self {
        let mut variable = page["variable"].take();
        variable["children"] = page["variables"].take();
        let scope = &page["scope"];
        let text = |key: &str| scope[key].as_str().unwrap_or_default().to_owned();
        let line = scope["line"].as_u64().unwrap_or_default();
        Self { variable, scope: Frame { function: text("function"), file: text("file"), line } }
    }
}

pub(super) struct EvalVariable;

impl Tool for EvalVariable {
    type Arguments = Variable;
    type Data = Examined;
    const NAME: &'static str = "eval_variable";
    const TITLE: &'static str = "Read a variable";
    const DESCRIPTION: &'static str = "Value, type and children of a variable.";
    const EFFECT: Effect = Effect::Reads;
    const TOOLSET: Toolset = TOOLSET;
    const FORM: Form = Form::Json;
    const EXAMPLE: &'static str = r#"{"name": "NAME"}"#;

    async fn run(call: &Call, arguments: Variable) -> Result<Reply, Problem> {
        examine(call, arguments).await
    }
}

impl Compatible for EvalVariable {
    fn ours(variable: &Variable) -> Ours {
        page(&variable.name, variable.depth)
    }
}

pub(super) struct ExamineVariable;

impl Tool for ExamineVariable {
    type Arguments = Variable;
    type Data = Examined;
    const NAME: &'static str = "examine_variable";
    const TITLE: &'static str = "Examine a variable";
    const DESCRIPTION: &'static str = "The same as eval_variable.";
    const EFFECT: Effect = Effect::Reads;
    const TOOLSET: Toolset = TOOLSET;
    const FORM: Form = Form::Json;
    const EXAMPLE: &'static str = r#"{"name": "NAME", "depth": 2}"#;

    async fn run(call: &Call, arguments: Variable) -> Result<Reply, Problem> {
        examine(call, arguments).await
    }
}

impl Compatible for ExamineVariable {
    fn ours(variable: &Variable) -> Ours {
        page(&variable.name, variable.depth)
    }
}

fn page(path: &str, depth: Option<u32>) -> Ours {
    Ours::new("debug_variables", json!({"path": path, "depth": depth}))
}

async fn examine(call: &Call, arguments: Variable) -> Result<Reply, Problem> {
    let Variable { name, depth, scope } = arguments;
    let mut path = name.clone();
    if let Some(scope) = scope {
        let locals = run(call, Ours::new("debug_variables", json!({}))).await;
        if locals.reply.is_error {
            return Ok(locals.reply);
        }
        let whole = locals.data().await;
        match scope {
            Scope::Local if !is_local(&name, &whole["context"]["localContext"]) => {
                let cause = format!("`{name}` is not local");
                let next = page(&name, depth).text();
                return Err(Problem::worded("no-such-variable", &cause, &next));
            }
            Scope::Package if !name.contains('.') => {
                let function = whole["data"]["scope"]["function"].as_str().unwrap_or_default();
                path = format!("{}.{name}", package(function));
            }
            _ => {}
        }
    }
    let answer = run(call, page(&path, depth)).await;
    let data = answer.data().await["data"].take();
    Ok(super::with_data(answer, Examined::of(data)).await)
}

/// Whether the first name of a path is of a local or argument.
fn is_local(path: &str, context: &Value) -> bool {
    let first = path.split(['.', '[']).next().unwrap_or_default();
    let lists = [&context["arguments"], &context["locals"]];
    lists.into_iter().filter_map(Value::as_array).flatten().any(|one| one["name"] == first)
}

/// The package of a function: `cart` of `shop/cart.(*Cart).Total`.
fn package(function: &str) -> &str {
    let last = function.rsplit_once('/').map_or(function, |(_, last)| last);
    last.split_once('.').map_or(last, |(package, _)| package)
}

pub(super) struct GetDebuggerOutput;

/// Data of `get_debugger_output`.
#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Output {
    stdout: String,
    stderr: String,
    /// Number of lines of each, and what is missing.
    output_summary: String,
}

/// Bytes of output in one answer; of more it has the end.
const MOST: usize = 64 * 1024;

impl Tool for GetDebuggerOutput {
    type Arguments = Nothing;
    type Data = Output;
    const NAME: &'static str = "get_debugger_output";
    const TITLE: &'static str = "Output of the program";
    const DESCRIPTION: &'static str =
        "Output of the program, at most the last 64 KiB, also after the exit.";
    const EFFECT: Effect = Effect::Reads;
    const TOOLSET: Toolset = TOOLSET;
    const FORM: Form = Form::Json;
    const EXAMPLE: &'static str = "{}";

    async fn run(call: &Call, arguments: Nothing) -> Result<Reply, Problem> {
        let is_open = call.session(None).is_ok_and(|handle| !handle.is_over());
        if let Some(error) = call.memory.of::<Failed>().error().filter(|_| !is_open) {
            let cause = format!("the last start failed and printed nothing: {}", error.cause);
            return Err(Problem::worded(error.code, &cause, &error.next));
        }
        let mut answer = forward::<Self>(call, &arguments).await;
        let mut printed = Printed::default();
        loop {
            let Outcome::Output(page) = &answer.reply.outcome else { return Ok(answer.reply) };
            printed.add(page);
            if page.lines.is_empty() {
                break;
            }
            let next = Ours::new("debug_output", json!({"since": page.next}));
            answer = run(call, next).await;
        }
        Ok(super::with_data(answer, printed.output()).await)
    }
}

/// The last lines of the program, of both streams in their order.
#[derive(Default)]
struct Printed {
    lines: VecDeque<OutputLine>,
    bytes: usize,
    /// The oldest lines that are not stored any more.
    lost: u64,
    cut: u64,
}

impl Printed {
    fn add(&mut self, page: &OutputPage) {
        self.lost += page.lost;
        for line in &page.lines {
            if matches!(line.stream, Stream::Stdout | Stream::Stderr) {
                self.bytes += line.text.len() + 1;
                self.lines.push_back(line.clone());
            }
        }
        while self.bytes > MOST
            && let Some(oldest) = self.lines.pop_front()
        {
            self.bytes -= oldest.text.len() + 1;
            self.cut += 1;
        }
    }

    fn output(self) -> Output {
        let (mut output, mut counts) = (Output::default(), [0, 0]);
        for line in &self.lines {
            let (text, count) = match line.stream {
                Stream::Stderr => (&mut output.stderr, &mut counts[1]),
                _ => (&mut output.stdout, &mut counts[0]),
            };
            *count += 1;
            text.push_str(&line.text);
            if line.complete {
                text.push('\n');
            }
        }
        let [stdout, stderr] = counts;
        output.output_summary = format!("{stdout} lines on stdout, {stderr} on stderr");
        if self.cut > 0 {
            let all = Ours::new("debug_output", json!({"since": 0})).text();
            output.output_summary += &format!("; without {} lines before them: {all}", self.cut);
        }
        if self.lost > 0 {
            output.output_summary += &format!("; the oldest {} are no longer stored", self.lost);
        }
        output
    }
}

impl Compatible for GetDebuggerOutput {
    fn ours(_: &Nothing) -> Ours {
        Ours::new("debug_output", json!({"since": 0}))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_output_is_cut_at_its_beginning() {
        let line = |number: u64, stream, text: &str| OutputLine {
            number,
            stream,
            text: text.to_owned(),
            complete: true,
        };
        let page = |lines, lost| OutputPage { lines, lost, ..OutputPage::default() };
        let mut printed = Printed::default();
        printed.add(&page(vec![line(0, Stream::Stdout, &"x".repeat(MOST - 2))], 3));
        printed.add(&page(vec![line(1, Stream::Stderr, "y"), line(2, Stream::Log, "hit")], 0));
        let output = printed.output();
        assert_eq!((output.stdout.as_str(), output.stderr.as_str()), ("", "y\n"));
        assert_eq!(
            output.output_summary,
            "0 lines on stdout, 1 on stderr; without 1 lines before them: debug_output \
             {\"since\": 0}; the oldest 3 are no longer stored"
        );
    }

    #[test]
    fn package_of_a_function_is_its_last_element() {
        for (function, expect) in [
            ("main.main", "main"),
            ("example.com/shop/cart.(*Cart).Total", "cart"),
            ("main.item.func1", "main"),
            ("runtime", "runtime"),
        ] {
            assert_eq!(package(function), expect, "{function}");
        }
    }

    #[test]
    fn first_name_of_a_path_decides_about_locals() {
        let context = json!({"arguments": null, "locals": [{"name": "cart"}]});
        for (path, expect) in [("cart", true), ("cart.items[0]", true), ("os.Args", false)] {
            assert_eq!(is_local(path, &context), expect, "{path}");
        }
    }
}
