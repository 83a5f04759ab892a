"""The daily deletion of old data."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.tasks import forget

pytestmark = pytest.mark.django_db


def test_sessions_that_ran_out_go_and_others_stay(alice: User) -> None:
    for _browser in range(2):
        Client().force_login(alice)
    old, new = Session.objects.all()
    Session.objects.filter(pk=old.pk).update(expire_date=timezone.now() - timedelta(minutes=1))
    forget()
    assert list(Session.objects.all()) == [new]


@pytest.mark.parametrize("fields", [{"last_login": timezone.now()}, {"is_staff": True}, {"is_superuser": True}, {}])
def test_accounts_with_a_log_in_or_made_by_the_host_stay(fields: dict[str, object]) -> None:
    """These accounts stay although no address is confirmed."""
    user = User.objects.create_user("ghost", "ghost@example.org", "correct horse")
    if fields:
        EmailAddress.objects.create(user=user, email=user.email)
    User.objects.update(date_joined=timezone.now() - timedelta(days=1), **fields)
    forget()
    assert list(User.objects.all()) == [user]


def test_a_sign_up_without_confirmation_goes(alice: User) -> None:
    ghost = User.objects.create_user("ghost", "ghost@example.org", "correct horse")
    EmailAddress.objects.create(user=ghost, email=ghost.email)
    forget()
    assert User.objects.filter(pk=ghost.pk).exists()
    User.objects.filter(pk=ghost.pk).update(date_joined=timezone.now() - timedelta(days=1))
    forget()
    assert list(User.objects.all()) == [alice]
