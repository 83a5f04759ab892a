"""Reports of names, which members of staff read and close."""

import pytest
from django.test import Client

from accounts.models import User
from games.models import Act
from games.services.moderation import acts
from tests.factories import begun
from tests.staff import at, member, page, reported, used_passkey

pytestmark = pytest.mark.django_db


def test_a_report_is_read_and_closed_once(desk: Client, mia: User, alice: User, bob: User) -> None:
    game = begun([alice, bob])
    report = reported(game, alice, bob)
    text = page(desk, at("staff_report", report))
    for part in ("It means &lt;something&gt;.", at("staff_person", bob), at("staff_table", game), "alice"):
        assert part in text
    assert at("staff_report", report) in page(desk, at("staff"))
    assert desk.post(at("staff_report", report), {"reason": ""}).status_code == 422
    assert desk.post(at("staff_report", report), {"reason": "Harmless"}).status_code == 302
    assert desk.post(at("staff_report", report), {"reason": "Harmless"}).status_code == 404
    act = Act.objects.get()
    assert (act.staff, act.kind, act.user, act.report, act.reason) == (mia, "report_closed", bob, report, "Harmless")
    assert "No open reports" in page(desk, at("staff"))
    assert "Harmless" in page(desk, at("staff_person", bob))


def test_reports_from_their_own_tables_are_for_other_staff(desk: Client, mia: User, alice: User, bob: User) -> None:
    report = reported(begun([alice, bob, mia]), alice, bob)
    text = page(desk, at("staff"))
    assert at("staff_report", report) not in text
    assert "1 more report is about you or comes from a table where you sit" in text
    assert desk.post(at("staff_report", report), {"reason": "Harmless"}).status_code == 404
    other = used_passkey(Client(), member("otto"))
    assert other.post(at("staff_report", report), {"reason": "Harmless"}).status_code == 302
    assert "Harmless" not in page(desk, at("staff_acts"))


def test_reports_about_themselves_are_for_other_staff(desk: Client, mia: User, alice: User, bob: User) -> None:
    report = reported(begun([alice, bob]), alice, mia)
    text = page(desk, at("staff"))
    assert at("staff_report", report) not in text
    assert "1 more report is about you" in text
    assert desk.get(at("staff_report", report)).status_code == 404
    assert desk.post(at("staff_report", report), {"reason": "Harmless"}).status_code == 404
    with pytest.raises(acts.NotForStaff):
        acts.close_report(mia, report, "Harmless")
    other = used_passkey(Client(), member("otto"))
    assert other.post(at("staff_report", report), {"reason": "Harmless"}).status_code == 302
    assert "Harmless" not in page(desk, at("staff_acts"))
