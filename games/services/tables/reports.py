"""Reports to the operator: names of users and of tables are all that other people can see."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction

from accounts.models import User
from games.models import Game, Report
from games.services.clocks.arithmetic import DAY
from games.services.clocks.moment import now
from games.services.tables.tables import TooMany

MAX_REPORTS_A_DAY = 20
"""How many texts a user may report within a day."""
LIFETIME = timedelta(days=365)
"""How long reports are kept; what staff did about them stays."""

Kind = Report.Kind


@dataclass(frozen=True)
class Text:
    """A text that its reader can report."""

    kind: Report.Kind
    text: str
    author: User

    @property
    def key(self) -> str:
        """The text among those of its page."""
        return f"{self.kind}:{self.author.username}"


def people_at(game: Game, reader: User) -> list[User]:
    """The other people whose names the reader sees at the table, which must have been read with its seats. Closed
    accounts are not among them."""
    people = [seat.user for seat in game.seat_set.all() if seat.user]
    if game.status == Game.Status.OPEN:
        invited = list(game.invited.all())
        people += invited if reader in (*people, *invited) else []
    people += [game.host] if game.host else []
    return [person for person in dict.fromkeys(people) if person != reader and person.is_active]


def texts_at(game: Game, people: Sequence[User]) -> list[Text]:
    """The texts of these people at the table. The site gives guests their names, so these are not among them."""
    texts = [name_of(person) for person in people if not person.is_guest]
    if game.name and game.host and game.host in people:
        texts.append(Text(Kind.TABLE_NAME, game.name, game.host))
    return texts


def name_of(person: User) -> Text:
    """The name of a person, on their profile."""
    return Text(Kind.USER_NAME, person.username, person)


@transaction.atomic
def report(game: Game | None, user: User, text: Text, sentence: str = "") -> None:
    """Report the text, which the user saw at that table or, without one, on its author's profile; once within a day.
    Raises `TooMany`. Simultaneous requests are counted one after the other."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    at = now()
    lately = list(Report.objects.filter(reporter=user, at__gt=at - DAY).order_by("at"))
    if any((each.kind, each.text, each.author_id) == (text.kind, text.text, text.author.pk) for each in lately):
        return
    if len(lately) >= MAX_REPORTS_A_DAY:
        raise TooMany("too_many_reports", lately[-MAX_REPORTS_A_DAY].at + DAY - at)
    Report.objects.create(
        reporter=user,
        kind=text.kind,
        text=text.text,
        author=text.author,
        author_name=text.author.username,
        game=game,
        table=game.key if game else "",
        sentence=sentence,
        at=at,
    )


def forget() -> None:
    """Delete old reports, whether they are closed or not."""
    Report.objects.filter(at__lte=now() - LIFETIME).delete()
