"""The page that the link in an invitation opens: neither a visit nor nonsense changes anything."""

import re
from collections.abc import Iterator
from random import Random

import pytest

from accounts.models import User
from accounts.services import create_confirmed
from games.services.tables import tables
from tests.factories import As
from tests.views.invitations.asked import asked, buttons, everything, link
from tests.views.reading import address, text

pytestmark = pytest.mark.django_db

# --- the page ---


def test_the_page_shows_the_table_of_the_invitation(as_: As, alice: User, bob: User) -> None:
    invitation = asked(alice, pace="fast", vacations=False, bots=["greedy"])
    page = as_(None).get(link(invitation)).content
    assert "alice invites you to Splendor At the table: alice and Greedy bot. One seat is free." in text(page)
    assert "Starts at 1 day, +8 hours per turn, up to 3 days." in text(page)
    assert "a bot plays until they’re back. Clocks keep running during vacations." in text(page)
    assert 'name="username" value="ann"' in page.decode()
    assert buttons(page) == ["Take the seat", "Decline"]
    [never] = re.findall(r'href="(\S+)">Never email me again', page.decode())
    assert as_(None).get(never).status_code == 200
    other = as_(bob).get(link(invitation)).content
    assert buttons(other) == ["Join as bob", "Join with a new account", "Decline"]
    own = asked(alice, "bob@example.org")
    assert buttons(as_(bob).get(link(own)).content) == ["Take the seat", "Decline"]
    assert buttons(as_(None).get(link(own)).content) == ["Take the seat", "Decline"]
    assert buttons(as_(alice).get(link(own)).content) == []
    assert "You have a seat at this table" in text(as_(alice).get(link(own)).content)


def test_opening_the_page_changes_nothing_and_is_not_cached(as_: As, alice: User, bob: User) -> None:
    invitation = asked(alice)
    before = everything()
    for user in (None, alice, bob):
        for method in ("get", "head", "get"):
            answered = getattr(as_(user), method)(link(invitation), headers={"Purpose": "prefetch"})
            assert answered.status_code == 200
            assert "no-store" in answered["Cache-Control"]
            assert answered["Referrer-Policy"] == "same-origin"
        for method in ("put", "delete", "patch"):
            assert getattr(as_(user), method)(link(invitation)).status_code == 405
    assert everything() == before


def test_a_forged_link_is_refused(as_: As, alice: User) -> None:
    path = link(asked(alice))
    before = everything()
    for forged in (f"/i/{'x' * 2000}/", "/i/1/", "/i/%00/", "/i/1.%FF/", f"{path[:-2]}/", path.upper(), "/i/9.x/"):
        for method in ("get", "post"):
            assert getattr(as_(None), method)(forged).status_code == 404
    assert everything() == before


# --- hostile ---

NONSENSE = ["", " ", "\0", "é\u202e💎", "' OR 1=1 --", "<script>", "9" * 4400, "me", "address", "no", "ann", "bob"]


def requests(rng: Random, path: str) -> Iterator[tuple[str, dict[str, str]]]:
    for _ in range(15):
        names = rng.sample(["as", "answer", "username", "time_zone", "guest", "guests", "x"], 4)
        yield path, {name: rng.choice(NONSENSE) for name in names}


@pytest.mark.repeated(10)
def test_nonsense_is_refused_and_changes_nothing(seed: int, as_: As, alice: User, bob: User, charlie: User) -> None:
    """Forbidden actions, and posts that are not answers."""
    rng = Random(seed)
    create_confirmed("ann", "other@example.net", "correct horse")
    invitation = asked(alice, invited=[bob])
    cancelled = asked(alice)
    tables.cancel(cancelled.game, alice)
    game = invitation.game
    before = everything()
    paths = [link(cancelled), *(address(name, game) for name in ("invite", "revoke", "decline", "rematch"))]
    for path in paths:
        client = as_(charlie)
        for where, data in requests(rng, path):
            assert client.post(where, data).status_code in (302, 404, 409), data
    for where, data in requests(rng, link(invitation)):
        # “address” is a name that somebody can have.
        is_answer = (
            data.get("answer") == "no"
            or data.get("as") == "me"
            or (data.get("as"), data.get("username")) == ("address", "address")
        )
        if not is_answer:
            assert as_(charlie).post(where, data).status_code == 422, data
    assert everything() == before
