"""Submitting decisions, readers' views, and resigning."""

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Incident, Move, Seat
from games.models.position import Position
from games.rules.base import BadNotation, IllegalAction
from games.services import play
from games.services.play import BOT, Actor, NotYours
from games.services.tables import tables
from games.services.versions import writing
from tests.factories import lay, play_on
from tests.rules.positions import splendor

pytestmark = pytest.mark.django_db


def to_act(game: Game) -> User:
    seat = Seat.objects.get(game=game, index=game.to_act)
    assert seat.user is not None
    return seat.user


def other(game: Game) -> User:
    seat = game.seat_set.exclude(index=game.to_act).get()
    assert seat.user is not None
    return seat.user


def everything(game: Game) -> Any:
    """All rows of the game, for checks that nothing has changed."""
    return [
        list(rows.values())
        for rows in (
            Game.objects.filter(pk=game.pk),
            Position.objects.filter(game=game),
            Seat.objects.filter(game=game).order_by("pk"),
            Move.objects.filter(game=game).order_by("pk"),
            Incident.objects.filter(game=game).order_by("pk"),
        )
    ]


def stored(game: Game) -> Any:
    return TITLES[game.title].ruleset.load(Position.objects.get(game=game).state)


def test_a_decision_is_a_move_and_passes_the_turn(duel: Game) -> None:
    start = datetime(2026, 5, 1, 12, tzinfo=UTC)
    user, before = to_act(duel), stored(duel)
    Game.objects.update(changed_at=start, clock_started_at=start)
    space = play.look(duel, user).legal[0]
    with time_machine.travel(start + timedelta(hours=2), tick=False):
        moves = play.submit(duel, Actor(user), 0, [str(space)])
    duel.refresh_from_db()
    assert (duel.number, duel.to_act) == (1, 1)
    assert list(Move.objects.values_list("number", "seat", "actor", "notation", "time_used")) == [
        (0, 0, "user", str(space), timedelta(hours=2))
    ]
    assert [move.notation for move in moves] == [str(space)]
    assert stored(duel) == TITLES["duel"].ruleset.apply(before, space).state


@pytest.mark.parametrize(("moved", "error"), [(19, None), (20, writing.Stale)])
def test_changes_made_meanwhile_are_read_again(duel: Game, moved: int, error: type[Exception] | None) -> None:
    """The game changes before each attempt, until the last change or until the attempts are used up."""
    reads = []

    def work() -> str:
        reads.append(duel.version)
        if len(reads) <= moved:
            Game.objects.update(version=duel.version + 1)
            raise writing.Moved
        return "done"

    if error:
        with pytest.raises(error):
            writing.attempt(duel, work)
    else:
        assert writing.attempt(duel, work) == "done"
    assert reads == list(range(reads[0], reads[0] + 20))


def test_only_the_seat_to_act_decides(duel: Game, charlie: User) -> None:
    text = str(play.look(duel, to_act(duel)).legal[0])
    before = everything(duel)
    for actor in (Actor(other(duel)), Actor(charlie), BOT):
        with pytest.raises(NotYours):
            play.submit(duel, actor, 0, [text])
    assert everything(duel) == before


@pytest.mark.parametrize(
    ("notations", "error"),
    [
        ([], IllegalAction),
        (["jump"], BadNotation),
        (["take a1 e5"], IllegalAction),
        (["take c3 c4 c5 d5"], IllegalAction),
        (["return w"], IllegalAction),
    ],
)
def test_a_refused_decision_changes_nothing(duel: Game, notations: list[str], error: type[Exception]) -> None:
    before = everything(duel)
    with pytest.raises(error):
        play.submit(duel, Actor(to_act(duel)), 0, notations)
    assert everything(duel) == before


