"""The registry of everything that leaves the site: addresses, mails, other channels, tasks. Each entry says what it may
reveal of a game. `tests/test_outputs.py` finds missing entries, and the tests of secrets check every entry."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from games.models import Delivery, Game, Notice
from tests.capabilities import CAPABILITIES

Kind = Notice.Kind
SWAP = {"HX-Request": "true"}


class Tells(Enum):
    """The cards of a running game that an output may name; it may reveal nothing else that is hidden."""

    NOTHING = "none"
    LESSON = "none, but those of the first lesson, which belongs to no game"
    READER = "those that the reader may know"
    HISTORY = "those that the reader may know now or has known before"
    HOLDER = "those that the seat to act may know, whoever reads"


@dataclass(frozen=True)
class Output:
    """The answer of an address, and the ways to request it."""

    tells: Tells = Tells.NOTHING
    queries: tuple[str, ...] = ("",)
    """The queries to test it with."""
    swapped: bool = False
    """Whether HTMX also requests it and swaps the answer into a page."""
    page: bool = True
    """Whether a GET can return a page; otherwise it redirects or is refused."""
    decides: bool = False
    """Whether a post plays a move."""
    staff: bool = False
    """Whether only staff find it; `tests/views/test_staff.py` reads it."""

    @property
    def ways(self) -> list[tuple[str, dict[str, str]]]:
        """The queries and headers of its requests."""
        return [*((query, {}) for query in self.queries), *([("", SWAP)] if self.swapped else [])]


PRICES = ("?prices=printed", "?prices=0", "?prices=1")
TABLE = ("", "?ledger=all", "?draft=reserve L1", "?draft=reserve L1;", *PRICES)
ADDRESSES: dict[str, Output] = {
    "table": Output(Tells.READER, TABLE, swapped=True, decides=True),
    "poll": Output(Tells.READER, ("", *PRICES), swapped=True),
    **dict.fromkeys(("game_json", "game_text"), Output(Tells.HISTORY)),
    "link": Output(Tells.HOLDER, TABLE, swapped=True, decides=True),
    **dict.fromkeys(
        ("lesson", "in_language:lesson"),
        Output(Tells.LESSON, ("", "?draft=reserve L1", "?played=reserve L1"), swapped=True),
    ),
    **dict.fromkeys(
        ("rules", "in_language:rules"), Output(queries=("", "?level=2&gives=g", "?refused=R16&draft=reserve L1"))
    ),
    "history": Output(
        queries=("", "?title=duel&result=won&against=a&since=2026-01-01&ending=played", "?seats=3&rated=yes")
    ),
    **dict.fromkeys(
        ("statistics", "opponents"),
        Output(queries=("", "?title=splendor&seats=3&with=people", "?title=duel&with=bots")),
    ),
    "leaderboard": Output(queries=("", "?bots=1")),
    **dict.fromkeys(
        (
            "home", "in_language:home", "learn", "in_language:learn", "rules_summary", "in_language:rules_summary",
            "help", "mine", "new", "open", "invitation", "resign", "clock", "note", "people", "blocked",
            "mail_wishes", "deliveries", "vacation", "unsubscribe", "mute", "never_again",
            "archive", "account_deleted", "privacy", "ratings",
            "accounts:settings", "accounts:time_zone", "accounts:sessions",
            "account_login", "account_logout", "account_inactive", "account_signup", "account_reauthenticate",
            "account_email", "account_change_password", "account_reset_password", "account_password_reset_completed",
            "profile", "profile_card", "person_note", "report_person",
            "mfa_list_webauthn", "sitemap", "robots", "manifest",
        ),
        Output(),
    ),
    **dict.fromkeys(
        (
            "accounts:staff_enter", "staff", "staff_acts", "staff_report", "staff_person", "staff_table", "staff_state",
        ),
        Output(staff=True),
    ),
    # A page for calendar programs; `path` makes a new address for the seat to act.
    "calendar": Output(),
    # A picture; it exists for finished games only.
    "preview": Output(page=False),
    **dict.fromkeys(
        (
            "play_bot", "first_move", "keep", "keep_code", "keep_later",
            "next", "plan", "join", "leave", "rename", "cancel", "invite", "revoke", "decline", "rematch", "later",
            "report", "block", "block_person", "take_out",
            "no_hints",
            "pause", "resume", "withdraw_pause", "more_time", "come_back", "stop", "play_on", "mute_table",
            "test_mail", "mail_works",
            "vacation_back", "time_off", "renew_calendar", "stop_calendar",
            "accounts:theme", "accounts:language", "accounts:end_other_sessions", "accounts:end_session",
            "accounts:start_again", "first_lesson", "staff_rename", "staff_suspend", "staff_lift", "staff_void",
            # These exist in development only.
            "accounts:mailbox", "accounts:mail", "accounts:mail_html",
            # These need a code that was just sent, or a confirmed password.
            "archive_file", "delete_account",
            "account_email_verification_sent", "account_set_password", "account_confirm_login_code",
            "account_confirm_password_reset_code", "account_complete_password_reset", "mfa_add_webauthn",
            "mfa_reauthenticate_webauthn", "mfa_remove_webauthn", "mfa_edit_webauthn", "mfa_login_webauthn",
            "mfa_index",
            # It exists if the host gives an address.
            "security",
        ),
        Output(page=False),
    ),
}  # fmt: skip
"""The outputs by name of the address."""
MAILS: dict[Kind, Tells] = {
    **dict.fromkeys((Kind.TURN, Kind.UNFINISHED, Kind.REMINDER, Kind.DIGEST), Tells.READER),
    **dict.fromkeys(
        (
            Kind.VACATION,
            Kind.ABSENCE,
            Kind.STARTED,
            Kind.INVITED,
            Kind.FINISHED,
            Kind.REMATCH,
            Kind.CLOSED,
            Kind.RESTORED,
            Kind.TEST,
            Kind.ACCOUNT,
        ),
        Tells.NOTHING,
    ),
}
CHANNELS = {Delivery.Channel.MAIL}
"""The channels of notices."""
TASKS = {
    "games.tasks.tend", "games.tasks.think", "games.tasks.sweep", "games.tasks.dispatch", "games.tasks.deliver",
    "accounts.tasks.forget", "games.tasks.forget", "games.tasks.forget_guests", "games.tasks.make_archive",
    "splendor_site.tasks.analyze", "splendor_site.tasks.back_up", "splendor_site.tasks.checkpoint",
}  # fmt: skip
"""The tasks in the queue, with their arguments; these are ids only."""


@cache
def routes() -> dict[str, tuple[str, ...]]:
    """The name of every address of the site, with the names of its arguments. Another address of a name is listed with
    its pattern, so it is not in the registry; an address of ours that replaces a library's has the same pattern."""
    found, patterns = dict[str, tuple[str, ...]](), dict[str, str]()
    for name, pattern, arguments in _routes(get_resolver().url_patterns):
        found[name if patterns.setdefault(name, pattern) == pattern else f"{name} {pattern}"] = arguments
    return found


