"""In games with hidden cards, the mails to each reader show exactly what that reader may know."""

import re
from dataclasses import replace
from email.message import EmailMessage
from itertools import count, islice
from random import Random
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import wording
from games.models import Game, Notice, Seat, Vacation
from games.models.position import Position
from games.services import play
from games.services.clocks.moment import now
from games.services.mailing import letters
from games.services.tables import tables
from tests.factories import HOUR, START, actor, play_on, ruleset, state
from tests.hidden import CARD, GAMES, begins_turn, hiding, known, proofs, steps
from tests.mails.reading import actions, html_of, notice, parsed, section, text
from tests.outputs import MAILS, Tells

pytestmark = pytest.mark.django_db

Kind = Notice.Kind


@pytest.fixture(params=GAMES, ids=str)
def game(request: pytest.FixtureRequest) -> Game:
    """A game at the beginning of a turn in which at least two seats hold a card that nobody else knows."""
    title, seats, decisions = request.param
    return hiding(title, seats, decisions, begins_turn)


def mail(owed: Notice) -> EmailMessage:
    written = letters.write(owed)
    assert written is not None
    return parsed(written.message().as_bytes())


def everything(message: EmailMessage) -> tuple[object, ...]:
    """Both parts and every header except the one with the boundary."""
    heads = [(name, str(value)) for name, value in message.items() if name != "Content-Type"]
    return text(message), html_of(message), heads


def in_turn(game: Game) -> list[User]:
    """The people at the table, in turn order."""
    return [seat.user for seat in game.seat_set.select_related("user").order_by("index") if seat.user]


def test_other_hidden_cards_make_the_same_mail(game: Game) -> None:
    """Redealing the undealt cards and the others' blind reserves changes nothing in any mail to the player to act."""
    asked: set[User] = set()
    for seed in count():
        if len(asked) == game.seats or not game.is_active:
            break
        reader, current = actor(game), state(game)
        asked.add(reader)
        seat = game.index_of(reader)
        stored = Position.objects.get(game=game)
        other = replace(
            ruleset(game).determinize(ruleset(game).observe(current, seat), Random(7)), seed=current.seed
        )  # the history is replayed from the seed
        assert other != current
        begins = game.number == game.turn_number
        kind = "turn" if begins else "unfinished"
        kinds = [(kind, f"{kind}:{game.pk}:{game.number}"), ("reminder", f"reminder:{game.pk}:{game.turn_number}:50")]
        with time_machine.travel(game.changed_at, tick=False):
            owed = [notice(kind, reader, game, key) for kind, key in kinds]
            owed.append(digest(reader, game, kind))
            told = [everything(mail(each)) for each in owed]
            Position.objects.filter(game=game).update(state=ruleset(game).dump(other))
            assert [everything(mail(each)) for each in owed] == told
        Position.objects.filter(game=game).update(state=stored.state)
        play_on(game, seed, 1)


def digest(reader: User, game: Game, kind: str) -> Notice:
    """A digest that tells of the reader's turn."""
    told = notice(kind, reader, game, f"{kind}:{game.pk}:{game.number}:daily")
    owed = notice("digest", reader)
    Notice.objects.filter(pk=told.pk).update(digest=owed)
    return owed


def test_a_mail_names_the_cards_that_its_reader_knows(game: Game) -> None:
    """The links stage exactly the affordable cards, and the mail lists the reader's reserved cards, blind or not."""
    reader = actor(game)
    seat = game.index_of(reader)
    message = mail(notice("turn", reader, game))
    look = play.look(game, reader)
    buyable = {str(action).split(" ")[1] for action in look.legal if action.word == "buy"}
    staged = actions(message)
    assert {action.split(" ")[1] for action in staged if action.startswith("buy")} == buyable
    assert buyable <= known(game, state(game), seat)
    assert set(staged) - {""} <= {str(action) for action in look.legal}
    # Apart from the links, the mail describes cards in words.
    assert CARD.findall(text(message) + html_of(message)) == []
    assert section(message, "What you have").count("Reserved") == len(state(game).players[seat].reserved)
    for told in (text(message), html_of(message)):
        assert state(game).seed.hex() not in told
        assert game.commitment not in told


