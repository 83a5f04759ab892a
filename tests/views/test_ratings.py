"""Whether a game is rated, its change, the pages of ratings, and games that staff void."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Act, Game, Pool, Rating
from games.services import play
from games.services.clocks.moment import now
from games.services.tables import tables
from games.services.work import sweep
from tests.factories import HOUR, NEW, As, at, begun, person, post, take_turn
from tests.staff import member, used_passkey

pytestmark = pytest.mark.django_db
BOARD = "/ratings/duel/2/"


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def lost(winner: User, loser: User) -> Game:
    game = begun([winner, loser], "duel")
    for _turn in range(4):
        take_turn(game)
    play.resign(game, loser)
    return game


def rank(user: User, points: float, uncertainty: float = 50, days: int = 1) -> None:
    pool, _made = Pool.objects.get_or_create(title="duel", seats=2, bots=False)
    Rating.objects.create(
        pool=pool, user=user, points=points, uncertainty=uncertainty, games=50, played_at=now() - timedelta(days=days)
    )


@pytest.mark.parametrize(("rated", "says"), [("yes", "This game is rated."), ("no", "This game isn’t rated.")])
def test_the_host_chooses_and_the_others_see_it_before_they_join(
    as_: As, alice: User, bob: User, rated: str, says: str
) -> None:
    as_(alice).post(reverse("new"), NEW | {"seats": "2", "rated": rated, "admission": "open"})
    game = Game.objects.get()
    assert game.rated == (rated == "yes")
    page = text(as_(bob), reverse("table", args=[game.key]))
    assert says in page
    assert ("Fair play" in page) == game.rated
    assert ('<b class="tag">rated</b>' in as_(bob).get(reverse("open")).content.decode()) == game.rated
    tables.join(game, bob)
    assert says in text(as_(bob), reverse("clock", args=[game.key]))


def test_an_invitation_says_whether_the_game_is_rated(alice: User, bob: User, mailoutbox: list[object]) -> None:
    tables.create(alice, tables.TableSpec("duel", 2, invited=[bob]))
    with at(now() + HOUR):
        post()
    assert "This game is rated." in mailoutbox[-1].body  # type: ignore[attr-defined]


def test_result_and_mail_show_the_change(as_: As, alice: User, bob: User, mailoutbox: list[object]) -> None:
    game = lost(alice, bob)
    page = text(as_(bob), reverse("table", args=[game.key]))
    assert "Rating 1040 ± 191 (+40), provisional" in page
    assert "Rating 960 ± 191 (−40), provisional" in page  # noqa: RUF001
    post()
    bodies = [message.body for message in mailoutbox]  # type: ignore[attr-defined]
    assert any("Rating 960 ± 191 (−40), provisional" in body for body in bodies)  # noqa: RUF001


def test_whoever_has_a_rating_has_seen_the_rule_of_fair_play(as_: As, alice: User, bob: User) -> None:
    rank(bob, 1000)
    game = tables.create(alice, tables.TableSpec("duel", 2))
    assert "Fair play" not in text(as_(bob), reverse("table", args=[game.key]))


def test_a_leaderboard_lists_active_people_with_a_sure_rating(as_: As, alice: User, bob: User) -> None:
    clara, dora, emil = (person(name) for name in ("clara", "dora", "emil"))
    rank(alice, 1100)
    rank(bob, 1200)
    rank(clara, 1300, uncertainty=80)
    rank(dora, 1400, days=100)
    rank(emil, 1500)
    as_(emil).post(reverse("accounts:settings"), {"theme": "auto", "time_zone": "UTC", "language": "en"})
    emil.refresh_from_db()
    assert not emil.in_leaderboards
    page = text(as_(alice), BOARD)
    board = page[page.index("Leaderboard") :]
    assert board.index("bob") < board.index("alice")
    assert not any(name in board for name in ("clara", "dora", "emil"))
    assert as_(alice).get("/ratings/duel/3/").status_code == 404
    assert as_(None).get(BOARD).status_code == 302


def test_my_rating_is_drawn_over_time_with_a_table_beside_it(as_: As, alice: User, bob: User) -> None:
    first, second = lost(alice, bob), lost(alice, bob)
    answer = as_(alice).get(BOARD).content.decode()
    assert answer.count('class="curve-line"') == 2
    for game in (first, second):
        assert f'href="/table/{game.key}/"' in answer
    page = text(as_(alice), BOARD)
    assert "+40" in page
    assert "100%" in page
    assert "from 2 games" in text(as_(alice), reverse("ratings"))
    assert "Your ratings" not in text(as_(None), reverse("ratings"))


def test_staff_void_a_game_and_the_ratings_follow(alice: User, bob: User) -> None:
    desk, game = used_passkey(Client(), member()), lost(alice, bob)
    address = reverse("staff_void", args=[game.pk])
    assert "Don’t count this game" in text(desk, reverse("staff_table", args=[game.pk]))
    assert desk.post(address, {"reason": ""}).status_code == 422
    assert Rating.objects.count() == 2
    assert desk.post(address, {"reason": "Given away"}).status_code == 302
    sweep.sweep()
    assert Rating.objects.count() == 0
    act = Act.objects.get()
    assert (act.kind, act.reason, act.game) == ("voided", "Given away", game)
    assert desk.post(address, {"reason": "Again"}).status_code == 302
    assert Act.objects.count() == 1


def test_a_running_game_cannot_be_voided(alice: User, bob: User) -> None:
    desk, game = used_passkey(Client(), member()), begun([alice, bob], "duel")
    assert desk.post(reverse("staff_void", args=[game.pk]), {"reason": "Early"}).status_code == 404


def test_players_ask_each_other_to_stop(as_: As, alice: User, bob: User) -> None:
    game = begun([alice, bob], "duel")
    table, clock = reverse("table", args=[game.key]), reverse("clock", args=[game.key])
    as_(alice).post(reverse("stop", args=[game.key]))
    assert "alice wants to stop the game" in text(as_(bob), table)
    assert "It ends when bob agrees." in text(as_(alice), clock)
    as_(alice).post(reverse("play_on", args=[game.key]))
    assert 'id="stopping"' not in as_(bob).get(table).content.decode()
    for user in (bob, alice):
        as_(user).post(reverse("stop", args=[game.key]))
    assert "Everyone agreed to stop the game. It doesn’t count." in text(as_(bob), table)


def test_the_history_shows_the_change_and_filters_by_it(as_: As, alice: User, bob: User) -> None:
    lost(alice, bob)
    begun_for_fun = begun([alice, bob], "splendor", rated=False)
    play.resign(begun_for_fun, alice)
    every, rated, others = (text(as_(bob), f"/games/finished/{query}") for query in ("", "?rated=yes", "?rated=no"))
    change = "Rating 960 ± 191 (−40), provisional"  # noqa: RUF001
    assert (change in every, change in rated, change in others) == (True, True, False)
    assert begun_for_fun.short_key in every
    assert begun_for_fun.short_key not in rated
    assert begun_for_fun.short_key in others