def path(name: str, game: Game, **other: Any) -> str:
    """The address of that name with arguments for that game, or the `other` ones."""
    facts = {
        "key": game.key,
        "pk": 1,
        "file": "none",
        "language": "fr",
        "number": 1,
        "title": game.title,
        "seats": game.seats,
        **other,
    }
    wanted = routes()[name]
    if "name" in wanted:
        facts.setdefault("name", min(seat.user.username for seat in game.seat_set.all() if seat.user))
    if "token" in wanted and "token" not in other:
        return CAPABILITIES[name].path(game)
    return reverse(name, kwargs={argument: facts[argument] for argument in wanted})


def _routes(
    patterns: Iterable[URLPattern | URLResolver],
    spaces: tuple[str, ...] = (),
    before: str = "",
    arguments: tuple[str, ...] = (),
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for pattern in patterns:
        whole, more = f"{before}{pattern.pattern}", (*arguments, *pattern.pattern.regex.groupindex)
        if isinstance(pattern, URLResolver):
            inner = (*spaces, pattern.namespace) if pattern.namespace else spaces
            yield from _routes(pattern.url_patterns, inner, whole, more)
        else:
            # An address without a name is listed by its pattern, which is not in the registry.
            yield ":".join([*spaces, pattern.name or str(pattern.pattern)]), whole, more
