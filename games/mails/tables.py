"""Mails about a table: invitations, its start, absent players, its end, its closing."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.mails import times
from games.mails.facts import Absence, InvitationFacts, ResultFacts, Table
from games.mails.parts import Grid, LabelledLine, Letter, MailChoice, MailLink, Section, line
from games.models import Game
from games.wording import phrases
from games.wording import times as agreements


def invited(facts: InvitationFacts) -> Letter:
    """Another user offers the reader a seat. A reader without an account learns only that user's name."""
    table = facts.table
    told = {"name": facts.by, "title": table.title, "table": table.called}
    intro = [
        _("%(name)s invites you to a game of %(title)s by correspondence. Everyone moves when they have time.") % told
    ]
    if facts.again:
        intro.insert(0, _("You haven’t answered yet, and the table closes soon."))
    if facts.stranger:
        intro.append(_("You don’t need an account. One click shows you the table; a second one gives you a seat."))
    notes = []
    if facts.stranger:
        site = settings.SITE_NAME
        notes.append(_("You’re getting this email because someone at %(site)s invited this address.") % {"site": site})
    return Letter(
        subject=_("%(name)s invites you to %(title)s · %(table)s") % told,
        lead=_("%(name)s invites you to %(title)s") % told,
        about=_("Table for %(seats)d · %(table)s") % {"seats": table.game.seats, "table": table.called},
        intro=tuple(intro),
        sections=(Section(_("The table"), rows=tuple(_terms(facts))),),
        button=MailLink(_("View the table and answer"), facts.accept),
        notes=tuple(notes),
    )


def rematch(facts: InvitationFacts) -> Letter:
    """A player wants a rematch."""
    table = facts.table
    told = {"name": facts.by, "title": table.title, "table": table.called, "names": table.opponents}
    intro = [_("%(name)s wants to play again, with the same players and a new deal.") % told]
    if facts.again:
        intro.insert(0, _("You haven’t answered yet, and the table closes soon."))
    return Letter(
        subject=_("%(name)s offers a rematch: %(title)s · %(table)s") % told,
        lead=_("%(name)s offers a rematch") % told,
        about=phrases.beside([table.title, table.called]),
        intro=tuple(intro),
        sections=(Section(_("The table"), rows=tuple(_terms(facts))),),
        button=MailLink(_("View the table and answer"), facts.accept),
    )


def _terms(facts: InvitationFacts) -> Iterator[LabelledLine]:
    game = facts.table.game
    if facts.table.names:
        free = ngettext("%(number)d seat free", "%(number)d seats free", facts.free) % {"number": facts.free}
        yield LabelledLine(_("At the table"), line(phrases.beside([phrases.names(facts.table.names), free])))
    yield LabelledLine(_("Pace"), line(agreements.pace(game)))
    if facts.agreed:
        yield LabelledLine(_("Time"), line(" ".join(facts.agreed)))
    rated = _("This game is rated.") if facts.rated else _("This game isn’t rated.")
    yield LabelledLine(_("Rating"), line(rated))
    if game.expires_at:
        yield LabelledLine(_("Answer by"), line(times.full(game.expires_at)))


def started(table: Table) -> Letter:
    """The game has started, and another player moves first."""
    game = table.game
    assert game.to_act is not None
    told = {"title": table.title, "names": table.opponents, "table": table.called, "name": table.names[game.to_act]}
    order = phrases.beside(
        _("%(name)s (you)") % {"name": name} if place == table.reader else name
        for place, name in enumerate(table.names)
    )
    return Letter(
        subject=_("Game started: %(title)s with %(names)s · %(table)s") % told,
        lead=_("The game has started · %(name)s goes first") % told,
        about=_("%(title)s with %(names)s · %(table)s") % told,
        intro=(_("The table is full and the cards are dealt. We’ll email you when it’s your turn."),),
        sections=(
            Section(
                _("The table"),
                rows=(
                    LabelledLine(_("Turn order"), line(order)),
                    LabelledLine(_("Pace"), line(agreements.pace(game))),
                    *([LabelledLine(_("Time"), line(agreements.at_zero(game)))] if game.pace != Game.Pace.NONE else []),
                ),
            ),
        ),
        button=MailLink(_("Open the board"), table.url),
    )


