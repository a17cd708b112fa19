"""Each endpoint of your server as a test of pytest: CONFORM names the bundle, SERVER what starts your server."""

import os, re, signal, subprocess, time, urllib.error, urllib.request
import xml.etree.ElementTree as ET

import pytest

URL = os.environ.get("BASE_URL", "http://127.0.0.1:8080")
KEY = os.environ.get("SERVICE_API_KEY", "reference-key")
ENDPOINTS = os.environ.get("ENDPOINTS", "list-segments patch-gate archive-config").split()


def wait_for(url, server, seconds=30):
    for _ in range(seconds * 10):
        assert server.poll() is None, "the server ended"
        try:
            return urllib.request.urlopen(url)
        except urllib.error.HTTPError:
            return None
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server does not answer")


@pytest.fixture(scope="session")
def failures(tmp_path_factory):
    out = tmp_path_factory.mktemp("conform")
    server = subprocess.Popen(os.environ["SERVER"], shell=True, start_new_session=True)
    try:
        wait_for(URL, server)
        config = ["--config", os.environ["CONFIG"]] if "CONFIG" in os.environ else []
        run = ["node", os.environ["CONFORM"], "run", "--base-url", URL, *config, "--profile", "quick", "--out", str(out)]
        ended = subprocess.run(run, env={**os.environ, "SERVICE_API_KEY": KEY}, check=False)
        assert ended.returncode in (0, 1, 3), "the suite did not run"
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait()
    suites = ET.parse(out / "junit.xml").getroot().iter("testsuite")
    return {re.split(r"\s", s.get("name"))[0]: [f.get("message") for f in s.iter("failure")] for s in suites}


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_endpoint(failures, endpoint):
    assert endpoint in failures and failures[endpoint] == []
