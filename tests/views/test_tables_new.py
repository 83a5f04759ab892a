"""The form for a new table: the tables it creates, and its errors."""

import re
from dataclasses import replace

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.urls import reverse

from accounts.models import User
from accounts.services import create_guest
from games.bots.strengths import Rating
from games.catalogue import TITLES
from games.models import Game
from games.services.privacy import deletion
from games.services.tables import blocks, tables
from games.services.tables.tables import TableSpec
from tests.factories import NEW, As, person
from tests.views.reading import address, text

pytestmark = pytest.mark.django_db


def test_the_form_opens_the_chosen_table(as_: As, alice: User, bob: User) -> None:
    spec = NEW | {
        "title": "splendor",
        "seats": "4",
        "bots": "1",
        "strength": "strongest",
        "admission": "named",
        "invited": "BOB, alice",
        "audience": "seats",
        "pace": "relaxed",
    }
    refused = as_(alice).post(reverse("new"), spec)
    assert refused.status_code == 422
    assert "2 seats are free. Invite at least 2 players." in text(refused.content)

    response = as_(alice).post(reverse("new"), spec | {"seats": "3"})
    game = Game.objects.get()
    assert response["Location"] == address("table", game)
    assert (game.title, game.seats, game.pace, game.admission) == ("splendor", 3, "relaxed", "named")
    assert (game.audience, game.status, game.host) == ("seats", "open", alice)
    assert list(game.invited.all()) == [bob]
    assert {seat.bot for seat in game.seat_set.all()} == {"", "strongest"}


def test_the_table_has_the_chosen_clock(as_: As, alice: User) -> None:
    clock = {"pace": "days", "days": "5", "at_zero": "wait", "vacations": "no"}
    as_(alice).post(reverse("new"), NEW | clock)
    as_(alice).post(reverse("new"), NEW | {"pace": "normal", "days": "nonsense"})
    first, second = Game.objects.order_by("pk")
    assert (first.pace, first.days, first.at_zero, first.vacations) == ("days", 5, "wait", False)
    # Fields that the form leaves out have common defaults.
    assert (second.pace, second.days, second.at_zero, second.vacations) == ("normal", None, "caretaker", True)


def test_names_addresses_and_fellow_players_are_invited(as_: As, bob: User, charlie: User, duel: Game) -> None:
    alice = User.objects.get(username="alice")
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    page = as_(alice).get(reverse("new")).content.decode()
    assert re.findall(r'name="friends" value="(\w+)"', page) == ["bob"]
    invited = "charlie; Ann@Example.net,ann@example.net"
    as_(alice).post(reverse("new"), NEW | {"seats": "4", "admission": "named", "friends": ["bob"], "invited": invited})
    game = Game.objects.get(status="open")
    assert set(game.invited.all()) == {bob, charlie}
    assert list(game.invitation_set.values_list("address", "invited_by")) == [("ann@example.net", alice.pk)]


def test_fellow_players_are_listed_latest_first(as_: As, alice: User, bob: User, charlie: User) -> None:
    for other in (bob, charlie, bob):
        tables.join(tables.create(alice, tables.TableSpec("duel", 2)), other)
    # Waiting at the same table does not count as playing together.
    tables.join(tables.create(alice, tables.TableSpec("splendor", 3)), person("dora"))
    page = as_(alice).get(reverse("new")).content.decode()
    assert re.findall(r'name="friends" value="(\w+)"', page) == ["bob", "charlie"]
    assert 'name="friends"' not in as_(person("emil")).get(reverse("new")).content.decode()


def chosen(page: bytes) -> dict[str, list[str]]:
    """The chosen values of the form."""
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r'name="(\w+)" value="([\w-]+)"[^>]*? checked', page.decode()):
        found.setdefault(name, []).append(value)
    return found


def test_a_form_can_be_filled_in_from_an_earlier_game(as_: As, alice: User, bob: User, charlie: User) -> None:
    spec = TableSpec(
        "splendor", 3, ["random"], pace="days", days=9, at_zero="forfeit", vacations=False, audience="anyone"
    )
    game = tables.create(alice, spec)
    tables.join(game, bob)
    answer = as_(alice).get(f"{reverse('new')}?like={game.key}")
    assert chosen(answer.content) == {
        "title": ["splendor"],
        "seats": ["3"],
        "bots": ["1"],
        "strength": ["random"],
        "admission": ["named"],
        "friends": ["bob"],
        "audience": ["anyone"],
        "pace": ["days"],
        "at_zero": ["forfeit"],
        "vacations": ["no"],
        "rated": ["yes"],
    }
    assert re.search(r'name="days" value="9"', answer.content.decode())
    # Users who did not play the game, and requests without one, get the form with their own last choices.
    for user, key, audience in ((charlie, game.key, "link"), (alice, "nonsense", "anyone"), (alice, "\0", "anyone")):
        page = as_(user).get(reverse("new"), {"like": key}).content
        assert chosen(page)["audience"] == [audience]


