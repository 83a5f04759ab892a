"""The page about vacations."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core.cache import cache

from accounts.models import User
from games.models import Game, Vacation
from games.services.absence import vacations
from games.services.clocks.moment import now
from games.services.tables import tables
from splendor_site import settings as site
from tests.factories import As, person
from tests.views.reading import text

pytestmark = pytest.mark.django_db

AWAY = "/settings/vacation/"


def test_a_vacation_begins_and_ends(as_: As, alice: User, bob: User) -> None:
    alice.time_zone = "Europe/Paris"
    alice.save()
    client = as_(alice)
    with time_machine.travel("2026-05-01T12:00:00Z", tick=False) as clock:
        assert "Left this year: 21 days." in text(client.get(AWAY).content)
        page = client.post(AWAY, {"days": "4"}, follow=True)
        assert "Your clocks are stopped." in text(page.content)
        assert "You’re away until Tue 5 May 2026, 14:00 ." in text(page.content)
        assert "Left this year after this vacation: 17 days." in text(page.content)
        [vacation] = Vacation.objects.all()
        assert (vacation.user, vacation.ends_at - vacation.begins_at) == (alice, timedelta(days=4))

        again = client.post(AWAY, {"days": "1"})
        assert again.status_code == 422
        assert "You’re already on vacation." in text(again.content)

        clock.shift(timedelta(days=1, hours=2))
        page = client.post(f"{AWAY}back/", follow=True)
        assert "Welcome back!" in text(page.content)
        assert "Left this year: 19 days and 22 hours." in text(page.content)
        assert vacations.vacation_of(alice) is None
        assert "Left this year: 21 days." in text(as_(bob).get(AWAY).content)


def test_vacations_use_up_the_days_of_the_year(as_: As, alice: User) -> None:
    client = as_(alice)
    with time_machine.travel("2026-05-01T12:00:00Z", tick=False) as clock:
        client.post(AWAY, {"days": "20"})
        clock.shift(timedelta(days=20))
        assert "Left this year: 1 day." in text(client.get(AWAY).content)
        refused = client.post(AWAY, {"days": "2"})
        assert refused.status_code == 422
        assert "You don’t have that many days left this year." in text(refused.content)
        client.post(AWAY, {"days": "1"})
        clock.shift(timedelta(days=1))
        assert "Left this year: 0 hours. You get new days on 1 January." in text(client.get(AWAY).content)


def test_next_year_s_vacation_can_be_planned_after_this_year_s_days(as_: As, alice: User) -> None:
    with time_machine.travel("2026-05-01T12:00:00Z", tick=False):
        as_(alice).post(AWAY, {"days": "21"})
    with time_machine.travel("2026-12-20T12:00:00Z", tick=False):
        client = as_(alice)
        assert 'name="starts"' in client.get(AWAY).content.decode()
        page = client.post(AWAY, {"days": "4", "starts": "2027-01-05"}, follow=True)
        assert "You’ll be away from Tue 5 Jan 2027, 00:00 until" in text(page.content)


@pytest.mark.parametrize("days", ["", "0", "-1", "22", "a week", "1.5"])
def test_impossible_lengths_are_refused(as_: As, alice: User, days: str) -> None:
    assert as_(alice).post(AWAY, {"days": days}).status_code == 422
    assert not Vacation.objects.exists()


def test_tables_without_vacations_are_listed(as_: As, alice: User, bob: User) -> None:
    def sit(**terms: Any) -> Game:
        game = tables.create(alice, tables.TableSpec("splendor", 2))
        tables.join(game, bob)
        Game.objects.filter(pk=game.pk).update(**terms)
        return game

    sit(vacations=True)
    strict = sit(vacations=False)
    sit(vacations=False, pace="none", clock_started_at=None, deadline=None)
    assert list(as_(alice).get(AWAY).context["forbidding"]) == [strict]
    assert f"Your clock keeps running at these tables Splendor {strict.short_key}" in text(as_(bob).get(AWAY).content)
    assert "Your clock keeps running" not in text(as_(person("dan")).get(AWAY).content)


def test_a_vacation_can_start_later(as_: As, alice: User, duel: Game) -> None:
    alice.time_zone = "Europe/Paris"
    alice.save()
    client = as_(alice)
    with time_machine.travel("2026-05-01T12:00:00Z", tick=False) as clock:
        seat = duel.seat_set.get(user=alice).index
        Game.objects.update(to_act=seat, clock_started_at=now(), deadline=now() + timedelta(days=3))
        page = text(client.post(AWAY, {"days": "4", "starts": "2026-05-03"}, follow=True).content)
        assert "Vacation planned. Your clocks will stop on" in page
        assert "You’ll be away from Sun 3 May 2026, 00:00 until Thu 7 May 2026, 00:00 ." in page
        assert "Left this year after this vacation: 17 days." in page
        # The clock runs until then, and after the vacation.
        duel.refresh_from_db()
        assert duel.deadline == datetime(2026, 5, 8, 12, tzinfo=UTC)
        again = client.post(AWAY, {"days": "1"})
        assert (again.status_code, Vacation.objects.count()) == (422, 1)
        assert "You’ve already planned a vacation. Cancel it first." in text(again.content)
        clock.move_to("2026-05-03T12:00:00Z")
        assert "You’re away until Thu 7 May 2026, 00:00 ." in text(client.get(AWAY).content)


def test_a_planned_vacation_can_be_cancelled(as_: As, alice: User, duel: Game) -> None:
    client = as_(alice)
    with time_machine.travel("2026-05-01T12:00:00Z", tick=False):
        seat = duel.seat_set.get(user=alice).index
        Game.objects.update(to_act=seat, clock_started_at=now(), deadline=now() + timedelta(days=3))
        client.post(AWAY, {"days": "4", "starts": "2026-05-03"})
        page = client.post(f"{AWAY}back/", {"planned": ""}, follow=True)
        assert "Vacation cancelled." in text(page.content)
        assert "Left this year: 21 days." in text(page.content)
        duel.refresh_from_db()
        assert duel.deadline == datetime(2026, 5, 4, 12, tzinfo=UTC)
    assert not Vacation.objects.exists()


def test_a_planned_vacation_can_be_cancelled_during_another(as_: As, alice: User) -> None:
    """An automatic day can begin before it."""
    client = as_(alice)
    with time_machine.travel("2026-05-01T12:00:00Z", tick=False):
        client.post(AWAY, {"days": "4", "starts": "2026-05-03"})
        day = Vacation.objects.create(user=alice, begins_at=now(), ends_at=now() + timedelta(days=1))
        page = text(client.get(AWAY).content)
        assert page.index("You’re away until") < page.index("You’ll be away from")
        for _click in range(2):
            client.post(f"{AWAY}back/", {"planned": ""})
        assert vacations.vacation_of(alice) == day
        assert vacations.planned_by(alice) is None


@pytest.mark.parametrize(
    ("starts", "days", "words"),
    [
        ("2026-04-30", "1", "A vacation can’t start in the past."),
        ("0001-01-01", "1", "A vacation can’t start in the past."),
        ("2027-05-02", "1", "A vacation can start up to a year from now."),
        ("9999-12-31", "1", "A vacation can start up to a year from now."),
        ("soon", "1", "Enter a date."),
        ("2026-13-01", "1", "Enter a date."),
        ("2026-12-20", "22", "Ensure this value is less than or equal to 21."),
    ],
)
def test_impossible_first_days_are_refused(as_: As, alice: User, starts: str, days: str, words: str) -> None:
    with time_machine.travel("2026-05-01T12:00:00Z", tick=False):
        refused = as_(alice).post(AWAY, {"days": days, "starts": starts})
        assert refused.status_code == 422
        assert words in text(refused.content)
        assert not Vacation.objects.exists()
        # A vacation that starts today begins now.
        as_(alice).post(AWAY, {"days": "1", "starts": "2026-05-01"})
        assert Vacation.objects.get().begins_at == now()


def test_a_planned_vacation_uses_the_days_of_its_years(as_: As, alice: User) -> None:
    with time_machine.travel("2026-05-01T12:00:00Z", tick=False) as clock:
        client = as_(alice)
        client.post(AWAY, {"days": "20"})
        clock.shift(timedelta(days=20))
        # One day is left of this year's, and 21 of the next one's.
        assert client.post(AWAY, {"days": "3", "starts": "2026-12-30"}).status_code == 422
        assert client.post(AWAY, {"days": "21", "starts": "2026-12-31"}).status_code == 302


def test_days_off_and_automatic_vacations_are_kept_and_shown(as_: As, alice: User) -> None:
    client = as_(alice)
    page = client.post(f"{AWAY}off/", {"days_off": ["5", "6"], "out_of_time": ["vacation"]}, follow=True)
    assert "Settings saved." in text(page.content)
    alice.refresh_from_db()
    assert (alice.days_off, alice.automatic_vacation) == ([5, 6], True)
    assert page.content.decode().count(" checked") == 3
    client.post(f"{AWAY}off/", {})
    alice.refresh_from_db()
    assert (alice.days_off, alice.automatic_vacation) == ([], False)


@pytest.mark.parametrize("days", [["0", "1", "2"], ["7"], ["Monday"]])
def test_more_than_two_days_off_and_nonsense_are_refused(as_: As, alice: User, days: list[str]) -> None:
    page = as_(alice).post(f"{AWAY}off/", {"days_off": days})
    assert page.status_code == 422
    assert list(page.context["time_off"].errors) == ["days_off"]
    alice.refresh_from_db()
    assert alice.days_off == []


def test_days_off_change_twice_a_week(as_: As, alice: User, settings: Any) -> None:
    """Otherwise a player could take each day off that they like."""
    settings.ACCOUNT_RATE_LIMITS = {"days_off": site.ACCOUNT_RATE_LIMITS["days_off"]}
    cache.clear()
    client = as_(alice)
    for days in (["0", "1"], ["2", "3"], ["2", "3"]):
        assert client.post(f"{AWAY}off/", {"days_off": days, "out_of_time": ["vacation"]}).status_code == 302
    page = client.post(f"{AWAY}off/", {"days_off": ["4", "5"]})
    assert (page.status_code, list(page.context["time_off"].errors)) == (422, ["days_off"])
    alice.refresh_from_db()
    assert alice.days_off == [2, 3]


def test_coming_back_ends_the_vacation_before_it_cancels_a_planned_one(as_: As, alice: User) -> None:
    client, hour = as_(alice), timedelta(hours=1)
    for begin in (now() - hour, now() + 9 * hour):
        Vacation.objects.create(user=alice, begins_at=begin, ends_at=begin + 2 * hour)
    assert "Welcome back!" in text(client.post(f"{AWAY}back/", follow=True).content)
    assert (vacations.vacation_of(alice), vacations.planned_by(alice) is None) == (None, False)
    assert "Vacation cancelled." in text(client.post(f"{AWAY}back/", {"planned": ""}, follow=True).content)
    assert vacations.planned_by(alice) is None
