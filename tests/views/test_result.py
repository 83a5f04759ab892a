"""The page of a finished game: who won and why, for each ending and each kind of reader."""

import re
from importlib import import_module
from inspect import getsource
from itertools import pairwise
from pkgutil import walk_packages
from typing import Any, cast

import pytest

from accounts.models import User
from games import services
from games.catalogue import TITLES
from games.models import Game, Seat
from games.models.position import Position
from games.services import play
from games.services.tables import tables
from games.services.versions import writing
from games.wording import INCIDENTS
from games.wording.title import TitleWords
from tests.factories import As, deal, person, play_on
from tests.factories import state as stored
from tests.rules.positions import duel as duel_positions
from tests.rules.positions import splendor as splendor_positions
from tests.views.reading import address, text

pytestmark = pytest.mark.django_db

POSITIONS: dict[str, Any] = {"splendor": splendor_positions, "duel": duel_positions}


def lay(game: Game, lines: dict[str, str]) -> list[User]:
    """Put the position into the game; return its users in turn order."""
    state = POSITIONS[game.title].position(game.seats, stored(game).seed, dict(lines))
    Position.objects.filter(game=game).update(state=TITLES[game.title].ruleset.dump(state))
    Game.objects.filter(pk=game.pk).update(to_act=state.to_act)
    seats = list(game.seat_set.select_related("user").order_by("index"))
    for seat, player in zip(seats, state.players, strict=True):
        Seat.objects.filter(pk=seat.pk).update(score=player.points)
    return [seat.user for seat in seats if seat.user]


def result(page: bytes) -> bytes:
    found = re.search(rb'<section class="result".*?</section>', page, re.DOTALL)
    assert found
    return b"<main" + found[0] + b"</main>"


def headline(page: bytes) -> str:
    return text(b"<main" + result(page).split(b'id="result"', 1)[1].split(b"</h1>")[0] + b"</main>").strip("> ")


def lead(page: bytes) -> str:
    """The sentences under the headline."""
    return text(page.partition(b'class="result-lead"')[2].partition(b"</p>")[0].join([b"<main", b"</main>"])).strip(
        "> "
    )


def standing(page: bytes) -> list[list[str]]:
    """The cells of each row of the standing, without drawings."""
    body = result(page).decode().split('class="figures stand"')[1].split("<tbody>")[1].split("</tbody>")[0]
    rows = re.findall(r"<tr.*?</tr>", body, re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)[:-1] for row in rows]
    return [[text(f"<main>{cell}</main>".encode()).strip("> ") for cell in row] for row in cells]


def decisive(page: bytes) -> list[str]:
    """The highlighted numbers."""
    return re.findall(r'class="is-decisive">(\d+)', result(page).decode())


@pytest.fixture
def splendor(alice: User, bob: User) -> Game:
    game = tables.create(alice, tables.TableSpec("splendor", 2, audience="anyone"))
    tables.join(game, bob)
    game.refresh_from_db()
    return game


FIFTEEN = "3-white-04,3-blue-04,3-green-04"


POINTS = (
    "cards=3-white-04,3-blue-04,3-green-04,3-white-02",
    "cards=3-red-04,3-black-04,3-red-02",
)
TIED = ("cards=3-white-04,3-blue-04,3-green-04", "cards=3-red-04,3-black-04,3-red-02,1-red-08")
EVEN = ("cards=3-white-04,3-blue-04,3-white-02,1-white-08", "cards=3-red-04,3-black-04,3-red-02,1-red-08")
BOTH = "{first} and {second} share the victory, with 15 points each and the same number of cards."


