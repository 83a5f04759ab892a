"""What people do at their turns and around them."""

from collections.abc import Iterator

from accounts import services as accounts
from games.models import Game, Invitation, Notice, Seat
from games.services import play
from games.services.absence import pauses, timeouts, vacations
from games.services.clocks.moment import now
from games.services.mailing import bounces, deliveries
from games.services.outbox import opt_out, preferences
from games.services.play import own_seat
from games.services.tables import invitations, rematch, tables
from games.services.tables.tables import TableSpec
from games.services.work import sweep, thinking
from tests.factories import DAY, HOUR, START, acting, at, begun, each_began, take_turn
from tests.services.stories.people import PEOPLE, confirmed, deadline, legal, swept


def games() -> Iterator[str]:
    """Everything that Alice, Bob and Clara can do, one step after the other; yields the name of each step."""
    with at(START):
        alice, bob, clara = map(confirmed, PEOPLE)
        table = tables.create(alice, TableSpec("splendor", 3, admission="named", addresses=["ben@example.net"]))
        yield "a table"
        invitations.invite(table, alice, [bob, clara], ["zoe@example.net", "bob@example.org"])
        yield "more guests"
        tables.join(table, bob)
        invitations.decline_seat(table, clara)
        invitations.revoke(table, alice, "ben@example.net")
        invitations.decline(Invitation.objects.get(game=table, address="zoe@example.net"))
        yield "answers"
        invitations.invite(table, alice, addresses=["ben@example.net"])
        yield "invited again"
        invitations.decline(Invitation.objects.get(game=table, address="ben@example.net"))
        tables.leave(table, bob)
        yield "left"
        tables.cancel(table, alice)
        yield "cancelled"
        table = tables.create(alice, TableSpec("duel", 2, invited=[bob]))
        for notice in Notice.objects.filter(game=table):
            deliveries.deliver(notice.pk)
        yield "mailed"
    assert table.expires_at is not None
    for instant in (table.expires_at - DAY, table.expires_at + HOUR):
        with at(instant):
            sweep.sweep()
            yield f"swept at {instant}"
    with at(START):
        game = begun([alice, bob, clara])
        yield "begun"
        each_began(game)
        first, second, third = (seat.user for seat in game.seat_set.order_by("index") if seat.user)
        yield "a round"
        pauses.ask(game, first)
        pauses.withdraw(game, first)
        yield "a wish taken back"
        for user in (first, second, third):
            pauses.ask(game, user)
        yield "paused"
        pauses.more_time(game, third)
        yield "more time in a pause"
    with at(START + DAY):
        pauses.resume(game, second)
        yield "resumed"
        pauses.more_time(game, second)
        own_seat.keep_note(game, third, "buy")
        preferences.mute(Seat.objects.get(game=game, user=third), on=True)
        yield "more time"
        vacations.begin_vacation(first, 3)
        yield "on vacation"
    with at(START + 2 * DAY):
        vacations.end_vacation(first)
        yield "back"
        play.submit(game, play.Actor(first), game.number, [legal(game)])
        yield "a decision"
    absent = acting(game).user
    assert absent is not None
    with at(deadline(game) - HOUR):
        yield from swept()
    with at(deadline(game)):
        yield from swept()
        thinking.think(game.pk)
        yield "a bot plays"
        timeouts.come_back(game, absent)
        yield "back in the seat"
        take_turn(game)
        yield "a turn"
        end = deadline(game) + HOUR
    with at(end):
        yield from swept()
    with at(end + timeouts.CARETAKER_GRACE):
        yield from swept()
        game.refresh_from_db()
        play.resign(game, absent)
        yield "resigned"
        game.refresh_from_db()
        assert not game.is_active
        own_seat.see_end(game, first)
        yield "seen"
        again = rematch.offer(game, first)
        tables.join(again, second)
        rematch.offer(game, third)
        yield "again"
        end = deadline(again) + HOUR
    with at(end):
        yield from swept()
        assert Game.objects.get(pk=again.pk).ending == Game.Ending.ABANDONED
        bounces.failed(alice, "550 no such mailbox")
        preferences.switch(alice, Notice.Kind.TURN, on=False)
        yield "trouble"
        bounces.arrived("alice@example.org", now() - HOUR)
        bounces.came_back("Alice@example.org", "")
        yield "came back"
        bounces.arrived("alice@Example.org", now())
        yield "arrived"
        bounces.came_back("bob@example.org", "551 gone")
        bounces.worked(bob)
        yield "came back although it was taken"
        bounces.settled(alice)
        opt_out.refuse("ben@example.net")
        opt_out.refuse("ben@example.net", on=False)
        yield "settled"
        accounts.forget()
        yield "forgotten"
        for pace, at_zero in (("fast", "wait"), ("relaxed", "forfeit")):
            game = begun([alice, bob], "duel", pace=pace, at_zero=at_zero)
            each_began(game)
            yield f"{pace}, {at_zero}"
            with at(deadline(game)):
                yield from swept()
                if at_zero == "wait":
                    pauses.more_time(game, bob if acting(game).user == alice else alice)
                    yield "more time"
        game = begun([alice], bots=2)
        yield "bots"
        for _decision in range(3):
            thinking.think(game.pk)
        yield "bots decide"