def test_since_your_last_turn_shows_what_its_reader_may_know(game: Game) -> None:
    """The section matches a replay from the seed, as the rules show it to the reader."""
    reader = actor(game)
    seat = game.index_of(reader)
    left = Seat.objects.get(game=game, user=reader).seen_number
    names = [str(each) for each in game.seat_set.select_related("user").order_by("index")]
    expected = []
    for number, step in islice(enumerate(steps(game)), left + 1, None):
        shown = [ruleset(game).show(event, seat) for event in step.events]
        told = [wording.event(game.title, each, names) for each in shown if each and each.code != "revealed"]
        expected.append(f"{number} {' '.join(told)}")
    lines = re.split(r"\n(?=\d)", section(mail(notice("turn", reader, game)), "Since your last turn"))
    assert [" ".join(line.split()) for line in lines] == [" ".join(line.split()) for line in expected]
    assert expected


# --- mails without a position ---


def another_table(game: Game, **spec: Any) -> tuple[Game, User, User]:
    """An open table of the same host, who invites another player of the game."""
    host, guest = in_turn(game)[:2]
    return tables.create(host, tables.TableSpec(game.title, 2, invited=[guest], **spec)), host, guest


def waits(game: Game) -> User:
    return next(person for person in in_turn(game) if person != actor(game))


def started(game: Game) -> Notice:
    return notice("started", waits(game), game)


def absence(game: Game) -> Notice:
    Game.objects.filter(pk=game.pk).update(at_zero=Game.AtZero.WAIT)
    return notice("absence", waits(game), game, seat=game.to_act)


def invited(game: Game) -> Notice:
    table, host, guest = another_table(game)
    return notice("invited", guest, table, by=host.pk)


def rematch(game: Game) -> Notice:
    table, host, guest = another_table(game, follows=game)
    return notice("rematch", guest, table, by=host.pk)


def closed(game: Game) -> Notice:
    table, host, guest = another_table(game)
    tables.cancel(table, host)
    return notice("closed", guest, table)


def finished(game: Game) -> Notice:
    reader = waits(game)
    for person in in_turn(game):
        if person != reader:
            play.resign(Game.objects.get(pk=game.pk), person)
    return notice("finished", reader, Game.objects.get(pk=game.pk))


def vacation(game: Game) -> Notice:
    away = Vacation.objects.create(user=actor(game), begins_at=now(), ends_at=now() + HOUR)
    return notice("vacation", actor(game), game, vacation=away.pk)


def account(game: Game) -> Notice:
    Client().post(reverse("account_reset_password"), {"email": actor(game).email})
    return Notice.objects.get(kind="account")


AROUND = {
    Kind.VACATION: vacation,
    Kind.STARTED: started,
    Kind.ABSENCE: absence,
    Kind.INVITED: invited,
    Kind.REMATCH: rematch,
    Kind.CLOSED: closed,
    Kind.RESTORED: lambda game: notice("restored", actor(game), back_to=START.isoformat()),
    Kind.TEST: lambda game: notice("test", actor(game)),
    Kind.ACCOUNT: account,
    Kind.FINISHED: finished,
}


def test_these_tests_cover_every_mail() -> None:
    of_positions = dict.fromkeys((Kind.TURN, Kind.UNFINISHED, Kind.REMINDER, Kind.DIGEST), Tells.READER)
    assert of_positions | dict.fromkeys(AROUND, Tells.NOTHING) == MAILS


def test_mails_around_a_game_name_no_card(game: Game) -> None:
    for kind, owe in AROUND.items():
        with transaction.atomic():
            message = mail(owe(game))
            for told in (text(message), html_of(message)):
                assert CARD.findall(told) == [], kind
                assert "level" not in told, kind
                assert proofs(game, told) == set(), kind
            transaction.set_rollback(True)
