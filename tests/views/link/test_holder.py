"""The turn that a link can play, and the readers of its page."""

from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Game, Preferences, Seat
from games.services import play
from games.services.mailing import links
from tests.factories import As, actor, deal, lay, play_on
from tests.hidden import named
from tests.views.link.pages import board, legal, link, rows
from tests.views.reading import text

pytestmark = pytest.mark.django_db

# --- the turn ---


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


def test_a_link_opens_no_other_seat_or_game(alice: User, bob: User) -> None:
    """The link of a seat that is not to act, and one of another game at the same number."""
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
def test_a_link_cannot_play_after_its_turn(game: Game, headers: dict[str, str]) -> None:
    path, turn, user = link(game), game.turn_number, actor(game)
    while game.turn_number == turn:
        play_on(game, 1, 1)
        game.refresh_from_db()
    for _round in range(2):
        assert_closed(path, game, headers)
        # The link is also void in the next turn of the same player.
        while actor(game) != user:
            play_on(game, 1, 1)
    assert actor(game) == user
    assert_closed(path, game, headers)


def assert_closed(path: str, game: Game, headers: dict[str, str]) -> None:
    before = rows()
    game.refresh_from_db()
    for data in ({"number": game.number, "moves": legal(game)[0]}, {"number": 1, "moves": "x"}, {}):
        answer = Client().post(path, data, headers=headers)
        assert (answer.status_code, answer.get("HX-Redirect")) == ((200, f"{path}?late") if headers else (409, None))
        said = answer if not headers else Client().get(answer["HX-Redirect"])
        assert "too late" in text(said.content)
    answer = Client().get(path, headers=headers)
    assert (answer.status_code, answer.get("HX-Redirect")) == (200, path if headers else None)
    assert "<form" not in answer.content.decode()
    assert rows() == before


def test_the_result_of_a_last_move_by_link_has_not_been_seen(as_: As, alice: User, bob: User) -> None:
    game = deal("splendor", [alice, bob], 1)
    last = Seat.objects.get(game=game, index=1).user
    assert last is not None
    lay(game, last, mine="cards=3-white-04,3-blue-04,3-green-04", last_round="yes")
    Client().post(link(game), {"number": 0, "moves": "take wug"})
    assert list(Game.objects.unseen_by(last)) == [game]
    page = as_(last).get(reverse("mine"))
    assert "Finished and unseen" in text(page.content)


def test_a_link_cannot_play_after_resigning(alice: User, bob: User, charlie: User) -> None:
    two, three = deal("duel", [alice, bob], 1), deal("splendor", [alice, bob, charlie], 1)
    for game, status, words in ((two, 200, "The game is over."), (three, 410, "You resigned from this game.")):
        user, number, action = actor(game), game.number, legal(game)[0]
        path = link(game)
        play.resign(game, user)
        before = rows()
        answer = Client().get(path)
        assert (answer.status_code, words in text(answer.content)) == (status, True)
        assert Client().post(path, {"number": number, "moves": action}).status_code == 409
        assert rows() == before


def test_a_link_is_void_while_its_owner_wants_no_links(game: Game) -> None:
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


# --- readers ---


def test_a_link_logs_nobody_in(game: Game, as_: As, charlie: User) -> None:
    client = Client()
    client.get(link(game, legal(game)[0]), follow=True)
    client.post(link(game), {"number": game.number, "moves": legal(game)[0]}, follow=True)
    assert set(client.cookies) <= {"csrftoken"}
    assert client.get("/games/").status_code == 302


def test_a_link_shows_and_plays_its_own_seat_for_any_user(game: Game, as_: As, charlie: User) -> None:
    other = Seat.objects.exclude(index=game.to_act).get(game=game).user
    user, path, plain = actor(game), link(game), board(Client().get(link(game)).content)
    for reader in (charlie, other, user):
        client = as_(reader)
        assert board(client.get(path).content) == plain
    action, number = legal(game)[0], game.number
    assert as_(charlie).post(path, {"number": number, "moves": action}).status_code == 302
    move = game.move_set.get(number=number)
    assert (move.seat, move.actor) == (game.index_of(user), "link")
