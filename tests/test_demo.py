from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from games.management import demo
from games.models import Game, Incident, Move, Notice, Seat, Vacation
from games.models.position import Position
from games.pages import timing
from games.services import play
from games.services.absence import timeouts
from games.services.clocks.moment import now
from games.services.tables import tables

pytestmark = pytest.mark.django_db

LOGINS = "Log in as Ana, Ben, Chloé, Dinesh, Emiko; the password is cabochon-demo\n"


@pytest.fixture
def development(settings):
    settings.DEBUG = True


def rows():
    """All rows of users and games."""
    models = (User, Game, Position, Seat, Move, Incident, Game.invited.through)
    return {model.__name__: list(model.objects.order_by("pk").values()) for model in models}


def run(capsys: pytest.CaptureFixture[str], command: str) -> str:
    call_command(command)
    return capsys.readouterr().out


def test_the_command_refuses_to_run_in_production():
    before = rows()
    with pytest.raises(CommandError, match="a production site cannot have them"):
        call_command("demo")
    assert rows() == before


def test_an_interrupted_run_leaves_nothing(development, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    before = rows()
    monkeypatch.setattr(play, "resign", interrupt)
    with pytest.raises(KeyboardInterrupt):
        call_command("demo")
    assert rows() == before


def test_the_demo_has_tables_of_every_kind(development, capsys):
    assert run(capsys, "demo") == f"Added people and tables.\n{LOGINS}"
    addresses = User.objects.order_by("pk").values_list("email", flat=True)
    assert [address.partition("@")[0] for address in addresses] == ["ana", "ben", "chloe", "dinesh", "emiko"]
    ana = User.objects.get(username="Ana")
    assert Client().login(username="Ana", password=demo.PASSWORD)
    assert run(capsys, "replay_games") == f"{Game.objects.count()} games replayed, 0 differ.\n"

    mine = Game.objects.of(ana).with_seats()
    running = [game for game in mine if game.is_active]
    waiting = sorted((game.title, game.seats) for game in running if game.to_act == game.index_of(ana))
    assert waiting == [("duel", 2), ("duel", 2), ("splendor", 2), ("splendor", 2), ("splendor", 4)]
    others_turns = sorted(game.title for game in running if game.to_act != game.index_of(ana))
    assert others_turns == ["duel", "duel", "splendor", "splendor"]
    ends = Seat.objects.filter(user=ana, game__status="finished").values_list("game__ending", "won", "seen_end")
    assert sorted(ends) == [("played", False, True), ("played", True, True), ("resigned", True, False)]

    # Every clock is running, one with little time; a caretaker plays for an absent player; a player is on vacation.
    left = [(game.deadline or now()) - now() for game in running]
    assert min(left) > timedelta(0)
    soon = [game for game, time in zip(running, left, strict=True) if time < timing.NEAR_DEADLINE]
    assert sum(game.to_act == game.index_of(ana) for game in soon) == 1
    [away] = Seat.objects.exclude(caretaker="").select_related("user", "game")
    assert (str(away), away.absent, away.game in running) == ("Chloé", False, True)
    assert timedelta(0) < now() - (away.absent_since or now()) < timeouts.CARETAKER_GRACE
    [vacation] = Vacation.objects.select_related("user")
    assert vacation.user.username == "Dinesh"
    # Only mails about present turns are still to be sent.
    owed = Notice.objects.filter(closed_at=None, due_at__lte=now())
    assert list(owed.order_by("game").values_list("game", flat=True)) == [
        game.pk for game in Game.objects.filter(status="active").order_by("pk")
    ]

    others = Game.objects.exclude(pk__in=mine)
    assert sorted(others.listed().values_list("title", flat=True)) == ["duel", "splendor"]
    assert others.filter(status="open", admission="named", invited=ana).count() == 1
    assert others.filter(status="active", audience="anyone").count() == 1

    # No game waits for a bot, and all have complete rows and a past.
    assert not Game.objects.waiting_for_bot(now()).exists()
    assert Position.objects.count() == Game.objects.count()
    for game in Game.objects.exclude(status="open"):
        moves = list(game.move_set.order_by("number"))
        assert [move.number for move in moves] == list(range(game.number))
        times = [game.created_at, *(move.made_at for move in moves), now()]
        assert times == sorted(times)
        assert times[-1] - times[0] > timedelta(days=2)
        assert game.seat_set.count() == game.seats

    # A second run changes nothing.
    tables.join(Game.objects.get(status="open", seats=4), ana)
    kept = rows()
    assert run(capsys, "demo") == f"The demo people already exist.\n{LOGINS}"
    assert rows() == kept
