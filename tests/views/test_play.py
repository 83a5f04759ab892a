"""The table of a running game: views, permissions and answers."""

import re
from html import unescape
from random import Random
from typing import Any
from urllib.parse import quote_plus

import pytest
from django.test import Client

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Move, Seat
from games.models.position import Position
from games.services import play
from games.services.tables import tables
from games.services.work import thinking

pytestmark = pytest.mark.django_db


def client_of(user: User | None) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    return client


def address(game: Game) -> str:
    return f"/table/{game.key}/"


def to_act(game: Game) -> User:
    seat = Seat.objects.get(game=game, index=game.to_act)
    assert seat.user is not None
    return seat.user


def legal(game: Game) -> list[str]:
    return [str(action) for action in play.look(game, to_act(game)).legal]


def post(client: Client, game: Game, number: Any, moves: Any, **headers: str) -> Any:
    return client.post(address(game), {"number": number, "moves": moves}, headers=headers)


@pytest.fixture(params=TITLES)
def game(request: pytest.FixtureRequest, alice: User, bob: User) -> Game:
    """A game of each title in which both players have blind reserves."""
    game = tables.create(alice, tables.TableSpec(request.param, 2, audience="anyone"))
    tables.join(game, bob)
    while game.number < 2:
        blind = [text for text in legal(game) if text.startswith("reserve L")]
        play.submit(game, play.Actor(to_act(game)), game.number, blind[:1])
    return game


def test_the_player_to_act_confirms_and_returns_to_the_table(game: Game) -> None:
    text = legal(game)[0]
    response = post(client_of(to_act(game)), game, 2, text)
    assert (response.status_code, response.url) == (302, address(game))
    assert Move.objects.get(number=2).notation == text


def test_with_htmx_the_answer_is_only_the_region(game: Game) -> None:
    client, text = client_of(to_act(game)), legal(game)[0]
    response = post(client, game, 2, text, HX_Request="true")
    page = response.content.decode()
    assert response.status_code == 200
    assert response["HX-Replace-Url"] == address(game)
    assert page.count('id="table"') == page.count('id="turn"') == page.count('id="board"') == 1
    assert "<html" not in page


def test_a_late_decision_shows_the_table_as_it_is(game: Game) -> None:
    client, (first, second) = client_of(to_act(game)), legal(game)[:2]
    post(client, game, 2, first)
    response = post(client, game, 2, second)
    assert response.status_code == 409
    assert "The game has moved on" in response.content.decode()
    assert Move.objects.count() == 3
    assert post(client, game, 2, first).status_code == 302
    assert Move.objects.count() == 3


def test_a_refused_decision_says_why_and_keeps_the_legal_part_of_the_draft(game: Game) -> None:
    client, text = client_of(to_act(game)), legal(game)[0]
    response = post(client, game, 2, f"{text};take wwwwww")
    assert response.status_code == 422
    alert = response.content.decode().rpartition('role="alert"')[2]
    assert alert.startswith(">\n Your turn ends before the last of these actions. Leave out the rest.")
    assert re.findall(r'name="moves"\s+value="([^"]*)"', alert) == [text]
    assert Move.objects.count() == 2


@pytest.mark.parametrize(
    ("number", "moves"),
    [
        ("", ""),
        ("x", "take wug"),
        (-1, "take wug"),
        (2, ""),
        (2, ";;;"),
        (2, "x" * 601),
        (2, "\x00"),
        (2, "take \ud7ff" + "é" * 40),
        ("9" * 30, "pass"),
        (2, ["take wug", "pass"]),
    ],
)
def test_bad_input_gets_a_clear_message_and_changes_nothing(game: Game, number: Any, moves: Any) -> None:
    before = list(Game.objects.values())
    response = post(client_of(to_act(game)), game, number, moves)
    assert response.status_code == 422
    assert 'role="alert"' in response.content.decode()
    assert list(Game.objects.values()) == before


def test_only_the_player_to_act_decides(game: Game, charlie: User) -> None:
    text = legal(game)[0]
    other = game.seat_set.exclude(index=game.to_act).get().user
    for user in (other, charlie, None):
        assert post(client_of(user), game, 2, text).status_code == 404
    assert Move.objects.count() == 2


