"""Opens several games at the same moment, each against one bot whose turn it is: `python -m tests.live.crowd`, in the
environment of a running site. Alice has five games against a slow bot. Bob has three newer ones: against a slow bot,
a quick bot with compiled code, and a bot without compiled code."""

import django

GAMES = [*[("alice", "slow")] * 5, ("bob", "slow"), ("bob", "medium"), ("bob", "greedy")]


class PersonActs(Exception):
    """A person is to act, and not the bot."""


def main() -> None:
    django.setup()
    from django.db import transaction  # needs Django to be set up

    from accounts.models import User
    from games.services.tables import tables

    def opened(user: User, bot: str) -> bool:
        try:
            with transaction.atomic():
                game = tables.create(user, tables.TableSpec("splendor", 2, [bot]))
                if game.seat_set.get(user=user).index == 0:
                    raise PersonActs
        except PersonActs:
            return False
        return True

    with transaction.atomic():
        for name, bot in GAMES:
            user = User.objects.get(username=name)
            while not opened(user, bot):
                pass


if __name__ == "__main__":
    main()
