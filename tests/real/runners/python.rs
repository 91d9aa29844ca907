//! Settings of Python test runners and servers that would hide the program from the debugger are
//! turned off, with a note; tested with the real runners and projects' usual settings.

use std::path::Path;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

use crate::caller::{PATIENCE, adapters_config};
use crate::real::stage::{Stage, workspace_with};

const TESTS: &str =
    "def test_net():\n    net = 90\n    assert net == 90\n\n\ndef test_tax():\n    pass\n";

/// pytest-xdist and pytest-cov in a project's settings, for a test by name and for a command.
pub async fn pytest_settings_that_hide_tests_are_turned_off(stage: &mut Stage) {
    let (xdist, both) = ("-n", "-n --dist=loadscope --cov=test_shop");
    for (file, settings, off, under) in [
        ("pytest.ini", "[pytest]\naddopts = -n 2\n", "-n0", xdist),
        ("tox.ini", "[pytest]\naddopts =\n    -n 2\n    -ra\n", "-n0", xdist),
        ("setup.cfg", "[tool:pytest]\naddopts = --cov\n", "--no-cov", "--cov"),
        (
            "pyproject.toml",
            "[tool.pytest.ini_options]\naddopts = [\"-n\", \"2\", \"--dist=loadscope\", \
            \"--cov=test_shop\"]\n",
            "--no-cov -n0",
            both,
        ),
    ] {
        let (_dir, caller) = workspace_with(&[(file, settings), ("test_shop.py", TESTS)]).await;
        stage.caller = caller;
        let note = format!("pytest runs with {off}: with {under} breakpoints would not stop");
        for launch in [json!({"test": "test_net"}), json!({"command": "pytest -k net"})] {
            stops_in_the_test(stage, launch, &[&note]).await;
        }
    }
}

/// The same in the command itself and in the environment.
pub async fn pytest_options_that_hide_tests_are_turned_off(stage: &mut Stage) {
    let (_dir, caller) = workspace_with(&[("test_shop.py", TESTS)]).await;
    stage.caller = caller;
    let forked = "pytest runs without --forked: each test would run in its own process";
    let both = "pytest runs with --no-cov -n0: with -n --cov=test_shop breakpoints would not stop";
    let command = json!({"command": "pytest --forked -n 2 --cov=test_shop -k net"});
    stops_in_the_test(stage, command, &[forked, both]).await;
    let workers = "pytest runs with -n0: with -n2 breakpoints would not stop";
    let environment = json!({"command": "pytest -k net", "env": {"PYTEST_ADDOPTS": "-ra -n2"}});
    stops_in_the_test(stage, environment, &[workers]).await;
}

/// Asserts the stop in the launched process, with these notes.
async fn stops_in_the_test(stage: &mut Stage, mut launch: Value, notes: &[&str]) {
    launch["breakpoints"] = json!(["test_shop.py:3"]);
    launch["timeout_s"] = json!(50);
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.place(), "test_net  test_shop.py:3", "{}", stop.text);
    assert!(stop.line("■ ").contains(" · MainThread · "), "{}", stop.text);
    let printed_notes: Vec<&str> =
        stop.text.lines().filter_map(|line| line.strip_prefix("note: ")).collect();
    assert_eq!(printed_notes, notes, "{}", stop.text);
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    end.says("1 passed");
}

