"""The people of a soak: they sleep, go away, visit the site, play the games that wait, and repeat a post that was not
answered."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from functools import partial
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from accounts import services as accounts
from accounts.models import User
from games.bots.base import Limit
from games.catalogue import TITLES
from games.models import Game, Preferences, Seat
from games.services import play
from games.services.absence import pauses, timeouts, vacations
from games.services.clocks.moment import now
from games.services.tables import tables
from games.services.versions import polls, writing

ZONES = (
    "Europe/Paris",
    "Europe/London",
    "America/New_York",
    "America/Los_Angeles",
    "America/Sao_Paulo",
    "Asia/Kolkata",
    "Asia/Tokyo",
    "Australia/Sydney",
    "Pacific/Auckland",
    "Africa/Lagos",
)
PLANS: tuple[list[str], ...] = (["50", "25", "2h"], ["25"], ["24h", "12h", "2h"], ["10", "2h"], [])
DELAYS = (0, 3, 3, 10, 60)

Attempt = Callable[[Callable[[], Any]], Any]
"""Does something for a person, and repeats it if the site crashes."""


@dataclass
class Person:
    user: User
    rng: Random
    wakes: time
    sleeps: time
    visits: float
    """Visits per day, on average."""
    away: list[tuple[datetime, datetime]] = field(default_factory=list)
    """Spans in which the person stays away without booking a vacation."""

    def is_up(self, at: datetime) -> bool:
        wall = at.astimezone(ZoneInfo(self.user.time_zone)).time()
        awake = self.wakes <= wall < self.sleeps if self.wakes < self.sleeps else not self.sleeps <= wall < self.wakes
        return awake and not any(begin <= at < end for begin, end in self.away)


@dataclass
class World:
    """Remembers every confirmation given to a person, independently of the site's rows."""

    rng: Random
    attempt: Attempt
    people: list[Person] = field(default_factory=list)
    moves: dict[tuple[int, int], tuple[int, str]] = field(default_factory=dict)
    """The seat and notation of every confirmed move, by game and number."""
    tables: Counter[int] = field(default_factory=Counter)
    """The number of tables of each user."""
    refused: int = 0

    def populate(self, people: int, games: int, start: datetime, days: int) -> None:
        for number in range(people):
            self.people.append(self._person(number, start, days))
        for number in range(games):
            self._table(number)

    def _person(self, number: int, start: datetime, days: int) -> Person:
        rng, wishes = Random(self.rng.random()), Random(f"the wishes of {number}")
        quiet = rng.random() < 0.6
        begins = rng.choice([time(21), time(22), time(23), time(0), time(1)])
        ends = time((begins.hour + rng.randint(5, 9)) % 24)
        user = accounts.create_confirmed(
            f"person{number}",
            f"person{number}@example.org",
            "correct horse",
            time_zone=rng.choice(ZONES),
            language=rng.choice(["en", "fr"]),
            quiet_from=begins if quiet else None,
            quiet_until=ends if quiet else None,
            days_off=wishes.choice([[], [], [], [5, 6], [2]]),
            automatic_vacation=wishes.random() < 0.2,
        )
        Preferences.objects.create(
            user=user,
            reminders=rng.choice(PLANS),
            delay=rng.choice(DELAYS),
            always=rng.random() < 0.1,
            off=rng.choice([[], [], [], [], ["reminder"], ["finished"], ["all"]]),
            links=rng.random() < 0.9,
            digest_hour=wishes.randrange(24) if wishes.random() < 0.1 else None,
        )
        person = Person(user, rng, ends, begins, rng.choice([1, 3, 6, 12]))
        if rng.random() < 0.3:
            begin = start + timedelta(days=rng.uniform(0, days))
            person.away.append((begin, begin + timedelta(days=rng.uniform(1, 8))))
        return person

    def _table(self, number: int) -> None:
        rng = self.rng
        title = ("splendor", "duel")[number % 2]
        seats = rng.choice([2, 3, 4]) if title == "splendor" else 2
        bots = rng.choice([0, 0, 0, 1]) if seats > 2 else 0
        # Users who have not finished a game can join only a few tables; nobody here has finished one.
        persons = sorted(self.people, key=lambda person: (self.tables[person.user.pk], rng.random()))[: seats - bots]
        self.tables.update(person.user.pk for person in persons)
        pace = rng.choice(["fast", "fast", "normal", "normal", "relaxed", "days"])
        spec = tables.TableSpec(
            title,
            seats,
            ["greedy"] * bots,
            pace=pace,
            days=rng.choice([1, 2, 3]) if pace == "days" else None,
            at_zero=rng.choice(["caretaker", "caretaker", "caretaker", "forfeit", "wait"]),
            vacations=rng.random() < 0.8,
        )
        game = self.attempt(lambda: tables.create(persons[0].user, spec))
        for person in persons[1:]:
            self.attempt(partial(tables.join, game, person.user))

    # --- visits ---

    def live(self, ticks_a_day: float) -> None:
        """One tick of everybody's life: some visit the site."""
        at = now()
        for person in self.people:
            if person.is_up(at) and person.rng.random() < person.visits / ticks_a_day * 1.6:
                self.visit(person)

    def visit(self, person: Person) -> None:
        user, rng = person.user, person.rng
        for game in self._seen(person):
            if game.is_active:
                self._look_after(game, person)
        for game in list(Game.objects.waiting_for(user)):
            if rng.random() < 0.9:
                self.decide(game, person)
        if rng.random() < 0.004:
            self.attempt(lambda: self._tolerant(lambda: vacations.begin_vacation(user, rng.randint(1, 6))))
        elif vacations.vacation_of(user) and rng.random() < 0.1:
            self.attempt(lambda: vacations.end_vacation(user))

    def _seen(self, person: Person) -> Iterator[Game]:
        for seat in Seat.objects.filter(user=person.user, game__status="active").select_related("game"):
            if seat.caretaker and not seat.resigned:
                self.attempt(partial(self._tolerant, partial(timeouts.come_back, seat.game, person.user)))
            yield seat.game

    def _look_after(self, game: Game, person: Person) -> None:
        rng, user = person.rng, person.user
        chance = rng.random()
        if game.paused_at and chance < 0.1:
            self.attempt(lambda: self._tolerant(lambda: pauses.resume(game, user)))
        elif chance < 0.003:
            self.attempt(lambda: self._tolerant(lambda: pauses.ask(game, user)))
        elif chance < 0.006:
            self.attempt(lambda: self._tolerant(lambda: pauses.more_time(game, user)))
        elif chance > 0.9999:
            self.attempt(lambda: self._tolerant(lambda: play.resign(game, user)))

    def decide(self, game: Game, person: Person) -> None:
        """Play the whole turn in most cases; sometimes stop half-way, or only look."""
        rng = person.rng
        while True:
            game.refresh_from_db()
            if not game.is_active or game.to_act is None:
                return
            seat = Seat.objects.select_related("user").get(game=game, index=game.to_act)
            if seat.user_id != person.user.pk or seat.acting_bot:
                return
            if rng.random() < 0.1:
                polls.remember_looking(game, seat.index)
                return
            seen, legal = play.offer(game, seat, variants=False)
            action = TITLES[game.title].bot("greedy").choose(seen, legal, rng, Limit())
            number, notation = game.number, str(action)
            self.post(game, person, seat.index or 0, number, notation)
            if rng.random() < 0.05:
                return

    def post(self, game: Game, person: Person, seat: int, number: int, notation: str) -> None:
        def submit() -> bool:
            try:
                play.submit(game, play.Actor(person.user), number, [notation])
            except (writing.Stale, play.NotYours):
                # The clock or another tab decided for the seat in between.
                self.refused += 1
                return False
            return True

        if self.attempt(submit):
            self.moves[game.pk, number] = (seat, notation)

    @staticmethod
    def _tolerant(act: Callable[[], object]) -> None:
        """Run `act`, and ignore a refusal."""
        with suppress(play.NotYours, pauses.ClockRefusal, vacations.VacationRefusal, writing.Stale):
            act()
