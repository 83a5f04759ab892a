"""Turns played from mails: what a link shows, to whom, and that only a post plays."""

import html
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine
from django.apps import apps
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Move, Preferences, Seat
from games.services import links, play, tables
from tests.browser.positions import lay
from tests.conftest import person
from tests.views import positions
from tests.views.conftest import As
from tests.views.dealt import actor, deal, play_on, ruleset, state
from tests.views.reading import text
from tests.views.test_secrets import GAMES, hands, known, named, proofs

pytestmark = pytest.mark.django_db

QUIET = {"Cache-Control": "private, no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}
FORM = re.compile(r'name="number" value="(\d+)">\s*<input type="hidden" name="moves" value="([^"]+)"')


@pytest.fixture(autouse=True)
def still() -> Iterator[None]:
    """Pages that are compared show the same time left."""
    with time_machine.travel(datetime(2026, 5, 1, tzinfo=UTC), tick=False):
        yield


def to_act(game: Game) -> Seat:
    game.refresh_from_db()
    return Seat.objects.select_related("user").get(game=game, index=game.to_act)


def link(game: Game, action: str = "") -> str:
    """The path of a link of the seat to act."""
    return urlsplit(links.issue(game, to_act(game), action)).path


def legal(game: Game) -> list[str]:
    return [str(action) for action in play.look(game, actor(game)).legal]


def form(page: bytes) -> dict[str, str]:
    """What the one Confirm of the page posts; empty without one."""
    found = FORM.findall(page.decode())
    assert len(found) <= 2  # the same for both sizes of window
    return {"number": found[0][0], "moves": html.unescape(found[0][1])} if found else {}


def rows() -> dict[str, list[Any]]:
    """Everything that is stored, sessions too."""
    return {model._meta.label: list(model._default_manager.order_by("pk").values()) for model in apps.get_models()}


@pytest.fixture(params=TITLES)
def game(request: pytest.FixtureRequest, alice: User, bob: User) -> Game:
    """A game of each title, some turns after the start."""
    game = deal(request.param, [alice, bob], 5)
    play_on(game, 5, 9)
    game.refresh_from_db()
    return game


# --- the page ---


def test_it_stages_its_action_with_one_confirm_and_plays_nothing(game: Game) -> None:
    client, before = Client(), rows()
    for action in legal(game)[::5]:
        answer = client.get(link(game, action), follow=True)
        assert answer.status_code == 200
        assert answer.redirect_chain == [(answer.request["PATH_INFO"] + "?" + answer.request["QUERY_STRING"], 302)]
        assert form(answer.content) == {"number": str(game.number), "moves": action}
    assert rows() == before


def test_what_is_no_longer_possible_is_not_staged(game: Game) -> None:
    """Nor is what was meant for an earlier decision of the same turn."""
    first = link(game, "pass" if "pass" not in legal(game) else "take wug")
    assert form(Client().get(first, follow=True).content) == {}
    user, action = actor(game), legal(game)[0]
    late = link(game, action)
    Game.objects.filter(pk=game.pk).update(number=game.number + 1)
    answer = Client().get(late)
    assert (answer.status_code, "?" in answer["Location"]) == (302, False)
    assert actor(game) == user


def test_the_draft_can_be_taken_back_and_changed(game: Game) -> None:
    first, *_between, second = [text for text in legal(game) if text.startswith("take")]
    client = Client()
    staged = client.get(link(game, first), follow=True)
    path = staged.request["PATH_INFO"]
    assert 'href="?"' in staged.content.decode()
    assert form(client.get(path).content) == {}
    assert form(client.get(path, {"draft": second}).content)["moves"] == second


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_every_answer_keeps_the_address_to_itself(game: Game, headers: dict[str, str]) -> None:
    client, path, text = Client(), link(game), legal(game)[0]
    answers = [
        client.get(path, headers=headers),
        client.get(link(game, text), headers=headers),
        client.get(path, {"at": 1}, headers=headers),
        client.get("/m/forged/", headers=headers),
        client.options(path),
        client.post(path, {"number": game.number, "moves": "x"}, headers=headers),
        client.post(path, {"number": 1, "moves": "x"}, headers=headers),
        client.post(path, {"number": game.number, "moves": text}, headers=headers),
    ]
    while actor(game) == to_act(game).user and game.turn_number == links.read(path.split("/")[2]).turn:
        play_on(game, 1, 1)
    answers += [client.get(path), client.post(path, {"number": 1, "moves": "x"})]
    for answer in answers:
        assert {name: answer[name] for name in QUIET} == QUIET
        assert set(answer.cookies) <= {"csrftoken"}
    assert [answer.status_code for answer in answers[:7]] == [200, 302, 200, 404, 405, 422, 409]
    assert [answer.status_code for answer in answers[-2:]] == [200, 409]


def test_nothing_asks_for_news_or_leads_to_what_is_not_of_this_turn(game: Game) -> None:
    page = Client().get(link(game)).content.decode()
    assert "data-poll" not in page
    paths = {urlsplit(address).path for address in re.findall(r'(?:href|action)="([^"]*)"', page)}
    around = {path for path in paths if path and not path.startswith("/static/")}
    assert around == {"/", "/account/login/", link(game)}


def test_it_speaks_the_language_of_its_owner(game: Game) -> None:
    user = actor(game)
    user.language, user.time_zone = "fr", "Europe/Paris"
    user.save()
    answer = Client().get(link(game), headers={"Accept-Language": "en"})
    assert answer["Content-Language"] == "fr"


def test_looking_back_shows_what_the_seat_knew(game: Game, as_: As) -> None:
    seat = play.seat_of(game, actor(game))
    for number in (0, 4, game.number):
        page = Client().get(link(game), {"at": number}).content.decode()
        own = as_(actor(game)).get(f"/table/{game.key}/", {"at": number}).content.decode()
        assert named(page) == named(own)
    assert seat == game.to_act
    assert Client().get(link(game), {"at": game.number + 1}).status_code == 404


# --- nothing but a post plays ---


def test_links_are_opened_scanned_and_prefetched_and_nothing_changes(alice: User, bob: User) -> None:
    """Of positions of all kinds: the plain link and some that stage an action, with what they lead to."""
    client, rng, opened = Client(), Random(1), 0
    people = [alice, bob, person("dora"), person("emil")]
    for title in TITLES:
        found = list(positions.positions(title, 0))[:20]
        games = {seats: deal(title, people[:seats], 1) for seats in ruleset(deal(title, [alice, bob], 1)).seats}
        for position in found:
            game = games[len(position.players)]
            positions.put(game, position)
            choices = legal(game)
            before = rows()
            for action in ("", *rng.sample(choices, min(len(choices), 2))):
                path = link(game, action)
                answers = [
                    client.get(path, follow=True),
                    client.head(path, follow=True),
                    client.get(path, headers={"Sec-Purpose": "prefetch"}, follow=True),
                    client.get(path, headers={"Purpose": "prefetch", "X-Moz": "prefetch"}),
                    client.options(path),
                ]
                assert [answer.status_code for answer in answers[:3]] == [200] * 3
                assert all(set(answer.cookies) <= {"csrftoken"} for answer in answers)
                opened += 1
            assert rows() == before
    assert opened > 100


# --- playing ---


def test_a_post_plays_once(game: Game) -> None:
    client, number, seat = Client(), game.number, to_act(game)
    action = next(text for text in legal(game) if text.startswith("take"))
    path = link(game)
    answers = [client.post(path, {"number": number, "moves": action}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    [move] = Move.objects.filter(game=game, number__gte=number)
    assert (move.seat, move.actor, move.notation) == (seat.index, "link", action)
    other = client.post(path, {"number": number, "moves": "take x"})
    assert other.status_code == 409
    assert Move.objects.filter(game=game).count() == number + 1


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_turn_is_finished_from_one_link(alice: User, bob: User, headers: dict[str, str]) -> None:
    """What comes to light in between is shown, and asks for the next decision."""
    game = tables.create(alice, tables.Plan("splendor", 2))
    tables.join(game, bob)
    lay(game, alice, mine="tokens=wwuuggrrkk")
    client, path = Client(), link(game)
    first = client.post(path, {"number": 0, "moves": "reserve L2"}, headers=headers, follow=True)
    page = first.content.decode()
    assert first.status_code == 200
    assert "This turn so far" in page
    assert "drew" in text(f"<main{page}</main>".encode() if headers else first.content)
    assert ("<html" in page, page.count('id="table"')) == (not headers, 1)
    if headers:
        assert first["HX-Push-Url"] == path
    assert form(client.get(path, {"draft": "return w"}).content) == {"number": "1", "moves": "return w"}
    last = client.post(path, {"number": 1, "moves": "return w"}, headers=headers)
    there = last["HX-Redirect"] if headers else last["Location"]
    assert there == f"{path}?done"
    done = client.get(there)
    assert done.status_code == 200
    assert "Done" in text(done.content)
    assert "drew" not in text(done.content)
    assert [move.actor for move in game.move_set.all()] == ["link", "link"]


def test_the_answers_of_the_table(game: Game) -> None:
    """Too late, refused, malformed, in both forms; nothing changes."""
    client, path, before = Client(), link(game), rows()
    for headers in ({}, {"HX-Request": "true"}):
        for data, status, words in [
            ({"number": game.number, "moves": "take wwwwww"}, 422, ""),
            ({"number": game.number, "moves": "x;" * 400}, 422, ""),
            ({"number": "x", "moves": ""}, 422, ""),
            ({"number": 0, "moves": "take wug"}, 409, "The game has moved on"),
        ]:
            answer = client.post(path, data, headers=headers)
            assert answer.status_code == status
            page = answer.content.decode()
            assert page.count('role="alert"') == (1 if headers else 2)
            assert words in page
    assert rows() == before


def test_no_session_is_asked_for_a_post(game: Game) -> None:
    """The address is the secret: a browser that tells nobody where it comes from can post."""
    client = Client(enforce_csrf_checks=True)
    data = {"number": game.number, "moves": legal(game)[0]}
    assert client.post(link(game), data, headers={"Origin": "null"}).status_code == 302
    assert Move.objects.filter(game=game).count() == game.number + 1


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_who_posts_too_fast_is_asked_to_wait(game: Game, settings: Any, headers: dict[str, str]) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"decide": "2/m/user"}
    cache.clear()
    path, data = link(game), {"number": game.number, "moves": "x"}
    # However many browsers they do it from.
    assert [Client().post(path, data).status_code for _ in range(2)] == [422, 422]
    before = rows()
    answer = Client().post(path, {**data, "moves": legal(game)[0]}, headers=headers)
    assert (answer.status_code, answer["Retry-After"]) == (429, "60")
    assert "in a short while" in answer.content.decode()
    assert rows() == before
    assert Client().get(path).status_code == 200


# --- whose turn it is good for ---


def test_a_forged_link_leads_nowhere(game: Game) -> None:
    token = link(game).split("/")[2]
    other = urlsplit(links.issue(game, Seat.objects.exclude(index=game.to_act).get(game=game))).path.split("/")[2]
    mixed = f"{other.partition('.')[0]}.{token.partition('.')[2]}"
    before = rows()
    for text_ in (token[:-1], token[1:], "x", mixed, token.partition(".")[0], token.lower(), "%00", "é"):
        path = f"/m/{text_}/"
        for answer in (
            Client().get(path),
            Client().post(path, {"number": game.number, "moves": legal(game)[0]}),
            Client().get(path, headers={"HX-Request": "true"}),
        ):
            assert answer.status_code == 404
            assert named(answer.content.decode()) == set()
    assert rows() == before
    path = link(game)
    Game.objects.all().delete()
    assert Client().get(path).status_code == 404


def test_another_seat_and_another_game_stay_closed(alice: User, bob: User) -> None:
    """The link of a seat that is not to act, and of another game at the same number."""
    one, two = deal("splendor", [alice, bob], 1), deal("splendor", [alice, bob], 2)
    waiting = Seat.objects.exclude(index=one.to_act).get(game=one)
    idle = urlsplit(links.issue(one, waiting)).path
    data = {"number": 0, "moves": legal(one)[0]}
    before = rows()
    assert Client().post(idle, data).status_code == 409
    page = Client().get(idle)
    assert (page.status_code, named(page.content.decode())) == (200, set())
    assert rows() == before
    assert Client().post(link(two), {"number": 0, "moves": legal(two)[0]}).status_code == 302
    one.refresh_from_db()
    assert one.number == 0


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_after_its_turn_it_plays_no_more(game: Game, headers: dict[str, str]) -> None:
    path, turn, user = link(game), game.turn_number, actor(game)
    while game.turn_number == turn:
        play_on(game, 1, 1)
        game.refresh_from_db()
    for _round in range(2):
        assert_closed(path, game, headers)
        # Nor in the next turn of the same person.
        while actor(game) != user:
            play_on(game, 1, 1)
    assert actor(game) == user
    assert_closed(path, game, headers)


def assert_closed(path: str, game: Game, headers: dict[str, str]) -> None:
    before = rows()
    game.refresh_from_db()
    for data in ({"number": game.number, "moves": legal(game)[0]}, {"number": 1, "moves": "x"}, {}):
        answer = Client().post(path, data, headers=headers)
        assert (answer.status_code, answer.get("HX-Redirect")) == ((200, path) if headers else (409, None))
        if not headers:
            assert "too late" in text(answer.content)
    answer = Client().get(path, headers=headers)
    assert (answer.status_code, answer.get("HX-Redirect")) == (200, path if headers else None)
    assert "<form" not in answer.content.decode()
    assert rows() == before


def test_after_resigning_it_plays_no_more(alice: User, bob: User, charlie: User) -> None:
    two, three = deal("duel", [alice, bob], 1), deal("splendor", [alice, bob, charlie], 1)
    for game, status, words in ((two, 200, "The game is over."), (three, 410, "Who resigned plays no more.")):
        user, number, action = actor(game), game.number, legal(game)[0]
        path = link(game)
        play.resign(game, user)
        before = rows()
        answer = Client().get(path)
        assert (answer.status_code, words in text(answer.content)) == (status, True)
        assert Client().post(path, {"number": number, "moves": action}).status_code == 409
        assert rows() == before


def test_while_its_owner_wants_none_it_plays_nothing(game: Game) -> None:
    path = link(game)
    Preferences.objects.create(user=actor(game), links=False)
    before = rows()
    for answer in (Client().get(path), Client().post(path, {"number": game.number, "moves": legal(game)[0]})):
        assert answer.status_code == 410
        assert named(answer.content.decode()) == set()
        assert "This link is switched off" in text(answer.content)
    answer = Client().post(path, {"number": game.number, "moves": legal(game)[0]}, headers={"HX-Request": "true"})
    assert (answer.status_code, answer["HX-Redirect"]) == (200, path)
    assert rows() == before


def test_the_page_of_a_turn_that_is_over_leads_to_the_table(game: Game, as_: As, charlie: User) -> None:
    path, user, turn = link(game), actor(game), game.turn_number
    while game.turn_number == turn:
        play_on(game, 1, 1)
        game.refresh_from_db()
    table = f"/table/{game.key}/"
    for reader, address in ((None, f"?next={table}"), (charlie, f"?next={table}"), (user, f'href="{table}"')):
        page = as_(reader).get(path).content.decode()
        assert page.count(address) == 1


# --- who reads it ---


def test_nobody_is_logged_in_by_it(game: Game, as_: As, charlie: User) -> None:
    client = Client()
    client.get(link(game, legal(game)[0]), follow=True)
    client.post(link(game), {"number": game.number, "moves": legal(game)[0]}, follow=True)
    assert set(client.cookies) <= {"csrftoken"}
    assert client.get("/games/").status_code == 302


def test_whoever_is_logged_in_sees_and_plays_the_seat_of_the_link(game: Game, as_: As, charlie: User) -> None:
    other = Seat.objects.exclude(index=game.to_act).get(game=game).user
    user, path, plain = actor(game), link(game), board(Client().get(link(game)).content)
    for reader in (charlie, other, user):
        client = as_(reader)
        assert board(client.get(path).content) == plain
    action, number = legal(game)[0], game.number
    assert as_(charlie).post(path, {"number": number, "moves": action}).status_code == 302
    move = game.move_set.get(number=number)
    assert (move.seat, move.actor) == (play.seat_of(game, user), "link")


# --- secrets ---


def board(page: bytes) -> str:
    """The board without the addresses of the page that it is on."""
    region = page.decode().split('<div id="board"', 1)[1].split("</main>", 1)[0].split('<nav class="replay', 1)[0]
    return re.sub(r'action="[^"]*"|name="csrfmiddlewaretoken" value="\w+"', "", region)


@pytest.fixture(params=GAMES, ids=str)
def secretive(request: pytest.FixtureRequest) -> Iterator[Game]:
    """At least two seats hold a card that nobody else knows, and one of them is to act."""
    title, seats, decisions = request.param
    people = [person(name) for name in ("alice", "bob", "dora", "emil")[:seats]]
    for seed in range(1000):
        game = deal(title, people, seed)
        play_on(game, seed, decisions)
        hidden = [any(held.blind for held in hand) for hand in hands(state(game))]
        if game.is_active and sum(hidden) > 1 and hidden[game.to_act or 0]:
            yield game
            return
        game.delete()
    raise AssertionError


def test_it_shows_what_the_seat_may_know_and_no_more(as_: As, secretive: Game) -> None:
    user, expected = actor(secretive), known(secretive, state(secretive), secretive.to_act)
    assert expected > known(secretive, state(secretive), None)
    path = link(secretive)
    rng = Random(2)
    queries = [{}, {"ledger": "all"}, {"draft": "reserve L1"}, {"card": sorted(expected)[0]}]
    queries += [{"draft": action} for action in rng.sample(legal(secretive), 4)]
    for query in queries:
        for headers in ({}, {"HX-Request": "true"}):
            page = Client().get(path, query, headers=headers).content
            own = as_(user).get(f"/table/{secretive.key}/", query, headers=headers).content
            assert named(page.decode()) == named(own.decode()) == expected
            assert proofs(secretive, page.decode()) == {"commitment"}
            if not headers:
                assert board(page) == board(own)


def test_an_old_link_shows_what_anybody_was_shown(secretive: Game) -> None:
    user, turn, seat = actor(secretive), secretive.turn_number, to_act(secretive)
    path = link(secretive)
    reserves = [text for text in legal(secretive) if text.startswith("reserve L")]
    play.submit(secretive, play.Actor(user), secretive.number, (reserves or legal(secretive))[:1])
    while secretive.is_active and secretive.turn_number == turn:
        play_on(secretive, 1, 1)
        secretive.refresh_from_db()
    moves = [move for move in secretive.move_set.filter(number__gte=turn).order_by("number") if move.seat == seat.index]
    page = Client().get(path).content
    assert named(page.decode()) == set()
    assert proofs(secretive, page.decode()) == set()
    assert "drew" not in text(page)
    assert len(re.findall(r"<li>", page.decode())) == len(moves)


# --- cost ---


def test_it_costs_the_same_however_long_the_game(alice: User, bob: User) -> None:
    people = [alice, bob, person("clara"), person("dan")]

    def cost(path: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert Client().get(path).status_code == 200
        return len(queries)

    found = set()
    for number, (title, seats) in enumerate([("splendor", 2), ("splendor", 4), ("duel", 2)]):
        game = deal(title, people[:seats], number)
        for decisions in (10, 30):
            play_on(game, number, decisions)
            path, watched = link(game), cost(f"/table/{game.key}/")
            found.add((watched, cost(path), cost(f"{path}?ledger=all")))
            draft, done = link(game, legal(game)[0]), game.turn_number
            while game.turn_number == done:
                play_on(game, 1, 1)
                game.refresh_from_db()
            # The game, its seats, what its owner wants, the moves.
            assert cost(path) == cost(draft) == 4
    # What the owner wants, beside what a spectator costs.
    [(watched, *costs)] = found
    assert costs == [watched + 1] * 2
