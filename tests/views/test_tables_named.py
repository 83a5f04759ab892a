"""The names that hosts give their tables."""

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.urls import reverse

from accounts.models import User
from games.models import Game, Notice
from games.services.mailing import letters
from games.services.tables import names, tables
from games.services.tables.tables import TableSpec
from tests.factories import NEW, As
from tests.views.reading import address, rows, text

pytestmark = pytest.mark.django_db
LONGEST = "Ünïcode & friends: 5th “Grand” Prix, №2"


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("", ""),
        (" \t ", ""),
        ("  Friday   counting house ", "Friday counting house"),
        (LONGEST, LONGEST.replace("№", "No")),
        ("Κυριακή", "Κυριακή"),
        ("金曜日の卓", "金曜日の卓"),
        ("יום שישי", "יום שישי"),
        ("\uff26\uff12", "F2"),
        ("Rook ♜ & 💎", "Rook ♜ & 💎"),
        ("x" * 40, "x" * 40),
    ],
)
def test_a_name_is_stored_in_one_form(typed: str, name: str) -> None:
    assert names.cleaned(typed) == name


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("x" * 41, "long"),
        ("\ufdfa" * 3, "long"),  # 18 letters each in the stored form
        *(
            (f"Fri{c}day", "characters")
            for c in "\0\n\t\x7f\u200b\u200d\u200f\u202e\u2028\u2066\u061c\ufeff\u00ad\ue000"
        ),
        *((f"Fri{c}day", "characters") for c in "\u3164\u115f\u2800\u0338\u20dd\ufe0f\U000e0041"),
        ("see evil.example", "address"),
        ("me@example", "address"),
        ("https://x", "address"),
        ("Cabochon", "site"),
        ("the CABOCHON team", "site"),
        ("C a b o c h o n", "site"),
        ("Саbосhоn", "site"),  # Cyrillic letters  # noqa: RUF001
        ("Çâbőćhøñ", "site"),
        ("Cab0ch0n", "site"),
    ],
)
def test_a_name_that_could_deceive_is_refused(typed: str, code: str) -> None:
    with pytest.raises(ValidationError) as refused:
        names.cleaned(typed)
    assert refused.value.code == code


def test_the_host_names_a_table_when_opening_it(as_: As, alice: User) -> None:
    as_(alice).post(reverse("new"), NEW | {"name": " Friday  counting house"})
    assert Game.objects.get().name == "Friday counting house"
    refused = as_(alice).post(reverse("new"), NEW | {"name": "Cabochon"})
    assert (refused.status_code, Game.objects.count()) == (422, 1)
    assert "This name looks like the name of the site." in text(refused.content)


def test_the_host_renames_an_open_table(as_: As, alice: User, bob: User) -> None:
    game = tables.create(alice, TableSpec("splendor", 3, name="Friday"))
    tables.join(game, bob)
    path = address("rename", game)
    for reader, typed, status, name in [
        (alice, "Sunday", 302, "Sunday"),
        (bob, "Monday", 302, "Sunday"),
        (alice, "cabochon", 422, "Sunday"),
        (bob, "cabochon", 302, "Sunday"),
        (alice, "", 302, ""),
    ]:
        assert as_(reader).post(path, {"name": typed}).status_code == status
        game.refresh_from_db()
        assert game.name == name
    tables.cancel(game, alice)
    page = as_(alice).post(path, {"name": "Late"}, follow=True)
    assert "This table is no longer open." in text(page.content)
    game.refresh_from_db()
    assert game.name == ""


def test_the_name_stands_where_the_short_key_stood(as_: As, alice: User, bob: User) -> None:
    game = tables.create(alice, TableSpec("duel", 2, name="Friday <b>house</b>"))
    assert "Friday <b>house</b> Splendor Duel" in text(as_(alice).get(address("table", game)).content)
    tables.join(game, bob)
    first = game.seat_set.get(index=0).user
    page = as_(first).get(address("table", game)).content.decode()
    assert "Friday &lt;b&gt;house&lt;/b&gt;" in page.split("</title>")[0]
    [row] = rows(as_(first).get(reverse("mine")).content, "turn")
    assert "Friday <b>house</b>" in row
    assert game.short_key not in row


def test_mails_name_the_table_but_not_to_strangers(alice: User, bob: User) -> None:
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    game = tables.create(
        alice, TableSpec("duel", 2, name="Counting house", addresses=["ann@example.net"], invited=[bob])
    )
    mails = {notice.address or bob.email: letters.write(notice) for notice in Notice.objects.filter(game=game)}
    assert {address: mail.subject for address, mail in mails.items() if mail} == {
        "ann@example.net": f"alice invites you to Splendor Duel · {game.short_key}",
        bob.email: "alice invites you to Splendor Duel · Counting house",
    }
    # People without an account see nothing that the host wrote.
    assert mails["ann@example.net"]
    assert "Counting house" not in mails["ann@example.net"].message().as_string()
