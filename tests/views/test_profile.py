"""The profiles of people: what each reader sees of whom, and what they can do there."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import names
from accounts.models import User
from accounts.services import create_guest
from games.models import Game, PersonNote, Pool, Rating, Report, Tally
from games.services import play
from games.services.privacy import deletion
from games.services.statistics import counting
from games.services.tables import blocks, guests, tables
from tests.factories import DAY, START, As, at, begun, each_began, person, run_out
from tests.views.reading import text

pytestmark = pytest.mark.django_db


def path(name: str, view: str = "profile") -> str:
    return reverse(view, args=[name])


def page(as_: As, reader: User, name: str = "bob") -> str:
    answer = as_(reader).get(path(name))
    assert answer.status_code == 200
    return text(answer.content)


def finished(loser: User, winner: User, title: str = "splendor", **spec: Any) -> Game:
    with at(START):
        game = begun([winner, loser], title, **spec)
        play.resign(game, loser)
    return game


def rate(user: User) -> None:
    """Give the user a rating in Splendor for two, from games with people."""
    pool, _new = Pool.objects.get_or_create(title="splendor", seats=2, bots=False)
    Rating.objects.create(pool=pool, user=user, points=1612.4, uncertainty=48, games=12, played_at=START)


# --- who is found ---


def test_nobody_learns_why_a_name_is_not_found(as_: As, alice: User, bob: User, charlie: User) -> None:
    """Unknown, deleted and blocking people give the same answer, and so do guests."""
    blocks.block(bob, alice)
    finished(charlie, alice)
    deletion.delete(charlie)
    client, gone = as_(alice), User.objects.get(username__startswith=names.DELETED)
    unknown = ["nobody-here", "bob", "charlie", gone.username, create_guest().username, "bob\0"]
    for view in ("profile", "profile_card", "person_note", "report_person"):
        answers = [client.get(path(name, view)) for name in unknown]
        assert {answer.status_code for answer in answers} == {404}
        assert len({re.sub(r'value="[^"]+"', "", answer.content.decode()) for answer in answers}) == 1
    for view in ("person_note", "report_person", "block_person"):
        assert {client.post(path(name, view)).status_code for name in unknown} == {404}
    # The one who blocks still finds the other.
    assert "alice" in page(as_, bob, "alice")


def test_visitors_log_in_first(as_: As, bob: User) -> None:
    for name in ("bob", "nobody-here"):
        answer = as_(None).get(path(name))
        assert (answer.status_code, answer["Location"]) == (302, f"/account/login/?next=/people/{name}/")


def test_profiles_are_private_pages(as_: As, alice: User, bob: User) -> None:
    for name in ("bob", "alice"):
        answer = as_(alice).get(path(name))
        assert "no-store" in answer["Cache-Control"]
        assert 'name="robots" content="noindex"' in answer.content.decode() or "noindex" in answer["X-Robots-Tag"]


def test_names_cannot_be_collected(as_: As, alice: User, bob: User, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"profile": "3/h/user"}
    cache.clear()
    client = as_(alice)
    asked = [client.get(path(name)).status_code for name in ("bob", "nobody-here", "bob", "bob")]
    assert asked == [200, 404, 200, 429]
    assert client.get(path("bob", "profile_card"))["Retry-After"] == "3600"


# --- what is shown ---


def test_a_stranger_sees_how_reliably_somebody_plays(as_: As, alice: User, bob: User, charlie: User) -> None:
    words = page(as_, alice)
    assert f"Here since {bob.date_joined:%B %Y}" in words
    assert "Games without bots none finished yet" in words
    finished(bob, charlie, audience=Game.Audience.ANYONE)
    for _game in range(2):
        finished(charlie, bob, "duel")
    words = page(as_, alice)
    assert "Plays to the end 67% of 3 games Ran out of time in 0% of 3 games" in words
    assert "bob shows ratings and games only to players they have played with." in words
    assert "Ratings" not in words
    assert "Latest games" not in words


def test_an_open_profile_shows_ratings_and_public_games(as_: As, alice: User, bob: User, charlie: User) -> None:
    public = finished(bob, charlie, audience=Game.Audience.ANYONE)
    hidden = finished(bob, charlie, audience=Game.Audience.SEATS)
    User.objects.filter(pk=bob.pk).update(open_profile=True)
    rate(bob)
    html = as_(alice).get(path("bob")).content.decode()
    assert f"/table/{public.key}/" in html
    assert hidden.key not in html
    assert "Ratings Splendor · 2 players 1612 ± 48 12 games" in text(html.encode())


def test_those_who_have_met_see_as_much_as_with_an_open_profile(as_: As, alice: User, bob: User) -> None:
    begun([alice, bob])
    assert "shows ratings and games only" not in page(as_, alice)
    finished(bob, alice)
    rate(bob)
    words = page(as_, alice)
    assert "Ratings" in words
    assert "You and bob 1 game: 1 won by you, 0 lost, 0 shared" in words
    assert f'href="{reverse("history")}?against=bob"' in as_(alice).get(path("bob")).content.decode()


def test_running_out_of_time_is_counted(as_: As, alice: User, bob: User) -> None:
    """A count of all games again finds the same, even for a time-out that decides its game."""
    for at_zero in (Game.AtZero.FORFEIT, Game.AtZero.CARETAKER, Game.AtZero.WAIT):
        with at(START):
            game = begun([alice, bob], at_zero=at_zero)
            each_began(game)
        late = run_out(game).user
        game.refresh_from_db()
        if game.is_active:
            assert late
            play.resign(game, alice if late == bob else bob)
    rows = Tally.objects.filter(user__in=[alice, bob]).order_by("user", "seats")
    counted = list(rows.values_list("user", "seats", "games", "finished", "timed_out"))
    assert sum(row[-1] for row in counted if row[1]) == 3
    counting.count_all()
    assert list(rows.values_list("user", "seats", "games", "finished", "timed_out")) == counted


def test_the_pace_and_the_statistics_are_shown_on_request_only(as_: As, alice: User, bob: User) -> None:
    finished(bob, alice)
    Tally.objects.filter(user=bob).update(times={"40": 3, "1": 2}, played=1, figures=[15, 10, 2], rounds=20)
    words = page(as_, alice)
    assert "Usually answers" not in words
    assert "Statistics" not in words
    User.objects.filter(pk=bob.pk).update(shows_pace=True, shows_statistics=True)
    words = page(as_, alice)
    assert "Usually answers within an hour" in words
    assert "Statistics Splendor · 2 players Won 0% Points 15.0 Cards 10.0 Nobles 2.0 Rounds 20.0" in words


def test_the_statistics_name_the_number_of_players_of_every_title(as_: As, alice: User, bob: User) -> None:
    finished(bob, alice, "duel")
    Tally.objects.filter(user=bob).update(played=1, figures=[15, 10, 2], rounds=20)
    User.objects.filter(pk=bob.pk).update(shows_statistics=True)
    assert "Statistics Splendor Duel · 2 players" in page(as_, alice)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (40, "within an hour"),
        (5 * 3600, "within a few hours"),
        (20 * 3600, "within a day"),
        (80 * 3600, "after more than a day"),
    ],
)
def test_the_pace_is_told_in_four_classes(as_: As, alice: User, bob: User, seconds: int, words: str) -> None:
    finished(bob, alice)
    Tally.objects.filter(user=bob).update(times={str(counting.step(seconds)): 1})
    User.objects.filter(pk=bob.pk).update(shows_pace=True)
    assert f"Usually answers {words}" in page(as_, alice)


def test_nothing_tells_when_or_where_somebody_is(as_: As, alice: User, bob: User) -> None:
    """Neither address nor time zone, quiet hours, vacation or last visit is on a profile, not even on an open one."""
    finished(bob, alice)
    before = page(as_, alice)
    bob.last_login = START + timedelta(minutes=7)
    bob.time_zone, bob.quiet_from, bob.quiet_until = "Pacific/Apia", "22:00", "07:00"
    bob.away_until, bob.language = START + 99 * DAY, "fr"
    bob.save()
    assert page(as_, alice) == before
    assert bob.email not in as_(alice).get(path("bob")).content.decode()


def test_open_tables_lead_to_a_seat(as_: As, alice: User, bob: User) -> None:
    free = tables.create(bob, tables.TableSpec("splendor", 3, admission=Game.Admission.OPEN, name="Evening three"))
    closed = tables.create(bob, tables.TableSpec("duel", 2, admission=Game.Admission.LINK))
    html = as_(alice).get(path("bob")).content.decode()
    assert f"/table/{free.key}/" in html
    assert closed.key not in html
    assert "Evening three" in html
    assert "Evening three" not in page(as_, bob, "bob")


def test_the_own_profile_says_what_others_see(as_: As, bob: User) -> None:
    assert "Players you haven’t played with don’t see your ratings and games." in page(as_, bob)
    User.objects.filter(pk=bob.pk).update(open_profile=True)
    html = as_(bob).get(path("bob")).content.decode()
    assert "All players can see it." in text(html.encode())
    assert not re.search("block/|note/|report/|invite=", html)


def test_the_settings_decide_what_others_see(as_: As, bob: User) -> None:
    client, address = as_(bob), reverse("accounts:settings")
    answer = client.get(address).content.decode()
    assert not re.search(r'name="(open_profile|shows_\w+)"[^>]*checked', answer)
    client.post(address, {"time_zone": "Europe/Paris", "theme": "auto", "open_profile": "on", "shows_pace": "on"})
    bob.refresh_from_db()
    assert (bob.open_profile, bob.shows_statistics, bob.shows_pace) == (True, False, True)


def test_a_profile_costs_the_same_for_many_games(as_: As, alice: User, bob: User, charlie: User) -> None:
    User.objects.filter(pk=bob.pk).update(open_profile=True, shows_pace=True, shows_statistics=True)
    finished(bob, charlie, audience=Game.Audience.ANYONE)
    client = as_(alice)
    client.get(path("bob"))
    with CaptureQueriesContext(connection) as few:
        client.get(path("bob"))
    for _game in range(6):
        finished(bob, charlie, audience=Game.Audience.ANYONE)
    with CaptureQueriesContext(connection) as many:
        client.get(path("bob"))
    assert len(many) == len(few)


# --- the ways to a profile, and from there ---


def test_names_lead_to_profiles(as_: As, alice: User, bob: User) -> None:
    table = tables.create(bob, tables.TableSpec("splendor", 3, admission=Game.Admission.OPEN))
    link = '<a href="/people/bob/" data-card-address="/people/bob/card/"><bdi>bob</bdi></a>'
    for view in ("table", "people"):
        html = as_(alice).get(reverse(view, args=[table.key])).content.decode()
        assert html.count(link) == 1
    assert "/people/bob/" not in as_(None).get(reverse("table", args=[table.key])).content.decode()


def test_the_bubble_says_the_most_important(as_: As, alice: User, bob: User) -> None:
    finished(bob, alice)
    rate(bob)
    card = as_(alice).get(path("bob", "profile_card")).content
    words = text(b"<main>" + card + b"</main>")
    assert words.startswith("> bob Here since ")
    assert "Plays to the end 0% of 1 game" in words
    assert "Splendor · 2 players" in words


def test_an_invitation_is_two_taps_away(as_: As, alice: User, bob: User) -> None:
    client = as_(alice)
    [address] = re.findall(r'href="([^"]*invite=[^"]*)"', client.get(path("bob")).content.decode())
    html = client.get(address).content.decode()
    assert re.search(r'name="friend"\s+value="bob"', html)
    assert re.search(r'name="friends" value="bob"[^>]*checked', html)
    # Any other word only appears in the form; the form itself says whether somebody has that name.
    assert client.get(f"{reverse('new')}?invite=nobody-here").status_code == 200


def test_a_note_is_its_writers_alone(as_: As, alice: User, bob: User, charlie: User) -> None:
    client, address = as_(alice), path("bob", "person_note")
    assert client.post(address, {"note": "Reserves early."})["Location"] == path("bob")
    assert "Your note Reserves early. Only you see it." in page(as_, alice)
    assert "Reserves early." in client.get(address).content.decode()
    for reader in (bob, charlie):
        assert "Reserves early." not in page(as_, reader)
    assert client.post(address, {"note": "x" * 501}).status_code == 422
    assert PersonNote.objects.get().text == "Reserves early."
    # A line break counts as one character, as in the browser.
    assert client.post(address, {"note": "\r\n".join(["123456789"] * 50)}).status_code == 302
    assert PersonNote.objects.get().text == "\n".join(["123456789"] * 50)
    client.post(address, {"note": ""})
    assert not PersonNote.objects.exists()
    # There is none about oneself.
    assert client.post(path("alice", "person_note"), {"note": "Me."}).status_code == 404


def test_a_guest_who_logs_in_keeps_their_notes(alice: User, bob: User, charlie: User) -> None:
    guest = create_guest()
    notes = ((guest, alice, "kind"), (guest, bob, "slow"), (alice, guest, "quick"), (charlie, bob, "fast"))
    for by, about, words in notes:
        PersonNote.objects.create(by=by, about=about, text=words)
    guests.take_along(guest, charlie)
    assert set(PersonNote.objects.values_list("by__username", "about__username", "text")) == {
        ("charlie", "alice", "kind"),
        ("charlie", "bob", "fast"),
        ("alice", "charlie", "quick"),
    }


def test_a_name_is_reported_from_its_profile(as_: As, alice: User, bob: User) -> None:
    client, address = as_(alice), path("bob", "report_person")
    assert "user_name:bob" in client.get(address).content.decode()
    assert client.post(address, {"text": "user_name:alice"}).status_code == 422
    answer = client.post(address, {"text": "user_name:bob", "sentence": "It is rude."})
    assert (answer.status_code, answer["Location"]) == (302, path("bob"))
    report = Report.objects.get()
    assert (report.game, report.table, report.text, report.sentence) == (None, "", "bob", "It is rude.")
    for number in range(19):
        other = person(f"other-{number}")
        client.post(path(other.username, "report_person"), {"text": f"user_name:{other.username}"})
    last = person("last-one")
    assert client.post(path("last-one", "report_person"), {"text": f"user_name:{last.username}"}).status_code == 429


def test_a_player_is_blocked_and_unblocked_from_their_profile(as_: As, alice: User, bob: User) -> None:
    client = as_(alice)
    assert client.post(path("bob", "block_person"))["Location"] == reverse("blocked")
    words = page(as_, alice)
    assert "You’ve blocked this player. Unblock" in words
    assert "Invite" not in words
    client.post(reverse("blocked"), {"name": "bob"})
    assert "Block Report" in page(as_, alice)
    assert client.post(path("alice", "block_person")).status_code == 404
