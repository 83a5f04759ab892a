"""What people do beside their turns."""

from collections.abc import Iterator

from accounts import services as accounts
from accounts.models import Offence, User
from games.models import Pool, Preview, Report, Seat
from games.services import play
from games.services.absence import pauses, timeouts, vacations
from games.services.clocks.moment import now
from games.services.mailing import digests
from games.services.moderation import acts
from games.services.outbox import calendar, opt_out, preferences
from games.services.privacy import archives, deletion
from games.services.tables import blocks, guests, invitations, person_notes, rematch, reports, tables
from games.services.tables.tables import TableSpec
from games.services.work import previews, sweep
from tests.factories import DAY, HOUR, START, acting, at, begun, each_began, take_turn
from tests.services.stories.people import PEOPLE, confirmed, deadline, legal, resigned, swept


def life() -> Iterator[str]:
    """Everything that Alice, Bob, Clara, their guests and a member of staff can do beside their turns."""
    with at(START):
        alice, bob, clara = map(confirmed, PEOPLE)
        yield from guests_come(alice, bob, clara)
    with at(START + DAY):
        yield from mails_wait(alice, bob, clara)
        yield from people_are_asked(alice, bob, clara)
    with at(START + 3 * DAY):
        yield from games_stop(alice, bob, clara)
        yield from clocks_stop(alice, bob, clara)
    with at(START + 30 * DAY):
        yield from people_meet(alice, bob, clara)
        yield from staff_acts(alice, bob, clara)
    with at(START + 40 * DAY):
        yield from accounts_end(alice, bob, clara)


def guests_come(alice: User, bob: User, clara: User) -> Iterator[str]:
    against_bot, one = guests.play_bot("splendor", None)
    take_turn(against_bot)
    yield "a guest plays a bot"
    duel = tables.create(alice, TableSpec("duel", 2))
    two = guests.sit_down(duel)
    duel.refresh_from_db()
    each_began(duel)
    yield "a guest plays"
    waiting = tables.create(bob, TableSpec("splendor", 4, addresses=["zoe@example.net"]))
    three, four = guests.sit_down(waiting), guests.sit_down(waiting)
    yield "guests wait"
    invitations.take_out(waiting, bob, three.username)
    yield "taken out"
    blocks.block(bob, three)
    blocks.block(three, alice)
    blocks.block(three, clara)
    blocks.block(clara, three)
    guests.take_along(three, clara)
    yield f"the guest was Clara, welcome: {tables.is_welcome(waiting, clara)}"
    blocks.unblock(bob, clara)
    blocks.unblock(clara, alice)
    yield "no blocks"
    guests.take_along(four, alice)
    guests.take_along(one, alice)
    yield "the others were Alice"
    accounts.keep(two, "keeper", "keeper@example.net", "Europe/Paris")
    guests.kept(two)
    yield "a guest stays"
    five = guests.sit_down(tables.create(bob, TableSpec("splendor", 4)))
    with at(now() + tables.GUEST_SEAT_TIME):
        yield from swept()
    assert not Seat.objects.filter(user=five).exists()


def mails_wait(alice: User, bob: User, clara: User) -> Iterator[str]:
    preferences.change(bob, digest_hour=20)
    game = begun([alice, bob, clara])
    tables.create(alice, TableSpec("duel", 2, invited=[bob]))
    each_began(game)
    yield "for a digest"
    yield from swept()
    preferences.change(bob, digest_hour=21)
    digests.rearrange(bob)
    yield "at another hour"
    with at(now() + DAY):
        yield from swept()
        tables.create(clara, TableSpec("duel", 2, invited=[bob]))
        yield from swept()
        preferences.change(bob, digest_hour=None)
        digests.rearrange(bob)
        yield "no digest"
        yield from swept()
        yield f"deadlines: {[calendar.written(user).count('BEGIN:VEVENT') for user in (alice, bob, clara)]}"


def people_are_asked(alice: User, bob: User, clara: User) -> Iterator[str]:
    addresses = ["zoe@example.net", "yan@example.net"]
    table = tables.create(alice, TableSpec("splendor", 4, admission="named", invited=[bob], addresses=addresses))
    invitations.invite(table, alice, [clara])
    for guest in ("bob", "clara", *addresses):
        invitations.revoke(table, alice, guest)
    with at(now() + HOUR):
        yield from swept()
        invitations.invite(table, alice, [bob], addresses[:1])
        yield "some are asked again"
        yield from swept()
    assert table.expires_at is not None
    with at(table.expires_at - 2.5 * DAY):
        invitations.invite(table, alice, [clara, User.objects.get(username="keeper")], addresses[1:])
        yield "and the others"
        invitations.revoke(table, alice, "bob")
        tables.create(clara, TableSpec("duel", 2, invited=[bob]))
        yield "somebody else asks Bob"
    with at(table.expires_at - 2 * DAY):
        yield from swept()
        invitations.revoke(table, alice, "clara")
        invitations.invite(table, alice, [clara])
        yield "asked twice, told once"
    for days in (1.5, 0.4):
        with at(table.expires_at - days * DAY):
            yield from swept()


def games_stop(alice: User, bob: User, clara: User) -> Iterator[str]:
    game = begun([alice, bob, clara], "splendor")
    each_began(game)
    pauses.ask_to_stop(game, alice)
    yield "a wish to stop"
    pauses.play_on(game, alice)
    yield "taken back"
    for user in (clara, alice, bob):
        pauses.ask_to_stop(game, user)
    yield "stopped"
    for word, act in (("resigned", play.resign), ("back", timeouts.come_back)):
        game = begun([alice, bob, clara], "splendor")
        each_began(game)
        absent = acting(game).user
        assert absent is not None
        with at(deadline(game)):
            yield from swept()
            act(game, absent)
            yield word
    game = begun([alice, clara], "splendor")
    actor, action, number = play.Actor(acting(game).user), legal(game), game.number
    for _twice in range(2):
        moves = play.submit(game, actor, number, [action])
        yield f"decided: {moves[0].notation}"


