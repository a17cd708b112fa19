"""A client tested with pytest against the reference server: a sandbox for each test, a failure that is scripted.

CONFORM is the command that starts the program; `npx console-conformance@0.1.0` when absent.
"""
import json
import os
import pathlib
import shlex
import subprocess
import time
import urllib.error
import urllib.request

import pytest

CONFORM = os.environ.get("CONFORM") or "npx console-conformance@0.1.0"


def ask(method, url, body=None, **headers):
    data = None if body is None else json.dumps(body).encode()
    sent = urllib.request.Request(url, data, {"Content-Type": "application/json", **headers}, method=method)
    with urllib.request.urlopen(sent, timeout=10) as answer:
        return json.load(answer)


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    ready = tmp_path_factory.mktemp("conform") / "ready.json"
    process = subprocess.Popen([*shlex.split(CONFORM), "serve", "--port", "0", "--ready-file", str(ready), "--quiet"])
    try:
        deadline = time.monotonic() + 60
        while not (ready.exists() and ready.read_text().endswith("\n")):
            assert process.poll() is None and time.monotonic() < deadline, "the server did not start"
            time.sleep(0.05)
        yield json.loads(ready.read_text())
    finally:
        process.terminate()
        process.wait()


@pytest.fixture
def sandbox(server):
    made = ask("POST", f"{server['control']}/sandboxes", {})
    yield {**server, "key": made["apiKey"], "name": made["name"]}
    ask("DELETE", f"{server['control']}/sandboxes/{made['name']}")


def rename(sandbox, gate, name):
    """The client under test: it tries again what the server could not do, and counts its tries."""
    for tries in range(1, 5):
        try:
            url = f"{sandbox['url']}/console/v1/gates/{gate}"
            ask("PATCH", url, {"name": name}, **{"SERVICE-API-KEY": sandbox["key"]})
            return tries
        except urllib.error.HTTPError as refused:
            if refused.code < 500 and refused.code != 429:
                raise
    raise TimeoutError


@pytest.mark.parametrize("failures", [[], [500], [500, 503, 429]])
def test_tries_again(sandbox, failures):
    script = {"match": {"operation": "patch-gate"}, "then": [{"status": code} for code in failures] + ["real"]}
    ask("POST", f"{sandbox['control']}/behaviours?world={sandbox['name']}", script)
    assert rename(sandbox, "dark_mode", "Dark mode") == len(failures) + 1
    seen = ask("GET", f"{sandbox['control']}/requests?world={sandbox['name']}")["requests"]
    assert [request["status"] for request in seen] == failures + [200]