def absence(facts: Absence) -> Letter:
    """The reader or another player ran out of time."""
    table = facts.table
    told = {"name": table.names[facts.seat], "title": table.title, "names": table.opponents, "table": table.called}
    if facts.seat == table.reader:
        subject, lead = _("You ran out of time: %(title)s with %(names)s · %(table)s"), _("You ran out of time")
        intro = list(_to_the_absent(facts))
    else:
        subject, lead = _("%(name)s ran out of time: %(title)s · %(table)s"), _("%(name)s ran out of time")
        intro = list(_to_the_others(facts))
    return Letter(
        subject=subject % told,
        lead=lead % told,
        about=_("%(title)s with %(names)s · %(table)s") % told,
        intro=tuple(intro),
        button=MailLink(_("Open the new table"), facts.again)
        if facts.again
        else MailLink(_("Open the board"), table.url),
    )


def _to_the_absent(facts: Absence) -> Iterator[str]:
    game = facts.table.game
    if game.ending == Game.Ending.ABANDONED:
        yield _("You never made your first move, so this game doesn’t count.")
        if facts.again:
            yield _("The others have moved to a new table with a new deal. A seat is being held for you there.")
    elif not game.is_active:
        yield _("The game is over.")
    elif game.at_zero == Game.AtZero.WAIT:
        yield _("The others are waiting for your move.")
    elif facts.back_by:
        yield _("A bot is playing for you. Open the table to take your seat back at any time.")
        told = {"time": times.full(facts.back_by)}
        yield _("If you’re back by %(time)s and before the bot’s fourth move, you can still win.") % told
    else:
        yield _("At this table, that means you can no longer win. A bot is playing for you.")
        yield _("Open the table to take your seat back at any time.")


def _to_the_others(facts: Absence) -> Iterator[str]:
    game, told = facts.table.game, {"name": facts.table.names[facts.seat]}
    if game.ending == Game.Ending.ABANDONED:
        yield _("%(name)s never made a first move, so this game doesn’t count.") % told
        if facts.again and facts.has_seat and facts.is_invited:
            yield _("You have a seat at a new table with a new deal. %(name)s is invited to it.") % told
        elif facts.again and facts.has_seat:
            yield _("You have a seat at a new table with a new deal.")
        elif facts.again:
            yield _("The others have moved to a new table with a new deal. You’re invited to it.")
    elif not game.is_active:
        yield _("The game is over.")
    elif game.at_zero == Game.AtZero.WAIT:
        yield _("You’re waiting for %(name)s to move. You can give them more time.") % told
    elif facts.back_by:
        yield _("A bot is playing, so nobody has to wait. %(name)s can come back.") % told
        told["time"] = times.full(facts.back_by)
        yield _("After %(time)s, or after the bot’s fourth move, %(name)s can no longer win.") % told
    else:
        yield _("At this table, that means %(name)s can no longer win.") % told
        yield _("A bot is playing, so nobody has to wait. %(name)s can come back.") % told


def finished(facts: ResultFacts) -> Letter:
    """The game is over."""
    table = facts.table
    told = {"title": table.title, "names": table.opponents, "table": table.called}
    return Letter(
        subject=_("Game over: %(title)s with %(names)s · %(table)s") % told,
        lead=facts.headline,
        about=_("%(title)s with %(names)s · %(table)s") % told,
        intro=tuple(filter(None, [facts.how, facts.facts, facts.rating])),
        sections=(
            Section(_("Final standings"), text=facts.aim, grid=Grid(tuple(facts.heads), tuple(map(tuple, facts.rows)))),
        ),
        button=MailLink(_("View the result and play again"), table.url),
    )


