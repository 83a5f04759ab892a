"""The page on which staff see what `manage.py doctor` finds."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.staff import staff_only
from splendor_site import doctor
from splendor_site.doctor import Finding, Level

# Staff need not know the machine, so the page says what is wrong without paths, addresses or errors.
WRONG: dict[str, tuple[Promise, Promise]] = {
    "Disk": (_("Disk"), _("The disk is almost full.")),
    "Permissions": (_("Permissions"), _("Other users of the machine may be able to read the site’s files.")),
    "Backup": (_("Backup"), _("There is no recent backup.")),
    "Database": (_("Database"), _("The database doesn’t answer.")),
    "Migrations": (_("Migrations"), _("The database belongs to another version of the site.")),
    "Bots": (_("Bots"), _("Some games have waited too long for a bot.")),
    "Clocks": (_("Clocks"), _("Some clocks should have run out, and nothing happened.")),
    "Broker": (_("Queue"), _("The server that keeps the queues doesn’t answer, or could lose tasks.")),
    "Refusals": (_("Refused requests"), _("An unusual number of requests was refused.")),
    "Queues": (_("Tasks"), _("Many tasks are waiting.")),
    "Workers": (_("Workers"), _("Bots, clocks or emails have no worker.")),
    "Sweep": (_("Periodic tasks"), _("The periodic tasks aren’t running, or the machines’ clocks differ.")),
    "Mail": (_("Email"), _("Emails may not be going out.")),
}
"""The parts of the site by the name of their findings, each with a sentence for when it is not well."""


@dataclass(frozen=True)
class Row:
    name: Promise
    level: Level
    sentence: Promise | str


@require_safe
@staff_only
def state(request: HttpRequest) -> HttpResponse:
    rows = list(_rows(doctor.examine(connect=False)))
    return render(request, "staff/state.html", {"rows": rows, "worst": max(row.level for row in rows)})


def _rows(findings: Iterator[Finding]) -> Iterator[Row]:
    """A row for each part of the site; the worst finding about it counts."""
    levels: dict[str, Level] = {}
    for finding in findings:
        part = finding.about.partition(",")[0]
        levels[part] = max(finding.level, levels.get(part, Level.OK))
    for part, level in levels.items():
        name, sentence = WRONG[part]
        yield Row(name, level, sentence if level else "")
