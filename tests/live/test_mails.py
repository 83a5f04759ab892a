"""A mail server that accepts connections and never answers delays mails, and nothing else."""

import pytest

from tests.live.mails import CLOCKS, MAILS, TABLES
from tests.live.site import Site, until
from tests.smtp import MailServer

pytestmark = pytest.mark.slow


def test_bots_move_and_clocks_run_out_while_the_mail_server_does_not_answer(tmp_path):
    with MailServer() as server:
        server.silent = True
        address = f"smtp://{server.hostname}:{server.port}"
        site = Site(tmp_path / "var", DJANGO_SETTINGS_MODULE="tests.live.settings", EMAIL_URL=address)
        site.prepare()
        made = site.python("-m", "tests.live.mails")
        assert made.returncode == 0, made.stderr
        with site.running():
            until(lambda: server.unanswered)
            until(lambda: site.ask("SELECT count(*) FROM games_move WHERE actor = 'bot'") == [(3 * TABLES,)])
            until(lambda: site.ask("SELECT count(*) FROM games_game WHERE ending = 'abandoned'") == [(CLOCKS,)])
            until(lambda: site.ask("SELECT count(*) FROM games_outage") == [(1,)])
        assert (server.unanswered, server.messages) == (1, [])
        owed = site.ask("SELECT count(*) FROM games_notice WHERE kind = 'test' AND closed_at IS NULL")
        assert owed == [(MAILS,)]
