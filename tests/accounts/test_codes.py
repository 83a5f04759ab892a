"""The codes of sign-ups: how long they live, and what ends them."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.models import User
from accounts.services import create_for_reader
from tests.accounts.pages import last_code, mails, sign_up, user_of

pytestmark = pytest.mark.django_db
CODE_PAGE = "/account/confirm-email/"


def test_three_wrong_codes_end_the_sign_up(client):
    with time_machine.travel(timezone.now()) as clock:
        sign_up(client)
        answers = [client.post(CODE_PAGE, {"code": "BBBB-BBBB"}) for _ in range(3)]

        assert [answer.status_code for answer in answers] == [200, 200, 302]
        assert "Wrong code. Copy it from the email." in answers[0].content.decode()
        assert client.get(CODE_PAGE).url == "/account/login/"
        assert not User.objects.exists()
        # The same name and address can sign up again, as the message asks.
        clock.shift(timedelta(seconds=11))
        assert sign_up(client).url == CODE_PAGE


def test_a_sign_up_that_an_invitation_has_replaced_is_no_error(client):
    sign_up(client)
    code = last_code()
    create_for_reader("charlie@example.org", "Charles")
    assert "A newer sign-up has replaced this one." in client.post(CODE_PAGE, {"code": code}).content.decode()


def test_a_code_expires(client):
    with time_machine.travel(timezone.now()) as clock:
        sign_up(client)
        code = last_code()
        clock.shift(timedelta(minutes=16))
        answer = client.post(CODE_PAGE, {"code": code}, follow=True)
        assert answer.redirect_chain == [("/account/signup/", 302)]
        assert "This code has expired. Please sign up again." in answer.content.decode()
    assert user_of(client) is None


def test_a_code_that_is_sent_again_is_valid_as_long_as_the_first(client):
    with time_machine.travel(timezone.now()) as clock:
        sign_up(client)
        for code in ("AAAA-AAAA", "BBBB-BBBB"):
            client.post(CODE_PAGE, {"code": code})
        clock.shift(timedelta(minutes=14))
        client.post(CODE_PAGE, {"action": "resend"})
        client.post(CODE_PAGE, {"code": "CCCC-CCCC"})
        clock.shift(timedelta(minutes=14))
        client.post(CODE_PAGE, {"code": last_code()})
        assert user_of(client) == "Charlie"


def test_a_new_code_replaces_the_old_one(client):
    with time_machine.travel(timezone.now()) as clock:
        sign_up(client)
        first = last_code()
        clock.shift(timedelta(seconds=11))
        client.post(CODE_PAGE, {"action": "resend"})
        assert len(mails()) == 2
        assert client.post(CODE_PAGE, {"code": first}).status_code == 200
        client.post(CODE_PAGE, {"code": last_code()})
    assert user_of(client) == "Charlie"
