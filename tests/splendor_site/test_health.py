"""`/health/` answers monitors on this machine, and nobody else."""

import os
import signal
import sqlite3
from contextlib import closing

import pytest
from django.contrib.sessions.backends.db import SessionStore

from tests.live.site import PRODUCTION, WITHOUT_BOTS_AND_MAILS, Site

pytestmark = pytest.mark.django_db


def test_this_machine_gets_an_answer_without_a_session(client, alice, django_assert_num_queries, monkeypatch):
    client.force_login(alice)
    monkeypatch.setattr(SessionStore, "load", None)
    with django_assert_num_queries(1) as queries:
        answer = client.get("/health/", headers={"Host": "elsewhere.example.org"})
    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert queries[0]["sql"].startswith("SELECT")
    assert (answer.headers["Cache-Control"], answer.headers["Content-Type"]) == (
        "no-store",
        "text/plain; charset=utf-8",
    )
    assert answer.cookies == {}
    assert client.get("/health/", REMOTE_ADDR="::1").status_code == 200
    assert client.head("/health/").status_code == 200


@pytest.mark.parametrize(
    "request_of",
    [
        {"REMOTE_ADDR": "192.0.2.7"},
        {"REMOTE_ADDR": ""},
        # A proxy on this machine asks for somebody else, whatever that person claims to be.
        {"HTTP_X_FORWARDED_FOR": "192.0.2.7"},
        {"HTTP_X_FORWARDED_FOR": "127.0.0.1"},
        {"HTTP_X_FORWARDED_FOR": ""},
        {"HTTP_FORWARDED": "for=127.0.0.1"},
    ],
)
def test_for_others_the_address_does_not_exist(client, request_of):
    assert client.get("/health/", **request_of).status_code == 404


def test_it_only_tells(client):
    assert client.post("/health/").status_code == 404


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_every_web_process_answers_plain_http_under_any_host(tmp_path):
    site = Site(tmp_path / "var", **PRODUCTION, WEB_PROCESSES="2", WORKER_PROCESSES="0", **WITHOUT_BOTS_AND_MAILS)
    with site.running():
        processes = site.processes("web")
        assert len(processes) == 2
        for silent in processes:
            os.kill(silent, signal.SIGSTOP)
            try:
                # The system hands a connection to whichever process accepts it first.
                status, headers, text = site.get("/health/", Host="elsewhere.example.org")
                assert (status, text) == (200, "ok\n")
                assert "location" not in headers
            finally:
                os.kill(silent, signal.SIGCONT)
        assert site.get("/health/", **{"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https"})[0] == 400
        proxied = {"Host": "games.example.org", "X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https"}
        assert site.get("/health/", **proxied)[0] == 404

        with closing(sqlite3.connect(site.database, timeout=20)) as database:
            database.execute("ALTER TABLE accounts_user RENAME TO gone")
        assert site.get("/health/")[0] == 503
