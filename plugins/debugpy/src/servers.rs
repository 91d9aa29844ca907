//! Options that keep web servers, and Django's tests, in the debugged process: no reloader, one
//! worker, and no timeout that kills a stopped worker. Pure.

use crate::target::{Kind, Run};

/// How the options of one server or command are changed.
struct Rule {
    /// A module, or the name of a program's file.
    name: &'static str,
    /// The subcommand to which the rule applies; none: to all.
    command: Option<&'static str>,
    /// Options that are removed.
    out: &'static [&'static str],
    /// Options that are added at the end, where the last one counts. If an option has synonyms, it
    /// is added only if one of them is present; without synonyms it is always added.
    add: &'static [(&'static str, &'static [&'static str])],
    why: &'static str,
}

const RELOADS: &str = "its reloader runs the program in another process";
const WORKERS: &str = "it would run the program in worker processes";
/// `--parallel` without a number means one process for each processor
/// (`django/core/management/commands/test.py`).
const SERIAL: (&str, &[&str]) = ("--parallel=1", &["--parallel"]);
const TESTS: &str = "its tests would run in worker processes";

const RULES: [Rule; 8] = [
    Rule {
        name: "flask",
        command: Some("run"),
        out: &[],
        add: &[("--no-reload", &[])],
        why: RELOADS,
    },
    Rule {
        name: "manage.py",
        command: Some("runserver"),
        out: &[],
        add: &[("--noreload", &[])],
        why: RELOADS,
    },
    Rule {
        name: "django",
        command: Some("runserver"),
        out: &[],
        add: &[("--noreload", &[])],
        why: RELOADS,
    },
    Rule { name: "manage.py", command: Some("test"), out: &[], add: &[SERIAL], why: TESTS },
    Rule { name: "django", command: Some("test"), out: &[], add: &[SERIAL], why: TESTS },
    Rule {
        name: "fastapi",
        command: Some("dev"),
        out: &["--reload"],
        add: &[("--no-reload", &[])],
        why: RELOADS,
    },
    Rule {
        name: "uvicorn",
        command: None,
        out: &["--reload"],
        add: &[("--workers=1", &["--workers"])],
        why: WORKERS,
    },
    // Its worker is forked in any case, and killed after half a minute without a sign of life.
    Rule {
        name: "gunicorn",
        command: None,
        out: &["--reload"],
        add: &[("--workers=1", &["--workers", "-w"]), ("--timeout=0", &[])],
        why: "with several workers any one could stop, and a stopped worker would be killed",
    },
];

/// Applies the rule for the program, if there is one; returns a note about the changes.
pub fn keep_in_process(run: &mut Run) -> Option<String> {
    let file = run.name.rsplit('/').next().unwrap_or(&run.name);
    let name = if run.kind == Kind::Module { &run.name } else { file };
    let command = command(&run.args);
    let rule = RULES
        .iter()
        .find(|rule| rule.name == name && (rule.command.is_none() || rule.command == command))?;
    let missing = rule.add.iter().filter(|(option, names)| is_needed(&run.args, option, names));
    let added: Vec<&str> = missing.map(|(option, _)| *option).collect();
    let removed: Vec<String> =
        run.args.iter().filter(|arg| rule.out.contains(&arg.as_str())).cloned().collect();
    run.args.retain(|arg| !rule.out.contains(&arg.as_str()));
    run.args.extend(added.iter().map(|option| (*option).to_owned()));
    let mut changes = Vec::new();
    if !added.is_empty() {
        changes.push(format!("with {}", added.join(" ")));
    }
    if !removed.is_empty() {
        changes.push(format!("without {}", removed.join(" ")));
    }
    if changes.is_empty() {
        return None;
    }
    Some(format!("{} runs {}: {}", rule.name, changes.join(" and "), rule.why))
}

/// The subcommand: the first word that is neither an option nor an option's value.
fn command(args: &[String]) -> Option<&str> {
    const VALUED: [&str; 6] = ["--app", "-A", "--env-file", "-e", "--settings", "--pythonpath"];
    let mut is_value = false;
    for arg in args {
        if !arg.starts_with('-') && !is_value {
            return Some(arg);
        }
        is_value = VALUED.contains(&arg.as_str());
    }
    None
}

