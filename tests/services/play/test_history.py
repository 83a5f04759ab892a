"""The ledger as each reader may know it, and every past position; both agree with the stored rows."""

from io import StringIO
from pathlib import Path
from random import Random

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import CommandError, call_command

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Move
from games.models.position import Position
from games.rules.base import Event, Outcome
from games.services import play
from games.services.play import Actor, history
from games.services.tables import tables
from tests.factories import put
from tests.rules import transcripts

pytestmark = pytest.mark.django_db
SCENARIOS = Path(__file__).parents[2] / "rules" / "scenarios" / "splendor"


@pytest.fixture(params=TITLES)
def game(request: pytest.FixtureRequest, alice: User, bob: User) -> Game:
    """A game after forty random decisions, which begin with blind reserves and prefer purchases."""
    game = tables.create(alice, tables.TableSpec(request.param, 2))
    tables.join(game, bob)
    rng = Random(request.param)
    while game.number < 40:
        user = game.seat_set.get(index=game.to_act).user
        assert user is not None
        legal = play.look(game, user).legal
        wish = "reserve L" if game.number < 2 else "buy"
        wished = [action for action in legal if str(action).startswith(wish)]
        play.submit(game, Actor(user), game.number, [str(rng.choice(wished or legal))])
    return game


def test_the_ledger_shows_each_reader_what_they_may_know(game: Game, alice: User, charlie: User) -> None:
    ruleset = TITLES[game.title].ruleset
    state = ruleset.load(Position.objects.get(game=game).state)
    steps = list(ruleset.replay(2, state.seed, Move.objects.order_by("number").values_list("notation", flat=True)))
    for seat in (game.index_of(alice), game.index_of(charlie), game.index_of(AnonymousUser())):
        entries = history.ledger(game, seat)
        assert [entry.move.number for entry in entries] == list(range(40))
        for entry, step in zip(entries, steps[1:], strict=True):
            shown = [ruleset.show(event, seat) for event in step.events]
            assert list(entry.events) == [event for event in shown if event is not None]
            assert entry.move.tokens == sum(step.state.players[entry.move.seat].tokens)
    drawn = [event for entry in history.ledger(game, None) for event in entry.events if event.code == "drew"]
    assert drawn == []
    assert any(event.code == "reserved_blind" for entry in entries for event in entry.events)
    total = [sum(entry.move.points for entry in entries if entry.move.seat == seat) for seat in (0, 1)]
    assert total == [player.points for player in state.players]


def test_since_returns_the_ledger_between_two_numbers(game: Game, alice: User) -> None:
    moves = list(game.move_set.order_by("number"))
    for seat in (game.index_of(alice), None):
        entries = history.ledger(game, seat)
        assert history.since(game.title, moves, seat) == entries
        assert history.since(game.title, moves, seat, 31) == entries[31:]
        assert history.since(game.title, moves, seat, 31, 36) == entries[31:36]
        assert history.since(game.title, moves, seat, 40, 40) == []


def test_past_positions_show_only_cards_the_reader_knew_then(game: Game, alice: User, charlie: User) -> None:
    ruleset = TITLES[game.title].ruleset
    state = ruleset.load(Position.objects.get(game=game).state)
    steps = list(ruleset.replay(2, state.seed, Move.objects.order_by("number").values_list("notation", flat=True)))
    for reader in (alice, charlie):
        seat = game.index_of(reader)
        for number in (0, 1, 17, 40):
            assert history.observation_at(game, seat, number) == ruleset.observe(steps[number].state, seat)
        assert history.observation_at(game, seat, 41) is None
    assert history.observation_at(game, game.index_of(alice), 40) == play.look(game, alice).before


def test_the_seed_stays_secret_while_the_game_runs(game: Game, alice: User) -> None:
    tables.create(alice, tables.TableSpec("duel", 2))
    with pytest.raises(PermissionError):
        history.seed(game)
    play.resign(game, alice)
    state = TITLES[game.title].ruleset.load(Position.objects.get(game=game).state)
    assert history.seed(game) == state.seed.hex()


def test_a_game_that_no_longer_replays_keeps_its_ledger(game: Game, alice: User) -> None:
    Game.objects.update(replayable=False)
    game.refresh_from_db()
    assert len(history.ledger(game, 0)) == 40
    assert history.observation_at(game, 0, 3) is None


