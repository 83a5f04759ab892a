"""Builds a site of any size: plays some real games through the services, then inserts copies of their rows.

Every copy has another key, other people and another date; only its decisions repeat.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from random import Random
from typing import Any

from allauth.account.models import EmailAddress
from django.core.management.color import no_style
from django.db import connection, models, transaction

from accounts.models import User
from games.bots.base import Limit
from games.catalogue import TITLES
from games.models import Delivery, Game, Incident, Invitation, Move, Notice, Seat
from games.models.game import KEY_LETTERS
from games.models.position import Position
from games.services import play
from games.services.clocks.moment import now
from games.services.outbox import notices
from games.services.statistics import counting
from games.services.tables import invitations, tables

Row = list[Any]
KINDS = (("duel", 2), ("splendor", 2), ("splendor", 3), ("splendor", 4))
"""Titles and numbers of seats."""
DECISIONS = 24
"""Decisions made in a running game."""
SHARES = {"running": 0.05, "open": 0.005}
"""The shares of games that are running, and of tables that wait for players; the others are finished."""
LEAST_OPEN = 40
"""The minimum number of open tables: more than a page lists, so that the page is as long on a small site as on a large
one."""
DAYS = 700
"""The number of days, up to today, on which the finished games began."""
UNSEEN = 3
"""The number of newest results that a reader has not seen."""
SEEN_AFTER = timedelta(days=20)
"""By then, players have seen their results."""
BATCH = 400
"""Games inserted at once."""
MODELS: tuple[type[models.Model], ...] = (Game, Position, Seat, Move, Incident, Invitation, Notice, Delivery)
"""The models whose rows are copied, in the order of insertion."""


@dataclass(frozen=True)
class Size:
    """The size of a site."""

    games: int
    """Games besides those of the readers."""
    people: int
    readers: Mapping[str, int] = field(default_factory=lambda: {"ana": 2000, "ben": 20})
    """The names of the readers, with the number of their finished games."""
    readers_running: int = 40
    """The running games of each reader."""
    samples: Mapping[str, int] = field(default_factory=lambda: {"finished": 16, "running": 8, "open": 4})
    """The games that are really played, of all kinds in turn. In half of the running ones a bot has a seat."""


TINY = Size(20, 20, {"ana": 3}, 4, {"finished": 1, "running": 8, "open": 1})
"""A site with a row of each sort."""


def site(size: Size) -> None:
    """Fill an empty site."""
    readers = [_person(name) for name in size.readers]
    crowd = User.objects.bulk_create([_person(f"player{number}", save=False) for number in range(size.people)])
    with _quick():
        samples = {kind: Samples(_played(kind, count)) for kind, count in size.samples.items()}
        copies = Copies([user.pk for user in crowd])
        for reader in readers:
            copies.add(samples["finished"], size.readers[reader.username], reader.pk)
            copies.add(samples["running"], size.readers_running, reader.pk)
        others = {kind: round(size.games * share) for kind, share in SHARES.items()}
        others["open"] = max(others["open"], min(size.games // 4, LEAST_OPEN))
        others["finished"] = size.games - sum(others.values())
        for kind, count in others.items():
            copies.add(samples[kind], count)
        copies.finish()
        Seat.objects.filter(ended_at__lte=now() - SEEN_AFTER).update(seen_end=True)
        notices.forget()
        for reader in readers:
            results = Seat.objects.filter(user=reader, ended_at__isnull=False)
            unseen = results.order_by("-ended_at").values_list("pk", flat=True)[:UNSEEN]
            results.exclude(pk__in=list(unseen)).update(seen_end=True)
            counting.recount(reader.pk)


def bytes_a_game() -> int:
    """The size of the database, divided by its games."""
    size = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
    with connection.cursor() as cursor:
        cursor.execute(size if connection.vendor == "sqlite" else "SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0]) // Game.objects.count()


def _person(name: str, *, save: bool = True) -> User:
    user = User(username=name, name_key=name, email=f"{name}@example.org", time_zone="Europe/Paris", last_login=now())
    user.set_unusable_password()
    if save:
        user.save()
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


@contextmanager
def _quick() -> Iterator[None]:
    """Let the database write without waiting for its disk."""
    sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous = OFF" if sqlite else "SET synchronous_commit = off")
    yield
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE" if sqlite else "VACUUM ANALYZE")
    connection.close()


def _played(kind: str, count: int) -> list[int]:
    """Play games of that kind; return their row numbers. The first player of each can be replaced by a reader."""
    found = []
    for number in range(count):
        title, seats = KINDS[number % len(KINDS)]
        people = [_person(f"{kind}-{number}-{place}") for place in range(seats)]
        bots = int(kind == "running" and number // len(KINDS) % 2 == 0)
        spec = tables.TableSpec(title, seats, ["greedy"] * bots, admission="open", audience="anyone")
        game = tables.create(people[0], spec, Random(f"{kind} {number}").randbytes(32))
        found.append(game.pk)
        if kind == "open":
            invitations.invite(game, people[0], addresses=[f"nobody-{number}@example.org"])
            continue
        for user in people[1 : seats - bots]:
            tables.join(game, user)
        game.refresh_from_db()
        while game.is_active and (kind == "finished" or game.number < DECISIONS or game.is_turn_of_bot):
            _decide(game)
    _send()
    return found


def _send() -> None:
    """Close the notices as if their mails had been sent, except reminders."""
    mails = Notice.objects.filter(closed_at=None).exclude(kind=Notice.Kind.REMINDER)
    Delivery.objects.bulk_create(
        Delivery(notice=mail, address=mail.to, attempts=1, sent_at=mail.created_at)
        for mail in mails.select_related("recipient")
    )
    mails.update(closed_at=models.F("created_at"), outcome=Notice.Outcome.SENT)


def _decide(game: Game) -> None:
    seat = game.seat_set.select_related("user").get(index=game.to_act)
    seen, legal = play.offer(game, seat, variants=False)
    choice = TITLES[game.title].bot("greedy").choose(seen, legal, Random(game.number), Limit())
    play.submit(game, play.BOT if seat.acting_bot else play.Actor(seat.user), game.number, [str(choice)])
    game.refresh_from_db()


@dataclass(frozen=True)
class Columns:
    """The columns of a model, and the places of those that differ between copies."""

    model: type[models.Model]
    names: tuple[str, ...]
    people: tuple[int, ...]
    dates: tuple[int, ...]

    @classmethod
    def of(cls, model: type[models.Model]) -> "Columns":
        fields = model._meta.concrete_fields
        return cls(
            model,
            tuple(field.attname for field in fields),
            tuple(place for place, field in enumerate(fields) if field.related_model is User),
            tuple(place for place, field in enumerate(fields) if isinstance(field, models.DateTimeField)),
        )

    def place(self, name: str) -> int | None:
        return self.names.index(name) if name in self.names else None

    def read(self, game: int) -> list[Row]:
        """The rows of a game, with dates as texts; from PostgreSQL, all values."""
        quote, is_postgres = connection.ops.quote_name, connection.vendor == "postgresql"
        chosen = ", ".join(
            f"CAST({quote(name)} AS text)" if is_postgres or place in self.dates else quote(name)
            for place, name in enumerate(self.names)
        )
        where = f"{'id' if self.model is Game else 'game_id'} = %s"
        if self.model is Delivery:
            where = "notice_id IN (SELECT id FROM games_notice WHERE game_id = %s)"
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {chosen} FROM {quote(self.model._meta.db_table)} WHERE {where}", [game])
            return [list(row) for row in cursor.fetchall()]


COLUMNS = [Columns.of(model) for model in MODELS]


class Samples:
    """The rows of played games."""

    def __init__(self, games: Iterable[int]) -> None:
        self.rows = [[columns.read(game) for columns in COLUMNS] for game in games]


def _last(model: type[models.Model]) -> int:
    """The highest number of a row; 0 if there is none."""
    return model._default_manager.aggregate(last=models.Max("pk"))["last"] or 0


class Copies:
    """Inserts copies of games whose players are drawn from `people`."""

    def __init__(self, people: Sequence[int]) -> None:
        self.people, self.made = people, 0
        self.next = {columns.model: 1 + _last(columns.model) for columns in COLUMNS}
        self.waiting: list[list[Row]] = [[] for _ in COLUMNS]

    def add(self, samples: Samples, count: int, reader: int | None = None) -> None:
        """Insert that many copies; the reader, if there is one, takes the place of the first player."""
        for number in range(count):
            self._copy(samples.rows[number % len(samples.rows)], Random(f"{reader} {number}"), reader)
            if number % BATCH == BATCH - 1:
                self._write()
        self._write()

    def _copy(self, sample: list[list[Row]], chance: Random, reader: int | None) -> None:
        self.made += 1
        game, ids = self.next[Game], dict[tuple[type[models.Model], str], int]()
        [[*first]] = sample[0]
        old = first[0]
        over = first[COLUMNS[0].names.index("status")] == Game.Status.FINISHED
        days = -chance.randrange(DAYS) if over else 0
        players: dict[Any, int] = {}
        for columns, rows in zip(COLUMNS, sample, strict=True):
            if columns.model in (Notice, Delivery) and -days > notices.LIFETIME.days:
                continue  # the site has deleted them
            own, of_game, notice = (columns.place(name) for name in ("id", "game_id", "notice_id"))
            for row in rows:
                row = row.copy()
                if own is not None:
                    number = self.next[columns.model]
                    self.next[columns.model] = number + 1
                    ids[columns.model, str(row[own])] = row[own] = number
                if of_game is not None:
                    row[of_game] = game
                if notice is not None:
                    row[notice] = ids[Notice, str(row[notice])]
                for place in columns.people:
                    if row[place] is not None:
                        if row[place] not in players:
                            players[row[place]] = self._player(chance, players, reader)
                        row[place] = players[row[place]]
                for place in columns.dates:
                    if row[place] and days:
                        row[place] = _shifted(row[place][:10], days) + row[place][10:]
                if columns.model is Game:
                    row[columns.names.index("key")] = _key(self.made)
                elif columns.model is Notice:
                    place = columns.names.index("key")
                    if by_mail := re.fullmatch(r"invited:(\d+)", row[place]):
                        row[place] = f"invited:{ids[Invitation, by_mail[1]]}"
                    else:
                        row[place] = re.sub(rf":{old}\b", f":{game}", row[place], count=1)
                self.waiting[COLUMNS.index(columns)].append(row)

    def _player(self, chance: Random, players: dict[Any, int], reader: int | None) -> int:
        if reader is not None and not players:
            return reader
        while (player := chance.choice(self.people)) in players.values():
            pass
        return player

    def _write(self) -> None:
        with transaction.atomic():
            for columns, rows in zip(COLUMNS, self.waiting, strict=True):
                _insert(columns, rows)
                rows.clear()

    def finish(self) -> None:
        """Let the database number later rows after these."""
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), list(MODELS)):
                cursor.execute(statement)


def _insert(columns: Columns, rows: list[Row]) -> None:
    quote = connection.ops.quote_name
    into = f"{quote(columns.model._meta.db_table)} ({', '.join(map(quote, columns.names))})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {into} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        elif rows:
            marks = ", ".join(["%s"] * len(columns.names))
            cursor.executemany(f"INSERT INTO {into} VALUES ({marks})", rows)


def _key(number: int) -> str:
    """A key that no other number has, and that does not rise with it."""
    number, letters = number * 0x9E3779B97F4A7C15 % 32**12, ""
    for _letter in range(12):
        number, place = divmod(number, len(KEY_LETTERS))
        letters += KEY_LETTERS[place]
    return letters


@cache
def _shifted(day: str, days: int) -> str:
    return str(date.fromisoformat(day) + timedelta(days))
