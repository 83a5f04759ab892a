"""The daily limits of mails count what was sent within a day, for the same person, address or host."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games.models import Game, Notice
from games.services.mailing import caps
from games.services.tables import tables
from tests.factories import DAY, START, at, person

pytestmark = pytest.mark.django_db
Kind = Notice.Kind
MOMENT = timedelta(seconds=1)
SENT = {"created_at": START, "due_at": START, "closed_at": START - DAY + MOMENT, "outcome": "sent"}


def sent(count: int, **fields: Any) -> None:
    first = Notice.objects.count()
    Notice.objects.bulk_create(Notice(key=str(first + number), **SENT | fields) for number in range(count))


@pytest.fixture
def table(alice: User) -> Game:
    return tables.create(alice, tables.TableSpec("duel", 2))


@pytest.mark.parametrize(
    "other",
    [
        {},
        {"outcome": "outdated"},
        {"closed_at": START - DAY},
        {"kind": Kind.TURN},
        {"recipient": "clara"},
        {"game": None},
    ],
    ids=str,
)
def test_offers_from_one_to_one(table: Game, bob: User, other: dict[str, Any]) -> None:
    if "recipient" in other:
        other = {"recipient": person(other["recipient"])}
    offer = {"kind": Kind.INVITED, "recipient": bob, "game": table}
    sent(caps.MAX_OFFERS_FROM_ONE_TO_ONE - 1, **offer)
    sent(1, **offer | other)
    with at(START):
        assert caps.reached(Notice(**offer)) is not bool(other)


@pytest.mark.parametrize("other", [{}, {"address": "yan@example.net"}], ids=str)
def test_offers_to_one_address_from_everybody(table: Game, other: dict[str, Any]) -> None:
    hosts = [person(f"host{number}") for number in range(caps.MAX_OFFERS_TO_ONE)]
    for host in hosts:
        theirs = tables.create(host, tables.TableSpec("duel", 2))
        last = other if host is hosts[-1] else {}
        sent(1, **{"kind": Kind.REMATCH, "address": "zoe@example.net", "game": theirs} | last)
    with at(START):
        assert caps.reached(Notice(kind=Kind.INVITED, address="zoe@example.net", game=table)) is not bool(other)


@pytest.mark.parametrize("of_another", [False, True])
def test_offers_from_one_to_everybody(table: Game, bob: User, of_another: bool) -> None:
    for number in range(caps.MAX_OFFERS_BY_ONE - 1):
        sent(1, kind=Kind.INVITED, address=f"reader{number}@example.net", game=table)
    last = tables.create(bob if of_another else table.host, tables.TableSpec("duel", 2))  # type: ignore[arg-type]
    sent(1, kind=Kind.INVITED, address="last@example.net", game=last)
    with at(START):
        assert caps.reached(Notice(kind=Kind.INVITED, address="zoe@example.net", game=table)) is not of_another


@pytest.mark.parametrize("other", [{}, {"address": "yan@example.net"}, {"expires_at": None}], ids=str)
def test_codes_to_one_address(other: dict[str, Any], db: None) -> None:
    code = {"kind": Kind.ACCOUNT, "address": "zoe@example.net", "expires_at": START + DAY}
    sent(caps.MAX_ACCOUNT_MAILS - 1, **code)
    sent(1, **code | other)
    with at(START):
        assert caps.reached(Notice(**code)) is not bool(other)
        assert not caps.reached(Notice(kind=Kind.ACCOUNT, address="zoe@example.net"))