def clocks_stop(alice: User, bob: User, clara: User) -> Iterator[str]:
    vacations.begin_vacation(clara, 3, now() + 9 * DAY)
    yield "a vacation is planned"
    vacations.cancel_vacation(clara)
    yield "cancelled"
    for user in (bob, clara):
        vacations.wish(user, days_off=[5, 6], automatic_vacation=True)
    vacations.begin_vacation(bob, 3, now() + 20 * DAY)
    game = begun([bob, clara])
    each_began(game)
    yield "vacations may begin by themselves"
    for _clock in range(4):
        with at(deadline(game)):
            yield from swept()
    game.refresh_from_db()


def people_meet(alice: User, bob: User, clara: User) -> Iterator[str]:
    for by, about in ((bob, clara), (alice, bob), (alice, clara)):
        person_notes.keep(by, about, "slow")
    person_notes.keep(alice, clara, "")
    yield f"notes: {person_notes.about(alice, bob)!r}, {person_notes.about(alice, clara)!r}"
    table = tables.create(alice, TableSpec("duel", 2, invited=[bob, clara], name="Alice and friends"))
    for by, blocked in ((alice, bob), (alice, clara), (bob, alice)):
        blocks.block(by, blocked)
    blocks.unblock(alice, clara)
    yield f"blocked, Alice knows {[str(user) for user in invitations.acquaintances(alice)]}"
    blocks.unblock(bob, alice)
    blocks.block(clara, bob)
    blocks.unblock(alice, bob)
    yield f"no longer, Alice knows {[str(user) for user in invitations.acquaintances(alice)]}"
    for text in reports.texts_at(table, [alice]):
        reports.report(table, bob, text, "rude")
    blocks.unblock(clara, bob)
    yield "reported"
    over = resigned(alice, bob)
    blocks.block(bob, clara)
    again = rematch.offer(over, alice)
    rematch.offer(over, bob)
    yield f"they play again: {Seat.objects.filter(game=again).count()}"
    blocks.unblock(bob, clara)
    archives.ask(alice)
    archives.make_archive(alice.pk)
    yield f"an archive: {archives.of(alice) is not None}"
    with at(now() + archives.LIFETIME):
        archives.forget()
        yield "the archive is gone"
    accounts.end_hints(alice)
    accounts.note_language(alice, "fr")
    yield "looked"


def staff_acts(alice: User, bob: User, clara: User) -> Iterator[str]:
    stella = confirmed("stella")
    acts.appoint(stella)
    for report in Report.objects.filter(reporter=bob).order_by("pk"):
        acts.close_report(stella, report, "settled")
    yield "reports are closed"
    first, second = resigned(alice, bob), resigned(bob, clara)
    resigned(alice, bob, clara)
    resigned(alice, clara)
    yield "four games are over"
    for game in (first, second):
        previews.draw(game.pk)
    drawn = Preview.objects.filter(game__host__username__in=PEOPLE).exclude(picture=None)
    yield f"pictures of {list(drawn.order_by('pk').values_list('game__host__username', flat=True))}"
    for game in (first, second):
        acts.rename_table(stella, game, "A table", "unkind")
    acts.rename_person(stella, User.objects.get(username="keeper"), "Kieran", "unkind")
    yield "other names"
    acts.void(stella, first, "two of one person")
    yield f"a game counts for nobody, pools to count: {Pool.objects.filter(stale_since__isnull=False).count()}"
    yield from swept()
    yield f"pools to count: {Pool.objects.filter(stale_since__isnull=False).count()}"
    for user in (clara, stella):
        tables.join(tables.create(bob, TableSpec("splendor", 4, invited=[user])), user)
    tables.create(clara, TableSpec("duel", 2, invited=[bob]))
    acts.suspend(stella, clara, 3, Offence.NAME, "unkind")
    yield "suspended"
    clara.refresh_from_db()
    acts.lift(stella, clara, "sorry")
    yield "no longer"
    acts.dismiss(stella)
    yield "dismissed"


def accounts_end(alice: User, bob: User, clara: User) -> Iterator[str]:
    waiting = tables.create(clara, TableSpec("splendor", 4, invited=[bob], addresses=["zoe@example.net"], name="Clara"))
    tables.join(tables.create(alice, TableSpec("splendor", 3)), clara)
    tables.join(waiting, bob)
    preferences.mute(Seat.objects.get(game=waiting, user=clara), on=True)
    running = begun([clara, bob, alice])
    each_began(running)
    pauses.ask(running, clara)
    pauses.ask_to_stop(running, clara)
    opt_out.refuse("clara@example.org")
    yield "before the end"
    deletion.delete(clara)
    yield "Clara is gone"
    deletion.delete(User.objects.get(username="Kieran"))
    yield "Kieran is gone"
    guests.play_bot("duel", None)
    with_person = tables.create(alice, TableSpec("duel", 2))
    play.resign(with_person, guests.sit_down(with_person))
    guests.sit_down(tables.create(alice, TableSpec("duel", 2)))
    with at(now() + deletion.GUEST_LIFETIME):
        sweep.forget_guests()
        yield "guests are gone"
