"""The match history: which games it lists, how the filters of its address narrow it, and what each row says."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from accounts.services import create_guest
from games.models import Act, Game, Seat
from games.pages import keyset
from games.services import play
from games.services.clocks.moment import ago
from games.services.tables import tables
from games.services.tables.tables import TableSpec
from tests.factories import START, As, at, begun, deal, person, play_until, play_well
from tests.views.reading import address, text

pytestmark = pytest.mark.django_db
HISTORY = "/games/finished/"
Pair = tuple[int, int]


def won_by(winner: User, *others: User, title: str = "duel", **spec: Any) -> Game:
    """A game that ends because the others resign."""
    game = begun([winner, *others], title, **spec)
    for user in others:
        play.resign(game, user)
        game.refresh_from_db()
    return game


def listed(page: bytes) -> list[str]:
    """The visible rows of a page."""
    found = re.findall(r'<li class="row-finished.*?</li>', page.decode(), re.DOTALL)
    return [text(f"<main>{row}</main>".encode()) for row in found]


def beside(page: bytes, rel: str) -> str:
    """The query of the page before (`prev`) or after (`next`) that one."""
    found = re.search(rf'rel="{rel}"\s+href="([^"]*)"', page.decode())
    assert found
    return unescape(found[1])


def test_my_finished_games_are_listed_with_the_newest_first(as_: As, alice: User, bob: User, charlie: User) -> None:
    with ago(timedelta(days=40)):
        won_by(alice, charlie)
    with ago(timedelta(days=9)):
        won_by(bob, alice)
    newest = won_by(alice, person("dora"), name="Sunday duel")
    begun([alice, bob])
    tables.create(alice, TableSpec("duel", 2))
    won_by(bob, charlie)
    page = as_(alice).get(HISTORY).content
    found = listed(page)
    assert [next(name for name in ("bob", "charlie", "dora") if name in row) for row in found] == [
        "dora",
        "bob",
        "charlie",
    ]
    assert "dora Sunday duel You 0 dora 0 Won dora resigned." in found[0]
    assert "Lost You resigned" in found[1]
    assert f'href="{address("table", newest)}"' in page.decode()
    assert listed(as_(charlie).get(HISTORY).content)[0].count("bob") == 2
    assert as_(None).get(HISTORY).status_code == 302


def test_a_row_leads_to_the_result_and_to_the_way_back(as_: As, alice: User, bob: User) -> None:
    game = deal("splendor", [alice, bob], 3)
    play_until(game, 20)
    play_well(game, 1, 60)
    page = as_(alice).get(HISTORY).content
    [row] = listed(page)
    links = set(re.findall(r'href="([^"]+)"', page.decode()))
    assert {address("table", game), f"{address('table', game)}?at=0"} <= links
    mine, other = game.seat_set.get(user=alice), game.seat_set.get(user=bob)
    assert f"You {mine.score} bob {other.score} {'Won' if mine.won else 'Lost'}" in row
    assert re.search(r"By \d+ points?\.", row)
    # Without a decision there is nothing to look back at.
    Game.objects.update(number=0)
    assert "?at=0" not in as_(alice).get(HISTORY).content.decode()


@pytest.mark.parametrize(
    ("title", "reason", "scores", "winners", "words"),
    [
        ("splendor", "prestige", (15, 14), (True, False), "Won By 1 point."),
        ("splendor", "prestige", (15, 18), (False, True), "Lost By 3 points."),
        ("splendor", "fewest_cards", (15, 15), (True, False), "Won Fewer cards."),
        ("splendor", "shared", (15, 15), (True, True), "Shared Equal points and cards."),
        ("duel", "crowns", (9, 11), (True, False), "Won 10 crowns."),
        ("duel", "", (9, 11), (False, True), "Lost By 2 points."),
        ("duel", "", (9, 9), (False, True), "Lost"),
    ],
)
def test_a_row_says_what_decided_the_game(
    as_: As, alice: User, bob: User, title: str, reason: str, scores: Pair, winners: Pair, words: str
) -> None:
    won_by(alice, bob, title=title)
    Game.objects.update(ending=Game.Ending.PLAYED, reason=reason)
    for user, score, is_won in zip((alice, bob), scores, winners, strict=True):
        Seat.objects.filter(user=user).update(score=score, won=is_won, resigned=False)
    [row] = listed(as_(alice).get(HISTORY).content)
    assert row.removesuffix(" Look back").endswith(words)


def test_the_reason_is_kept_when_a_game_is_played_to_its_end(alice: User, bob: User) -> None:
    game = deal("duel", [alice, bob], 3)
    play_until(game, 20)
    play_well(game, 1, 60)
    assert (game.ending, game.reason) == ("played", play.outcome(game).reason)
    assert won_by(alice, bob).reason == ""


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, "abcd"),
        ({"title": "duel"}, "ab"),
        ({"title": "splendor", "seats": "3"}, "d"),
        ({"seats": "2"}, "abc"),
        ({"against": "bo"}, "ad"),
        ({"against": " BOB "}, "ad"),
        ({"against": "alice"}, ""),
        ({"against": "%"}, ""),
        ({"against": "bob", "result": "lost"}, "a"),
        ({"result": "won"}, "bc"),
        ({"result": "shared"}, "d"),
        ({"ending": "resigned"}, "abd"),
        ({"ending": "played"}, "c"),
        ({"pace": "none"}, "b"),
        ({"since": "2026-05-06"}, "cd"),
        ({"until": "2026-05-06"}, "abc"),
        ({"since": "2026-05-05", "until": "2026-05-05"}, "b"),
        ({"rated": "yes"}, "acd"),
        ({"rated": "no"}, "b"),
        ({"page": "3"}, "abcd"),
    ],
    ids=str,
)
def test_the_address_holds_the_filters(
    as_: As, alice: User, bob: User, charlie: User, query: Mapping[str, str], found: str
) -> None:
    dora = person("dora")
    with at(START):
        won_by(bob, alice, name="a")
    with at(START + timedelta(days=1)):
        won_by(alice, charlie, name="b", pace="none")
    with at(START + timedelta(days=2)):
        Game.objects.filter(pk=won_by(alice, charlie, name="c", title="splendor").pk).update(ending="played")
    with at(START + timedelta(days=3)):
        shared = won_by(alice, bob, dora, name="d", title="splendor")
        shared.seat_set.filter(user__in=[alice, bob]).update(won=True, resigned=False)
    page = as_(alice).get(HISTORY, query).content
    names = re.findall(r"<small>([abcd])</small>", page.decode())
    assert "".join(sorted(names)) == found
    assert "left out" not in text(page)
    if not found:
        assert "No games match." in text(page)


def test_a_day_begins_at_midnight_of_the_reader(as_: As, alice: User, bob: User) -> None:
    with at(datetime(2026, 5, 5, 22, 30, tzinfo=UTC)):
        won_by(alice, bob)
    for zone, day in (("Europe/Paris", "2026-05-06"), ("America/New_York", "2026-05-05")):
        User.objects.update(time_zone=zone)
        client = as_(alice)
        assert len(listed(client.get(HISTORY, {"since": day, "until": day}).content)) == 1
        assert listed(client.get(HISTORY, {"since": "2026-05-07"}).content) == []


@pytest.mark.parametrize(
    ("name", "label"),
    [("title", "Game"), ("seats", "Players"), ("result", "Result"), ("ending", "How it ended"), ("pace", "Pace"),
     ("since", "From"), ("until", "Until"), ("against", "Against")],
)  # fmt: skip
@pytest.mark.parametrize("value", ["chess", "-1", "9" * 500, "0001-01-01", "9999-12-31", "\0", "<b>"])
def test_unknown_values_are_left_out_and_named(
    as_: As, alice: User, bob: User, name: str, label: str, value: str
) -> None:
    won_by(alice, bob)
    answer = as_(alice).get(HISTORY, {name: value})
    assert answer.status_code == 200
    if name == "against" and len(value) < 40 and value != "\0":
        assert listed(answer.content) == []
    else:
        assert f"Some filters have unknown values and were left out: {label}." in text(answer.content)
        assert len(listed(answer.content)) == 1


def test_the_list_is_split_into_pages_that_keep_the_filters(as_: As, alice: User, bob: User, charlie: User) -> None:
    for _ in range(21):
        won_by(alice, bob)
    won_by(alice, charlie)
    client = as_(alice)
    first = client.get(HISTORY, {"against": "bob"}).content
    assert len(listed(first)) == 20
    assert "Newer" not in text(first)
    second = client.get(HISTORY + beside(first, "next")).content
    [row] = listed(second)
    assert "bob" in row
    assert "Older" not in text(second)
    assert listed(client.get(HISTORY + beside(second, "prev")).content) == listed(first)
    edges = ("0001-01-01T00:00:00+14:00.5", "9999-12-31T23:59:59-14:00.5")
    for wrong in ("0", "x", "2026-11-23.7", "2026-13-40T12:00:00Z.7", "2026-05-04T12:00:00Z.-1", "9" * 500, *edges):
        assert listed(client.get(HISTORY, {"older": wrong, "against": "bob"}).content) == listed(first)


def test_games_that_end_at_the_same_instant_are_each_on_one_page(as_: As, alice: User, bob: User) -> None:
    with at(START):
        keys = {won_by(alice, bob).key for _ in range(22)}
    client = as_(alice)
    first = client.get(HISTORY).content
    second = client.get(HISTORY + beside(first, "next")).content
    shown = [re.findall(r"/table/(\w+)/\"", page.decode()) for page in (first, second)]
    assert ({*shown[0]} | {*shown[1]}, len(shown[0]), len(shown[1])) == (keys, 20, 2)


def test_a_search_looks_at_a_part_of_the_games_and_goes_on(
    as_: As, alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each page looks at seven games; two of the fifteen match, the fourth and the last."""
    monkeypatch.setattr(keyset, "LOOKED", 7)
    for day in range(15):
        with at(START + timedelta(days=day)):
            won_by(alice, charlie if day in (0, 11) else bob)
    client = as_(alice)
    assert len(listed(client.get(HISTORY).content)) == 15
    pages = [client.get(HISTORY, {"against": "charlie"}).content]
    while 'rel="next"' in pages[-1].decode():
        pages.append(client.get(HISTORY + beside(pages[-1], "next")).content)
    assert [len(listed(page)) for page in pages] == [1, 0, 1]
    assert "Searched back to Tue 12 May 2026. There are more games to search." in text(pages[0])
    assert "None of these games match." in text(pages[1])
    assert "more games to search" not in text(pages[2])
    back = client.get(HISTORY + beside(pages[2], "prev")).content
    assert listed(back) == []
    assert listed(client.get(HISTORY + beside(back, "prev")).content) == listed(pages[0])


