"""Everything that leaves the site is in the registry."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.urls import clear_url_caches, include, path

from games.models import Delivery, Notice
from splendor_site import urls
from splendor_site.celery import app
from tests.outputs import ADDRESSES, CHANNELS, MAILS, TASKS, routes


def test_every_address_is_in_the_registry() -> None:
    assert ADDRESSES.keys() == routes().keys()


def test_every_mail_is_in_the_registry() -> None:
    assert MAILS.keys() == set(Notice.Kind)


def test_every_channel_is_in_the_registry() -> None:
    assert set(Delivery.Channel) == CHANNELS


def test_every_task_is_in_the_registry() -> None:
    app.loader.import_default_modules()
    ours = {name for name, task in app.tasks.items() if not task.__module__.startswith(("celery.", "tests."))}
    assert ours == TASKS


def test_every_scheduled_task_exists() -> None:
    schedule = settings.CELERY_BEAT_SCHEDULE
    assert {entry["task"] for entry in schedule.values()} <= TASKS
    assert {"analyze", "checkpoint"} <= schedule.keys()
    assert schedule["back_up"] == {"task": "splendor_site.tasks.back_up", "schedule": 24 * 3600.0}


@pytest.fixture
def fresh_addresses() -> Iterator[None]:
    """Forget the test's tasks after it."""
    yield
    clear_url_caches()
    routes.cache_clear()


def test_a_new_address_would_be_found(fresh_addresses: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Addresses with a name or without one, or with the name of another, alone or among others, with a token or
    without."""

    def view(request: object, **_: str) -> HttpResponse:
        return HttpResponse()

    more = [path("picture/<str:token>/", view, name="picture"), path("feed/", view)]
    extra = [path("x/<int:pk>/", include((more, "extra"))), path("table/<str:key>/more/", view, name="table")]
    monkeypatch.setattr(urls, "urlpatterns", [*urls.urlpatterns, *extra])
    clear_url_caches()
    routes.cache_clear()
    assert {name: routes()[name] for name in routes().keys() - ADDRESSES.keys()} == {
        "extra:picture": ("pk", "token"),
        "extra:feed/": ("pk",),
        "table table/<str:key>/more/": ("key",),
    }
