"""Plays on in every game of a site: `python -m tests.upgrades.play_on`. One game of each kind goes on to its end, the
others for a turn."""

from random import Random

import django

django.setup()

from games.models import Game  # noqa: E402 - needs Django to be set up
from games.services import play  # noqa: E402
from tests.factories import acting, state, take_turn, to_the_end  # noqa: E402


def main() -> None:
    ended = set()
    for game in Game.objects.filter(status=Game.Status.ACTIVE).order_by("pk"):
        kind = (game.title, game.seats)
        if kind in ended:
            take_turn(game)
            continue
        ended.add(kind)
        for at, action in to_the_end(game.title, state(game), Random(0)):
            seat = acting(game)
            play.submit(game, play.BOT if seat.acting_bot else play.Actor(seat.user), at.number, [str(action)])
        game.refresh_from_db()
        assert game.status == Game.Status.FINISHED
    print(*(f"{title} for {seats}" for title, seats in sorted(ended)), sep=", ")


if __name__ == "__main__":
    main()