@pytest.mark.parametrize(
    ("cards", "headlines", "leads", "ranks", "stands_out", "reason"),
    [
        (
            POINTS,
            ("You won by five", "You lost by five", "{first} won by five"),
            ("You won with 19 points.", "{first} won with 19 points."),
            ["1", "2"],
            ["19", "14"],
            "Most points.",
        ),
        (
            TIED,
            ("You won the tie-break", "You lost the tie-break", "{first} won the tie-break"),
            (
                "You won with 15 points and fewer cards than {second}.",
                "{first} won with 15 points and fewer cards than {second}.",
            ),
            ["1", "2"],
            ["15", "3", "15", "4"],
            "Fewer cards.",
        ),
        (
            EVEN,
            (
                "You and {second} share the victory",
                "You and {first} share the victory",
                "{first} and {second} share the victory",
            ),
            (BOTH, BOTH),
            ["1", "1"],
            ["15", "4", "15", "4"],
            "Equal points and cards.",
        ),
    ],
    ids=["points", "fewest cards", "shared"],
)
def test_splendor_results_address_their_reader_and_say_why(
    as_: As,
    splendor: Game,
    charlie: User,
    cards: tuple[str, str],
    headlines: tuple[str, str, str],
    leads: tuple[str, str],
    ranks: list[str],
    stands_out: list[str],
    reason: str,
) -> None:
    lines = {"seat 0": cards[0], "seat 1": cards[1], "to act": "1", "last round": "yes"}
    begins, ends = lay(splendor, lines)
    play.submit(splendor, play.Actor(ends), 0, ["take wug"])
    names = {"first": str(begins), "second": str(ends)}
    won, lost, told = headlines
    for reader, words, sentence in [
        (begins, won, leads[0]),
        (ends, lost, leads[1]),
        (charlie, told, leads[1]),
        (None, told, leads[1]),
    ]:
        page = as_(reader).get(address("table", splendor)).content
        assert (headline(page), lead(page)) == (words.format(**names), sentence.format(**names))
        assert [row[0] for row in standing(page)] == ranks
        assert decisive(page) == stands_out
        assert f"{reason} The player with the most points wins. On a tie," in text(page)
    page = as_(begins).get(address("table", splendor)).content
    assert standing(page)[0][1] == "You winner"
    assert "1 move in less than a minute, ended" in text(page)


@pytest.mark.parametrize(
    ("mine", "words", "verdict", "stands_out", "mark"),
    [
        (
            "cards=3-none-01,1-none-01,3-white-02,2-white-03 tokens=uuuup** reserved=2-none-01",
            "with 20 points.",
            ("You won by 20", "You lost by 20"),
            ["20", "0"],
            "20",
        ),
        (
            "cards=3-white-01,3-blue-01,3-green-01,3-red-01 royals=privilege,steal tokens=wwggggrrp "
            "reserved=3-black-01",
            "with ten crowns or more.",
            ("You won by crowns", "You lost by crowns"),
            ["10", "0"],
            "10",
        ),
        (
            "cards=3-white-01,3-white-02,2-white-04 royals=steal tokens=ggrrr reserved=1-white-05",
            "with ten points or more in one colour.",
            ("You won with one colour", "You lost to one colour"),
            ["10", "0"],
            "10",
        ),
    ],
    ids=["points", "crowns", "colour"],
)
def test_the_three_victories_of_duel_are_worded(
    as_: As, duel: Game, mine: str, words: str, verdict: tuple[str, str], stands_out: list[str], mark: str
) -> None:
    winner, loser = lay(duel, {"seat 0": mine, "board": "k.... ..... ..... ..... ....."})
    play.submit(duel, play.Actor(winner), 0, [f"buy {mine.rpartition('=')[2]}"])
    page = as_(winner).get(address("table", duel)).content
    assert (headline(page), lead(page)) == (verdict[0], f"You won {words}")
    assert re.search(r"<b>(\d+)</b>", result(page).decode())[1] == mark  # type: ignore[index]
    assert decisive(page) == stands_out
    page = as_(loser).get(address("table", duel)).content
    assert (headline(page), lead(page)) == (verdict[1], f"{winner} won {words}")


def test_a_resigned_game_has_a_result(as_: As, duel: Game, alice: User, bob: User, charlie: User) -> None:
    play.resign(duel, alice)
    pages = {reader: as_(reader).get(address("table", duel)).content for reader in (alice, bob, charlie)}
    read = {reader: (headline(page), lead(page)) for reader, page in pages.items()}
    assert read == {
        alice: ("You resigned", "bob won."),
        bob: ("You won", "alice resigned."),
        charlie: ("bob won", "alice resigned."),
    }
    page = as_(alice).get(address("table", duel)).content
    assert [row[:2] for row in standing(page)] == [["1", "bob winner"], ["2", "You resigned"]]
    assert decisive(page) == []


def test_nobody_is_to_act_after_a_player_resigns(as_: As, duel: Game, alice: User, bob: User) -> None:
    """This holds whether it was that player's turn or the other's."""
    for game in (duel, tables.create(alice, tables.TableSpec("splendor", 2))):
        if game is not duel:
            tables.join(game, bob)
        play.resign(game, alice)
        for reader in (alice, bob):
            assert play.look(game, reader).legal == []
            page = as_(reader).get(address("table", game)).content.decode()
            assert "Your turn" not in page
            assert "?draft=" not in page


