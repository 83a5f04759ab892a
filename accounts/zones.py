"""Time zones by their IANA names."""

import zoneinfo
from functools import cache
from importlib import resources
from zoneinfo import ZoneInfo

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

REGIONS: dict[str, Promise] = {
    "Africa": _("Africa"),
    "America": _("America"),
    "Antarctica": _("Antarctica"),
    "Arctic": _("Arctic"),
    "Asia": _("Asia"),
    "Atlantic": _("Atlantic Ocean"),
    "Australia": _("Australia"),
    "Europe": _("Europe"),
    "Indian": _("Indian Ocean"),
    "Pacific": _("Pacific Ocean"),
}
UTC = "UTC"


@cache
def known() -> frozenset[str]:
    """The names of cities, and UTC; without the abbreviations and fixed offsets that the database also has."""
    return frozenset(name for name in zoneinfo.available_timezones() if name.split("/")[0] in REGIONS) | {UTC}


@cache
def offered() -> frozenset[str]:
    """The current names of cities, and UTC."""
    rows = (line.split("\t") for line in _lines("zone.tab") if not line.startswith("#"))
    return known() & {row[2] for row in rows} | {UTC}


@cache
def former_names() -> dict[str, str]:
    """The names that the database keeps from earlier times, with the current ones. Browsers still use some of them."""
    links = (line.split(" ") for line in _lines("tzdata.zi") if line.startswith("L "))
    return {name: zone for _link, zone, name in links if zone in offered() and name in known() - offered()}


def _lines(name: str) -> list[str]:
    return resources.files("tzdata.zoneinfo").joinpath(name).read_text().splitlines()


def present(name: str) -> str:
    """The zone's current name; empty if there is no such zone."""
    name = former_names().get(name, name)
    return name if name in offered() else ""


@cache
def by_region() -> list[tuple[Promise, list[tuple[str, str]]]]:
    """Choices for a form: each region with its zones as (name, city)."""
    return [
        (label, [(name, _city(name)) for name in sorted(offered()) if name.split("/")[0] == region])
        for region, label in REGIONS.items()
    ] + [(_("Other"), [(UTC, UTC)])]


def find(name: str) -> ZoneInfo:
    """The zone of that name; UTC if the name is empty or no longer in this machine's database."""
    return ZoneInfo(name if name in known() else UTC)


def _city(name: str) -> str:
    return name.partition("/")[2].replace("_", " ").replace("/", ", ")