@pytest.mark.parametrize(("audience", "seen"), [("anyone", 200), ("link", 200), ("seats", 404)])
def test_the_audience_of_a_table_is_enforced(game: Game, charlie: User, audience: str, seen: int) -> None:
    Game.objects.update(audience=audience)
    for user in (charlie, None):
        for path in (address(game), f"{address(game)}?at=1", f"{address(game)}poll/"):
            assert client_of(user).get(path).status_code == seen
    assert client_of(to_act(game)).get(address(game)).status_code == 200


def test_pages_of_a_game_are_private_and_never_stored(game: Game) -> None:
    client = client_of(to_act(game))
    for path in (address(game), f"{address(game)}?at=1", f"{address(game)}poll/?version=0"):
        assert set(client.get(path)["Cache-Control"].split(", ")) == {"private", "no-store"}


def test_the_poll_answers_204_until_something_is_new(game: Game) -> None:
    other = game.seat_set.exclude(index=game.to_act).get().user
    client, path = client_of(other), f"{address(game)}poll/?version="
    game.refresh_from_db()
    quiet = client.get(f"{path}{game.version}", headers={"HX-Request": "true"})
    assert (quiet.status_code, quiet.content, quiet["X-Poll-After"]) == (204, b"", "1.5")
    play.submit(game, play.Actor(to_act(game)), 2, legal(game)[:1])
    news = client.get(f"{path}{game.version - 1}", headers={"HX-Request": "true"})
    assert news.status_code == 200
    assert 'id="table"' in news.content.decode()
    for text in ("x", "", "9" * 40):
        assert client.get(f"{path}{text}").status_code == 200


def test_looking_back_shows_every_position_and_nothing_beyond(game: Game) -> None:
    client = client_of(to_act(game))
    for number in (0, 1, 2):
        response = client.get(f"{address(game)}?at={number}")
        page = response.content.decode()
        assert response.status_code == 200
        assert f"<b>{number}</b> of 2" in page
        assert 'method="post" action' not in page.partition('id="board"')[2].partition('class="replay')[0]
    for text in ("3", "-1", "x", "", "9" * 10, "٣"):
        assert client.get(f"{address(game)}", {"at": text}).status_code == 404


def test_a_draft_survives_the_whole_ledger_and_looking_back(game: Game) -> None:
    client, [draft, *_others] = client_of(to_act(game)), legal(game)
    query = f"draft={quote_plus(draft)}"
    page = client.get(f"{address(game)}?{query}").content.decode()
    links = [unescape(found) for found in re.findall(r'href="(\?at=[^"]*)"', page)]
    assert links
    assert all(link.endswith(f"&{query}") for link in links)
    back = unescape(client.get(address(game) + links[0]).content.decode())
    [home] = re.findall(r'href="([^"]*)"\s+data-key="Escape"', back)
    assert home == f"{address(game)}?{query}"
    assert f'name="draft" value="{draft}"' in back
    assert re.search(rf'href="\?at=0&{re.escape(query)}"', back)


def test_a_poll_keeps_the_whole_ledger_open(game: Game) -> None:
    client = client_of(to_act(game))
    assert "&amp;ledger=all" in client.get(f"{address(game)}?ledger=all").content.decode()
    assert "ledger=all" not in client.get(address(game)).content.decode()


def test_a_finished_game_shows_its_result_and_its_seed(alice: User) -> None:
    game = tables.create(alice, tables.TableSpec("duel", 2, bots=["greedy"], audience="anyone"))
    rng = Random(7)
    client = client_of(alice)
    while game.status == Game.Status.ACTIVE:
        if Seat.objects.get(game=game, index=game.to_act).acting_bot:
            thinking.think(game.pk)
        else:
            post(client, game, game.number, rng.choice(legal(game)))
        game.refresh_from_db()
    page = client.get(address(game)).content.decode()
    seed = TITLES["duel"].ruleset.load(Position.objects.get(game=game).state).seed.hex()
    assert seed in page
    assert game.commitment in page
    assert "Greedy bot won" in page or "You won" in page
    assert post(client, game, game.number, "pass").status_code == 422
    for number in (1, 20, game.number):
        back = client.get(address(game), {"at": number}).content.decode()
        assert re.findall(r'<a href="\?at=(\d+)"\s+aria-current="true">', back) == [str(number)]


def test_an_unknown_table_is_not_found(alice: User) -> None:
    for key in ("nothing", "A" * 12, "0"):
        assert client_of(alice).get(f"/table/{key}/").status_code == 404
