"""DEBUG is for development on one machine; other machines must never reach such a site."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.live.site import Site, until
from tests.shared import PROJECT

pytestmark = pytest.mark.slow

MAILBOX = """
from django.conf import settings
from django.core.management import call_command
from django.test import Client
call_command("collectstatic", verbosity=0)
print(settings.DEBUG, Client().get("/mail/", secure=True, headers={"host": "games.example.org"}).status_code)
"""
COMMANDS = """
import runpy, sys
simulate = "simulate duel --seats 2 --games 1 --bots random"
counts = "rate", "count_statistics"
for words in (simulate, "check", "migrate --verbosity 0", "replay_games", *counts, "bots_status", "backup"):
    sys.argv = ["manage.py", *words.split()]
    runpy.run_path("manage.py", run_name="__main__")
"""


@pytest.fixture
def site(tmp_path) -> Site:
    """A site whose environment does not mention DEBUG."""
    site = Site(tmp_path / "var")
    del site.environment["DEBUG"]
    return site


def test_a_public_site_does_not_show_mails(site):
    site.environment["ALLOWED_HOSTS"] = "games.example.org"
    assert site.manage("shell", "--no-imports", "--command", MAILBOX).stdout == "False 404\n"


@pytest.mark.parametrize(
    ("public", "names"),
    [
        ({"ALLOWED_HOSTS": "localhost,games.example.org,.example.org"}, ".example.org, games.example.org"),
        ({"ALLOWED_HOSTS": "*"}, "*"),
        ({"ALLOWED_HOSTS": "127.0.0.1", "BIND": "0.0.0.0"}, "0.0.0.0"),
        ({"BIND": "::"}, "::"),
    ],
)
def test_debug_mode_refuses_a_public_name(site, public, names):
    site.environment |= {"DEBUG": "1", **public}
    said = (
        "DEBUG=1 shows everybody's log-in codes at /mail/, so it is for this machine only, and not for "
        f"{names}. Unset DEBUG, or ALLOWED_HOSTS and BIND.\n"
    )
    refused = site.python("-c", "import splendor_site.settings")
    assert (refused.returncode, refused.stdout, refused.stderr) == (1, "", said)


def test_nothing_starts_in_a_public_debug_mode(site):
    site.environment |= {"DEBUG": "1", "ALLOWED_HOSTS": "games.example.org"}
    for refused in (site.manage("runall"), site.python("-c", "import splendor_site.wsgi")):
        assert (refused.returncode, refused.stdout) == (1, "")
        assert refused.stderr.startswith("DEBUG=1 shows everybody's log-in codes at /mail/")


def test_names_of_this_machine_are_not_public(site):
    site.environment |= {"DEBUG": "1", "ALLOWED_HOSTS": "localhost,.localhost,127.0.0.1,[::1]", "BIND": "::1"}
    assert site.manage("check").returncode == 0


def test_commands_need_no_environment_variable(site):
    site.prepare()
    done = site.python("-c", COMMANDS)
    assert (done.returncode, done.stderr) == (0, "")


@contextmanager
def runserver(site: Site, *words: str) -> Iterator[None]:
    command = [sys.executable, "manage.py", "runserver", "--noreload", *words]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=PROJECT, env=site.environment, stdout=quiet, stderr=quiet) as server:
        try:
            until(lambda: server.poll() is not None or site.answers())
            yield
        finally:
            server.kill()


def test_the_development_server_listens_on_this_machine_only(site):
    with runserver(site, str(site.port)):
        assert site.get("/account/login/")[0] == 200
        assert site.get("/mail/")[0] == 200
        assert site.get("/static/games/base.css")[0] == 200
    with runserver(site, f"0.0.0.0:{site.port}"):
        # The site says why and ends: production needs ALLOWED_HOSTS.
        assert not site.answers()
