"""Previews: one picture for each finished game that everybody may find, and for no other."""

from importlib import import_module
from io import BytesIO
from typing import Any

import pytest
from django.apps import apps
from django.utils import translation
from PIL import Image, ImageColor

from accounts import letterhead
from accounts.models import User
from accounts.services import create_guest, keep
from games import pictures
from games.models import Game, Preview
from games.models.position import Position
from games.services import play
from games.services.moderation import acts
from games.services.tables import guests
from games.services.work import previews, sweep
from tests.factories import begun, deal, person, play_on
from tests.staff import member

pytestmark = pytest.mark.django_db
ANYONE = Game.Audience.ANYONE


def over(people: list[User], title: str = "duel", bots: int = 0) -> Game:
    """A game of these people from which the first player resigned."""
    game = begun(people, title, bots, audience=ANYONE)
    play.resign(game, people[0])
    game.refresh_from_db()
    assert game.status == Game.Status.FINISHED
    return game


def drawn(game: Game) -> bytes | None:
    found = Preview.objects.filter(game=game).first()
    return bytes(found.picture) if found and found.picture else None


def expected(game: Game, goal: int) -> bytes:
    """The picture with the winners first, and then the other players, best first."""
    seats = sorted(game.seat_set.order_by("index"), key=lambda seat: (not seat.won, -seat.score))
    rows = [pictures.Row(seat.index or 0, str(seat), seat.score, seat.won) for seat in seats]
    return pictures.of_result(f"games/pictures/{game.title}.png", rows, goal)


def test_a_game_played_to_its_end_has_a_picture_of_its_result(alice: User, bob: User) -> None:
    game = deal("splendor", [alice, bob], 3)
    Game.objects.filter(pk=game.pk).update(audience=ANYONE)
    play_on(game, 4, 600)
    sweep.tend(game.pk)
    game.refresh_from_db()
    picture = drawn(game)
    assert picture == expected(game, 15)
    image = Image.open(BytesIO(picture))
    assert (image.format, image.size) == ("PNG", (1200, 630))
    assert len(picture) < 100_000


def test_the_sweep_draws_what_a_lost_task_left(alice: User, bob: User) -> None:
    game = over([alice, bob])
    assert drawn(game) is None
    sweep.sweep()
    assert drawn(game) == expected(game, 20)


def test_a_running_game_has_no_picture(alice: User, bob: User) -> None:
    game = begun([alice, bob], audience=ANYONE)
    Preview.objects.create(game=game)
    sweep.tend(game.pk)
    sweep.sweep()
    assert drawn(game) is None


def test_games_of_an_older_site_get_their_pictures(alice: User, bob: User) -> None:
    game, running = over([alice, bob]), begun([alice, bob], audience=ANYONE)
    Preview.objects.all().delete()
    import_module("games.migrations.0017_previews").owe(apps, None)
    sweep.sweep()
    assert drawn(game) == expected(game, 20)
    assert not Preview.objects.filter(game=running).exists()


@pytest.mark.parametrize("audience", [Game.Audience.LINK, Game.Audience.SEATS])
def test_a_game_that_not_everybody_may_find_has_no_picture(audience: str, alice: User, bob: User) -> None:
    game = begun([alice, bob], audience=audience)
    play.resign(game, alice)
    assert not Preview.objects.exists()
    sweep.sweep()
    assert not Preview.objects.exists()


def test_a_guests_game_has_no_picture() -> None:
    over([create_guest()], bots=1)
    sweep.sweep()
    assert not Preview.objects.exists()


def test_a_picture_is_drawn_once(alice: User, bob: User) -> None:
    game = over([alice, bob])
    previews.draw(game.pk)
    Preview.objects.update(picture=b"the first")
    previews.draw(game.pk)
    sweep.sweep()
    assert drawn(game) == b"the first"


def test_the_picture_of_the_first_of_two_tasks_is_kept(alice: User, bob: User, monkeypatch: Any) -> None:
    game = over([alice, bob])

    def meanwhile(text: str) -> bool:
        Preview.objects.update(picture=b"the first")
        return True

    monkeypatch.setattr(pictures, "can_write", meanwhile)
    previews.draw(game.pk)
    assert drawn(game) == b"the first"


