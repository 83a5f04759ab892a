"""The daily deletion of old data."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.test import Client
from django.utils import timezone

from accounts.models import Counter, User
from accounts.tasks import forget

pytestmark = pytest.mark.django_db


def test_only_expired_sessions_are_deleted(alice: User) -> None:
    for _browser in range(2):
        Client().force_login(alice)
    old, new = Session.objects.all()
    for session in (old, new):
        UserSession.objects.create(user=alice, session_key=session.pk, ip="192.0.2.7")
    Session.objects.filter(pk=old.pk).update(expire_date=timezone.now() - timedelta(minutes=1))
    forget()
    assert list(Session.objects.all()) == [new]
    # The network and the browser of a session go with it.
    assert list(UserSession.objects.values_list("session_key", flat=True)) == [new.pk]


def test_the_task_has_the_name_that_is_scheduled() -> None:
    assert {"task": forget.name, "schedule": 24 * 3600.0} in settings.CELERY_BEAT_SCHEDULE.values()


def test_only_expired_counters_are_deleted() -> None:
    caches["counters"].set("allauth:rl:old", [1.5], -60)
    caches["counters"].set("allauth:rl:new", [2.5], 60)
    forget()
    assert list(Counter.objects.values_list("value", flat=True)) == [[2.5]]


@pytest.mark.parametrize("fields", [{"last_login": timezone.now()}, {"is_staff": True}, {"is_superuser": True}, {}])
def test_accounts_that_logged_in_or_were_made_by_hand_stay(fields: dict[str, object]) -> None:
    """These accounts stay although no address is confirmed."""
    user = User.objects.create_user("ghost", "ghost@example.org", "correct horse")
    if fields:
        EmailAddress.objects.create(user=user, email=user.email)
    User.objects.update(date_joined=timezone.now() - timedelta(days=1), **fields)
    forget()
    assert list(User.objects.all()) == [user]


def test_an_unconfirmed_sign_up_is_deleted(alice: User) -> None:
    ghost = User.objects.create_user("ghost", "ghost@example.org", "correct horse")
    EmailAddress.objects.create(user=ghost, email=ghost.email)
    forget()
    assert User.objects.filter(pk=ghost.pk).exists()
    User.objects.filter(pk=ghost.pk).update(date_joined=timezone.now() - timedelta(days=1))
    forget()
    assert list(User.objects.all()) == [alice]
