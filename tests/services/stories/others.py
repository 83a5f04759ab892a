"""Other people who have done everything possible, and whom no story concerns."""

from accounts import services as accounts
from accounts.models import Offence, User
from games.models import Archive, Game, Notice, Preview, Seat
from games.services import play
from games.services.absence import pauses, vacations
from games.services.clocks.moment import now
from games.services.mailing import bounces, digests
from games.services.moderation import acts
from games.services.outbox import opt_out, preferences
from games.services.play import own_seat
from games.services.privacy import archives
from games.services.tables import blocks, person_notes, reports, tables
from games.services.tables.tables import TableSpec
from tests.factories import DAY, START, at, begun, each_began, take_turn
from tests.services.stories.people import LONG, WRITTEN, confirmed, resigned


def others() -> None:
    """Other people who have done everything possible in their own games, and whose rows must not change."""
    with at(START - DAY):
        dora, emil, flora = map(confirmed, ("dora", "emil", "flora"))
        for title in ("splendor", "duel"):
            running = begun([dora, emil], title)
            each_began(running)
            pauses.ask(running, dora)
            own_seat.keep_note(running, emil, "wait")
        bots = begun([dora], bots=2)
        take_turn(bots)
        over = begun([emil, flora])
        each_began(over)
        play.resign(over, emil)
        waiting = tables.create(dora, TableSpec("splendor", 4, invited=[emil, flora], addresses=[*WRITTEN]))
        tables.join(waiting, emil)
        tables.cancel(tables.create(emil, TableSpec("duel", 2, addresses=["ann@example.net"])), emil)
        for user in (dora, emil, flora):
            bounces.failed(user, "550 no such mailbox")
            preferences.switch(user, Notice.Kind.FINISHED, on=False)
            vacations.begin_vacation(user, 9)
        opt_out.refuse("nina@example.net")
        others_around(dora, emil, flora)
    # Nothing of theirs is due for the sweep.
    Game.objects.filter(deadline__isnull=False).update(deadline=START + LONG)
    Game.objects.filter(expires_at__isnull=False).update(expires_at=START + LONG)
    Game.objects.filter(pk=bots.pk).update(bot_claimed_until=START + LONG)
    Game.objects.filter(pk=over.pk).update(changed_at=START + LONG)
    Seat.objects.filter(held_until__isnull=False).update(held_until=START + LONG)
    Notice.objects.update(due_at=START + LONG)


def others_around(dora: User, emil: User, flora: User) -> None:
    """What the others have done beside their turns."""
    gert, gina, hanna, ivan = map(confirmed, ("gert", "gina", "hanna", "ivan"))
    User.objects.filter(pk=gert.pk).update(is_guest=True, email="")
    gert.refresh_from_db()
    table = tables.create(emil, TableSpec("splendor", 4, name="Ours"))
    tables.join(table, gert)
    for seat in Seat.objects.filter(user=emil):
        preferences.mute(seat, on=True)
    pauses.ask_to_stop(begun([dora, flora]), dora)
    vacations.wish(gina, days_off=[1], automatic_vacation=True)
    vacations.begin_vacation(gina, 2, now() + 300 * DAY)
    blocks.block(dora, ivan)
    for user, about in ((dora, emil), (emil, dora)):
        person_notes.keep(user, about, "ours")
    reports.report(table, dora, reports.name_of(emil))
    preferences.change(flora, digest_hour=6)
    for notice in Notice.objects.filter(recipient=flora, closed_at=None).select_related("recipient", "game"):
        digests.collect(notice)
    accounts.end_hints(dora)
    accounts.note_language(emil, "fr")
    acts.appoint(hanna)
    acts.suspend(hanna, ivan, acts.MAX_DAYS, Offence.NAME, "ours")
    for _game in range(2):
        over = resigned(dora, emil, title="duel")
        Preview.objects.update_or_create(game=over, defaults={"picture": b"ours"})
    archives.ask(dora)
    archives.make_archive(dora.pk)
    Archive.objects.update(made_at=START + LONG)