def test_a_picture_holds_nothing_of_the_position(alice: User, bob: User) -> None:
    game = over([alice, bob])
    Position.objects.all().delete()
    Game.objects.update(name="A secret name")
    previews.draw(game.pk)
    assert drawn(game) == expected(game, 20)


@pytest.mark.parametrize(("language", "bot"), [("", "Greedy bot"), ("en", "Greedy bot"), ("fr", "Robot glouton")])
def test_bots_are_named_in_the_language_of_the_host(language: str, bot: str, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(language=language)
    game = over([alice], bots=1)
    with translation.override("fr"):
        previews.draw(game.pk)
    winner, loser = game.seat_set.get(won=True), game.seat_set.get(won=False)
    rows = [
        pictures.Row(winner.index or 0, bot, winner.score, won=True),
        pictures.Row(loser.index or 0, "alice", loser.score, won=False),
    ]
    assert drawn(game) == pictures.of_result("games/pictures/duel.png", rows, 20)


def test_names_beyond_our_letters_keep_the_picture_of_the_title(alice: User) -> None:
    over([alice, person("мира")])
    sweep.sweep()
    assert not Preview.objects.exists()


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Chloé", True),
        ("anne-marie_2", True),
        ("Invité 4821", True),
        ("мира", False),
        ("李小龙", False),
        ("Jiří", False),
    ],
)
def test_our_fonts_write_english_and_french(text: str, written: bool) -> None:
    assert pictures.can_write(text) == written


def test_long_names_and_all_seats_fit() -> None:
    """The right margin of the leaf stays empty."""
    for seats in (1, 2, 3, 4):
        rows = [pictures.Row(seat, "W" * 20, 99, won=True) for seat in range(seats)]
        picture = pictures.of_result("games/pictures/site.png", rows, 15)
        right = pictures.LEAF[2]
        margin = Image.open(BytesIO(picture)).convert("RGB").crop((right - pictures.INSIDE + 3, 60, right - 4, 570))
        assert len(margin.getcolors() or ()) == 1


def test_bars_are_empty_if_nobody_has_points() -> None:
    def filled(points: int) -> bool:
        rows = [pictures.Row(seat, "nobody", points, won=False) for seat in range(2)]
        picture = Image.open(BytesIO(pictures.of_result("games/pictures/site.png", rows, 15))).convert("RGB")
        edge = ImageColor.getrgb(letterhead.colours()["edge"])
        return edge in {colour for _number, colour in picture.getcolors(2**24) or ()}

    assert (filled(0), filled(5)) == (False, True)


def test_a_name_that_our_fonts_can_write_brings_a_picture(alice: User) -> None:
    user = person("мира")
    game = over([alice, user])
    previews.draw(game.pk)
    acts.rename_person(member(), user, "Flower", "Offensive")
    previews.draw(game.pk)
    assert drawn(game) == expected(game, 20)


@pytest.mark.parametrize("host", [True, False])
@pytest.mark.parametrize("way", ["keeps", "is taken along"])
def test_a_guest_with_an_account_has_its_name_in_pictures(alice: User, way: str, host: bool) -> None:
    guest = create_guest()
    game = over([alice, guest])
    Game.objects.filter(pk=game.pk).update(host=guest if host else alice)
    previews.draw(game.pk)
    assert (drawn(game) is None) == host
    if way == "keeps":
        guests.kept(keep(guest, "Flower", "flower@example.org", ""))
    else:
        guests.take_along(guest, person("Flower"))
    previews.draw(game.pk)
    assert drawn(game) == expected(game, 20)
    assert "Flower" in map(str, game.seat_set.all())


def test_a_name_that_staff_change_leaves_the_pictures(alice: User, bob: User) -> None:
    game = over([alice, bob])
    previews.draw(game.pk)
    before = drawn(game)
    acts.rename_person(member(), bob, "Flower", "Offensive")
    assert drawn(game) is None
    previews.draw(game.pk)
    assert drawn(game) not in (None, before)
