"""Mails about a decision that waits for the reader. Their subject is the same throughout a game, so that they form one
thread."""

from typing import Any

from django.utils.timesince import timesince
from django.utils.translation import gettext as _

from games import wording
from games.mails import times, words
from games.mails.facts import Turn
from games.mails.parts import Letter, MailChoice, MailLink, Section, line
from games.models import Game
from games.wording import phrases


def turn(facts: Turn) -> Letter:
    """The mail about a new turn of the reader."""
    first = facts.table.game.number == 0
    begins = _("The game has started, and you go first.") if first else _("It’s your turn.")
    return _letter(facts, _lead(facts), begins)


def unfinished(facts: Turn) -> Letter:
    """The mail about a turn that the reader has started but not finished."""
    return _letter(facts, _lead(facts), _("You’ve started your turn but haven’t finished it."))


def reminder(facts: Turn) -> Letter:
    """The mail to a reader whose time is running out."""
    deadline = facts.table.game.deadline
    assert deadline is not None
    left = _("%(time)s left") % {"time": timesince(facts.table.now, deadline)}
    return _letter(facts, phrases.beside([left, _move_by(facts), _standing(facts)]), _("It’s still your turn."))


def _letter(facts: Turn, lead: str, *intro: str) -> Letter:
    table = facts.table
    title = words.title(table.game.title)
    sections = [
        Section(_("Since your last turn"), rows=tuple(facts.since)),
        *title.position(facts.board, table.names),
        Section(_("Your note"), text=facts.note),
        Section(_("Your options"), choices=tuple(_choices(facts, title))),
    ]
    return Letter(
        subject=_("Your turn: %(title)s with %(names)s · %(table)s")
        % {"title": table.title, "names": table.opponents, "table": table.called},
        lead=lead,
        about=_("%(title)s with %(names)s · %(table)s")
        % {"title": table.title, "names": table.opponents, "table": table.called},
        intro=(" ".join([*intro, _time(facts)]).strip(),),
        sections=tuple(section for section in sections if section.text or section.rows or section.choices),
        button=MailLink(_("Open the board"), table.url),
        notes=(_forwarding(),) if facts.offers.anything else (),
    )


def _lead(facts: Turn) -> str:
    """“Ana leads 12–9 · Move by Thu 18:00 (Paris)”."""
    return phrases.beside([_standing(facts), _move_by(facts)])


def _standing(facts: Turn) -> str:
    assert facts.table.reader is not None
    return words.standing(facts.points, facts.table.reader, facts.table.names)


def _move_by(facts: Turn) -> str:
    deadline = facts.table.game.deadline
    return _("Move by %(time)s") % {"time": times.short(deadline, facts.table.now)} if deadline else ""


def _time(facts: Turn) -> str:
    game, now = facts.table.game, facts.table.now
    if game.deadline:
        told = {"time": timesince(now, game.deadline), "instant": times.full(game.deadline)}
        return _("You have %(time)s left, until %(instant)s.") % told
    if game.paused_at:
        return _("The game is paused, so the clocks are stopped.")
    return (
        _("This table has no time limit.")
        if game.pace == Game.Pace.NONE
        else _("You ran out of time, and the others are waiting.")
    )


def _choices(facts: Turn, title: Any) -> list[MailChoice]:
    offers, names = facts.offers, facts.table.names
    found = [_leading(title.purchase(card), url) for card, url in offers.purchases]
    found += [_leading(title.taking(board, names), url) for board, url in offers.takes]
    slug = facts.table.game.title
    found += [MailChoice(line(wording.action(slug, action)), url=url) for action, url in offers.actions]
    if offers.anything:
        found.append(
            MailChoice(line(_("Other moves")), line(_("Opens the whole board, without logging in")), offers.anything)
        )
    return found


def _leading(choice: MailChoice, url: str) -> MailChoice:
    return MailChoice(choice.label, choice.detail, url)


def _forwarding() -> str:
    return _(
        "A link shows the move on the board. Nothing is played until you confirm it there. Anyone you "
        "forward this email to can play this turn."
    )