/// Whether an option has to be added: it is not present, and one of its synonyms is, if it has any.
fn is_needed(args: &[String], option: &str, synonyms: &[&str]) -> bool {
    let is_requested = synonyms.is_empty()
        || args.iter().any(|arg| synonyms.iter().any(|synonym| is_option(arg, synonym)));
    is_requested && !args.iter().any(|arg| arg == option)
}

/// Whether an argument is this option, with its value or without.
fn is_option(arg: &str, option: &str) -> bool {
    if arg.split('=').next() == Some(option) {
        return true;
    }
    let is_short = !option.starts_with("--") && !arg.starts_with("--");
    is_short && arg.starts_with(option)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The arguments after the change, and the note.
    #[track_caller]
    fn check(line: &str, expect: &str, note: Option<&str>) {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let mut run = Run::module(&words[0], words[1..].to_vec());
        run.kind = if words[0].ends_with(".py") { Kind::Program } else { Kind::Module };
        let actual = keep_in_process(&mut run);
        assert_eq!((run.args.join(" ").as_str(), actual.as_deref()), (expect, note), "{line}");
    }

    #[test]
    fn reloaders_are_off() {
        let why = "its reloader runs the program in another process";
        let flask = format!("flask runs with --no-reload: {why}");
        check("flask --app shop run --debug", "--app shop run --debug --no-reload", Some(&flask));
        check("flask run --reload --port 80", "run --reload --port 80 --no-reload", Some(&flask));
        check("flask run --no-reload", "run --no-reload", None);
        check("flask routes", "routes", None);
        check("flask --app run routes", "--app run routes", None);
        check("manage.py test runserver", "test runserver", None);
        let manage = format!("manage.py runs with --noreload: {why}");
        check("site/manage.py runserver 8000", "runserver 8000 --noreload", Some(&manage));
        check("manage.py migrate", "migrate", None);
        check("django runserver --noreload", "runserver --noreload", None);
        let fastapi = format!("fastapi runs with --no-reload and without --reload: {why}");
        check("fastapi dev --reload shop.py", "dev shop.py --no-reload", Some(&fastapi));
        check("app.py run --reload", "run --reload", None);
    }

    #[test]
    fn tests_of_django_run_in_one_process() {
        let why = "with --parallel=1: its tests would run in worker processes";
        let manage = format!("manage.py runs {why}");
        check("manage.py test shop --parallel", "test shop --parallel --parallel=1", Some(&manage));
        check(
            "manage.py test --parallel 4 shop",
            "test --parallel 4 shop --parallel=1",
            Some(&manage),
        );
        check(
            "django test --parallel=auto",
            "test --parallel=auto --parallel=1",
            Some(&format!("django runs {why}")),
        );
        check("manage.py test shop --parallel=1", "test shop --parallel=1", None);
        check("manage.py test shop", "test shop", None);
        check("manage.py migrate --parallel 4", "migrate --parallel 4", None);
    }

    #[test]
    fn servers_run_one_worker_without_timeout() {
        let why = "it would run the program in worker processes";
        let without = format!("uvicorn runs without --reload: {why}");
        check("uvicorn shop:app --reload --port 80", "shop:app --port 80", Some(&without));
        let both = format!("uvicorn runs with --workers=1 and without --reload: {why}");
        check("uvicorn --workers 4 a:b --reload", "--workers 4 a:b --workers=1", Some(&both));
        check("uvicorn shop:app --workers=1", "shop:app --workers=1", None);
        let why = "with several workers any one could stop, and a stopped worker would be killed";
        let one = format!("gunicorn runs with --workers=1 --timeout=0: {why}");
        check("gunicorn -w 4 a:b", "-w 4 a:b --workers=1 --timeout=0", Some(&one));
        check("gunicorn -w4 a:b", "-w4 a:b --workers=1 --timeout=0", Some(&one));
        let waits = format!("gunicorn runs with --timeout=0: {why}");
        check("gunicorn a:b", "a:b --timeout=0", Some(&waits));
    }
}