def test_several_resigned_players_and_a_victory_shared_by_bots(as_: As, alice: User, bob: User, charlie: User) -> None:
    game = tables.create(alice, tables.TableSpec("splendor", 3))
    tables.join(game, bob)
    tables.join(game, charlie)
    play.resign(game, alice)
    play.resign(game, bob)
    page = as_(charlie).get(address("table", game)).content
    leavers = [str(seat) for seat in game.seat_set.order_by("index") if seat.resigned]
    assert (headline(page), lead(page)) == ("You won", f"{leavers[0]} and {leavers[1]} resigned.")
    other = as_(alice).get(address("table", game)).content
    assert (headline(other), lead(other)) == ("You resigned", "charlie won. bob resigned.")
    notes = [row[1] for row in standing(page)]
    assert notes[0] == "You winner"
    assert sorted(notes[1:]) == ["alice resigned; a bot played on", "bob resigned"]

    alone = tables.create(alice, tables.TableSpec("splendor", 3, bots=["greedy", "greedy"]))
    play.resign(alone, alice)
    page = as_(alice).get(address("table", alone)).content
    assert (headline(page), lead(page)) == ("You resigned", "Greedy bot 1 and Greedy bot 2 share the victory.")
    assert [row[:2] for row in standing(page)] == [
        ["1", "Greedy bot 1 winner"],
        ["1", "Greedy bot 2 winner"],
        ["3", "You resigned"],
    ]


def test_a_game_continued_by_a_bot_has_a_result(as_: As, alice: User, bob: User, charlie: User) -> None:
    game = tables.create(alice, tables.TableSpec("splendor", 3))
    tables.join(game, bob)
    tables.join(game, charlie)
    play.resign(game, alice)
    game.refresh_from_db()
    people = lay(game, {"seat 0": f"cards={FIFTEEN}", "seat 1": "cards=3-red-04", "to act": "2", "last round": "yes"})
    last = Seat.objects.get(game=game, index=2)
    play.submit(game, play.BOT if last.acting_bot else play.Actor(people[2]), 0, ["take wug"])
    page = as_(bob).get(address("table", game)).content
    assert "alice won" not in headline(page) + lead(page)
    assert "alice resigned." in text(result(page))
    assert standing(page)[-1][1] == "alice resigned; a bot played on"
    assert "alice resigned. A bot takes over for alice." in text(page)


def test_the_ledger_lists_incidents(as_: As, splendor: Game, alice: User) -> None:
    [mover, other] = [seat.user for seat in splendor.seat_set.select_related("user").order_by("index")]
    assert mover is not None
    writing.record(splendor, "bot_silent", 1)
    play.submit(splendor, play.Actor(mover), 0, ["take wug"])
    for _ in range(3):
        writing.record(splendor, "bot_failed", 1, bot="greedy", error="KeyError")
    page = as_(alice).get(address("table", splendor)).content
    read = text(page)
    told = "you" if other == alice else other
    assert read.count(f"The bot playing for {told} failed. Another bot took over.") == 1
    took = "1 You took" if mover == alice else f"1 {mover} took"
    assert read.index("failed. Another bot took over.") < read.index(took) < read.index("was too slow.")
    assert "KeyError" not in page.decode()


def test_every_kind_of_incident_is_shown() -> None:
    """The table's page shows who joined, left or declined, and why a table closed before its start."""
    sources = [getsource(import_module(module.name)) for module in walk_packages(services.__path__, "games.services.")]
    found = [re.findall(r'record\(game, "(\w+)"(?: if \w+ else "(\w+)")?', source) for source in sources]
    kinds = {kind for pairs in found for pair in pairs for kind in pair if kind}
    of_a_bot = {"bot_failed", "bot_silent"}
    of_time = {"timed_out", "overtime", "absent", "came_back", "abandoned"}
    of_pauses = {"asked_pause", "paused", "resumed", "gave_time", "asked_stop", "stopped"}
    of_the_open_table = {"joined", "left", "declined", "started"}
    assert kinds == {"resigned", "deleted"} | of_the_open_table | of_a_bot | of_time | of_pauses
    assert set(INCIDENTS) - {"took_over", "minded", "forfeited"} == kinds - of_the_open_table


