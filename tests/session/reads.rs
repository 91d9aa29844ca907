//! The contents of a stop, and reads at it: exact values, and no result from an earlier stop.

use dapdock::dap::arguments::VariablesArguments;
use dapdock::limits::Limits;
use dapdock::model::{
    AssignQuery, Change, Effects, Epoch, EvaluateQuery, Frame, FrameKind, NoValue, Resume,
    StackQuery, StepKind, StopClass, ThreadId, VariablesQuery,
};
use dapdock::session::{Error, StopQuery, StopRead, ValueError, Watch};
use serde_json::{Value, json};

use super::{Stage, soon, step};

pub(super) fn evaluate(expressions: &[&str]) -> EvaluateQuery {
    let expressions = expressions.iter().map(|one| (*one).to_owned()).collect();
    EvaluateQuery {
        expressions,
        frame: None,
        thread: None,
        stop: None,
        effects: Effects::None,
        patience: std::time::Duration::from_secs(10),
        depth: 1,
    }
}

fn variables(path: Option<&str>) -> VariablesQuery {
    let path = path.map(str::to_owned);
    VariablesQuery {
        path,
        thread: None,
        frame: None,
        scope: None,
        depth: 1,
        start: 0,
        count: Some(10),
        filter: None,
        arguments: false,
    }
}

fn shop() -> Value {
    let place = |line: u32, total: u32| {
        json!({
            "line": line, "function": "checkout", "callers": [["main", 20]],
            "locals": {"total": total, "items": [1, {"name": "pen"}], "who": "Ada"},
            "output": [["stdout", format!("at {line}\n")]],
        })
    };
    json!({
        "program": [place(3, 1), place(5, 8), {"line": 20}],
        "threads": [[1, "main"], [2, "worker"]],
    })
}

#[tokio::test]
async fn a_stop_is_a_whole_snapshot() {
    let mut run = Stage::new(shop()).at(&[3, 5, 20]).launch().await;
    assert_eq!(
        soon(run.handle.watch(Watch::Add(vec!["who".into(), "gone".into(), "who".into()])))
            .await
            .unwrap()
            .len(),
        2
    );
    let stop = run.stop().await;
    let frame = |index: u32, name: &str, line: u32| Frame {
        index,
        id: i64::from(index),
        name: name.into(),
        path: Some(run.stage.source()),
        line,
        column: 1,
        kind: FrameKind::User,
        pc: None,
    };
    assert_eq!(stop.frames, [frame(0, "checkout", 3), frame(1, "main", 20)]);
    assert_eq!(
        (stop.class, stop.epoch, stop.focus, stop.total_frames),
        (StopClass::Breakpoint, Epoch(1), 0, Some(2))
    );
    assert_eq!((stop.thread.id, stop.thread.name.as_str(), stop.threads), (ThreadId(1), "main", 2));
    assert_eq!((stop.source.first, stop.source.lines.len()), (1, 5));
    let locals: Vec<_> =
        stop.locals.iter().map(|one| (one.name.as_str(), one.value.as_str())).collect();
    assert_eq!(locals, [("total", "1"), ("items", "list(2)"), ("who", "\"Ada\"")]);
    assert_eq!((stop.output.lines, stop.output.tail[0].text.as_str()), (1, "at 3"));
    assert_eq!(stop.changes, None);

    run.resume(Resume::Continue).await.unwrap();
    let stop = run.stop().await;
    let change = Change { name: "total".into(), before: "1".into(), after: "8".into() };
    assert_eq!(stop.changes, Some((Epoch(1), vec![change])));
    assert_eq!(
        stop.output.tail.iter().map(|line| line.text.as_str()).collect::<Vec<_>>(),
        ["at 5"]
    );
    let many = (0..40).map(|n| n.to_string()).collect();
    let error = soon(run.handle.watch(Watch::Add(many))).await.unwrap_err().to_string();
    assert_eq!(error, "a session has at most 20 watches; there are who · gone");
    let watches: Vec<_> = stop
        .watches
        .iter()
        .map(|one| one.result.as_ref().map(|reply| reply.value.as_str()))
        .collect();
    assert_eq!(
        watches,
        [Ok("\"Ada\""), Err(&NoValue::Refused("name 'gone' is not defined".into()))]
    );

    run.resume(Resume::Continue).await.unwrap();
    assert_eq!(run.stop().await.changes, None, "another function's locals are compared");
}

