"""The site started by one command: real processes, a real broker, real signals."""

import os
import re
import signal
import socket
import stat
import subprocess
import sys
from functools import partial
from itertools import chain
from textwrap import dedent

import pytest

from tests.live.site import PRODUCTION, WITHOUT_BOTS_AND_MAILS, Site, until
from tests.runall_tasks import write
from tests.shared import PROJECT


@pytest.fixture
def site(tmp_path):
    return Site(tmp_path / "var")


pytestmark = pytest.mark.slow


def test_one_command_starts_everything_and_resumes_after_a_stop(site):
    with site.running() as supervisor:
        status, headers, page = site.get()
        assert status == 200
        assert "script-src 'self'" in headers["content-security-policy"]
        style = site.get(re.findall(r'/static/[^"]+\.css', page)[0])
        assert (style[0], style[1]["cache-control"]) == (200, "max-age=0, public")

        site.send("probe", "probe")
        site.send("games.tasks.think_probe", "bot")
        site.send("games.tasks.deliver_probe", "mail")
        until(lambda: [site.lines(name) for name in ("probe", "bot", "mail")] == [["worker"], ["bots"], ["mail"]])

        second = site.manage("runall")
        assert (second.returncode, second.stdout) == (1, "")
        assert (
            second.stderr == f"CommandError: The site is already running: process {supervisor.pid} uses {site.var}.\n"
        )

        # Running tasks are finished, and waiting ones stay in the queue.
        site.send("hold", "hold")
        until(lambda: site.lines("hold"))
        for _ in range(3):
            site.send("probe", "later")
        supervisor.send_signal(signal.SIGTERM)
        until(lambda: "Stopping …" in site.log.read_text())
        write(site.var / "hold", "go")
        assert supervisor.wait(60) == 0
        assert site.processes() == []
        assert site.lines("hold") == ["begun", "go", "done"]
        assert site.lines("later") == []

    with site.running():
        until(lambda: site.lines("later") == ["worker"] * 3)
    assert site.processes() == []
    assert site.lines("hold") == ["begun", "go", "done"]


@pytest.mark.long
def test_a_new_development_site_has_demo_users(site):
    with site.running(new=True):
        # The site answers a moment before it says how to log in.
        until(lambda: "Log in as Ana, Ben, Chloé, Dinesh, Emiko; the password is " in site.log.read_text())


QUEUES = {"celery": "", "bots": "games.tasks.think_", "mail": "games.tasks.deliver_"}
"""The queue of each worker, with the beginning of its tasks' names; the bots' worker serves `quick` before `bots`."""


def test_no_worker_waits_for_another(site):
    with site.running():
        for full, prefix in QUEUES.items():
            for _ in range(1000):
                site.send(f"{prefix}dam", f"dam of {full}")
            for other in QUEUES.keys() - {full}:
                site.send(f"{QUEUES[other]}probe", f"{other} beside {full}")
                until(partial(site.lines, f"{other} beside {full}"))
            # None of the thousand tasks has finished yet.
            assert site.lines(f"dam of {full}") == []
            with site.celery.connection_for_write() as connection:
                assert connection.default_channel.queue_purge(full) > 900
            write(site.var / f"dam of {full}", "open")


def test_a_task_that_will_not_end_runs_again_after_a_restart(site):
    site.environment |= {"STOP_SECONDS": "1", **WITHOUT_BOTS_AND_MAILS}
    with site.running():
        site.send("hold", "hold")
        until(lambda: site.lines("hold"))
    assert site.processes() == []
    with site.running():
        until(lambda: site.lines("hold") == ["begun", "begun"])
        write(site.var / "hold", "go")


def test_killed_processes_are_restarted(site):
    site.environment |= {"IMPATIENT": "1", **WITHOUT_BOTS_AND_MAILS}
    with site.running():
        site.send("hold", "hold")
        until(lambda: site.lines("hold"))
        killed = [site.processes(word) for word in ("worker", "valkey", "web")]
        for oldest, *_ in killed:
            os.kill(oldest, signal.SIGKILL)
        until(lambda: set(site.processes()).isdisjoint(chain(*killed)))
        until(site.answers)
        until(lambda: site.lines("hold") == ["begun", "begun"])
        write(site.var / "hold", "go")
        until(lambda: site.lines("hold")[-1] == "done")
        site.send("probe", "probe")
        until(lambda: site.lines("probe"))
    said = re.findall(r"^(.*) ended \(SIGKILL\); restarting in 1 s\.$", site.log.read_text(), re.MULTILINE)
    assert sorted(said) == ["The broker", "The web server", "The worker"]


def test_nothing_outlives_a_killed_supervisor(tmp_path):
    # This path is too long for a socket, and hard to quote.
    site = Site(tmp_path / ("a b+c#d%e" * 8))
    with site.running() as supervisor:
        # Supervisor and broker; one process for the web, three for the worker with beat, two each for bots and mails.
        until(lambda: len(site.processes()) == 10)
        supervisor.kill()
        until(lambda: site.processes() == [], seconds=10)
    with site.running(stop=signal.SIGINT):
        site.celery.conf.broker_url = f"redis+socket://{(site.var / 'valkey.sock').resolve()}"
        site.send("probe", "probe")
        until(lambda: site.lines("probe"))
    assert site.processes() == []


