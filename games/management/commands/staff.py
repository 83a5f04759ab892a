"""Makes a member of staff, or gives one new recovery codes."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts import services
from games.services.moderation import acts
from games.services.outbox import site


class Command(BaseCommand):
    help = (
        "Makes a user a member of staff and prints ten recovery codes, once. Run it again if they have lost their "
        "passkey: the old passkeys, codes and sessions end."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="a user name")
        parser.add_argument("--remove", action="store_true", help="make them an ordinary user again")

    def handle(self, *args: Any, **options: Any) -> None:
        user = services.find(options["name"])
        if user is None:
            raise CommandError(f"There is no account with the name {options['name']}.")
        if options["remove"]:
            acts.dismiss(user)
            self.stdout.write(f"{user.username} is no longer a member of staff.")
            return
        codes = acts.appoint(user)
        self.stdout.write(
            f"{user.username} is a member of staff. Their passkeys and sessions have ended.\n"
            f"They log in, open {site.url('/staff/')} and add a passkey with one of these recovery codes. Each works "
            "once. Nobody can show them again:\n"
        )
        self.stdout.write("\n".join(codes))
