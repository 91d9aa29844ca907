//! Breakpoints in templates, which a library compiles when it renders them.

use serde_json::json;

use crate::caller::adapters_config;
use crate::real::stage::{Stage, workspace_with};

const APP: &str = "from jinja2 import Environment, FileSystemLoader\n\n\
    env = Environment(loader=FileSystemLoader('pages'))\nfor name in ('ann', 'bob'):\n    \
    goods = [('pen', 2), ('book', 12)]\n    \
    print(len(env.get_template('order.html').render(name=name, goods=goods)))\n";
const ORDER: &str = "<h1>{{ name }}</h1>\n<ul>\n{% for good, price in goods %}\n  \
    <li>{{ good }}: {{ price * 2 }}</li>\n{% endfor %}\n</ul>\nplain\n";

/// With a condition and as a log breakpoint; a line without code moves up; another file waits.
pub async fn lines_of_templates_stop(stage: &mut Stage) {
    let files =
        [("app.py", APP), ("pages/order.html", ORDER), ("pages/unused.html", "\n{{ name }}\n")];
    let (_dir, caller) = workspace_with(&files).await;
    stage.caller = caller;
    let python = adapters_config().with_file_name("servers").join("bin/python");
    assert!(python.exists(), "cargo xtask adapters servers");
    let breakpoints = json!([
        "pages/order.html:4 if price > 5", {"at": "pages/order.html:1", "log": "page of {name}"},
        "pages/unused.html:2",
    ]);
    let command = format!("{} app.py", python.display());
    let launch = json!({"command": command, "breakpoints": breakpoints, "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.reason(), "breakpoint #1", "{}", stop.text);
    stop.says("#0 template  pages/order.html:4  <- #1 <module>  app.py:6");
    let locals = stage.call("debug_variables", json!({})).await.good();
    let rows: Vec<&str> = locals.text.lines().skip(1).take(4).collect();
    assert_eq!(
        rows,
        [
            "  good: str = 'book'",
            "  goods: list = [('pen', 2), ('book', 12)]",
            "  name: str = 'ann'",
            "  price: int = 12",
        ]
    );
    let read = json!({"expressions": ["good.upper()", "price * 2"]});
    let values = stage.call("debug_evaluate", read).await.good();
    values.line("good.upper() = 'BOOK'");
    values.line("price * 2 = 24");
    let edit = json!({"clear": true, "set": ["pages/order.html:7", "pages/unused.html:2"]});
    let list = stage.call("debug_breakpoints", edit).await.good();
    list.line("+#4 pages/order.html:7 → bound to line 4");
    list.line("+#5 pages/unused.html:2 · not loaded yet");
    let stop = stage.resume().await.good();
    assert_eq!((stop.reason(), stop.local("name")), ("breakpoint #4", "'bob'"), "{}", stop.text);
    let stop = stage.call("debug_step", json!({})).await.good();
    assert!(stop.place().starts_with("template  pages/order.html:"), "{}", stop.text);
    stage.call("debug_breakpoints", json!({"remove": ["#4"]})).await.good();
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    end.says("\nnever bound:\n  #5 pages/unused.html:2 · not loaded yet");
    let output = stage.call("debug_output", json!({"since": 0})).await.good();
    output.says("page of 'ann'");
}

/// A run to a line of a template that is not rendered yet.
pub async fn until_a_line_of_a_template_is_reached(stage: &mut Stage) {
    let (_dir, caller) = workspace_with(&[("app.py", APP), ("pages/order.html", ORDER)]).await;
    stage.caller = caller;
    let python = adapters_config().with_file_name("servers").join("bin/python");
    let launch = json!({
        "command": format!("{} app.py", python.display()), "breakpoints": ["app.py:4"],
        "timeout_s": 50,
    });
    stage.call("debug_launch", launch).await.good();
    let stop = stage.call("debug_continue", json!({"until": "pages/order.html:4"})).await.good();
    assert_eq!(stop.local("good"), "'pen'", "{}", stop.text);
    stop.says("#0 template  pages/order.html:4  <- #1 <module>  app.py:6");
}
