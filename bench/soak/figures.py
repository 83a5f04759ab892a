"""The figures of a soak, computed from the mails taken by the server, the confirmations given to people, and the stored
rows. This module does not use the site's own arithmetic."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from games.models import Game, Incident, Move, Notice, Seat, Vacation
from games.services.clocks.moment import now
from games.services.play import history

QUIET_SECONDS = 360
"""Seconds without a mail after which no more will come; longer than the claim of a killed worker."""
OUT_OF_TIME = ("timed_out", "overtime", "abandoned")


@dataclass
class Figures:
    owed: int = 0
    """Mails owed: one for each turn that began for a user, and one per user for each end of a game."""
    sent: int = 0
    """Mails that the mail server accepted."""
    doubled: int = 0
    """Accepted mails that the server had accepted before."""
    doubled_without_crash: int = 0
    """Doubled mails for which no process died between the mail server and the commit."""
    lost: int = 0
    """Mails that were owed, needed, and not sent."""
    moves: int = 0
    moves_lost: int = 0
    """Moves that were confirmed to a user but are not stored like that."""
    moves_doubled: int = 0
    """Stored moves that were neither confirmed to a user nor made by a bot."""
    clocks_run_out: int = 0
    clocks_run_out_in_protected_hours: int = 0
    people_timed_out_without_having_been_told: int = 0
    games: int = 0
    games_ended: int = 0
    games_that_do_not_replay: int = 0
    crashes: int = 0
    faults: list[str] = field(default_factory=list)
    """Every fault in words: its kind, and where and when it shows."""

    def blame(self, name: str, game: int | None, seat: int | None, at: datetime | None, what: str) -> None:
        """Count a fault, and record its game, seat and instant."""
        setattr(self, name, getattr(self, name) + 1)
        when = f"{at.astimezone(UTC):%Y-%m-%dT%H:%M}" if at else "-"
        self.faults.append(f"{name}: game {game}, seat {seat}, {when} UTC: {what}")


def drain(say: Callable[[str], None]) -> datetime:
    """Wait until everything due at this instant is sent, and return the instant; bots continue to play."""
    instant = now()
    owed = Notice.objects.filter(closed_at=None, due_at__lte=instant)
    left, last = owed.count(), time.monotonic() + QUIET_SECONDS
    while left and time.monotonic() < last:
        time.sleep(1)
        before, left = left, owed.count()
        if left < before:
            last = time.monotonic() + QUIET_SECONDS
    say(f"still owed: {left}")
    return instant


def reckon(
    mails: Iterable[str],
    excused: Mapping[str, int],
    moves: Mapping[tuple[int, int], tuple[int, str]],
    crashes: int,
    until: datetime,
) -> Figures:
    """Compute the figures. `mails` are the ids of the notices of accepted mails, in order. `excused` says, by id, how
    often a process died after the server had accepted the mail. All notices due before `until` should have been
    sent."""
    taken = Counter(mails)
    figures = Figures(
        sent=sum(taken.values()),
        doubled=sum(number - 1 for number in taken.values()),
        crashes=crashes,
        games=Game.objects.count(),
        games_ended=Game.objects.filter(status__in=("finished", "cancelled")).count(),
    )
    _of_mails(figures, taken, excused)
    for game in Game.objects.all().iterator():
        _of_game(figures, game, taken, until)
    _of_moves(figures, moves)
    return figures


def _of_mails(figures: Figures, taken: Counter[str], excused: Mapping[str, int]) -> None:
    unexcused = {pk: number - 1 - excused.get(pk, 0) for pk, number in taken.items()}
    for pk, number in unexcused.items():
        if number > 0:
            notice = Notice.objects.get(pk=pk)
            for _time in range(number):
                figures.blame("doubled_without_crash", notice.game_id, None, notice.closed_at, str(notice))


def _of_moves(figures: Figures, moves: Mapping[tuple[int, int], tuple[int, str]]) -> None:
    stored = {(move.game_id, move.number): move for move in Move.objects.all()}
    figures.moves = len(stored)
    for (game, number), (seat, notation) in moves.items():
        move = stored.get((game, number))
        if move is None or (move.seat, move.notation) != (seat, notation):
            figures.blame("moves_lost", game, seat, move.made_at if move else None, f"{number}. {notation}")
    for (game, number), move in stored.items():
        if move.actor == Move.ActorKind.USER and (game, number) not in moves:
            figures.blame("moves_doubled", game, move.seat, move.made_at, f"{number}. {move.notation}")


def _of_game(figures: Figures, game: Game, taken: Counter[str], until: datetime) -> None:
    seats = list(Seat.objects.filter(game=game).select_related("user").order_by("index"))
    moves = list(game.move_set.order_by("number"))
    notices = {(notice.recipient_id, notice.key): notice for notice in Notice.objects.filter(game=game)}
    if moves and not history.replays(game):
        figures.blame("games_that_do_not_replay", game.pk, None, game.changed_at, f"{len(moves)} moves")
    for key, user in _owed(game, seats, moves):
        notice = notices.get((user, key))
        if notice and notice.closed_at is None and notice.due_at > until:
            continue
        figures.owed += 1
        if notice is None or not _is_settled(game, notice, taken):
            seat = next(seat for seat in seats if seat.user_id == user)
            due = notice.due_at if notice else None
            figures.blame("lost", game.pk, seat.index, due, f"{key} {notice.outcome if notice else 'not noted'}")
    for incident in game.incident_set.filter(kind__in=OUT_OF_TIME):
        seat = seats[incident.seat or 0]
        figures.clocks_run_out += 1
        due = datetime.fromisoformat(incident.facts["deadline"])
        what = f"{incident.kind} at number {incident.after_number}"
        if _is_protected(game, seat, due, incident.at):
            figures.blame("clocks_run_out_in_protected_hours", game.pk, seat.index, due, what)
        if not _was_told(game, seat, incident, moves, notices, taken):
            name = "people_timed_out_without_having_been_told"
            figures.blame(name, game.pk, seat.index, incident.at, what)


def _owed(game: Game, seats: list[Seat], moves: list[Move]) -> Iterable[tuple[str, int]]:
    """The key and recipient of every owed notice: one for each turn, derived from the moves, and one for the end."""
    people = {seat.index: seat.user_id for seat in seats if seat.user_id}
    if game.started_at:
        following = [*moves[1:], None][: len(moves)]
        first = moves[0].seat if moves else game.to_act
        if first in people and (not moves or moves[0].actor == Move.ActorKind.USER):
            yield f"turn:{game.pk}:0", people[first]
        for move, after in zip(moves, following, strict=True):
            to_act = after.seat if after else game.to_act
            if to_act is None or to_act == move.seat or to_act not in people:
                continue
            if after.actor == Move.ActorKind.USER if after else not seats[to_act].acting_bot:
                yield f"turn:{game.pk}:{move.number + 1}", people[to_act]
    if game.status == Game.Status.FINISHED:
        for user in people.values():
            yield f"finished:{game.pk}", user


def _is_settled(game: Game, notice: Notice, taken: Counter[str]) -> bool:
    """Whether the notice's mail was accepted, or was not needed: the user did not want it, looked at the game, or the
    game moved on."""
    if notice.outcome == Notice.Outcome.SENT:
        return taken[str(notice.digest_id or notice.pk)] > 0
    if notice.outcome == Notice.Outcome.OUTDATED:
        number = int(notice.key.split(":")[2]) if notice.kind == Notice.Kind.TURN else -1
        return not game.is_active or game.number > number or bool(_acting(game).acting_bot)
    return notice.outcome in (Notice.Outcome.UNWANTED, Notice.Outcome.SEEN)


def _acting(game: Game) -> Seat:
    return Seat.objects.get(game=game, index=game.to_act)


def _is_protected(game: Game, seat: Seat, due: datetime, at: datetime) -> bool:
    """Whether the clock may not run at `due`. A vacation that was begun at the instant `at` which took the player out
    came too late: the clock of a soak stands still between two steps."""
    user = seat.user
    assert user is not None
    if user.quiet_from and user.quiet_until:
        wall = due.astimezone(ZoneInfo(user.time_zone)).time()
        begin, end = user.quiet_from, user.quiet_until
        if begin <= wall < end if begin <= end else (wall >= begin or wall < end):
            return True
    if game.vacations and user.days_off and due.astimezone(ZoneInfo(user.time_zone)).weekday() in user.days_off:
        return True
    away = Vacation.objects.filter(user=user, begins_at__lte=due, ends_at__gt=due).exclude(begins_at=at)
    return game.vacations and away.exists()


def _was_told(
    game: Game,
    seat: Seat,
    incident: Incident,
    moves: list[Move],
    notices: Mapping[tuple[int | None, str], Notice],
    taken: Counter[str],
) -> bool:
    """Whether the user knew of the turn before the incident (by mail, from the page, or by having begun it) or wants no
    mails. A user who comes back in the middle of a turn gets a notice for the rest of it."""
    mine = [
        notice
        for (user, _key), notice in notices.items()
        if user == seat.user_id and notice.kind == Notice.Kind.TURN and notice.created_at < incident.at
    ]
    numbers = {int(notice.key.split(":")[2]): notice for notice in mine}
    begun = max(numbers, default=None)
    if begun is None:
        return False
    notice = numbers[begun]
    if any(move.seat == seat.index and begun <= move.number < incident.after_number for move in moves):
        return True
    if notice.outcome in (Notice.Outcome.UNWANTED, Notice.Outcome.SEEN):
        return True
    mail = notice.digest or notice
    sent = mail.delivery_set.filter(sent_at__lte=incident.at).exists()
    return sent and taken[str(mail.pk)] > 0
