"""The page about vacations."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine

from accounts.models import User
from games.models import Game, Vacation
from games.services.absence import vacations
from games.services.tables import tables
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