def test_a_refused_form_still_names_the_people_of_its_address(as_: As, alice: User, bob: User) -> None:
    client, path = as_(alice), f"{reverse('new')}?invite=bob"
    assert '<form method="post" novalidate>' in client.get(path).content.decode()
    refused = client.post(path, NEW | {"admission": "named", "friends": ["bob"]})
    assert refused.status_code == 422
    assert chosen(refused.content)["friends"] == ["bob"]


def test_a_form_names_nobody_who_cannot_be_invited(as_: As, alice: User, bob: User, charlie: User) -> None:
    gone, guest = person("gone"), create_guest()
    game = tables.create(alice, TableSpec("splendor", 4, seated=[bob, gone, guest]))
    blocks.block(alice, bob)
    deletion.delete(gone)
    assert "friends" not in chosen(as_(alice).get(f"{reverse('new')}?like={game.key}").content)


def proposed(page: bytes) -> list[str]:
    """The bots that the form proposes, with the text about each."""
    labels = re.findall(r'name="strength"[^>]*>(.*?)</label>', page.decode(), re.DOTALL)
    says = re.findall(r'class="says"[^>]*>(.*?)</p>', page.decode(), re.DOTALL)
    return [text(f"<main{label}: {said}</main>".encode()) for label, said in zip(labels, says, strict=True)]


def test_a_bot_that_is_no_longer_offered_can_be_chosen_again(as_: As, alice: User) -> None:
    game = tables.create(alice, TableSpec("splendor", 3, ["greedy", "greedy"]))
    page = as_(alice).get(reverse("new"), {"like": game.key}).content
    assert re.findall(r'name="strength" value="(\w+)"', page.decode()) == [
        "beginner",
        "easy",
        "medium",
        "hard",
        "strongest",
        "greedy",
    ]
    assert chosen(page)["strength"] == ["greedy"]
    again = NEW | {"bots": "2", "strength": "greedy"}
    refused = as_(alice).post(reverse("new"), again | {"pace": ""})
    assert chosen(refused.content)["strength"] == ["greedy"]
    as_(alice).post(reverse("new"), again)
    assert sorted(seat.bot for seat in Game.objects.latest("pk").seat_set.all()) == ["", "greedy", "greedy"]


