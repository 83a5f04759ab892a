"""Members of staff: the command that makes them, their recovery codes, and the passkey that opens their pages."""

import time
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from accounts import staff
from accounts.models import RecoveryCode, User
from games.models import Act
from tests.accounts.pages import PASSWORD, log_in

pytestmark = pytest.mark.django_db
ENTER, ADD = "/staff/enter/", "/settings/passkeys/add/"


def appoint(capsys: pytest.CaptureFixture[str], name: str = "alice") -> list[str]:
    """Make a member of staff by the command; returns the codes that it prints."""
    call_command("staff", name)
    return capsys.readouterr().out.splitlines()[-staff.CODES :]


def entered(client: Client) -> Client:
    log_in(client, "alice")
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    return client


def test_the_command_prints_codes_once_and_keeps_hashes(alice: User, capsys: pytest.CaptureFixture[str]) -> None:
    codes = appoint(capsys)
    assert len({*codes}) == staff.CODES
    assert {len(code.replace("-", "")) for code in codes} == {24}
    alice.refresh_from_db()
    assert alice.is_staff
    assert not alice.is_superuser
    kept = set(RecoveryCode.objects.values_list("user", "digest"))
    assert len(kept) == staff.CODES
    assert not [code for code in codes if code in str(kept)]
    act = Act.objects.get()
    assert (act.kind, act.user, act.staff) == ("appointed", alice, None)


def test_a_lost_passkey_is_restored(alice: User, capsys: pytest.CaptureFixture[str]) -> None:
    former = appoint(capsys)
    there = entered(Client())
    Authenticator.objects.create(user=alice, type="webauthn", data={"name": "phone"})
    codes = appoint(capsys)
    assert not {*former} & {*codes}
    assert not Authenticator.objects.exists()
    assert there.get("/settings/").status_code == 302
    client = entered(Client())
    assert client.post(ENTER, {"code": former[0]}).status_code == 422
    assert client.post(ENTER, {"code": codes[0]}).status_code == 302


def test_a_code_adds_a_passkey_once_and_opens_nothing_else(alice: User, capsys: pytest.CaptureFixture[str]) -> None:
    codes = appoint(capsys)
    client = entered(Client())
    assert client.get(ADD)["Location"] == ENTER
    assert client.post(ADD, {"name": "phone", "credential": "{}"})["Location"] == ENTER
    assert client.post(ENTER, {"code": "AAAA-BBBB-CCCC-DDDD-EEEE-FFFF"}).status_code == 422
    assert client.post(ENTER, {"code": codes[3].lower().replace("-", " ")})["Location"] == ADD
    assert client.get(ADD).status_code == 200
    assert client.get("/staff/")["Location"] == ENTER
    assert "9 recovery codes" in client.get(ENTER).content.decode()
    other = entered(Client())
    assert other.post(ENTER, {"code": codes[3]}).status_code == 422
    assert other.get(ADD)["Location"] == ENTER


def test_a_code_is_good_for_fifteen_minutes_and_a_passkey_for_twelve_hours(
    alice: User, capsys: pytest.CaptureFixture[str]
) -> None:
    codes = appoint(capsys)
    client = entered(Client())
    client.post(ENTER, {"code": codes[0]})
    session = client.session
    session[staff.CODE_USED] = time.time() - staff.CODE_LIFETIME.total_seconds() - 1
    session.save()
    assert client.get(ADD)["Location"] == ENTER
    for age, opened in ((timedelta(minutes=1), True), (staff.PROOF_LIFETIME, False)):
        session = client.session
        proof = {"method": "mfa", "type": "webauthn", "id": 1, "at": time.time() - age.total_seconds()}
        session["account_authentication_methods"] = [proof, *session["account_authentication_methods"][-1:]]
        session.save()
        assert (client.get("/staff/").status_code == 200) is opened
        assert (client.get(ADD).status_code == 200) is opened


def test_codes_of_others_are_worthless(alice: User, bob: User, capsys: pytest.CaptureFixture[str]) -> None:
    codes = appoint(capsys, "Bob")
    appoint(capsys)
    assert entered(Client()).post(ENTER, {"code": codes[0]}).status_code == 422
    assert RecoveryCode.objects.filter(user=bob).count() == staff.CODES


def test_codes_cannot_be_tried_at_will(alice: User, capsys: pytest.CaptureFixture[str]) -> None:
    codes = appoint(capsys)
    client = entered(Client())
    tried = [client.post(ENTER, {"code": "wrong"}).status_code for _ in range(6)]
    assert tried == [422] * 5 + [429]
    assert client.post(ENTER, {"code": codes[0]}).status_code == 429


def test_everybody_else_adds_passkeys_with_the_password(alice: User) -> None:
    assert entered(Client()).get(ADD).status_code == 200
    assert Client().get(ADD).status_code == 302


def test_the_command_takes_the_role_back(alice: User, capsys: pytest.CaptureFixture[str]) -> None:
    appoint(capsys)
    call_command("staff", "alice", "--remove")
    assert "no longer" in capsys.readouterr().out
    alice.refresh_from_db()
    assert not alice.is_staff
    assert not RecoveryCode.objects.exists()
    assert entered(Client()).get(reverse("staff")).status_code == 404
    assert [act.kind for act in Act.objects.order_by("pk")] == ["appointed", "dismissed"]


def test_the_command_knows_whom_it_finds(db: None) -> None:
    User.objects.create_user("guest-1234", is_guest=True)
    for name in ("nobody", "guest-1234"):
        with pytest.raises(CommandError, match="There is no account"):
            call_command("staff", name)
