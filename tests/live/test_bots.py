"""Bots on real workers that are killed, stopped, or fail. Each number still gets exactly one move."""

import json
import os
import signal
from collections import Counter
from operator import itemgetter
from pathlib import Path
from random import Random
from time import sleep

import pytest

from tests.live.site import Site, until
from tests.live.table import Table

pytestmark = pytest.mark.slow


def in_mid_think(site: Site, after: int) -> bool:
    """Whether a bot that began after that note is still thinking."""
    return site.lines("thoughts")[after:][-1:] == ["begun"]


def kill_in_mid_think(site: Site, after: int) -> None:
    """Kill all processes of the bot workers while one thinks; return when new ones are ready."""
    until(lambda: in_mid_think(site, after))
    bots = site.processes("bots")
    os.killpg(bots[0], signal.SIGKILL)
    until(lambda: set(site.processes("bots")).isdisjoint(bots))


def holds_numba(process: int) -> bool:
    return "llvmlite" in Path(f"/proc/{process}/maps").read_text()


def test_a_killed_worker_neither_loses_nor_doubles_a_move(site):
    site.environment |= {"LEASE": "4", "BOT_PROCESSES": "2"}
    table = Table(site, "slow", "slow", "slow")
    with site.running():
        for kill in range(3):
            kill_in_mid_think(site, after=kill)
            assert site.lines("thoughts") == ["begun"] * (kill + 1)
        until(lambda: table.number == 3)
    table.check(3)
    # After two losses at the first number, another bot decided there.
    assert site.lines("thoughts") == ["begun"] * 3 + ["begun", "done"] * 2
    assert site.ask("SELECT kind, after_number, seat FROM games_incident WHERE kind LIKE 'bot%' ORDER BY id") == [
        ("bot_silent", 0, 0),
        ("bot_silent", 0, 0),
        ("bot_silent", 1, 1),
    ]


def test_a_site_stopped_during_play_continues_after_the_next_start(site):
    table = Table(site, "slow", "slow", "slow")
    with site.running(stop=signal.SIGINT):
        until(lambda: in_mid_think(site, after=0))
    assert site.processes() == []
    # The bot that was thinking could finish, and no other bot began.
    assert site.lines("thoughts") == ["begun", "done"]
    assert table.number == 1
    with site.running():
        until(lambda: table.number == 3)
    assert site.processes() == []
    table.check(3)
    assert site.ask("SELECT * FROM games_incident WHERE kind LIKE 'bot%'") == []


SERVED = """SELECT username, bot FROM games_move JOIN games_game ON games_game.id = games_move.game_id
    JOIN accounts_user ON accounts_user.id = host_id JOIN games_seat ON games_seat.game_id = games_game.id AND bot != ''
    WHERE games_game.seats = 2 ORDER BY games_move.id"""
"""The moves of bots in games for two, by host and bot."""


def test_bots_that_fail_are_replaced_and_nobody_waits_for_the_games_of_another(site):
    """People are served in turn, and quick bots do not wait for slow ones."""
    # A bot that overruns is interrupted sooner than usual.
    site.environment["BOT_SECONDS"] = "0.1"
    table = Table(site, "raises", "overruns", "cheats")
    seats = dict(site.ask('SELECT bot, "index" FROM games_seat'))
    with site.running():
        until(lambda: table.number == 3)
        table.check(3)
        opened = site.python("-m", "tests.live.crowd")
        assert opened.returncode == 0, opened.stderr
        bobs = {("bob", bot) for bot in ("slow", "medium", "greedy")}
        until(lambda: bobs <= set(site.ask(SERVED)))
        served = site.ask(SERVED)
        for bot in bobs:
            assert served[: served.index(bot)].count(("alice", "slow")) <= 2, served
        assert not any(map(holds_numba, site.processes("worker")))
    failures = site.ask("SELECT after_number, seat, facts FROM games_incident WHERE kind = 'bot_failed' ORDER BY id")
    errors = {"raises": ["ZeroDivisionError"], "overruns": ["SoftTimeLimitExceeded"], "cheats": ["IllegalAction"] * 2}
    assert [(number, seat, json.loads(facts)) for number, seat, facts in failures] == [
        (seat, seat, {"bot": bot, "error": error})
        for bot, seat in sorted(seats.items(), key=itemgetter(1))
        for error in errors.get(bot, [])
    ]


THINKING = "SELECT 1 FROM games_game WHERE bot_claimed_until IS NOT NULL"


@pytest.mark.parametrize("left", [[20], pytest.param([], marks=pytest.mark.long)], ids=["short", "long"])
def test_whole_games_survive_random_kills_of_the_bot_worker(site, left):
    """The short form plays about `left` decisions at the end. This also checks the report of `bots_status`."""
    site.environment |= {"LEASE": "1", "BOT_SECONDS": "0.1", "BOT_PROCESSES": "2"}
    site.prepare()
    begun = site.python("-m", "tests.live.whole", "begin", *map(str, left))
    assert begun.returncode == 0, begun.stderr
    rng = Random(20)
    with site.running(), site.beside("tests.live.whole") as games:
        until(lambda: len(site.processes("bots")) == 3)
        main, *_ = site.processes("bots")
        killed = 2
        while games.poll() is None:
            sleep(rng.uniform(0.2, 2))
            _, *thinkers = site.processes("bots")
            until(lambda: games.poll() is not None or site.ask(THINKING))
            # At once, while one of them thinks.
            for thinker in thinkers[:killed]:
                os.kill(thinker, signal.SIGKILL)
            killed = rng.randrange(3)
        assert games.stdout
        [*played, (decisions, incidents)] = [json.loads(line) for line in games.stdout]
        status = json.loads(site.manage("bots_status", "--json").stdout)
        # Only bot workers load numba and the networks, and they do so before their first task.
        thinking = set(site.processes("bots"))
        assert holds_numba(main)
        assert not any(map(holds_numba, set(site.processes()) - thinking))
    assert games.returncode == 0
    assert played == [["splendor", 2, "played", True], ["splendor", 4, "played", True], ["duel", 2, "played", True]]
    assert set(incidents) == {"bot_silent"}
    assert status["hour"]["incidents"] == incidents
    assert {(each["title"], each["bot"]): each["decisions"] for each in status["hour"]["thoughts"]} == {
        (title, "strongest"): number
        for title, number in (Counter(decisions) - Counter(json.loads(begun.stdout))).items()
    }
    # Some searches used their whole time.
    thoughts = [each["thought"] for each in status["hour"]["thoughts"]]
    assert all(0 < thought["median"] <= thought["longest"] >= 0.1 for thought in thoughts)
    assert status["waiting"] == {"games": 0, "longest": 0}
