"""What came of a soak, from what the mail server took, what people were promised, and what is stored; reckoned here on
its own, not with the site's arithmetic."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from accounts.models import Vacation
from games.models import Game, Incident, Move, Notice, Seat
from games.services import history

OUT_OF_TIME = ("timed_out", "overtime", "abandoned")


@dataclass
class Figures:
    owed: int = 0
    """Turns that began for a person, and ends of games, times those who were to be told."""
    sent: int = 0
    """Mails that the mail server took."""
    doubled: int = 0
    """Of them, those that it had taken before."""
    doubled_without_crash: int = 0
    """Of these, those for which no process died between the mail server and the commit."""
    lost: int = 0
    """Owed, and neither sent nor needless."""
    moves: int = 0
    moves_lost: int = 0
    """Confirmed to a person, and not stored so."""
    moves_doubled: int = 0
    """Stored, and neither confirmed to a person nor made by a program."""
    clocks_run_out: int = 0
    clocks_run_out_in_protected_hours: int = 0
    people_timed_out_without_having_been_told: int = 0
    games: int = 0
    games_ended: int = 0
    games_that_do_not_replay: int = 0
    crashes: int = 0


def reckon(
    mails: Iterable[str],
    excused: Mapping[str, int],
    moves: Mapping[tuple[int, int], tuple[int, str]],
    crashes: int,
    until: datetime,
) -> Figures:
    """`mails` are the ids of the notices of which the mail server took a mail, in order; `excused`, by id, how often a
    process died after that; `until` is the instant up to which all that was due should have been told."""
    taken = Counter(mails)
    figures = Figures(
        sent=sum(taken.values()),
        doubled=sum(number - 1 for number in taken.values()),
        doubled_without_crash=sum(max(number - 1 - excused.get(pk, 0), 0) for pk, number in taken.items()),
        crashes=crashes,
        games=Game.objects.count(),
        games_ended=Game.objects.filter(status__in=("finished", "cancelled")).count(),
    )
    for game in Game.objects.all().iterator():
        _of_game(figures, game, taken, until)
    stored = {(move.game_id, move.number): move for move in Move.objects.all()}
    figures.moves = len(stored)
    for at, (seat, notation) in moves.items():
        move = stored.get(at)
        figures.moves_lost += move is None or (move.seat, move.notation) != (seat, notation)
    by_people = {at for at, move in stored.items() if move.actor == Move.ActorKind.USER}
    figures.moves_doubled = len(by_people - moves.keys())
    return figures


def _of_game(figures: Figures, game: Game, taken: Counter[str], until: datetime) -> None:
    seats = list(Seat.objects.filter(game=game).select_related("user").order_by("index"))
    moves = list(game.move_set.order_by("number"))
    notices = {(notice.recipient_id, notice.key): notice for notice in Notice.objects.filter(game=game)}
    if moves:
        figures.games_that_do_not_replay += not history.replays(game)
    for key, user in _owed(game, seats, moves):
        notice = notices.get((user, key))
        if notice and notice.closed_at is None and notice.due_at > until:
            continue
        figures.owed += 1
        figures.lost += notice is None or not _is_settled(game, notice, taken)
    for incident in game.incident_set.filter(kind__in=OUT_OF_TIME):
        seat = seats[incident.seat or 0]
        figures.clocks_run_out += 1
        due = datetime.fromisoformat(incident.facts["deadline"])
        figures.clocks_run_out_in_protected_hours += _is_protected(game, seat, due)
        figures.people_timed_out_without_having_been_told += not _was_told(game, seat, incident, moves, notices, taken)


def _owed(game: Game, seats: list[Seat], moves: list[Move]) -> Iterable[tuple[str, int]]:
    """The keys of what people must be told: each turn, read off the moves, and the end."""
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
            if after.actor == Move.ActorKind.USER if after else not seats[to_act].program:
                yield f"turn:{game.pk}:{move.number + 1}", people[to_act]
    if game.status == Game.Status.FINISHED:
        for user in people.values():
            yield f"finished:{game.pk}", user


def _is_settled(game: Game, notice: Notice, taken: Counter[str]) -> bool:
    """Whether its mail was taken, or is not needed: for want of a wish, a look, or because the game went on."""
    if notice.outcome == Notice.Outcome.SENT:
        return taken[str(notice.pk)] > 0
    if notice.outcome == Notice.Outcome.OUTDATED:
        number = int(notice.key.split(":")[2]) if notice.kind == Notice.Kind.TURN else -1
        return not game.is_active or game.number > number or bool(_acting(game).program)
    return notice.outcome in (Notice.Outcome.UNWANTED, Notice.Outcome.SEEN)


def _acting(game: Game) -> Seat:
    return Seat.objects.get(game=game, index=game.to_act)


def _is_protected(game: Game, seat: Seat, due: datetime) -> bool:
    user = seat.user
    assert user is not None
    if user.quiet_from and user.quiet_until:
        wall = due.astimezone(ZoneInfo(user.time_zone)).time()
        begin, end = user.quiet_from, user.quiet_until
        if begin <= wall < end if begin <= end else (wall >= begin or wall < end):
            return True
    return game.vacations and Vacation.objects.filter(user=user, begins_at__lte=due, ends_at__gt=due).exists()


def _was_told(
    game: Game,
    seat: Seat,
    incident: Incident,
    moves: list[Move],
    notices: Mapping[tuple[int | None, str], Notice],
    taken: Counter[str],
) -> bool:
    """Whether that person had heard of the turn by then: by a mail, on the page, by having begun it; or wants no
    mails."""
    mine = [notice for (user, _key), notice in notices.items() if user == seat.user_id and notice.kind == "turn"]
    numbers = {int(notice.key.split(":")[2]): notice for notice in mine}
    begun = max((number for number in numbers if number <= incident.after_number), default=None)
    if begun is None:
        return False
    notice = numbers[begun]
    if any(move.seat == seat.index and begun <= move.number < incident.after_number for move in moves):
        return True
    if notice.outcome in (Notice.Outcome.UNWANTED, Notice.Outcome.SEEN):
        return True
    sent = notice.delivery_set.filter(sent_at__lte=incident.at).exists()
    return sent and taken[str(notice.pk)] > 0
