"""People who play on all machines at once, each decision with a post over HTTP, and repeat a post without an answer at
another machine."""

import http.client
import secrets
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, build_opener

from django.conf import settings
from django.db import Error, close_old_connections, connections
from django.test import Client

from accounts import services as accounts
from accounts.models import User
from bench.cluster.machines import Machine
from games.bots.base import Limit
from games.catalogue import TITLES
from games.models import Game, Move, Preferences, Seat
from games.services import play
from games.services.tables import tables
from tests.factories import each_began
from tests.live.people import Stay

TOKEN = secrets.token_hex(16)
"""A token against cross-site requests, in the cookie and in the form."""
PATIENCE = 30
"""Seconds that a person waits for an answer."""


@dataclass
class Load:
    machines: list[Machine]
    rng: Random
    bots: tuple[str, ...] = ("greedy",)
    """The bots that have a seat in every fourth game."""
    users: list[User] = field(default_factory=list)
    games: list[int] = field(default_factory=list)
    """The games that people play."""
    neglected: list[int] = field(default_factory=list)
    """The games that nobody plays, so clocks run out."""
    sessions: dict[int, str] = field(default_factory=dict)
    """The session of each user."""
    moves: dict[tuple[int, int], tuple[int, str]] = field(default_factory=dict)
    """The seat and notation of every confirmed move, by game and number."""
    taken: dict[str, list[float]] = field(default_factory=dict)
    """The seconds of each confirmed post, by machine."""
    answers: Counter[str] = field(default_factory=Counter)
    """How often each other answer came."""
    stopping: threading.Event = field(default_factory=threading.Event)

    def populate(self, people: int, games: int, neglected: int) -> None:
        self.users = [self._person(number) for number in range(people)]
        self.games = [self._table(number) for number in range(games)]
        self.neglected = [self._table(number) for number in range(neglected)]
        for number, pk in enumerate(self.neglected):
            if number % 4:  # otherwise the game is dealt again when the first clock runs out
                each_began(Game.objects.get(pk=pk))
        made = Move.objects.filter(actor=Move.ActorKind.USER).values_list("game", "number", "seat", "notation")
        self.moves = {(pk, at): (seat, notation) for pk, at, seat, notation in made}

    def _table(self, number: int) -> int:
        """Deal a game for two people, sometimes with a bot."""
        title = ("splendor", "duel")[number % 2]
        bots = [self.bots[number % len(self.bots)]] * (number % 4 == 0)
        at_zero = ("caretaker", "forfeit", "wait")[number % 3]
        host, guest = self.rng.sample(self.users, 2)
        game = tables.create(host, tables.TableSpec(title, 2 + len(bots), bots, pace="fast", at_zero=at_zero))
        tables.join(game, guest)
        return game.pk

    def _person(self, number: int) -> User:
        user = accounts.create_confirmed(f"person{number}", f"person{number}@example.org", "correct horse")
        Preferences.objects.create(user=user, delay=0, always=True)
        client = Client()
        client.force_login(user)
        self.sessions[user.pk] = client.cookies[settings.SESSION_COOKIE_NAME].value
        return user

    def play(self, first: int, step: int) -> None:
        """One thread's part: play its games in turn, and deal a new one for each that ends."""
        rng = Random(self.rng.random())
        try:
            while not self.stopping.is_set():
                for place in range(first, len(self.games), step):
                    try:
                        if self._decide(self.games[place], rng):
                            self.games[place] = self._table(place)
                    except Error:  # PostgreSQL restarts
                        self.answers["no database"] += 1
                        close_old_connections()
                        time.sleep(1)
                    if self.stopping.is_set():
                        return
        finally:
            connections.close_all()

    def _decide(self, pk: int, rng: Random) -> bool:
        """Decide for the person to act, if it is one; return whether the game is over."""
        game = Game.objects.get(pk=pk)
        if not game.is_active or game.to_act is None:
            return True
        seat = Seat.objects.select_related("user").get(game=game, index=game.to_act)
        if seat.user is None or seat.acting_bot:
            time.sleep(0.05)
            return False
        seen, legal = play.offer(game, seat, variants=False)
        notation = str(TITLES[game.title].bot("greedy").choose(seen, legal, rng, Limit()))
        if self._post(game, seat.user, notation, rng):
            self.moves[pk, game.number] = (game.to_act, notation)
        return False

    def _post(self, game: Game, user: User, notation: str, rng: Random) -> bool:
        """Whether the move was confirmed: by an answer, or, if answers were lost, because another machine refuses the
        repeated post and the move is stored."""
        unknown = False
        while not self.stopping.is_set() or unknown:
            machine = rng.choice([machine for machine in self.machines if machine.is_up] or self.machines)
            began = time.monotonic()
            status = self._ask(machine, game, user, notation)
            if status == "302":
                self.taken.setdefault(machine.name, []).append(time.monotonic() - began)
                return True
            self.answers[status] += 1
            if status == "409":
                stored = Move.objects.filter(game=game, number=game.number).first()
                return unknown and stored is not None and (stored.seat, stored.notation) == (game.to_act, notation)
            if status in ("404", "422", "429", "401"):
                return False
            unknown = True
            time.sleep(0.2)
        return False

    def _ask(self, machine: Machine, game: Game, user: User, notation: str) -> str:
        """The status of the answer to the post, or the name of an error."""
        form = {"number": game.number, "moves": notation, "csrfmiddlewaretoken": TOKEN}
        cookies = f"{settings.SESSION_COOKIE_NAME}={self.sessions[user.pk]}; {settings.CSRF_COOKIE_NAME}={TOKEN}"
        address = f"{machine.site.address}/table/{game.key}/"
        # As a proxy would pass it on.
        secure = {"X-Forwarded-Proto": "https", "Referer": address.replace("http:", "https:", 1)}
        request = Request(address, urlencode(form).encode(), {"Cookie": cookies, **secure})
        try:
            with build_opener(Stay).open(request, timeout=PATIENCE) as answer:
                return str(answer.status)
        except HTTPError as error:
            return str(error.code)
        except (URLError, OSError, http.client.HTTPException) as error:
            return type(error).__name__
