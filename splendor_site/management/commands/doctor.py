"""Examines the whole site."""

from typing import Any

from django.core.management.base import BaseCommand

from splendor_site import doctor
from splendor_site.doctor import Level


class Command(BaseCommand):
    help = (
        "Examines the site, and says what is wrong and what to do. The exit status is 0 if all is well, 1 with "
        "warnings alone, and 2 with problems."
    )
    # The command runs its own checks.
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's annotation

    def handle(self, *args: Any, **options: Any) -> None:
        worst = Level.OK
        for finding in doctor.examine():
            worst = max(worst, finding.level)
            name = "OK," if finding.level == Level.OK else f"{finding.level.name}."
            self.stdout.write(f"{finding.about}: {name} {finding.sentence}")
        if worst:
            raise SystemExit(worst)
