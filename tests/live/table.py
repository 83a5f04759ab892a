"""Creates Alice and Bob and, if three bots are named, a game of Splendor between these
bots and Alice, who has the last seat.

`python -m tests.live.table [BOT BOT BOT]`, in the environment of a site before its first start, prints the table's key.
"""

import sys

import django

from tests.live.people import PASSWORD
from tests.live.site import Site

LAST = 3


class Table:
    """The table as stored in the site's database file."""

    def __init__(self, site: Site, *bots: str) -> None:
        site.prepare()
        made = site.python("-m", "tests.live.table", *bots)
        assert made.returncode == 0, made.stderr
        self.site = site
        self.path = f"/table/{made.stdout.strip()}/"

    @property
    def number(self) -> int:
        [(number,)] = self.site.ask("SELECT number FROM games_game")
        return int(number)

    def check(self, number: int) -> None:
        """Check that the game is at that number, with one move for each number before it, and that the moves
        lead to the position."""
        assert self.number == number
        assert self.site.ask("SELECT number, seat FROM games_move ORDER BY number") == [
            (n, n % 4) for n in range(number)
        ]
        assert self.site.manage("replay_games").stdout == "1 game replayed, 0 differ.\n"


def main(bots: list[str]) -> None:
    django.setup()
    from django.core.management import call_command  # needs Django to be set up

    from accounts.models import User
    from accounts.services import create_confirmed
    from games.services.tables import tables

    call_command("migrate", verbosity=0)
    if not User.objects.exists():
        for name in ("alice", "bob"):
            create_confirmed(name, f"{name}@example.org", PASSWORD, time_zone="UTC")
    alice = User.objects.get(username="alice")
    while bots:
        game = tables.create(alice, tables.TableSpec("splendor", LAST + 1, bots))
        if game.seat_set.get(user=alice).index == LAST:
            print(game.key)
            break
        game.delete()


if __name__ == "__main__":
    main(sys.argv[1:])