def test_strengths_are_shown_with_a_sentence_and_their_rating(
    as_: As, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for slug, ratings in {"splendor": {4: Rating(1450, 40)}, "duel": {2: Rating(1502, 38)}}.items():
        monkeypatch.setitem(TITLES, slug, replace(TITLES[slug], ratings={"medium": ratings}))
    page = as_(alice).get(reverse("new")).content
    assert chosen(page)["strength"] == ["medium"]
    assert proposed(page) == [
        "Beginner : Buys whenever it can, and otherwise makes any move that looks good at first sight.",
        "Easy : Makes any move that looks good at first sight.",
        "Medium : Looks a move or two ahead. Rating 1450 (an average casual player: "
        "about 1000). Rating 1502 (an average casual player: about 1000).",
        "Hard : Looks several moves ahead.",
        "Strongest : Thinks far ahead, a few seconds per move.",
    ]
    # The style sheet shows only the rating for the chosen title and seats.
    assert re.findall(r'class="rating" data-of="(\d)" data-seats="(\d)"', page.decode()) == [("1", "4"), ("2", "2")]
    styles = (settings.BASE_DIR / "games/static/games/pages.css").read_text()
    for place, title in enumerate(TITLES.values(), start=1):
        assert f'.pick-title:nth-of-type({place}) :checked) [data-of]:not([data-of~="{place}"])' in styles
        for seats in title.ruleset.seats:
            assert f'[name=seats][value="{seats}"]:checked) .rating:not([data-seats="{seats}"])' in styles


def test_against_bots_alone_the_game_starts_at_once(as_: As, alice: User) -> None:
    as_(alice).post(reverse("new"), NEW | {"title": "duel", "seats": "2", "bots": "1", "audience": "seats"})
    assert Game.objects.get().status == "active"


def test_names_count_only_if_the_table_is_for_them(as_: As, alice: User) -> None:
    assert as_(alice).post(reverse("new"), NEW | {"invited": "nobody-at-all"}).status_code == 302
    assert not Game.objects.get().invited.exists()


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"title": ""}, "title", "Choose a game."),
        ({"title": "chess"}, "title", "Choose a game."),
        ({"seats": "9"}, "seats", "Choose the number of players."),
        ({"bots": "x"}, "bots", "Choose the number of bots."),
        ({"strength": "cheating"}, "strength", "Choose a strength for the bots."),
        ({"admission": "nobody"}, "admission", "Choose who can join."),
        ({"audience": "the press"}, "audience", "Choose who can watch."),
        ({"pace": "warp"}, "pace", "Choose a pace."),
        ({"audience": "seats"}, "audience", "Players must be able to open the table"),
        ({"audience": "seats", "admission": "open"}, "audience", "Players must be able to open the table"),
        ({"admission": "named", "invited": "bob"}, "invited", "2 seats are free. Invite at least 2 players."),
        (
            {"admission": "named", "invited": "bob bob alice"},
            "invited",
            "2 seats are free. Invite at least 2 players.",
        ),
        ({"admission": "named", "invited": "bob zoe"}, "invited", "Unknown player: zoe. Check the spelling."),
        ({"admission": "named", "invited": "zoe, yan"}, "invited", "Unknown players: zoe and yan. Check the spelling."),
        ({"admission": "named", "invited": "x" * 1001}, "invited", "That’s too many names for one table."),
        ({"admission": "named", "invited": "bob ann@"}, "invited", "“ann@” isn’t an email address."),
        ({"admission": "named", "invited": f"ann@{'x' * 250}.net"}, "invited", "isn’t an email address."),
        ({"admission": "named", "friends": "zoe"}, "invited", "Unknown player: zoe. Check the spelling."),
        ({"pace": "days", "days": ""}, "days", "Enter a number of days from 1 to 14."),
        ({"pace": "days", "days": "0"}, "days", "Enter a number of days from 1 to 14."),
        ({"pace": "days", "days": "15"}, "days", "Enter a number of days from 1 to 14."),
        ({"pace": "days", "days": "soon"}, "days", "Enter a number of days from 1 to 14."),
        ({"at_zero": "explode"}, "at_zero", "Choose what happens if time runs out."),
        ({"vacations": "sometimes"}, "vacations", "Choose whether vacations stop the clock."),
        ({"admission": "named", "invited": "bob\0"}, "invited", "Null characters are not allowed."),
    ],
)
def test_errors_are_shown_at_their_fields(
    as_: As, alice: User, bob: User, change: dict[str, str], field: str, words: str
) -> None:
    response = as_(alice).post(reverse("new"), NEW | change)
    page = response.content.decode()
    assert response.status_code == 422
    assert list(response.context["form"].errors) == [field]
    at_field = page.split(f'id="field-{field}"', 1)[1].split("</ul>", 1)[0]
    assert words in text(f"<main>{at_field}</main>".encode())
    # The form keeps the chosen values.
    if "pace" not in change:
        assert re.search(r'name="pace" value="fast"[^>]* checked', page)
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("change", "seats", "bots"),
    [
        ({"title": "duel"}, 2, 0),
        ({"title": "duel", "seats": "4", "bots": "2"}, 2, 0),
        ({"title": "duel", "seats": "4", "bots": "3"}, 2, 1),
        ({"bots": "3"}, 3, 2),
    ],
)
def test_choices_that_the_form_hides_give_way(
    as_: As, alice: User, change: dict[str, str], seats: int, bots: int
) -> None:
    """Somebody who has chosen four players and then Splendor Duel no longer sees the number."""
    as_(alice).post(reverse("new"), NEW | change)
    game = Game.objects.get()
    assert (game.seats, game.seat_set.filter(user=None).count()) == (seats, bots)


def test_an_empty_post_names_every_field_that_must_be_chosen(as_: As, alice: User) -> None:
    response = as_(alice).post(reverse("new"))
    assert response.status_code == 422
    required = {"title", "seats", "bots", "strength", "admission", "audience", "pace"}
    assert set(response.context["form"].errors) == required


def test_a_person_who_has_left_cannot_be_named(as_: As, alice: User, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_active=False)
    response = as_(alice).post(
        reverse("new"), NEW | {"title": "duel", "seats": "2", "admission": "named", "invited": "bob"}
    )
    assert "Unknown player: bob. Check the spelling." in text(response.content)


