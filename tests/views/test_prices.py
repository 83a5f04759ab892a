"""The board with the prices of another player, or the printed ones."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.models import Game
from games.services import play
from tests.factories import As, actor, deal, person, play_on, state
from tests.hidden import known, named, readers

pytestmark = pytest.mark.django_db

CARD = re.compile(r'<div class="card [^>]*data-thing="([^"]+)".*?</div>', re.DOTALL)


@pytest.fixture(params=[("splendor", 3), ("duel", 2)], ids=["splendor", "duel"])
def game(request: pytest.FixtureRequest, alice: User, bob: User) -> Game:
    """A running game after 30 decisions."""
    title, seats = request.param
    game = deal(title, [alice, bob, person("clara")][:seats], 5)
    play_on(game, 5, 30)
    assert game.is_active
    return game


def table(game: Game) -> str:
    return reverse("table", args=[game.key])


def text(client: Client, address: str, **query: Any) -> str:
    answer = client.get(address, query)
    assert answer.status_code == 200
    return answer.content.decode()


def seated(game: Game) -> list[User | None]:
    """The players by seat."""
    return [seat.user for seat in game.seat_set.select_related("user").order_by("index")]


def prices(page: str) -> dict[str, list[str]]:
    """The numbers on the cards of the table, and their marks, by card."""
    cards = {card[1]: card[0] for card in CARD.finditer(page.split('id="board"')[1])}
    assert len(cards) > 8
    figures = r"<b>(\d+)</b>|is-(buy|gold|short|far|apart)\b|<s>(\d+)</s>|cost-(free)"
    return {name: ["".join(found) for found in re.findall(figures, drawn)] for name, drawn in cards.items()}


def test_the_prices_of_another_player_are_those_on_their_own_board(as_: As, game: Game) -> None:
    users = seated(game)
    for user, reader in readers(game):
        client = as_(user)
        for seat, other in enumerate(users):
            if seat != reader:
                page = text(client, table(game), prices=seat)
                assert prices(page) == prices(text(as_(other), table(game)))
                assert f"Prices for {other}" in page
                assert f"The cards show what {other} would pay." in page
    spectator = prices(text(as_(None), table(game)))
    for user in users:
        page = text(as_(user), table(game), prices="printed")
        assert prices(page) == spectator
        assert "The cards show what is printed on them." in page


def test_a_board_with_other_prices_offers_no_decision(as_: As, game: Game) -> None:
    user = actor(game)
    seat = game.index_of(user)
    assert seat is not None
    client = as_(user)
    for payer in ("printed", (seat + 1) % game.seats):
        page = text(client, table(game), prices=payer)
        region = page.split('id="board"')[1]
        assert '<form method="post"' not in region.split('class="replay')[0]
        assert "draft=" not in region
        assert 'id="choices"' not in page
        assert page.count("Back to your prices") == 1
        assert "Your turn" in page
        assert named(page) == known(game, state(game), seat)


def test_the_draft_waits_behind_other_prices(as_: As, game: Game) -> None:
    user = actor(game)
    draft = next(str(action) for action in play.look(game, user).legal if action.word == "take")
    page = text(as_(user), table(game), prices="printed", draft=draft)
    assert f'href="?draft={draft.replace(" ", "+")}"' in page
    assert "data-draft" in page
    assert draft in text(as_(user), table(game), draft=draft)


def test_polls_and_sheets_keep_the_prices(as_: As, game: Game) -> None:
    user = actor(game)
    seat = ((game.index_of(user) or 0) + 1) % game.seats
    page = text(as_(user), table(game), prices=seat)
    poll = re.search(r'data-poll="([^"]+)"', page)
    assert poll
    assert poll[1].endswith(f"&amp;prices={seat}")
    assert prices(text(as_(user), reverse("poll", args=[game.key]), prices=seat)) == prices(page)
    card = next(iter(prices(page)))
    assert f'href="?prices={seat}&amp;card={card}"' in page
    opened = text(as_(user), table(game), prices=seat, card=card)
    assert f'class="sheet-close" data-key="Escape" href="?prices={seat}"' in re.sub(r"\s+", " ", opened)
    assert "their price" in opened
    assert ">your price<" not in opened


def test_other_prices_cost_no_more_queries(as_: As, game: Game) -> None:
    client, costs = as_(actor(game)), []
    for query in ("", "?prices=printed", *(f"?prices={seat}" for seat in range(game.seats))):
        with CaptureQueriesContext(connection) as queries:
            client.get(table(game) + query)
        costs.append(len(queries))
    assert len(set(costs[1:])) == 1
    assert costs[1] <= costs[0]


def test_unknown_prices_are_the_reader_s_own(as_: As, game: Game) -> None:
    client = as_(actor(game))
    plain = prices(text(client, table(game)))
    for nonsense in ("", "9", "-1", "me", "None", "1.0", "²", "printed "):
        page = text(client, table(game), prices=nonsense)
        assert prices(page) == plain, nonsense
        assert "Back to your prices" not in page, nonsense


def test_the_reader_chooses_between_all_players_and_the_printed_prices(as_: As, game: Game) -> None:
    names = [str(user) for user in seated(game)]
    for user, reader in readers(game):
        page = text(as_(user), table(game))
        control = re.search(r'<nav class="leaf prices".*?</nav>', page, re.DOTALL)
        assert control
        links = re.findall(r"<a ([^>]*)>(.*?)</a>", control[0], re.DOTALL)
        words = [re.sub(r"<svg.*?</svg>|<[^>]*>", "", inside).strip() for _attributes, inside in links]
        if reader is None:
            assert words == ["printed", *names]
        else:
            assert words == ["me", *names[reader + 1 :], *names[:reader], "printed"]
        assert ["aria-current" in attributes for attributes, _inside in links] == [True, *[False] * (len(words) - 1)]