def as_an_older_site_left_it(game: Game) -> None:
    """Turn the game into one that began under version 1 of Splendor's rules, which no position named."""
    position = Position.objects.get(game=game)
    position.state = {name: value for name, value in position.state.items() if name != "rules"}
    position.save()
    Game.objects.filter(pk=game.pk).update(ruleset_version=1)


def test_games_of_older_rules_replay_beside_new_ones(game: Game, bob: User, charlie: User) -> None:
    as_an_older_site_left_it(game)
    new = tables.create(bob, tables.TableSpec(game.title, 2))
    tables.join(new, charlie)
    out = StringIO()
    call_command("replay_games", stdout=out)
    assert out.getvalue() == "2 games replayed, 0 differ.\n"


@pytest.mark.parametrize(("version", "over"), [(1, True), (2, False)])
def test_a_game_continues_under_the_rules_it_began_with(alice: User, bob: User, version: int, over: bool) -> None:
    """R11a: in version 1 a noble did not restart the count of passes."""
    game = tables.create(alice, tables.TableSpec("splendor", 2))
    tables.join(game, bob)
    _ruleset, state = transcripts.start(SCENARIOS / "noble_restarts_the_passes.txt")
    put(game, state)
    if version == 1:
        as_an_older_site_left_it(game)
    for notation in ("take k", "noble 4w4u"):
        user = game.seat_set.get(index=game.to_act).user
        assert user
        play.submit(game, Actor(user), game.number, [notation])
        game.refresh_from_db()
    assert game.is_active != over
    assert list(game.seat_set.filter(won=True).values_list("index", flat=True)) == ([1] if over else [])
    if over:
        assert play.outcome(game) == Outcome((1,), (3, 5), "prestige")


@pytest.mark.parametrize(
    ("scenario", "notations", "rounds"), [("pass", ["take wuk"], [2]), ("two_of_three_pass", ["take k"], [2])]
)
def test_a_round_ends_when_all_others_pass(
    alice: User, bob: User, charlie: User, scenario: str, notations: list[str], rounds: list[int]
) -> None:
    """R11: the turn returns to the same seat."""
    _ruleset, state = transcripts.start(SCENARIOS / f"{scenario}.txt")
    people = [alice, bob, charlie][: len(state.players)]
    game = tables.create(alice, tables.TableSpec("splendor", len(people)))
    for user in people[1:]:
        tables.join(game, user)
    put(game, state)
    for notation, number in zip(notations, rounds, strict=True):
        game.refresh_from_db()
        seat = game.to_act
        mover = game.seat_set.get(index=seat).user
        assert mover
        play.submit(game, Actor(mover), game.number, [notation])
        game.refresh_from_db()
        assert (game.to_act, game.round) == (seat, number)


def test_a_pass_between_two_seats_ends_no_round() -> None:
    def entry(number: int, seat: int, *codes: str) -> history.Entry:
        return history.Entry(Move(number=number, seat=seat), tuple(Event(code) for code in codes))

    turns = history.turns(
        [entry(0, 0, "took", "passed"), entry(1, 2, "took"), entry(2, 0, "took", "passed"), entry(3, 0)]
    )
    assert [(turn.seat, turn.round) for turn in turns] == [(0, 1), (2, 1), (0, 2), (0, 3)]


@pytest.mark.parametrize("lost", [0, 1, -1])
def test_replay_games_compares_ledger_and_position(game: Game, lost: int) -> None:
    out, err = StringIO(), StringIO()
    call_command("replay_games", stdout=out)
    assert out.getvalue() == "1 game replayed, 0 differ.\n"
    list(Move.objects.order_by("number"))[lost].delete()
    with pytest.raises(CommandError, match="differ"):
        call_command("replay_games", stdout=out, stderr=err)
    assert str(game) in err.getvalue()


def test_replay_games_names_a_damaged_position_and_continues(game: Game) -> None:
    Position.objects.update(state={})
    err = StringIO()
    with pytest.raises(CommandError, match="differ"):
        call_command("replay_games", stdout=StringIO(), stderr=err)
    assert str(game) in err.getvalue()