def closed(table: Table) -> Letter:
    """A table closed before its game started, or all players agreed to stop."""
    told = {"title": table.title, "table": table.called}
    why = {
        Game.Ending.EXPIRED: _("It didn’t fill in time. The game hadn’t started."),
        Game.Ending.AGREED: _("Everyone agreed to stop the game. It doesn’t count."),
    }
    return Letter(
        subject=_("Table closed: %(title)s · %(table)s") % told,
        lead=_("The table is closed"),
        about=phrases.beside([table.title, table.called]),
        intro=(why.get(Game.Ending(table.game.ending), _("The host cancelled it. The game hadn’t started.")),),
        button=MailLink(_("View other tables"), table.url),
    )


def taken_out(table: Table) -> Letter:
    """The host freed the reader's seat at an open table."""
    told = {"title": table.title, "table": table.called}
    return Letter(
        subject=_("Your seat was freed: %(title)s · %(table)s") % told,
        lead=_("You no longer have a seat"),
        about=phrases.beside([table.title, table.called]),
        intro=(_("The host freed your seat. The game hadn’t started."),),
        button=MailLink(_("View other tables"), table.url),
    )


def vacation(table: Table, until: datetime, left: timedelta, url: str) -> Letter:
    """The reader's time ran out, and a day of vacation began in its place."""
    told = {"title": table.title, "names": table.opponents, "table": table.called, "time": times.full(until)}
    days = ngettext(
        "You have %(number)d day of vacation left this year.",
        "You have %(number)d days of vacation left this year.",
        left.days,
    )
    return Letter(
        subject=_("A day of vacation has begun: %(title)s with %(names)s · %(table)s") % told,
        lead=_("Your time ran out, and a day of vacation has begun"),
        about=_("%(title)s with %(names)s · %(table)s") % told,
        intro=(
            _("Your time ran out at this table, so you’re on vacation until %(time)s, as you asked.") % told,
            _("Until then, your clocks are stopped at all tables that allow vacations. You can still move."),
            days % {"number": left.days},
        ),
        button=MailLink(_("Open the board"), table.url),
        sections=(
            Section(_("Your settings"), choices=(MailChoice(line(_("Change when your clocks stop")), url=url),)),
        ),
    )


def digest(site: str, turns: Sequence[Letter], others: Sequence[Letter], url: str) -> Letter:
    """What these letters say, in one."""
    waiting = ngettext("Your turn at %(number)d table", "Your turn at %(number)d tables", len(turns))
    news = ngettext("%(number)d other message", "%(number)d other messages", len(others))
    counted = [(waiting, turns), (news, others)]
    lead = phrases.beside(text % {"number": len(letters)} for text, letters in counted if letters)
    return Letter(
        subject=_("Your games at %(site)s: %(news)s") % {"site": site, "news": lead},
        lead=lead,
        about=_("Daily email"),
        sections=tuple(_summary(letter) for letter in (*turns, *others)),
        button=MailLink(_("View your games"), url),
    )


def _summary(letter: Letter) -> Section:
    """What the letter says: its news, but no position and no links for making moves."""
    first = letter.sections[0] if letter.sections else Section("")
    button = [MailChoice(line(letter.button.label), url=letter.button.url)] if letter.button else []
    text = "\n".join([letter.lead, *letter.intro])
    return Section(letter.subject, text=text, rows=first.rows, grid=first.grid, choices=tuple(button))


def restored(site: str, back_to: datetime, now: datetime, url: str) -> Letter:
    """The site went back to an earlier instant."""
    told = {"site": site, "time": agreements.instant(back_to, now)}
    return Letter(
        subject=_("%(site)s was restored from a backup (%(time)s)") % told,
        lead=_("The site has gone back in time"),
        about=_("Restored from a backup"),
        intro=(
            _("After a failure, %(site)s was restored from a backup made at this time: %(time)s.") % told,
            _("Everything since then is lost, including moves. Links in emails sent since then no longer work."),
            _("Your games go on from there. Their clocks show the time that was left."),
        ),
        button=MailLink(_("View your games"), url),
    )


def test(site: str, url: str) -> Letter:
    """A test that the reader requested."""
    return Letter(
        subject=_("Test email from %(site)s") % {"site": site},
        lead=_("Your email works"),
        about=_("The test you asked for"),
        intro=(_("Emails from %(site)s reach you. There’s nothing more to do.") % {"site": site},),
        button=MailLink(_("View your emails"), url),
    )