@pytest.mark.parametrize(
    ("asked", "chosen"), [("duel", "duel"), ("", "splendor"), ("<b>", "splendor"), (None, "splendor")]
)
def test_the_address_chooses_the_title(as_: As, alice: User, asked: str | None, chosen: str) -> None:
    page = as_(alice).get(reverse("new"), {} if asked is None else {"title": asked}).content.decode()
    assert re.findall(r'name="title" value="(\w+)"[^>]*checked', page) == [chosen]
    assert "<b>&" not in page


# --- one tap ---


def pressed(as_: As, user: User, **data: str) -> Game:
    """The table that a button of the untouched form opens."""
    client = as_(user)
    page = client.get(reverse("new")).content
    fields = {name: values[0] for name, values in chosen(page).items()} | {"invited": "", "name": "", "days": "3"}
    answer = client.post(reverse("new"), fields | data)
    game = Game.objects.latest("pk")
    assert answer["Location"] == address("table", game)
    return game


def test_one_tap_starts_a_game_against_a_bot(as_: As, alice: User) -> None:
    for title in TITLES:
        game = pressed(as_, alice, way="bots", title=title)
        # Nobody waits, so no clock runs.
        assert (game.title, game.status, game.pace) == (title, "active", "none")
        assert {str(seat) for seat in game.seat_set.all()} == {"alice", "Medium bot"}
    # All other seats get a bot; a number of players that the title lacks is replaced.
    game = pressed(as_, alice, way="bots", title="splendor", seats="4", admission="named", audience="seats")
    assert sorted(seat.bot for seat in game.seat_set.all()) == ["", "medium", "medium", "medium"]
    assert pressed(as_, alice, way="bots", title="duel", seats="4").seats == 2


def test_one_tap_makes_a_link_to_share(as_: As, alice: User, charlie: User) -> None:
    game = pressed(as_, alice, way="link", admission="named", audience="seats", bots="1")
    assert (game.status, game.admission, game.audience, game.seats) == ("open", "link", "link", 2)
    page = as_(alice).get(address("table", game)).content.decode()
    assert re.search(r'data-link="link"[^>]*hidden', page)
    assert f'value="http://testserver{address("table", game)}"' in page
    tables.join(game, charlie)
    assert pressed(as_, alice, way="link", admission="open").admission == "open"


def test_one_tap_invites_a_friend(as_: As, alice: User, bob: User, charlie: User, duel: Game) -> None:
    page = as_(alice).get(reverse("new")).content.decode()
    assert re.findall(r'name="friend"\s+value="(\w+)"', page) == ["bob"]
    game = pressed(as_, alice, friend="bob")
    assert (game.status, game.admission, list(game.invited.all())) == ("open", "named", [bob])
    # The other seats of a larger table are for anyone with the link.
    game = pressed(as_, alice, friend="bob", title="splendor", seats="3")
    assert (game.status, game.admission, list(game.invited.all())) == ("open", "link", [bob])
    for friend in ("zoe", "alice", "x" * 30, "\0"):
        refused = as_(alice).post(reverse("new"), NEW | {"friend": friend, "seats": "2"})
        assert refused.status_code == 422
    assert as_(alice).post(reverse("new"), NEW | {"way": "sideways"}).status_code == 422


def test_the_form_remembers_the_last_choices(as_: As, alice: User, charlie: User) -> None:
    usual = chosen(as_(alice).get(reverse("new")).content)
    assert (usual["title"], usual["seats"], usual["strength"]) == (["splendor"], ["2"], ["medium"])
    spec = TableSpec("splendor", 3, ["hard"], pace="relaxed", at_zero="wait", vacations=False, admission="open")
    tables.create(alice, spec)
    tables.create(charlie, TableSpec("splendor", 4, pace="fast"))
    # A game against bots says nothing about games with people, except its title and the strength.
    tables.create(alice, TableSpec("duel", 2, ["easy"], pace="none"))
    answer = as_(alice).get(reverse("new"))
    assert chosen(answer.content) == {
        "title": ["duel"],
        "seats": ["2"],
        "bots": ["0"],
        "strength": ["easy"],
        "admission": ["open"],
        "audience": ["link"],
        "pace": ["relaxed"],
        "at_zero": ["wait"],
        "vacations": ["no"],
        "rated": ["yes"],
    }
    said = answer.content.decode().split('class="fold-parts"')[1].split("</summary>")[0]
    assert text(f"<main{said}</main>".encode()).startswith("> 2 players A month or more Everyone The others wait")