def test_a_list_is_played_whole_or_not_at_all(duel: Game) -> None:
    first = to_act(duel)
    free = [str(action) for action in play.look(duel, first).legal if str(action).startswith("take")]
    play.submit(duel, Actor(first), 0, [free[0]])
    before = everything(duel)
    second = to_act(duel)
    legal = [str(action) for action in play.look(duel, second).legal]
    privilege = next(text for text in legal if text.startswith("privilege"))
    space = privilege.split()[1]
    with pytest.raises(IllegalAction, match="space_empty"):
        play.submit(duel, Actor(second), 1, [privilege, f"take {space}"])
    with pytest.raises(IllegalAction, match="turn_is_over"):
        play.submit(duel, Actor(second), 1, [next(text for text in legal if text.startswith("take")), privilege])
    assert everything(duel) == before
    take = next(text for text in legal if text.startswith("take") and space not in text)
    assert len(play.submit(duel, Actor(second), 1, [privilege, take])) == 2
    assert list(Move.objects.order_by("number").values_list("number", "seat")) == [(0, 0), (1, 1), (2, 1)]


def test_nothing_can_follow_a_reveal_in_the_same_post(alice: User, bob: User) -> None:
    game = tables.create(alice, tables.TableSpec("splendor", 2))
    tables.join(game, bob)
    state = splendor.position(2, bytes(32), {"seat 0": "tokens=wwuuggrrkk"})
    Position.objects.filter(game=game).update(state=TITLES["splendor"].ruleset.dump(state))
    user = to_act(game)
    before = everything(game)
    with pytest.raises(IllegalAction, match="look_first"):
        play.submit(game, Actor(user), 0, ["reserve L2", "return w"])
    assert everything(game) == before
    look = play.look(game, user, "reserve L2;return w")
    assert (look.staged, look.prefix) == ((), "reserve L2")
    play.submit(game, Actor(user), 0, ["reserve L2"])
    assert to_act(game) == user
    play.submit(game, Actor(user), 1, ["return *"])
    assert to_act(game) != user


def test_taking_and_returning_is_one_post(alice: User, bob: User) -> None:
    game = tables.create(alice, tables.TableSpec("splendor", 2))
    tables.join(game, bob)
    state = splendor.position(2, bytes(32), {"seat 0": "tokens=wwuuggrrk"})
    Position.objects.filter(game=game).update(state=TITLES["splendor"].ruleset.dump(state))
    user = to_act(game)
    look = play.look(game, user, "take wug;return w")
    assert (look.staged, look.prefix) == (("take wug",), "return w")
    assert play.look(game, user, "take wug").staged == ("take wug",)
    assert sum(look.seen.players[0].tokens) == 12
    play.submit(game, Actor(user), 0, ["take wug", "return wk"])
    assert list(Move.objects.order_by("number").values_list("number", "notation")) == [
        (0, "take wug"),
        (1, "return wk"),
    ]


def test_a_late_decision_is_stale_and_a_repeated_one_a_success(duel: Game) -> None:
    user = to_act(duel)
    first, second = (str(action) for action in play.look(duel, user).legal[:2])
    play.submit(duel, Actor(user), 0, [first])
    before = everything(duel)
    assert [move.notation for move in play.submit(duel, Actor(user), 0, [first])] == [first]
    for actor, number, text in [
        (Actor(user), 0, second),
        (Actor(to_act(duel)), 0, first),
        (Actor(user), 5, first),
        (Actor(user), 0, "jump"),
    ]:
        with pytest.raises(writing.Stale):
            play.submit(duel, actor, number, [text])
    assert everything(duel) == before


def test_a_purchase_is_stored_with_its_payment_and_may_be_repeated_without_it(alice: User, bob: User) -> None:
    game = tables.create(alice, tables.TableSpec("splendor", 2))
    tables.join(game, bob)
    rng = Random(1)
    while True:
        user = to_act(game)
        buys = [action for action in play.look(game, user).legal if str(action).startswith("buy")]
        if buys:
            break
        play.submit(game, Actor(user), game.number, [str(rng.choice(play.look(game, user).legal))])
    number, brief = game.number, str(buys[0]).partition(" = ")[0]
    (move,) = play.submit(game, Actor(user), number, [brief])
    assert move.notation == str(buys[0])
    assert play.submit(game, Actor(user), number, [brief]) == [move]