/// A server with its application in a file.
struct Served {
    file: &'static str,
    text: &'static str,
    /// The arguments after `python -m`; `{}` is the socket.
    command: &'static str,
    note: &'static str,
    /// The function that answers a request, its line with the computed answer, and the file's first
    /// line.
    places: (&'static str, u32, u32),
    /// Whether the launched process itself answers.
    alone: bool,
}

const SERVED: [Served; 3] = [
    Served {
        file: "shop.py",
        text: "from flask import Flask\n\napp = Flask(__name__)\n\n\n@app.route(\"/\")\ndef \
            price():\n    net = 20\n    \
               return f\"net {net}\"\n",
        command: "flask --app shop run --debug --host unix://{}",
        note: "flask runs with --no-reload: its reloader runs the program in another process",
        places: ("price", 3, 9),
        alone: true,
    },
    Served {
        file: "plain.py",
        text: "rate = 19\n\n\nasync def app(scope, receive, send):\n    net = rate + 1\n    await \
            send({\"type\": \
               \"http.response.start\", \"status\": 200})\n    await send({\"type\": \
               \"http.response.body\", \"body\": \
               b\"net %d\" % net})\n",
        command: "uvicorn plain:app --reload --workers 2 --lifespan off --uds {}",
        note: "uvicorn runs with --workers=1 and without --reload: it would run the program in \
            worker processes",
        places: ("app", 1, 6),
        alone: true,
    },
    Served {
        file: "wsgi.py",
        text: "rate = 19\n\n\ndef app(environ, start_response):\n    net = rate + 1\n    \
            start_response(\"200 OK\", [])\n    \
               return [b\"net %d\" % net]\n",
        command: "gunicorn --no-control-socket --reload -w 2 -b unix:{} wsgi:app",
        note: "gunicorn runs with --workers=1 --timeout=0 and without --reload: with several \
            workers any one could stop, \
               and a stopped worker would be killed",
        places: ("app", 1, 6),
        alone: false,
    },
];

/// Stops at the file's import and at a request.
pub async fn servers_stop_in_one_process(stage: &mut Stage) {
    let python = adapters_config().with_file_name("servers").join("bin/python");
    assert!(python.exists(), "cargo xtask adapters servers");
    for Served { file, text, command, note, places: (function, begin, answers), alone } in SERVED {
        let (dir, caller) = workspace_with(&[(file, text)]).await;
        stage.caller = caller;
        let socket = dir.path().join("socket");
        let command = command.replace("{}", &socket.display().to_string());
        let places = [begin, answers].map(|line| format!("{file}:{line}"));
        let command = format!("{} -m {command}", python.display());
        let launch = json!({"command": command, "breakpoints": places, "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(
            stop.place().split("  <-").next(),
            Some(format!("<module>  {file}:{begin}").as_str()),
            "{}",
            stop.text
        );
        assert_eq!(stop.line("note: "), note);
        assert_eq!(stop.line("■ ").contains("Subprocess"), !alone, "{}", stop.text);
        stage.call("debug_continue", json!({"wait": false})).await.good();
        let client = ask(&socket).await;
        let stop = stage.call("debug_wait", json!({"timeout_s": 50})).await.good();
        assert_eq!(stop.place(), format!("{function}  {file}:{answers}"), "{}", stop.text);
        assert_eq!(
            (stop.local("net"), stop.line("■ ").contains("Subprocess")),
            ("20", !alone),
            "{}",
            stop.text
        );
        stage.call("debug_continue", json!({"wait": false})).await.good();
        let answer = answer_of(client).await;
        assert!(answer.ends_with("net 20"), "{answer}");
        stage.call("debug_stop", json!({})).await.good();
    }
}

/// It prints once the request waits.
const WAITING: &str = "import asyncio, functools\n\ndone = None\n\n\n\
    async def app(scope, receive, send):\n    \
    global done\n    price = 0\n    if done:\n        done.set()\n    else:\n        \
    done = asyncio.Event()\n        \
    asyncio.get_running_loop().call_soon(\
    functools.partial(print, \"asked\", flush=True))\n        \
    price = await price_of()\n    \
    await send({\"type\": \"http.response.start\", \"status\": 200})\n    \
    await send({\"type\": \"http.response.body\", \"body\": b\"price %d\" % price})\n\n\n\
    async def price_of():\n    net = 20\n    await done.wait()\n    net += 1\n    \
    return net\n";

/// No thread is in the program's own code: the task that waits there counts as stopped.
pub async fn pause_of_a_server_shows_the_waiting_request(stage: &mut Stage) {
    let python = adapters_config().with_file_name("servers").join("bin/python");
    let (dir, caller) = workspace_with(&[("shop.py", WAITING)]).await;
    stage.caller = caller;
    let socket = dir.path().join("socket");
    let socket_name = socket.display();
    let command =
        format!("{} -m uvicorn shop:app --lifespan off --uds {socket_name}", python.display());
    stage.call("debug_launch", json!({"command": command, "timeout_s": 1})).await.good();
    let client = ask(&socket).await;
    stage.printed("asked").await;
    let stop = stage.call("debug_pause", json!({})).await.good();
    stop.says("#0 price_of  shop.py:21  <- #1 app  shop.py:14");
    assert!(stop.line("■ ").contains(" · waits: Event.wait · "), "{}", stop.text);
    assert_eq!(stop.local("net"), "20", "{}", stop.text);
    let read = json!({"expressions": ["net + 1"]});
    stage.call("debug_evaluate", read).await.good().line("net + 1 = 21");
    let _second = ask(&socket).await;
    stage.call("debug_continue", json!({"wait": false})).await.good();
    let answer = answer_of(client).await;
    assert!(answer.ends_with("price 21"), "{answer}");
    stage.call("debug_stop", json!({})).await.good();
}

/// What the server answers until it closes the connection.
async fn answer_of(mut client: UnixStream) -> String {
    let mut answer = String::new();
    let read = tokio::time::timeout(PATIENCE, client.read_to_string(&mut answer)).await;
    read.expect("no answer").unwrap();
    answer
}

/// Once somebody listens there.
async fn ask(socket: &Path) -> UnixStream {
    let mut tick = tokio::time::interval(std::time::Duration::from_millis(10));
    let connected = async {
        loop {
            match UnixStream::connect(socket).await {
                Ok(stream) => return stream,
                Err(_) => drop(tick.tick().await),
            }
        }
    };
    let mut stream = tokio::time::timeout(PATIENCE, connected).await.expect("nobody listens");
    stream.write_all(b"GET / HTTP/1.0\r\n\r\n").await.unwrap();
    stream
}
