"""Makes hundreds of due mails, clocks that have run out, and bots to act: `python -m tests.live.mails`, in the
environment of a site that Alice and Bob use, before its first start."""

from datetime import timedelta

import django

MAILS = 300
CLOCKS = 5
TABLES = 5
"""The number of tables with three bots each, which move one after the other until a person is to act."""


def main() -> None:
    django.setup()
    from accounts.models import User  # needs Django to be set up
    from accounts.services import create_confirmed
    from games.models import Notice
    from games.services.clocks.moment import ago, now
    from games.services.outbox import notices
    from games.services.tables import tables

    alice, bob = User.objects.order_by("pk")
    charlie = create_confirmed("charlie", "charlie@example.org", "-", time_zone="UTC")
    with ago(timedelta(days=30)):
        for _ in range(CLOCKS):
            tables.join(tables.create(alice, tables.TableSpec("duel", 2)), bob)
    # No clock runs out before its player has been told.
    Notice.objects.update(closed_at=now(), outcome=Notice.Outcome.SENT)
    for _ in range(TABLES):
        while True:
            game = tables.create(charlie, tables.TableSpec("splendor", 4, ["random"] * 3))
            if game.seat_set.get(user=charlie).index == 3:
                break
            game.delete()
    for number in range(MAILS):
        notices.owe(Notice.Kind.TEST, alice, key=f"test:{number}")


if __name__ == "__main__":
    main()