@pytest.mark.parametrize("title", TITLES)
def test_a_whole_game_leaves_the_ledger_the_position_and_the_result_in_step(title: str, alice: User, bob: User) -> None:
    ruleset, rng = TITLES[title].ruleset, Random(title)
    game = tables.create(alice, tables.TableSpec(title, 2))
    tables.join(game, bob)
    seed = stored(game).seed
    while game.status == Game.Status.ACTIVE:
        user = to_act(game)
        play.submit(game, Actor(user), game.number, [str(rng.choice(play.look(game, user).legal))])
    notations = Move.objects.order_by("number").values_list("notation", flat=True)
    *_, last = ruleset.replay(2, seed, notations)
    assert last.state == stored(game)
    outcome = ruleset.outcome(last.state)
    assert outcome is not None
    assert (game.status, game.ending, game.to_act) == ("finished", "played", None)
    assert list(game.seat_set.order_by("index").values_list("score", "won")) == [
        (score, seat in outcome.winners) for seat, score in enumerate(outcome.scores)
    ]
    with pytest.raises(IllegalAction, match="game_over"):
        play.submit(game, Actor(alice), game.number, ["pass"])
    assert play.look(game, alice).legal == []


def test_each_reader_sees_what_their_seat_may_know(duel: Game, charlie: User) -> None:
    user = to_act(duel)
    reserve = next(str(action) for action in play.look(duel, user).legal if str(action).startswith("reserve L1"))
    play.submit(duel, Actor(user), 0, [reserve])
    ruleset, state = TITLES["duel"].ruleset, stored(duel)
    assert play.look(duel, user).seen == ruleset.observe(state, 0)
    assert play.look(duel, to_act(duel)).seen == ruleset.observe(state, 1)
    for stranger in (charlie, AnonymousUser()):
        look = play.look(duel, stranger, "take c3")
        assert look == play.Look(None, ruleset.observe(state, None), ruleset.observe(state, None), [], (), "")


class TestDraft:
    """The staged part of a draft, and the rest of it."""

    def staged(self, game: Game, draft: str) -> tuple[tuple[str, ...], str]:
        look = play.look(game, to_act(game), draft)
        return look.staged, look.prefix

    def test_an_empty_draft_waits_for_nothing(self, duel: Game) -> None:
        assert self.staged(duel, "") == ((), "")

    def test_the_beginning_of_a_decision_waits(self, duel: Game) -> None:
        assert self.staged(duel, "take") == ((), "take")

    def test_a_decision_that_ends_the_turn_waits_to_be_confirmed(self, duel: Game) -> None:
        text = str(play.look(duel, to_act(duel)).legal[0])
        assert self.staged(duel, text) == ((), text)
        assert self.staged(duel, f"{text};take a1") == ((), text)

    def test_what_follows_by_itself_is_not_part_of_the_draft(self, duel: Game, alice: User) -> None:
        """The card matches the only blue token, and too many are left to end the turn."""
        cards, board = "1-white-01,1-white-02,1-black-01,1-black-02", "u.... ..... ..... ..... ....."
        lay(duel, alice, mine=f"tokens=uuuggggrrr cards={cards}", board=board, row_1="1-blue-02")
        text = "buy 1-blue-02 = -"
        assert self.staged(duel, text) == ((text,), "")

    def test_an_illegal_decision_drops_all_later_ones_from_the_draft(self, duel: Game) -> None:
        assert self.staged(duel, "jump;take a1") == ((), "")

    def test_a_privilege_is_tried_out_and_the_turn_continues(self, duel: Game) -> None:
        play.submit(duel, Actor(to_act(duel)), 0, [str(play.look(duel, to_act(duel)).legal[0])])
        legal = [str(action) for action in play.look(duel, to_act(duel)).legal]
        privilege = next(text for text in legal if text.startswith("privilege"))
        look = play.look(duel, to_act(duel), f"{privilege};take")
        assert (look.staged, look.prefix) == ((privilege,), "take")
        assert sum(look.seen.players[1].tokens) == sum(look.before.players[1].tokens) + 1
        assert "replenish" not in [str(action) for action in look.legal] or sum(look.seen.bag)

    def test_a_decision_that_reveals_something_waits(self, duel: Game) -> None:
        reserve = next(str(action) for action in play.look(duel, to_act(duel)).legal if "reserve L2" in str(action))
        assert self.staged(duel, f"{reserve};") == ((), reserve)
        assert stored(duel).decks[1][0] not in str(play.look(duel, to_act(duel), f"{reserve};").seen)