def test_people_with_an_account_are_offered_the_archive(as_: As, alice: User) -> None:
    for user, is_offered in ((alice, True), (create_guest(), False)):
        main = as_(user).get(HISTORY).content.decode().split("<main", 1)[1]
        assert (reverse("archive") in main) == is_offered


def test_a_whole_name_finds_nobody_with_a_longer_one(as_: As, alice: User, bob: User) -> None:
    won_by(alice, bob)
    won_by(alice, person("bobby"))
    for sought, number in (("bob", 1), ("BOB", 1), ("bobby", 1), ("bo", 2)):
        assert len(listed(as_(alice).get(HISTORY, {"against": sought}).content)) == number


def test_the_case_of_any_letter_is_ignored(as_: As, alice: User) -> None:
    won_by(alice, person("Éloïse"))
    for sought in ("éloïse", "élo", "ÉLO"):
        assert len(listed(as_(alice).get(HISTORY, {"against": sought}).content)) == 1


def test_a_voided_game_says_that_it_counts_for_nobody(as_: As, alice: User, bob: User) -> None:
    game, _other = won_by(alice, bob), won_by(alice, bob)
    Act.objects.create(kind=Act.Kind.VOIDED, user=alice, game=game, at=START)
    marked = ["It doesn’t count." in row for row in listed(as_(alice).get(HISTORY).content)]
    assert marked == [False, True]