@pytest.mark.parametrize("slug", TITLES)
def test_every_outcome_with_one_winner_is_worded_and_marked(slug: str) -> None:
    title = cast(TitleWords, import_module(f"games.wording.{slug}"))
    assert set(title.VICTORIES) == set(title.OUTCOMES) - {"shared"}
    assert set(title.VERDICTS) == set(title.OUTCOMES)
    assert {reason for column in title.STANDING for reason in column.decides} == set(title.OUTCOMES)


NUMBERS = re.compile(r">(\d+)</t[hd]>")


@pytest.mark.parametrize(("title", "seats"), [("splendor", 2), ("splendor", 4), ("duel", 2)])
def test_the_race_has_the_points_of_the_moves(as_: As, alice: User, bob: User, title: str, seats: int) -> None:
    game = deal(title, [alice, bob, person("clara"), person("dan")][:seats], 1)
    play_on(game, 1, 500)
    game.refresh_from_db()
    assert game.ending == Game.Ending.PLAYED
    page = result(as_(alice).get(address("table", game)).content).decode()
    rows = re.findall(r"<tr>(.*?)</tr>", page.split("The race in numbers")[1].split("</table>")[0], re.DOTALL)
    table = [list(map(int, NUMBERS.findall(row))) for row in rows[1:]]
    points, last, rounds = [0] * seats, -1, list[list[int]]()
    for move in game.move_set.order_by("number"):
        if move.seat < last:
            rounds.append([len(rounds) + 1, *points])
        points[move.seat] += move.points
        last = move.seat
    rounds.append([len(rounds) + 1, *points])
    assert table == rounds
    scores = list(game.seat_set.order_by("index").values_list("score", flat=True))
    assert table[-1][1:] == scores
    for chart in re.findall(r"<svg class=\"chart.*?</svg>", page, re.DOTALL):
        assert list(map(int, re.findall(r'class="end-points"[^>]*>(\d+)<', chart))) == scores
        marks = {"splendor": "noble", "duel": "royal"}[title]
        visits = [code for move in game.move_set.all() for code, _facts in move.events if code == marks]
        assert chart.count('class="mark"') == len(visits)
        heights = sorted(float(y) for y in re.findall(r'class="end-points" x="\d+" y="([\d.]+)"', chart))
        assert all(low - high > 17 for high, low in pairwise(heights))


def test_a_game_without_a_move_has_no_race(as_: As, duel: Game, alice: User) -> None:
    play.resign(duel, alice)
    page = result(as_(alice).get(address("table", duel)).content).decode()
    assert ("The race" in page, "Look back" in page) == (False, False)


def test_a_result_can_be_shared_unless_only_players_may_watch(as_: As, duel: Game, alice: User) -> None:
    play.resign(duel, alice)
    path = address("table", duel)
    link = f'href="{path}"\n hx-boost="false"\n data-share='
    assert link in as_(alice).get(path).content.decode()
    Game.objects.update(audience=Game.Audience.SEATS)
    assert "data-share" not in as_(alice).get(path).content.decode()


def test_the_page_explains_how_to_check_the_shuffle(as_: As, duel: Game, alice: User, bob: User, charlie: User) -> None:
    running = as_(charlie).get(address("table", duel)).content.decode()
    assert duel.commitment in running
    assert stored(duel).seed.hex() not in running
    play.resign(duel, bob)
    page = result(as_(charlie).get(address("table", duel)).content)
    command = f"python3 check_shuffle.py duel 2 {duel.commitment} {stored(duel).seed.hex()}"
    assert command in text(page)
    assert "Joined in this order alice and bob" in text(page)
    [file] = re.findall(r'href="(\S+?)"\s+download="check_shuffle.py"', page.decode())
    served = as_(None).get(file)
    assert b"".join(served.streaming_content).startswith(b'"""Checks the shuffle of a finished game')  # type: ignore[attr-defined]


def test_bots_of_one_kind_have_numbers(as_: As, alice: User, bob: User) -> None:
    game = tables.create(alice, tables.TableSpec("splendor", 4, bots=["greedy", "random", "greedy"]))
    names = [str(seat) for seat in Game.objects.with_seats().get(pk=game.pk).seat_set.all()]
    assert sorted(names) == ["Greedy bot 1", "Greedy bot 2", "Random bot", "alice"]
    assert names.index("Greedy bot 1") < names.index("Greedy bot 2")
    assert sorted(str(seat) for seat in Seat.objects.filter(game=game)) == sorted(names)
    page = text(as_(alice).get(address("table", game)).content)
    assert "Greedy bot 1" in page
    assert "Greedy bot 2" in page