#[tokio::test]
async fn watch_too_many_names_the_oldest_ones() {
    let limits = Limits { watches: 3, ..Limits::default() };
    let mut run = Stage { limits, ..Stage::new(shop()) }.at(&[3]).launch().await;
    run.stop().await;
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    soon(run.handle.watch(Watch::Add(words(&["a", "b", "c"])))).await.unwrap();
    for (add, oldest) in [
        (words(&["d"]), words(&["a"])),
        (words(&["d", "e"]), words(&["a", "b"])),
        // Removed, `a` would be added again.
        (words(&["a", "d"]), words(&["b"])),
        (words(&["d", "e", "f", "g"]), Vec::new()),
    ] {
        let error = soon(run.handle.watch(Watch::Add(add))).await.unwrap_err();
        let Error::TooManyWatches { most: 3, known, oldest: removable } = error else {
            panic!("{error:?}");
        };
        assert_eq!((known, removable), (words(&["a", "b", "c"]), oldest));
    }
    // A watch that exists needs no room.
    soon(run.handle.watch(Watch::Add(words(&["b"])))).await.unwrap();
    soon(run.handle.watch(Watch::Remove(words(&["a"])))).await.unwrap();
    let watches = soon(run.handle.watch(Watch::Add(words(&["d"])))).await.unwrap();
    assert_eq!(watches, ["b", "c", "d"]);
}

#[tokio::test]
async fn locals_are_compared_with_the_stop_before() {
    let place =
        |line: u32, locals: Value| json!({"line": line, "function": "checkout", "locals": locals});
    let program = json!([
        place(3, json!({
            "total": 1, "items": [1, 2], "who": "Ada", "old": 0, "deep": {"in": {"x": 1}},
        })),
        place(5, json!({
            "total": 8, "items": [1, 3], "who": "Ada", "new": 0, "deep": {"in": {"x": 2}},
        })),
        {"line": 20},
    ]);
    let mut run = Stage::new(json!({"program": program})).at(&[3, 5, 20]).launch().await;
    let compare = async |run: &super::Run, path: Option<&str>| {
        let reply = soon(run.handle.compare(path.map(str::to_owned)))
            .await
            .map_err(|error| error.to_string())?;
        let change = |one: &Change| format!("{} {}→{}", one.name, one.before, one.after);
        let changes: Vec<_> = reply.changes.iter().map(change).collect();
        Ok::<_, String>(format!(
            "{} {} +{} {:?}",
            reply.since.0,
            changes.join(" "),
            reply.same,
            reply.partly
        ))
    };
    run.stop().await;
    assert_eq!(
        compare(&run, None).await,
        Err("there is no stop before this one to compare with".into())
    );
    run.resume(Resume::Continue).await.unwrap();
    run.stop().await;
    let reply = "1 total 1→8 new (none)→0 old 0→(none) +1 [\"items\", \"deep\"]";
    assert_eq!(compare(&run, None).await, Ok(reply.into()));
    assert_eq!(compare(&run, Some("total")).await, Ok("1 total 1→8 +0 []".into()));
    assert_eq!(compare(&run, Some("who")).await, Ok("1  +1 []".into()));
    assert_eq!(compare(&run, Some("old")).await, Ok("1 old 0→(none) +0 []".into()));
    assert!(
        compare(&run, Some("totl"))
            .await
            .unwrap_err()
            .starts_with("the scope has no `totl`; there are total")
    );
    let deep = "the stop before recorded only the locals and the first values inside them: \
        cannot compare `deep.in`";
    assert_eq!(compare(&run, Some("deep.in")).await, Err(deep.into()));
    run.resume(Resume::Continue).await.unwrap();
    run.stop().await;
    let other = "stop 2 was in another call, of `checkout`: cannot compare their locals";
    assert_eq!(compare(&run, None).await, Err(other.into()));
}