class TestResign:
    def test_resigning_a_game_of_two_lets_the_other_win(self, duel: Game) -> None:
        loser, winner = to_act(duel), other(duel)
        for _ in range(2):
            play.resign(duel, loser)
        assert (duel.status, duel.ending, duel.to_act) == ("finished", "resigned", None)
        assert {seat.user: (seat.won, seat.resigned) for seat in duel.seat_set.all()} == {
            winner: (True, False),
            loser: (False, True),
        }
        assert Incident.objects.filter(kind="resigned").count() == 1

    def test_a_stranger_cannot_resign(self, duel: Game, charlie: User) -> None:
        with pytest.raises(NotYours):
            play.resign(duel, charlie)

    def test_in_a_larger_game_a_bot_takes_the_resigned_seat_and_cannot_win(
        self, alice: User, bob: User, charlie: User
    ) -> None:
        game = tables.create(alice, tables.TableSpec("splendor", 3))
        tables.join(game, bob)
        tables.join(game, charlie)
        play.resign(game, alice)
        assert game.status == "active"
        seat = Seat.objects.get(game=game, user=alice)
        assert (seat.caretaker, seat.resigned) == ("greedy", True)
        rng = Random(3)
        while game.status == Game.Status.ACTIVE:
            acting = Seat.objects.get(game=game, index=game.to_act)
            actor = BOT if acting.acting_bot else Actor(acting.user)
            if acting.user == alice:
                with pytest.raises(NotYours):
                    play.submit(game, Actor(alice), game.number, ["pass"])
            _, legal = play.offer(game, acting, variants=False)
            buys = [action for action in legal if str(action).startswith("buy")]
            play.submit(game, actor, game.number, [str(rng.choice(buys if acting.acting_bot and buys else legal))])
        assert not Seat.objects.get(game=game, user=alice).won
        assert Seat.objects.filter(game=game, won=True).exists()
        assert seat.index is not None
        assert set(Move.objects.filter(seat=seat.index).values_list("actor", flat=True)) == {"caretaker"}

    def test_the_last_person_left_wins(self, alice: User, bob: User) -> None:
        game = tables.create(alice, tables.TableSpec("splendor", 4, bots=["greedy", "greedy"]))
        tables.join(game, bob)
        play.resign(game, bob)
        assert game.status == "finished"
        assert [seat.user for seat in game.seat_set.filter(won=True)] == [alice]

    def test_the_best_bots_win_if_no_person_is_left(self, alice: User) -> None:
        game = tables.create(alice, tables.TableSpec("splendor", 3, bots=["greedy", "random"]))
        play.resign(game, alice)
        assert game.status == "finished"
        assert {seat.bot for seat in game.seat_set.filter(won=True)} == {"greedy", "random"}


def test_whoever_makes_the_last_move_has_seen_the_end(alice: User, bob: User) -> None:
    game = tables.create(alice, tables.TableSpec("duel", 2))
    tables.join(game, bob)
    game.refresh_from_db()
    play_on(game, 1, 400)
    last = game.move_set.latest("number")
    assert not game.is_active
    assert dict(game.seat_set.values_list("index", "seen_end")) == {last.seat: True, 1 - last.seat: False}


@pytest.mark.parametrize("title", TITLES)
def test_the_round_rises_when_the_turn_is_back_at_the_first_seat(title: str, alice: User, bob: User) -> None:
    game = tables.create(alice, tables.TableSpec(title, 2))
    tables.join(game, bob)
    game.refresh_from_db()
    rounds, before = 1, game.to_act
    while game.number < 30:
        play_on(game, game.number, 1)
        assert game.to_act is not None
        rounds += game.to_act < (before or 0)
        assert game.round == rounds
        before = game.to_act
