//! Servers, and Django's tests, that run the program in processes of their own or end one that
//! stands still: told not to. Pure.

use crate::target::{Kind, Run};

/// What a server is told.
struct Rule {
    /// A module, or the name of a program's file.
    name: &'static str,
    /// A word of the command line without which the rule does not hold.
    command: Option<&'static str>,
    /// Words that are left out.
    out: &'static [&'static str],
    /// Added at the end, where the last word counts; with other words for the same, one of which
    /// must have been said; none: it is the server's own way.
    add: &'static [(&'static str, &'static [&'static str])],
    why: &'static str,
}

const RELOADS: &str = "its reloader runs the program in another process";
const WORKS: &str = "it would run the program in processes of its own";
/// `--parallel` without a number is as many as there are processors
/// (`django/core/management/commands/test.py`).
const ONE_BY_ONE: (&str, &[&str]) = ("--parallel=1", &["--parallel"]);
const TESTS: &str = "its tests would run in processes of their own";

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
    Rule { name: "manage.py", command: Some("test"), out: &[], add: &[ONE_BY_ONE], why: TESTS },
    Rule { name: "django", command: Some("test"), out: &[], add: &[ONE_BY_ONE], why: TESTS },
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
        why: WORKS,
    },
    // Its worker is forked in any case, and killed once it has said nothing for half a minute.
    Rule {
        name: "gunicorn",
        command: None,
        out: &["--reload"],
        add: &[("--workers=1", &["--workers", "-w"]), ("--timeout=0", &[])],
        why: "of several workers any could stop, and one that stands still would be killed",
    },
];

/// Tells a server so, and the caller what it was told.
pub fn unhindered(run: &mut Run) -> Option<String> {
    let file = run.name.rsplit('/').next().unwrap_or(&run.name);
    let name = if run.kind == Kind::Module { &run.name } else { file };
    let command = command(&run.args);
    let is_it = |word: &str| command == Some(word);
    let rule = RULES.iter().find(|rule| rule.name == name && rule.command.is_none_or(is_it))?;
    let wanted = rule.add.iter().filter(|(word, others)| is_wanted(&run.args, word, others));
    let added: Vec<&str> = wanted.map(|(word, _)| *word).collect();
    let left_out: Vec<String> =
        run.args.iter().filter(|arg| rule.out.contains(&arg.as_str())).cloned().collect();
    run.args.retain(|arg| !rule.out.contains(&arg.as_str()));
    run.args.extend(added.iter().map(|word| (*word).to_owned()));
    let with = (!added.is_empty()).then(|| format!("with {}", added.join(" ")));
    let without = (!left_out.is_empty()).then(|| format!("without {}", left_out.join(" ")));
    let how: Vec<String> = with.into_iter().chain(without).collect();
    (!how.is_empty()).then(|| format!("{} runs {}: {}", rule.name, how.join(" and "), rule.why))
}

/// The first word that is no option, nor what stands behind one.
fn command(args: &[String]) -> Option<&str> {
    const VALUED: [&str; 6] = ["--app", "-A", "--env-file", "-e", "--settings", "--pythonpath"];
    let before = |at: usize| at.checked_sub(1).map(|at| args[at].as_str());
    let is_word = |(at, arg): &(usize, &String)| {
        !arg.starts_with('-') && !before(*at).is_some_and(|it| VALUED.contains(&it))
    };
    args.iter().enumerate().find(is_word).map(|(_, arg)| arg.as_str())
}

/// Is it to be added: not said already, in other words neither, where those are for the caller to
/// say?
fn is_wanted(args: &[String], word: &str, others: &[&str]) -> bool {
    let said = |arg: &String, other: &&str| {
        let short = !other.starts_with("--");
        arg.split('=').next() == Some(*other)
            || (short && arg.starts_with(*other) && !arg.starts_with("--"))
    };
    let other =
        others.is_empty() || args.iter().any(|arg| others.iter().any(|other| said(arg, other)));
    other && !args.iter().any(|arg| arg == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the words behind the program or module become, and what is said of it.
    #[track_caller]
    fn check(line: &str, expect: &str, note: Option<&str>) {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let mut run = Run::module(&words[0], words[1..].to_vec());
        run.kind = if words[0].ends_with(".py") { Kind::Program } else { Kind::Module };
        let told = unhindered(&mut run);
        assert_eq!((run.args.join(" ").as_str(), told.as_deref()), (expect, note), "{line}");
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
    fn tests_of_django_run_one_by_one() {
        let why = "with --parallel=1: its tests would run in processes of their own";
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
    fn workers_are_one_and_wait() {
        let why = "it would run the program in processes of its own";
        let without = format!("uvicorn runs without --reload: {why}");
        check("uvicorn shop:app --reload --port 80", "shop:app --port 80", Some(&without));
        let both = format!("uvicorn runs with --workers=1 and without --reload: {why}");
        check("uvicorn --workers 4 a:b --reload", "--workers 4 a:b --workers=1", Some(&both));
        check("uvicorn shop:app --workers=1", "shop:app --workers=1", None);
        let why = "of several workers any could stop, and one that stands still would be killed";
        let one = format!("gunicorn runs with --workers=1 --timeout=0: {why}");
        check("gunicorn -w 4 a:b", "-w 4 a:b --workers=1 --timeout=0", Some(&one));
        check("gunicorn -w4 a:b", "-w4 a:b --workers=1 --timeout=0", Some(&one));
        let waits = format!("gunicorn runs with --timeout=0: {why}");
        check("gunicorn a:b", "a:b --timeout=0", Some(&waits));
    }
}