/// A line of a library's function that `main` has called.
fn sorting(line: u32, stop: Option<&str>) -> Value {
    let mut place = json!({"line": line, "function": "std::sort", "callers": [["main", 4]]});
    if let Some(reason) = stop {
        place["stop"] = reason.into();
    }
    place
}

fn library() -> Value {
    json!({"frames": {"library": {"functions": ["std::"]}}})
}

/// A caller that sets a breakpoint at a line of a library, and steps from there, reads that line.
#[tokio::test]
async fn breakpoint_in_a_library_displays_its_line() {
    let program = json!([sorting(3, None), sorting(5, None), {"line": 7}, sorting(9, None)]);
    let mut run =
        Stage::new(json!({"program": program})).at(&[3]).with("profile", library()).launch().await;
    let displayed = |stop: &dapdock::model::Stop| (stop.focus, stop.frames[stop.focus].line);
    assert_eq!(displayed(&*run.stop().await), (0, 3));
    run.resume(step(StepKind::Over)).await.unwrap();
    assert_eq!(displayed(&*run.stop().await), (0, 5));
    run.resume(step(StepKind::Over)).await.unwrap();
    assert_eq!(displayed(&*run.stop().await), (0, 7));
    // From the user's own line, a step into a library displays the call.
    run.resume(step(StepKind::In)).await.unwrap();
    assert_eq!(displayed(&*run.stop().await), (1, 4));
}

#[tokio::test]
async fn library_frames_are_skipped() {
    let mut run = Stage::new(json!({"program": [sorting(9, Some("exception"))]}))
        .with("profile", library())
        .launch()
        .await;
    let stop = run.stop().await;
    assert_eq!(
        (stop.focus, stop.frames[0].kind, stop.frames[1].kind),
        (1, FrameKind::Library, FrameKind::User)
    );
    assert_eq!(stop.source.first, 2);
}

#[tokio::test]
async fn stops_are_classed_as_the_profile_says() {
    let rules = json!({"pause": {"rules": [
        {"reason": "exception", "text": "SIG", "class": "signal"},
        {"reason": "exception", "function": "rust_panic", "class": "panic"},
        {"when": "pausing", "class": "pause"},
        {"reason": "step", "when": "entering", "class": "entry"},
        {"reason": "noise", "class": "breakpoint", "reaction": "resume"},
    ]}});
    for (reason, text, function, want) in [
        ("exception", "SIGSEGV: bad address", "main", Some((StopClass::Signal, ""))),
        ("exception", "boom", "rust_panic_here", Some((StopClass::Panic, ""))),
        ("exception", "boom", "main", Some((StopClass::Exception, "Fake"))),
        ("step", "", "main", Some((StopClass::Entry, ""))),
        ("goto", "jumped", "main", Some((StopClass::Other, "jumped"))),
        ("noise", "", "main", None),
    ] {
        let mut script = json!({"program": [{"line": 3, "stop": reason, "function": function}]});
        if !text.is_empty() {
            script["program"][0]["text"] = text.into();
        }
        let stage = Stage { stop_on_entry: true, ..Stage::new(script) };
        let mut run = stage.with("profile", rules.clone()).launch().await;
        match want {
            None => assert_eq!(run.outcome().await, "ended Code(0) Natural"),
            Some((class, title)) => {
                let stop = run.stop().await;
                let reply = if class == StopClass::Exception { "Fake" } else { &stop.title };
                assert_eq!(
                    (stop.class, reply),
                    (class, if title.is_empty() { stop.title.as_str() } else { title }),
                    "{reason} {text}"
                );
            }
        }
    }
}

