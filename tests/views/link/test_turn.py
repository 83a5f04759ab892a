"""Playing a turn from a mail: its link opens a page, and only a post plays."""

import re
from functools import partial
from itertools import groupby, islice
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Move
from games.services.mailing import links
from games.services.tables import tables
from tests.factories import As, actor, deal, kind, lay, person, play_on, positions, put, ruleset
from tests.hidden import named
from tests.views.link.pages import QUIET, form, legal, link, rows, to_act
from tests.views.reading import text

pytestmark = pytest.mark.django_db

# --- the page ---


def test_a_link_stages_its_action_and_plays_nothing(game: Game) -> None:
    client, before = Client(), rows()
    for action in legal(game)[::5]:
        answer = client.get(link(game, action), follow=True)
        assert answer.status_code == 200
        assert answer.redirect_chain == [(answer.request["PATH_INFO"] + "?" + answer.request["QUERY_STRING"], 302)]
        assert form(answer.content) == {"number": str(game.number), "moves": action}
    assert rows() == before


def test_an_impossible_action_is_not_staged(game: Game) -> None:
    """An action meant for an earlier decision of the same turn is not staged either."""
    first = link(game, "pass" if "pass" not in legal(game) else "take wug")
    assert form(Client().get(first, follow=True).content) == {}
    user, action = actor(game), legal(game)[0]
    late = link(game, action)
    Game.objects.filter(pk=game.pk).update(number=game.number + 1)
    answer = Client().get(late)
    assert (answer.status_code, "?" in answer["Location"]) == (302, False)
    assert actor(game) == user


def test_the_draft_can_be_undone_and_changed(game: Game) -> None:
    first, *_between, second = [text for text in legal(game) if text.startswith("take")]
    client = Client()
    staged = client.get(link(game, first), follow=True)
    path = staged.request["PATH_INFO"]
    assert 'href="?"' in staged.content.decode()
    assert form(client.get(path).content) == {}
    assert form(client.get(path, {"draft": second}).content)["moves"] == second


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_no_answer_reveals_the_address(game: Game, headers: dict[str, str]) -> None:
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


def test_the_page_neither_polls_nor_leads_to_personal_pages(game: Game) -> None:
    page = Client().get(link(game)).content.decode()
    assert "data-poll" not in page
    paths = {urlsplit(address).path for address in re.findall(r'(?:href|action)="([^"]*)"', page)}
    around = {path for path in paths if path and not path.startswith("/static/")}
    # The help, the page about privacy and the manifest are for everybody.
    public = {f"/help/{game.title}/", "/privacy/", "/manifest.webmanifest"}
    assert around == {"/", "/account/login/", link(game), *public}


def test_the_page_is_in_the_language_of_its_owner(game: Game) -> None:
    user = actor(game)
    user.language, user.time_zone = "fr", "Europe/Paris"
    user.save()
    answer = Client().get(link(game), headers={"Accept-Language": "en"})
    assert answer["Content-Language"] == "fr"


def test_looking_back_shows_what_the_seat_knew(game: Game, as_: As) -> None:
    seat = game.index_of(actor(game))
    for number in (0, 4, game.number):
        page = Client().get(link(game), {"at": number}).content.decode()
        own = as_(actor(game)).get(f"/table/{game.key}/", {"at": number}).content.decode()
        assert named(page) == named(own)
    assert seat == game.to_act
    assert Client().get(link(game), {"at": game.number + 1}).status_code == 404


# --- only a post plays ---


@pytest.mark.parametrize("each", [1, pytest.param(20, marks=pytest.mark.long)], ids=["short", "long"])
def test_opening_scanning_and_prefetching_links_changes_nothing(each: int, alice: User, bob: User) -> None:
    """Opens the plain link and some that stage an action, at up to `each` positions of every kind."""
    client, rng, opened = Client(), Random(1), 0
    people = [alice, bob, person("dora"), person("emil")]
    for title in TITLES:
        kinds = groupby(positions(title, 0), partial(kind, title))
        found = [position for _kind, some in kinds for position in islice(some, each)]
        games = {seats: deal(title, people[:seats], 1) for seats in ruleset(deal(title, [alice, bob], 1)).seats}
        for position in found:
            game = games[len(position.players)]
            put(game, position)
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
    assert opened > (100 if each > 1 else 30)


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
    """After a reveal the page shows the new card and asks for the next decision."""
    game = tables.create(alice, tables.TableSpec("splendor", 2))
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
        assert first["HX-Replace-Url"] == path
    assert form(client.get(path, {"draft": "return w"}).content) == {"number": "1", "moves": "return w"}
    last = client.post(path, {"number": 1, "moves": "return w"}, headers=headers)
    there = last["HX-Redirect"] if headers else last["Location"]
    assert there == f"{path}?done"
    done = client.get(there)
    assert done.status_code == 200
    assert "Move played" in text(done.content)
    assert "drew" not in text(done.content)
    assert [move.actor for move in game.move_set.all()] == ["link", "link"]


def test_bad_posts_get_the_same_answers_as_at_the_table(game: Game) -> None:
    """Stale, illegal and malformed posts, with and without htmx, change nothing."""
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


def test_a_post_needs_no_session(game: Game) -> None:
    """The address is the secret, so browsers that send no referrer can post."""
    client = Client(enforce_csrf_checks=True)
    data = {"number": game.number, "moves": legal(game)[0]}
    assert client.post(link(game), data, headers={"Origin": "null"}).status_code == 302
    assert Move.objects.filter(game=game).count() == game.number + 1


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_posting_too_fast_is_refused_for_a_while(game: Game, settings: Any, headers: dict[str, str]) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"decide": "2/m/user"}
    cache.clear()
    path, data = link(game), {"number": game.number, "moves": "x"}
    # The limit counts over all browsers.
    assert [Client().post(path, data).status_code for _ in range(2)] == [422, 422]
    before = rows()
    answer = Client().post(path, {**data, "moves": legal(game)[0]}, headers=headers)
    assert (answer.status_code, answer["Retry-After"]) == (429, "60")
    assert "Too many requests" in answer.content.decode()
    assert rows() == before
    assert Client().get(path).status_code == 200
