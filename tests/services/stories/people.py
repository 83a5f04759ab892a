"""The people of the stories, and what they do again and again."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress

from accounts.models import User
from games.models import Game, Notice
from games.services import play
from games.services.clocks.moment import now
from games.services.mailing import deliveries
from games.services.work import sweep
from tests.factories import acting, begun, person, take_turn

LONG = timedelta(days=4000)
WRITTEN = ("ann@example.net", "ben@example.net", "bob@example.org", "zoe@example.net")
"""The addresses to which others write too."""
PEOPLE = ("alice", "bob", "clara")
OTHERS = ("dora", "emil", "flora", "gert", "gina", "hanna", "ivan")
UNWRITTEN = ("alice", "clara")
"""Those to whom no others write."""


def confirmed(name: str) -> User:
    user = person(name)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def resigned(*people: User, title: str = "splendor") -> Game:
    """A rated game for everybody to watch, which ends as all but the first resign after three rounds."""
    game = begun([*people], title, audience="anyone")
    for _turn in range(3 * len(people)):
        take_turn(game)
    for user in people[1:]:
        play.resign(game, user)
    return game


def swept() -> Iterator[str]:
    """Send due mails and run the sweep."""
    for notice in Notice.objects.due(now()):
        deliveries.deliver(notice.pk)
        yield f"mailed {notice.kind}"
    sweep.sweep()
    yield "swept"


def deadline(game: Game) -> datetime:
    game.refresh_from_db()
    assert game.deadline is not None
    return game.deadline


def legal(game: Game) -> str:
    game.refresh_from_db()
    return str(play.offer(game, acting(game), variants=False)[1][0])
