//! Programs and tests of Python projects: Django's, an environment elsewhere, and failures of a
//! part of a test.

use serde_json::json;

use crate::caller::{Caller, Start};
use crate::real::stage::{Stage, workspace_with};

/// Like Django's: it sets the settings and runs the tests that are named with dots.
const MANAGE: &str = "import os, sys, unittest  # django\n\n\
    os.environ['DJANGO_SETTINGS_MODULE'] = 'site.settings'\n\
    assert sys.argv[1:3] == ['test', '--noinput'], sys.argv\n\
    unittest.main(module=None, argv=['manage.py test', *sys.argv[3:]])\n";
const ORDERS: &str = "import os, unittest\n\n\nclass OrderTests(unittest.TestCase):\n    \
    def test_total(self):\n        settings = os.environ.get('DJANGO_SETTINGS_MODULE')\n        \
    self.assertEqual(settings, None)\n\n    def test_tax(self):\n        pass\n";

/// By each form of its name; by pytest if its settings name Django's.
pub async fn test_of_django_runs_through_its_command(stage: &mut Stage) {
    let files = [
        ("web/manage.py", MANAGE),
        ("web/shop/__init__.py", ""),
        ("web/shop/tests/__init__.py", ""),
        ("web/shop/tests/test_orders.py", ORDERS),
    ];
    let (_dir, caller) = workspace_with(&files).await;
    stage.caller = caller;
    for name in [
        "web/shop/tests/test_orders.py::OrderTests::test_total",
        "shop.tests.test_orders.OrderTests.test_total",
        "test_total",
    ] {
        let launch = json!({"test": name, "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(stop.reason(), "exception AssertionError", "{}", stop.text);
        assert_eq!(stop.local("settings"), "'site.settings'", "{}", stop.text);
        stage.resume().await.good().says("Ran 1 test in ");
    }
    let settings = ("web/pytest.ini", "[pytest]\nDJANGO_SETTINGS_MODULE = site.settings\n");
    let (_dir, caller) = workspace_with(&[&files[..], &[settings]].concat()).await;
    stage.caller = caller;
    let launch = json!({"test": "test_tax", "timeout_s": 50});
    stage.call("debug_launch", launch).await.good().says("1 passed");
}

/// `.venv` leads to a directory outside of the workspace; or to one without an interpreter.
pub async fn linked_environment_runs_the_program(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let top = dir.path().canonicalize().unwrap();
    let (root, home) = (top.join("project"), top.join("elsewhere"));
    std::fs::create_dir(&root).unwrap();
    std::fs::write(root.join("app.py"), "import sys\nprint(sys.prefix)\n").unwrap();
    std::os::unix::fs::symlink(&home, root.join(".venv")).unwrap();
    std::fs::create_dir(&home).unwrap();
    stage.caller = Caller::start(Start { cwd: root.clone(), ..Start::structured() }).await;
    let launch = json!({"program": "app.py", "timeout_s": 50});
    let end = stage.call("debug_launch", launch.clone()).await.good();
    end.says("/.venv is not used: it leads out of the workspace");
    #[expect(clippy::disallowed_methods, reason = "a tool of the test")]
    let venv = std::process::Command::new("python3")
        .args(["-m", "venv", "--without-pip"])
        .arg(&home)
        .status();
    assert!(venv.unwrap().success());
    stage.call("debug_launch", launch).await.good().line("□ exited with code 0");
    let output = stage.call("debug_output", json!({"stream": "stdout"})).await.good();
    output.line(&root.join(".venv").display().to_string());
}

/// A subtest ends while its test runs on.
pub async fn failed_subtests_stop_where_they_failed(stage: &mut Stage) {
    let text = "import unittest\n\n\nclass Prices(unittest.TestCase):\n    \
        def test_net(self):\n        for net in range(3):\n            \
        with self.subTest(net=net):\n                self.assertNotEqual(net, 1)\n\n\n\
        unittest.main()\n";
    let (_dir, caller) = workspace_with(&[("prices.py", text)]).await;
    stage.caller = caller;
    let launch = json!({"program": "prices.py", "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.reason(), "exception AssertionError", "{}", stop.text);
    stop.says("\n#0 test_net  prices.py:8  <- #1 <module>  prices.py:11\n");
    assert_eq!(stop.local("net"), "1", "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 1");
}

/// Of the exception and of its cause; an escape that is part of a text stays one.
pub async fn messages_have_their_lines(stage: &mut Stage) {
    let text = "try:\n    raise OSError('first\\nsecond')\nexcept OSError as error:\n    \
        raise ValueError('one\\n  two\\n\\nlast') from error\n";
    let (_dir, caller) = workspace_with(&[("lines.py", text)]).await;
    stage.caller = caller;
    let launch = json!({"program": "lines.py", "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    let lines = "\n! one\n    two\n\n  last\n  caused by OSError: first  lines.py:2 <module>\n    \
        second\n";
    stop.says(lines);
    stage.call("debug_exception", json!({})).await.good().says(lines);
    stage.resume().await.good();
}