/// The plugin names the frames of a stop, and those of a stack that a caller reads.
#[tokio::test]
async fn plugin_names_frames_everywhere() {
    let place = json!({"line": 1, "function": "__pay", "callers": [["__main", 9]]});
    let mut run = Stage::new(json!({"program": [place]})).at(&[1]).launch().await;
    let names = |frames: &[Frame]| frames.iter().map(|frame| frame.name.clone()).collect();
    let at_stop: Vec<String> = names(&run.stop().await.frames);
    assert_eq!(at_stop, ["pay", "main"]);
    let query = StackQuery { count: 5, ..StackQuery::default() };
    let stacks = soon(run.handle.stack(query)).await.unwrap();
    let read: Vec<String> = names(stacks.threads[0].frames.as_ref().unwrap());
    assert_eq!(read, at_stop);
}

/// Stops whose reason the adapter reports wrongly are classified by the text of their line.
#[tokio::test]
async fn stops_are_classed_by_their_lines() {
    let profile = json!({"breakpoints": {"verification": "when-loaded"}, "pause": {"rules": [
        {"reason": "pause", "line_without": "code 3", "when": "entering", "class": "entry"},
        {"reason": "pause", "line_without": "code 3", "reaction": "resume", "class": "breakpoint"},
    ]}});
    let elsewhere = json!({"line": 5, "stop": "pause", "source": "/nowhere/x.fake"});
    for (place, at, on_entry, want) in [
        (json!({"line": 3, "stop": "pause"}), &[][..], false, "Pause main:3"),
        (json!({"line": 5, "stop": "pause"}), &[], false, "ended Code(0) Natural"),
        (json!({"line": 5, "stop": "pause"}), &[9], false, "ended Code(0) Natural"),
        (json!({"line": 5, "stop": "pause"}), &[5], false, "Breakpoint main:5 #1"),
        // The line has no code, and where the breakpoint will be bound is unknown.
        (json!({"line": 5, "stop": "pause"}), &[4], false, "Breakpoint main:5"),
        (json!({"line": 5, "stop": "pause"}), &[], true, "Entry main:5"),
        (elsewhere, &[], false, "Pause main:5"),
    ] {
        let script = json!({"program": [place], "anonymous": true, "no_code": [4, 9]});
        let stage = Stage { stop_on_entry: on_entry, ..Stage::new(script).at(at) };
        let mut run = stage.with("profile", profile.clone()).launch().await;
        assert_eq!(run.outcome().await, want, "breakpoints at {at:?}");
        let hits: Vec<u32> =
            run.breakpoints().await.iter().map(|breakpoint| breakpoint.hits).collect();
        assert_eq!(hits, at.iter().map(|line| u32::from(*line == 5)).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn read_at_an_earlier_stop_is_superseded() {
    let mut script = shop();
    script["faults"] = json!([{"on": "evaluate", "silent": null}, {"on": "threads", "late": 400}]);
    let mut run = Stage::new(script).at(&[3, 5]).launch().await;
    run.stop().await;
    let query = StackQuery { all_threads: true, count: 5, ..StackQuery::default() };
    let (evaluated, stack, moved) = tokio::join!(
        soon(run.handle.evaluate(evaluate(&["total"]))),
        soon(run.handle.stack(query)),
        soon(run.handle.resume(Resume::Continue, None)),
    );
    assert!(matches!(evaluated, Err(Error::Superseded)), "{evaluated:?}");
    assert!(matches!(stack, Err(Error::Superseded)), "{stack:?}");
    run.cursor = moved.unwrap();
    assert_eq!(run.outcome().await, "Breakpoint checkout:5 #2");
}

#[tokio::test]
async fn variables_are_found_by_path() {
    let mut run = Stage::new(shop()).at(&[3]).launch().await;
    run.stop().await;
    for (path, want) in [
        (None, vec!["total=1", "items=list(2)", "who=\"Ada\""]),
        (Some("items"), vec!["[0]=1", "[1]=object(1)"]),
        (Some("items[1]"), vec!["name=\"pen\""]),
    ] {
        let page = soon(run.handle.variables(variables(path))).await.unwrap();
        let reply: Vec<_> =
            page.variables.iter().map(|one| format!("{}={}", one.name, one.value)).collect();
        assert_eq!(reply, want, "{path:?}");
    }
    let error = soon(run.handle.variables(variables(Some("items[7]")))).await.unwrap_err();
    assert!(
        matches!(error, Error::Values(ValueError::NoSuchElement { number: 7, count: 2, .. })),
        "{error}"
    );
    let error = soon(run.handle.variables(VariablesQuery { frame: Some(5), ..variables(None) }))
        .await
        .unwrap_err();
    assert!(
        matches!(error, Error::Values(ValueError::NoSuchFrame { index: 5, count: Some(2) })),
        "{error}"
    );
}

/// Old references list old values until `scopes` is requested again, and no `invalidated` comes:
/// that needs no profile key, because every read begins with `scopes`.
#[tokio::test]
async fn scopes_are_requested_again_after_an_assignment() {
    let mut script = shop();
    script["capabilities"] =
        json!({"supportsConfigurationDoneRequest": true, "supportsSetVariable": true});
    let mut run = Stage::new(script).at(&[3]).launch().await;
    run.stop().await;
    let read = async |run: &super::Run, path: Option<&str>| {
        let page = soon(run.handle.variables(variables(path))).await.unwrap();
        let rows = page.variables.iter().map(|one| format!("{}={}", one.name, one.value));
        rows.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(read(&run, Some("items")).await, "[0]=1 [1]=object(1)");
    for (target, value, path, want) in [
        ("total", "7", None, "items=list(2) total=7 who=\"Ada\""),
        ("items[0]", "9", Some("items"), "[0]=9 [1]=object(1)"),
        ("items[1].name", "\"ink\"", Some("items[1]"), "name=\"ink\""),
    ] {
        let query =
            AssignQuery { target: target.into(), value: value.into(), thread: None, frame: None };
        let assigned = soon(run.handle.assign(query)).await.unwrap();
        assert_eq!(assigned.after.value, value, "{target}");
        let commands = run.stage.commands();
        let set = commands.iter().rposition(|command| command == "setVariable").unwrap();
        assert_eq!(commands.get(set + 1).map(String::as_str), Some("scopes"), "{target}");
        let before = commands.len();
        let reply = read(&run, path).await;
        let mut reply: Vec<&str> = reply.split(' ').collect();
        reply.sort_unstable();
        assert_eq!(reply.join(" "), want, "{target}");
        assert_eq!(run.stage.commands()[before], "scopes", "{target}");
    }
}

#[tokio::test]
async fn frames_are_counted_by_reading_them() {
    for counts_no_frames in [false, true] {
        let mut script = shop();
        script["counts_no_frames"] = counts_no_frames.into();
        let mut run = Stage::new(script).at(&[3]).launch().await;
        run.stop().await;
        for index in [2, 99_999] {
            let query = VariablesQuery { frame: Some(index), ..variables(None) };
            let error = soon(run.handle.variables(query)).await.unwrap_err();
            let expect = format!("there is no frame {index}; the stack has 2");
            assert_eq!(error.to_string(), expect);
        }
    }
}

/// The adapter ignores `startFrame`, and its answer is shorter than the page that was requested.
#[tokio::test]
async fn page_of_a_short_stack_begins_at_its_frame() {
    let mut run = Stage::new(shop()).at(&[3]).launch().await;
    run.stop().await;
    let whole = StackQuery { count: 100, ..StackQuery::default() };
    let all =
        soon(run.handle.stack(whole.clone())).await.unwrap().threads.remove(0).frames.unwrap();
    assert_eq!(all.len(), 2);
    let below = soon(run.handle.stack(StackQuery { start: 1, ..whole })).await.unwrap();
    assert_eq!(below.threads[0].frames.as_ref().unwrap(), &all[1..]);
}

#[tokio::test]
async fn plugin_translates_expressions_and_names_their_effects() {
    let mut run = Stage::new(shop()).at(&[3]).launch().await;
    run.stop().await;
    let plain = soon(run.handle.evaluate(evaluate(&["total", "set total"]))).await.unwrap();
    assert_eq!(plain[0].result.as_ref().unwrap().value, "1");
    assert_eq!(plain[1].result, Err(NoValue::NeedsEffects(None)));
    let allowed = EvaluateQuery { effects: Effects::Allow, ..evaluate(&["set total"]) };
    soon(run.handle.evaluate(allowed)).await.unwrap();
    let sent = run.stage.arguments("evaluate");
    let sent = sent
        .iter()
        .map(|one| (one["expression"].as_str().unwrap(), one["context"].as_str().unwrap()));
    assert_eq!(sent.collect::<Vec<_>>(), [("total", "watch"), ("=total", "statement")]);
}

#[tokio::test]
async fn failed_expression_is_a_result() {
    let mut run = Stage::new(shop()).at(&[3]).launch().await;
    run.stop().await;
    let reply = soon(run.handle.evaluate(evaluate(&["total", "gone", "who"]))).await.unwrap();
    let reply: Vec<_> =
        reply.iter().map(|one| one.result.as_ref().map(|one| one.value.as_str())).collect();
    assert_eq!(
        reply,
        [Ok("1"), Err(&NoValue::Refused("name 'gone' is not defined".into())), Ok("\"Ada\"")]
    );
}

/// The state stored between calls of the plugin is that of the last call, also with concurrent
/// calls.
#[tokio::test]
async fn concurrent_plugin_calls_do_not_overwrite_state() {
    const CALLS: usize = 8;
    let mut run = Stage::new(json!({"program": [{"line": 1}]})).at(&[1]).launch().await;
    run.stop().await;
    let calls = (0..CALLS).map(|_| soon(run.handle.evaluate(evaluate(&["count"]))));
    let answered = futures_util::future::join_all(calls).await;
    assert!(answered.iter().all(Result::is_ok), "{answered:?}");
    let mut sent: Vec<String> =
        run.stage.arguments("evaluate").iter().map(|one| one["expression"].to_string()).collect();
    sent.sort();
    let want: Vec<String> = (1..=CALLS).map(|n| format!("\"n{n}\"")).collect();
    assert_eq!(sent, want);
}

/// A caller that knows an earlier stop moves nothing, evaluates nothing and reads nothing.
#[tokio::test]
async fn calls_about_an_earlier_stop_are_refused() {
    let mut run = Stage::new(shop()).at(&[3, 5]).launch().await;
    let before = run.stop().await.epoch;
    assert_eq!(run.go(Resume::Continue).await, "Breakpoint checkout:5 #2");
    let stop = run.handle.current().await.unwrap().unwrap().epoch;
    assert_ne!(before, stop);
    let sent = run.stage.commands().len();
    let query =
        |stop| EvaluateQuery { stop: Some(stop), effects: Effects::Allow, ..evaluate(&["total"]) };
    let read = |stop| StopRead {
        stop,
        what: StopQuery::Variables(VariablesArguments {
            variables_reference: 1,
            ..VariablesArguments::default()
        }),
    };
    let moved = soon(run.handle.resume_from(before, Resume::Continue, None)).await;
    assert!(matches!(moved, Err(Error::Superseded)), "{moved:?}");
    let evaluated = soon(run.handle.evaluate(query(before))).await;
    assert!(matches!(evaluated, Err(Error::Superseded)), "{evaluated:?}");
    let rows = soon(run.handle.read_stop(read(before))).await;
    assert!(matches!(rows, Err(Error::Superseded)), "{rows:?}");
    assert_eq!(run.stage.commands().len(), sent);
    // Those about the current one are carried out.
    let evaluated = soon(run.handle.evaluate(query(stop))).await.unwrap();
    assert_eq!(evaluated[0].result.as_ref().unwrap().value, "8");
    assert!(soon(run.handle.read_stop(read(stop))).await.is_ok());
    run.cursor = soon(run.handle.resume_from(stop, Resume::Continue, None)).await.unwrap();
    assert!(run.outcome().await.starts_with("ended "));
}
