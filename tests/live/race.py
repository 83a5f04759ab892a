"""People decide over HTTP at the same moment, from threads of their own: `python -m tests.live.race`.

Run in the environment of a site whose web server runs and which `tests.live.table` has prepared. Two people play the
first decisions of each title. The player to act posts each decision from eight threads, each with its own connection
and session: alternately eight different decisions and eight times the same. Prints a JSON list for each number: the
title, whether the posts differed, their statuses in order, and how many moves the number has. Then prints a list for
each game: the title, its moves, and whether it replays.
"""

import http.client
import json
import os
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from urllib.parse import urlencode

import django

from tests.live.people import Person

RACERS = 8
NUMBERS = 4
"""The number of decisions per title."""


def post(port: int, path: str, cookies: dict[str, str], number: int, notation: str, start: Barrier) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.connect()
    headers = {
        "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
        "Content-Type": "application/x-www-form-urlencoded",
    }
    fields = {"number": number, "moves": notation, "csrfmiddlewaretoken": cookies["csrftoken"]}
    start.wait()
    connection.request("POST", path, urlencode(fields), headers)
    return connection.getresponse().status


def sessions(port: int, name: str) -> list[dict[str, str]]:
    people = [Person(f"http://127.0.0.1:{port}") for _ in range(RACERS)]
    assert [person.log_in(name) for person in people] == [302] * RACERS
    return [person.cookies for person in people]


def main() -> None:
    django.setup()
    from accounts.models import User  # needs Django to be set up
    from games.catalogue import TITLES
    from games.models import Move
    from games.services import play
    from games.services.play import history
    from games.services.tables import tables

    port = int(os.environ["PORT"])
    people = list(User.objects.order_by("pk"))
    logged_in = {user.pk: sessions(port, user.username) for user in people}
    start = Barrier(RACERS)
    with ThreadPoolExecutor(RACERS) as pool:
        for title in TITLES:
            game = tables.create(people[0], tables.TableSpec(title, 2))
            tables.join(game, people[1])
            for number in range(NUMBERS):
                game.refresh_from_db()
                user = game.seat_set.get(index=game.to_act).user
                assert user is not None
                legal = [str(action) for action in play.look(game, user).legal]
                differ = number % 2 == 0
                notations = legal[:RACERS] if differ else legal[:1] * RACERS
                racers = [
                    pool.submit(post, port, f"/table/{game.key}/", cookies, number, notation, start)
                    for cookies, notation in zip(logged_in[user.pk], notations, strict=True)
                ]
                statuses = [racer.result() for racer in racers]
                moves = Move.objects.filter(game=game, number=number).count()
                print(json.dumps([title, differ, sorted(statuses), moves]))
            print(json.dumps([title, Move.objects.filter(game=game).count(), history.replays(game)]))


if __name__ == "__main__":
    main()
