"""Counts ratings again while an account with one of them is deleted, on an empty PostgreSQL database: `python -m
tests.services.race_pools`.

Run with DATABASE_URL in the environment. Prints one JSON object: how many accounts were deleted.
"""

import json
import os
import threading
import time

import django

PATIENCE = 30
"""In seconds."""


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "splendor_site.settings")
    django.setup()
    from django.db import connection, transaction  # once Django is set up

    from accounts.models import User
    from accounts.services import create_confirmed
    from games.models import Rating
    from games.services import play
    from games.services.privacy import deletion
    from games.services.ratings import counting
    from games.services.statistics import counting as statistics
    from tests.factories import begun, take_turn

    alice, bob = (create_confirmed(name, f"{name}@example.org", "correct horse") for name in ("alice", "bob"))
    game = begun([alice, bob], "duel")
    for _turn in range(4):
        take_turn(game)
    play.resign(game, bob)

    def delete() -> None:
        deletion.delete(alice)
        connection.close()

    other = threading.Thread(target=delete)
    with transaction.atomic():
        counting.lock([game])
        Rating.objects.filter(user=alice).update(games=1)
        other.start()
        _wait_until_another_waits()
        statistics.lock([game])
    other.join()
    print(json.dumps({"deleted": 1 - User.objects.filter(username="alice").count()}))


def _wait_until_another_waits() -> None:
    from django.db import connection  # once Django is set up

    until = time.monotonic() + PATIENCE
    with connection.cursor() as cursor:
        while time.monotonic() < until:
            cursor.execute("SELECT 1 FROM pg_locks WHERE NOT granted")
            if cursor.fetchone():
                return
            time.sleep(0.01)
    raise TimeoutError


if __name__ == "__main__":
    main()
