"""Links in mails: their content, their lifetime, and the decisions that they allow."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from accounts.models import User
from games.models import Game, Move, Notice, Preferences, Seat
from games.rules.base import IllegalAction
from games.services import play
from games.services.absence import timeouts
from games.services.clocks.moment import now
from games.services.mailing import links
from games.services.mailing.links import Closed, MoveLink
from games.services.play import Actor
from games.services.tables import tables
from games.services.versions import writing
from tests.factories import START, actor, at, begun, deal, each_began, lay, play_on

pytestmark = pytest.mark.django_db

DAYS = timedelta(days=1)


def seat_of(game: Game, user: User) -> Seat:
    return Seat.objects.select_related("user").get(game=game, user=user)


def link_of(game: Game, user: User, action: str = "") -> MoveLink:
    address = links.issue(game, seat_of(game, user), action)
    return links.read(address.removesuffix("/").rpartition("/")[2])


def why(game: Game, link: MoveLink) -> Closed | None:
    return links.closed(link, Game.objects.with_seats().get(pk=game.pk))


def legal(game: Game) -> list[str]:
    return [str(action) for action in play.look(game, actor(game)).legal]


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """A game of Alice and Bob, some decisions after the start, in which Alice is to act."""
    game = deal("duel", [alice, bob], 5)
    play_on(game, 5, 6)
    while actor(game) != alice:
        play_on(game, 5, 1)
    return game


def test_a_link_names_game_seat_number_turn_and_action(game: Game, alice: User, settings: Any) -> None:
    settings.SITE_URL = "https://cards.example"
    with time_machine.travel(datetime(2026, 5, 1, 12, tzinfo=UTC), tick=False):
        address = links.issue(game, seat_of(game, alice), "buy 1-blue-02 = uu*")
        link = link_of(game, alice, "buy 1-blue-02 = uu*")
    assert address.startswith("https://cards.example/m/")
    assert link.path == address.removeprefix("https://cards.example")
    assert (link.key, link.seat, link.number, link.turn, link.action, link.made_at) == (
        game.key,
        game.to_act,
        game.number,
        game.turn_number,
        "buy 1-blue-02 = uu*",
        datetime(2026, 5, 1, 12, tzinfo=UTC),
    )
    assert link.plain == MoveLink(game.key, link.seat, game.number, game.turn_number, link.minute, "", link.account)
    assert len(address) < 220


def test_a_changed_token_is_forged(game: Game, alice: User) -> None:
    token = links.issue(game, seat_of(game, alice)).split("/")[-2]
    said, _, signature = token.partition(".")
    other = links.issue(game, Seat.objects.exclude(user=alice).get(game=game)).split("/")[-2]
    bad = [
        "",
        ".",
        "x",
        token[:-1],
        token[1:],
        said,
        f"{said}.",
        f"{said}.{signature[:-1]}",
        f"{other.partition('.')[0]}.{signature}",
        f"{said}.{other.partition('.')[2]}",
        f".{token}",
        f"{token}.{signature}",
        token.swapcase(),
        "é\x00\ud7ff." + signature,
    ]
    for text in bad:
        with pytest.raises(links.ForgedMoveLink):
            links.read(text)


def test_a_token_of_another_kind_is_forged(game: Game, alice: User, duel: Game) -> None:
    from games.services.outbox import opt_out
    from games.services.versions import polls

    for text in (opt_out.mute_url(seat_of(game, alice)).split("/")[-2], polls.seal(game, 0)):
        with pytest.raises(links.ForgedMoveLink):
            links.read(text)


class TestClosed:
    """Links that can no longer decide."""

    def test_a_link_ends_with_its_turn(self, alice: User, bob: User) -> None:
        game = tables.create(alice, tables.TableSpec("splendor", 2))
        tables.join(game, bob)
        lay(game, alice, mine="tokens=wwuuggrrkk")
        link = link_of(game, alice)
        play.submit(game, Actor(alice, link.turn), 0, ["reserve L2"])
        assert (game.number, why(game, link)) == (1, None)
        play.submit(game, Actor(alice, link.turn), 1, ["return w"])
        assert why(game, link) == Closed.OVER
        # The link is not valid for the next turn of the seat.
        play_on(game, 1, 1)
        assert (actor(game), why(game, link)) == (alice, Closed.OVER)

    def test_a_link_expires_after_thirty_days(self, game: Game, alice: User) -> None:
        with time_machine.travel(datetime(2026, 5, 1, tzinfo=UTC), tick=False) as clock:
            link = link_of(game, alice)
            clock.shift(30 * DAYS)
            assert why(game, link) is None
            clock.shift(timedelta(minutes=1))
            assert why(game, link) == Closed.AGED

    def test_a_link_is_off_while_its_owner_wants_no_links(self, game: Game, alice: User) -> None:
        link = link_of(game, alice)
        Preferences.objects.create(user=alice, links=False)
        assert why(game, link) == Closed.OFF
        Preferences.objects.update(links=True)
        assert why(game, link) is None
        User.objects.filter(pk=alice.pk).update(is_active=False)
        assert why(game, link) == Closed.OFF

    def test_a_link_ends_with_the_game(self, game: Game, alice: User) -> None:
        link = link_of(game, alice)
        play.resign(game, alice)
        assert why(game, link) == Closed.OVER

    def test_a_link_is_void_while_a_bot_plays(self, alice: User, bob: User, charlie: User) -> None:
        game = deal("splendor", [alice, bob, charlie], 1)
        play_on(game, 1, 7)
        user = actor(game)
        link = link_of(game, user)
        play.resign(game, user)
        assert why(game, link) == Closed.LEFT

    def test_a_returning_player_can_use_the_link_again(self, alice: User, bob: User) -> None:
        with at(START):
            game = begun([alice, bob], pace="fast")
            each_began(game)
            user = actor(game)
            link = link_of(game, user)
            Notice.objects.update(closed_at=now(), outcome="sent")
        assert game.deadline is not None
        with at(game.deadline):
            timeouts.time_out(game)
            assert why(game, link) == Closed.LEFT
            with pytest.raises(play.NotYours):
                play.submit(game, Actor(user, link.turn), game.number, legal(game)[:1])
            timeouts.come_back(game, user)
            assert why(game, link) is None
            play.submit(game, Actor(user, link.turn), game.number, legal(game)[:1])


class TestActor:
    """The decisions that the holder of a link can make."""

    def test_a_decision_by_link_is_marked_in_the_ledger(self, game: Game, alice: User) -> None:
        [move] = play.submit(game, Actor(alice, game.turn_number), game.number, legal(game)[:1])
        assert (move.actor, move.seat) == (Move.ActorKind.LINK, seat_of(game, alice).index)

    def test_a_link_cannot_play_in_another_turn(self, game: Game, alice: User) -> None:
        for turn in (0, game.turn_number - 1, game.turn_number + 1):
            with pytest.raises(play.NotYours):
                play.submit(game, Actor(alice, turn), game.number, legal(game)[:1])

    def test_a_link_cannot_play_another_seat(self, game: Game, bob: User) -> None:
        with pytest.raises(play.NotYours):
            play.submit(game, Actor(bob, game.turn_number), game.number, legal(game)[:1])

    def test_repeating_a_post_succeeds_and_changes_nothing(self, game: Game, alice: User) -> None:
        link, number, text = Actor(alice, game.turn_number), game.number, legal(game)[0]
        [move] = play.submit(game, link, number, [text])
        assert play.submit(game, link, number, [text]) == [move]
        with pytest.raises(writing.Stale):
            play.submit(game, link, number, [f"{text}x"])

    def test_an_extra_turn_is_another_turn(self, duel: Game, alice: User) -> None:
        lay(duel, alice, mine="tokens=uuggp reserved=1-white-03", board="wugrk ww.*. ..... ..... .....")
        turn, (buy, *_more) = duel.turn_number, [text for text in legal(duel) if text.startswith("buy 1-white-03")]
        for user in (Actor(alice, turn), Actor(alice)):
            with pytest.raises(IllegalAction, match="turn_is_over"):
                play.submit(duel, user, 0, [buy, "take a1"])
        look = play.look(duel, alice, f"{buy};take a1")
        assert (look.staged, look.prefix) == ((), buy)
        play.submit(duel, Actor(alice, turn), 0, [buy])
        assert (actor(duel), duel.turn_number) == (alice, 1)
        with pytest.raises(play.NotYours):
            play.submit(duel, Actor(alice, turn), 1, ["take a1"])


class TestPlayed:
    """The moves that the holder of an old link is shown."""

    def test_an_old_link_shows_only_public_moves(self, alice: User, bob: User) -> None:
        game = tables.create(alice, tables.TableSpec("splendor", 2))
        tables.join(game, bob)
        lay(game, alice, mine="tokens=wwuuggrrkk")
        link = link_of(game, alice)
        assert links.played(game, link) == []
        play.submit(game, Actor(alice), 0, ["reserve L2"])
        play.submit(game, Actor(alice), 1, ["return w"])
        play_on(game, 1, 5)
        told = [[event.code for event in entry.events] for entry in links.played(game, link)]
        assert told == [["reserved_blind", "took"], ["returned"]]

    def test_an_extra_turn_is_not_shown(self, duel: Game, alice: User) -> None:
        lay(duel, alice, mine="tokens=uuggp reserved=1-white-03", board="wugrk ww.*. ..... ..... .....")
        first = link_of(duel, alice)
        play.submit(duel, Actor(alice), 0, [next(text for text in legal(duel) if text.startswith("buy 1-white-03"))])
        second = link_of(duel, alice)
        play.submit(duel, Actor(alice), 1, ["take a1"])
        told = [[entry.move.number for entry in links.played(duel, link)] for link in (first, second)]
        assert told == [[0], [1]]
