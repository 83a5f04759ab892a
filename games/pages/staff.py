"""The pages of staff: reports, people, tables and acts. They show no position, move, note, address or mail, and
nothing about tables at which the reader sits."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts import names, services
from accounts.models import Offence, User
from games.models import Act, Game, GameQuerySet, Notice, Report
from games.services.moderation import acts

MAX_FOUND = 20
MAX_REPORTS = 50
MAX_TABLES = 50
MAX_NOTICES = 30
MAX_ACTS = 20
SHORT_KEY_LENGTH = 4


def tables_of_others(member: User) -> GameQuerySet:
    """The tables at which that member of staff does not sit, newest first."""
    return Game.objects.exclude(pk__in=Game.objects.of(member)).order_by("-created_at", "-pk")


def reports_for(member: User) -> QuerySet[Report]:
    """The open reports that the member of staff may see, oldest first: not those that concern them."""
    return open_reports().exclude(_own(member)).select_related("reporter", "author", "game").order_by("at", "pk")


def _own(member: User) -> Q:
    """The reports from tables where that member of staff sits, and those about them."""
    return Q(game__in=Game.objects.of(member)) | Q(author=member)


def open_reports() -> QuerySet[Report]:
    """The reports that no member of staff has closed."""
    return Report.objects.filter(~Exists(Act.objects.filter(report=OuterRef("pk"))))


@dataclass(frozen=True)
class ActRow:
    """An act, which must have been read with its people and its table."""

    act: Act

    @property
    def details(self) -> str:
        """The names before and after, the offence of a suspension, or the text that was reported."""
        facts = self.act.facts
        if self.act.report:
            return self.act.report.text
        if "after" in facts:
            return f"{facts['before'] or '–'} → {facts['after'] or '–'}"
        return str(Offence(facts["offence"]).label) if "offence" in facts else ""

    @property
    def until(self) -> datetime | None:
        """The end of the suspension."""
        until = self.act.facts.get("until")
        return datetime.fromisoformat(until) if until else None


def acts_for(member: User, user: User | None = None) -> QuerySet[Act]:
    """The acts that the member of staff may see, newest first: all, or those about that user."""
    found = Act.objects.filter(user=user) if user else Act.objects.all()
    mine = Game.objects.of(member)
    own = Q(game__in=mine) | Q(report__game__in=mine) | Q(report__author=member)
    return found.exclude(own).select_related("staff", "user", "game", "report").order_by("-at", "-pk")


def known_people() -> QuerySet[User]:
    """The accounts, without sign-ups that nobody has confirmed."""
    return services.confirmed(User.objects.filter(is_guest=False, is_active=True))


@dataclass(frozen=True)
class Desk:
    """The first page of staff, with what a search found."""

    member: User
    sought: str

    @cached_property
    def reports(self) -> list[Report]:
        return list(reports_for(self.member)[:MAX_REPORTS])

    @cached_property
    def hidden_reports(self) -> int:
        """The number of open reports that concern the reader."""
        return open_reports().filter(_own(self.member)).count()

    @cached_property
    def people(self) -> list[User]:
        found = known_people().filter(names.begins(self.sought))
        return list(found.order_by("username")[:MAX_FOUND]) if self.sought else []

    @cached_property
    def tables(self) -> list[Game]:
        """The tables with that name, or with that short key. More letters of a key find nothing, because whoever knows
        the whole key can open a table."""
        if not self.sought:
            return []
        wanted, key = Q(name__icontains=self.sought), self.sought.removeprefix("#").upper()
        if len(key) == SHORT_KEY_LENGTH:
            wanted |= Q(key__startswith=key)
        return list(tables_of_others(self.member).filter(wanted).with_seats()[:MAX_FOUND])

    @cached_property
    def acts(self) -> list[ActRow]:
        return [ActRow(act) for act in acts_for(self.member)[:MAX_ACTS]]


@dataclass(frozen=True)
class PersonFile:
    """A person as staff may see them."""

    member: User
    user: User

    @property
    def is_open(self) -> bool:
        """Whether the reader may moderate this person."""
        return acts.is_open_to(self.member, self.user)

    @cached_property
    def tables(self) -> list[Game]:
        return list(tables_of_others(self.member).filter(pk__in=Game.objects.of(self.user)).with_seats()[:MAX_TABLES])

    @cached_property
    def shared(self) -> int:
        """The number of tables that are left out because the reader sits there too."""
        return Game.objects.of(self.user).filter(pk__in=Game.objects.of(self.member)).count()

    @cached_property
    def notices(self) -> list[Notice]:
        """The mails to the person, newest first; only their kind, time and outcome are read."""
        mine = Notice.objects.filter(recipient=self.user).exclude(game__in=Game.objects.of(self.member))
        return list(mine.only("kind", "due_at", "closed_at", "outcome").order_by("-created_at", "-pk")[:MAX_NOTICES])

    @cached_property
    def acts(self) -> list[ActRow]:
        return [ActRow(act) for act in acts_for(self.member, self.user)]