def test_a_process_that_keeps_ending_stops_the_site(site):
    site.environment |= {"BROKEN": "1", **WITHOUT_BOTS_AND_MAILS}
    with site.running() as supervisor:
        assert supervisor.wait(60) == 1
    *_, last = site.log.read_text().splitlines()
    assert last == "CommandError: The web server ended several times soon after starting. The site has stopped."
    assert site.processes() == []


def test_a_process_that_keeps_ending_later_is_restarted_for_ever():
    """People can play on while a worker cannot run, because the broker refuses writes, say."""
    script = """
        import sys
        from splendor_site import supervisor

        def say(sentence):
            said.append(sentence)
            site.stopping = len(said) == 6

        supervisor.LONGEST = 0
        said, site = [], supervisor.Supervisor(say)
        site.start(supervisor.Child("The worker", "worker", lambda: sys.exit(3)))
        site.stay()
        print(*said, sep="\\n")
    """
    done = subprocess.run(
        [sys.executable, "-c", dedent(script)], cwd=PROJECT, capture_output=True, text=True, timeout=60
    )
    assert (done.stderr, done.stdout) == ("", "The worker ended (status 3); restarting in 0 s.\n" * 6)


def test_a_port_in_use_is_reported(site):
    with socket.create_server(("127.0.0.1", site.port)):
        refused = site.manage("runall")
    assert refused.returncode == 1
    assert refused.stderr == (
        "CommandError: The web server cannot listen: Address already in use "
        f"(while attempting to bind on address ('127.0.0.1', {site.port})). Set PORT to use another port.\n"
    )


def test_production_on_postgresql_and_redis(tmp_path, postgres_url, valkey):
    site = Site(tmp_path / "var", **PRODUCTION, DATABASE_URL=postgres_url, REDIS_URL=valkey)
    with site.running():
        assert site.get(Host="elsewhere.example.org")[0] == 400
        status, headers, _ = site.get(Host="games.example.org")
        assert (status, headers["location"]) == (301, "https://games.example.org/")

        proxied = {"Host": "games.example.org", "X-Forwarded-Proto": "https"}
        status, headers, page = site.get(**proxied)
        assert (status, headers["strict-transport-security"]) == (200, "max-age=31536000")
        style = re.findall(r'/static/[^"]+\.[0-9a-f]{12}\.css', page)[0]
        status, headers, _ = site.get(style, **proxied, **{"Accept-Encoding": "gzip"})
        assert (status, headers["content-encoding"]) == (200, "gzip")
        assert headers["cache-control"] == "max-age=315360000, public, immutable"

        site.send("probe", "probe")
        until(lambda: site.lines("probe") == ["worker"])
        assert site.processes("valkey") == []
    assert site.processes() == []
    kept = {path.name for path in site.var.iterdir() if not path.name.startswith("beat-schedule")}
    assert kept == {"lock", "locale", "probe", "secret_key", "static"}


def test_production_refuses_incomplete_settings(tmp_path):
    for missing, complaint in {
        "ALLOWED_HOSTS": "Set ALLOWED_HOSTS to the names of this site, e.g. ALLOWED_HOSTS=games.example.org.",
        "EMAIL_URL": "Set EMAIL_URL to a mail server, e.g. EMAIL_URL=smtp+tls://user:password@mail.example.org:587.",
    }.items():
        refused = Site(tmp_path / "var", **PRODUCTION | {missing: ""}).manage("runall")
        assert (refused.returncode, refused.stdout) == (1, "")
        assert refused.stderr == f"CommandError: {complaint}\n"


def test_production_refuses_the_passwords_of_the_demo(tmp_path):
    site = Site(tmp_path / "var", **PRODUCTION)
    site.prepare()
    ana = """
        import django; django.setup()
        from accounts.services import create_confirmed
        from games.management import demo
        create_confirmed("Ana", "ana@example.org", demo.PASSWORD)
    """
    assert site.python("-c", dedent(ana)).returncode == 0

    refused = site.manage("runall")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == (
        "CommandError: This database has the demo, so anybody can log in as Ana. Set VAR_DIR or DATABASE_URL to start "
        "with another one, or give each of them a new password with manage.py changepassword.\n"
    )


def test_every_variable_is_documented():
    read = re.findall(r'env\.\w+\(\s*"(\w+)"', (PROJECT / "splendor_site/settings.py").read_text())
    table = re.findall(r"^\| (`.*?) \|", (PROJECT / "docs/operating.md").read_text(), re.MULTILINE)
    told = [name for cell in table for name in re.findall(r"`([A-Z_]+)`", cell)]
    assert sorted(told) == sorted(read)


def test_production_is_safe_and_keeps_its_key(tmp_path):
    site = Site(tmp_path / "var", **PRODUCTION)
    check = site.manage("check", "--deploy", "--fail-level", "INFO")
    assert (check.returncode, check.stderr) == (0, "")
    path = site.var / "secret_key"
    key = path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(key) >= 50

    show = "from splendor_site import settings; print(settings.SECRET_KEY)"
    assert site.python("-c", show).stdout == f"{key}\n"
    site.environment["SECRET_KEY"] = "$another$key"
    assert site.python("-c", show).stdout == "$another$key\n"
