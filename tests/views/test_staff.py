"""The pages of staff: people, tables and acts, and no form that reaches a game, its secrets or its links."""

import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import resolve, reverse

from accounts.models import User
from games.models import Act, Game, Notice
from games.models.position import Position
from games.services import play
from games.services.outbox import notices
from games.services.tables import tables
from games.services.tables.tables import TableSpec
from tests import outputs
from tests.factories import As, begun, deal, person, play_on, post
from tests.hidden import hiding, named, proofs
from tests.outputs import path, routes
from tests.staff import at, member, page, reported, used_passkey

pytestmark = pytest.mark.django_db

ADDRESSES = {name for name in routes() if name.removeprefix("accounts:").startswith("staff")}
PAGES = {name for name, output in outputs.ADDRESSES.items() if output.staff}
FIELDS = {
    "search": {"q"},
    "accounts:staff_enter": {"code"},
    "staff_rename": {"name", "reason"},
    "staff_suspend": {"offence", "note", "days"},
    "staff_lift": {"reason"},
    "staff_void": {"reason"},
    "staff_report": {"reason"},
    "staff_table": {"name", "reason"},
}
"""The fields of each form, by the name of the address to which it posts."""
WRITTEN = {
    "accounts.User", "games.Act", "games.Game", "games.Incident", "games.Notice", "games.Pool", "games.Seat",
    "accounts.RecoveryCode", "games.CountedUser", "games.Preview", "sessions.Session", "usersessions.UserSession",
}  # fmt: skip
"""The rows that an act may write."""
GAME_FIELDS = {"name", "version", "rated", "status", "ending", "ended_at", "changed_at", "expires_at"}
"""The fields of a table that an act may change: its name; and if it has not started, that it closes or loses a seat."""
FORM = re.compile(r"<form\b([^>]*)>(.*?)</form>", re.DOTALL)
ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
FIELD = re.compile(r'<(?:input|select|textarea|button)[^>]*? name="(\w+)"')


def rename(client: Client, user: User, name: str, reason: str = "Offensive") -> Any:
    return client.post(at("staff_rename", user), {"name": name, "reason": reason})


def suspend(client: Client, user: User, **fields: object) -> Any:
    return client.post(at("staff_suspend", user), {"offence": "abuse", "note": "Be kind.", "days": 7, **fields})


def lift(client: Client, user: User) -> Any:
    return client.post(at("staff_lift", user), {"reason": "They apologized"})


# --- access ---


def test_only_staff_with_a_passkey_get_in(as_: As, client: Client, alice: User, mia: User, desk: Client) -> None:
    game, log_in = tables.create(alice, TableSpec("duel", 2)), f"{reverse('account_login')}?next=/staff/"
    numbers = {"staff_table": game.pk, "staff_report": reported(game, person("dora"), alice).pk}
    for name in ADDRESSES:
        address = path(name, game, pk=numbers.get(name, alice.pk))
        for answer in (client.get(address), client.post(address)):
            assert answer.status_code == 405 or answer["Location"].startswith(log_in)
        for stranger in (as_(alice), used_passkey(Client(), alice)):
            assert stranger.get(address).status_code in (404, 405)
            assert stranger.post(address).status_code in (404, 405)
        if name != "accounts:staff_enter":
            for browser in (as_(mia), used_passkey(Client(), mia, kind="recovery_codes")):
                for answer in (browser.get(address), browser.post(address)):
                    assert answer.status_code == 405 or answer["Location"] == at("accounts:staff_enter")
        if name in PAGES:
            answer = desk.get(address)
            assert answer.status_code == 200
            assert answer["Cache-Control"].count("no-store") == 1
            assert "'unsafe" not in answer["Content-Security-Policy"]


# --- what staff can reach ---


def forms(client: Client, address: str) -> Iterator[tuple[str, set[str]]]:
    """The name of the address to which each form on a page posts, with the names of its fields."""
    main = page(client, address).partition("<main")[2].partition("</main>")[0]
    for start, body in FORM.findall(main):
        attributes = dict(ATTRIBUTE.findall(start))
        posts = attributes.get("method") == "post"
        name = resolve(attributes.get("action") or address).view_name if posts else "search"
        yield name, {*FIELD.findall(body)} - {"csrfmiddlewaretoken"}


def test_the_forms_of_staff_are_these(desk: Client, alice: User, bob: User) -> None:
    """Each form is known, with its fields: no form reaches anything else."""
    game, over = begun([alice, bob]), begun([alice, bob], "duel")
    play.resign(over, bob)
    report = reported(game, alice, bob)
    suspend(desk, bob)
    rows: dict[str, list[Any]] = {"staff_person": [alice, bob], "staff_table": [game, over], "staff_report": [report]}
    pages = [at(name, row) for name in PAGES for row in rows.get(name, [])]
    pages += [at(name) for name in PAGES - rows.keys()]
    found = [form for address in pages for form in forms(desk, address)]
    assert {name for name, _fields in found} == FIELDS.keys()
    assert [(name, fields) for name, fields in found if fields != FIELDS[name]] == []


def rows() -> dict[str, list[dict[str, Any]]]:
    return {model._meta.label: list(model._base_manager.order_by("pk").values()) for model in apps.get_models()}


def test_the_acts_of_staff_write_these_rows_and_fields(desk: Client, alice: User, bob: User) -> None:
    running, waiting, joined = begun([alice, bob]), tables.create(alice, TableSpec("duel", 2)), None
    joined = tables.create(bob, TableSpec("splendor", 3))
    tables.join(joined, alice)
    play_on(running, 1, 6)
    over = begun([alice, bob], "duel")
    play.resign(over, bob)
    before = rows()
    assert desk.post(at("staff_void", over), {"reason": "Given away"}).status_code == 302
    assert rename(desk, alice, "Flower").status_code == 302
    assert desk.post(at("staff_table", running), {"name": "Quiet", "reason": "Rude"}).status_code == 302
    assert suspend(desk, alice).status_code == 302
    assert lift(desk, alice).status_code == 302
    after = rows()
    assert {label for label in after if after[label] != before[label]} <= WRITTEN
    for old, new in zip(before["games.Game"], after["games.Game"], strict=True):
        assert {name for name in old if old[name] != new[name]} <= GAME_FIELDS
    waiting.refresh_from_db()
    assert waiting.status == Game.Status.CANCELLED
    assert [seat.user for seat in joined.seat_set.all()] == [bob]


def test_the_pages_of_staff_tell_nothing_of_a_game(desk: Client, as_: As) -> None:
    """No hidden card, no seed, no commitment, no note, no mail, and no address of a table or of a person."""
    game = hiding("splendor", 3, 31)
    people = [seat.user for seat in game.seat_set.all() if seat.user]
    game.seat_set.update(note="my secret plan")
    notices.owe(Notice.Kind.ACCOUNT, people[0], key="x", subject="a secret subject", text="a secret text", html="")
    post()
    addresses = [at("staff"), f"{at('staff')}?q={people[0].username}", at("staff_acts"), at("staff_table", game)]
    for address in (*addresses, *(at("staff_person", user) for user in people)):
        text = page(desk, address)
        assert named(text) == set()
        assert proofs(game, text) == set()
        assert "secret" not in text
        assert game.key not in text
        assert not [user for user in people if user.email in text]


def test_a_search_finds_people_and_tables(desk: Client, alice: User, bob: User) -> None:
    game = tables.create(alice, TableSpec("duel", 2, name="Rubies for all"))
    for sought, found in (
        ("ali", at("staff_person", alice)),
        ("rubies", at("staff_table", game)),
        (game.short_key, at("staff_table", game)),
    ):
        text = page(desk, f"{at('staff')}?q={sought.replace('#', '%23')}")
        assert found in text
        assert at("staff_person", bob) not in text
    # Nobody but its author knows of a sign-up that was not confirmed.
    EmailAddress.objects.create(user=alice, email=alice.email)
    assert at("staff_person", alice) not in page(desk, f"{at('staff')}?q=ali")
    assert desk.get(at("staff_person", alice)).status_code == 404
    # A search must not spell out a key letter by letter.
    assert at("staff_table", game) not in page(desk, f"{at('staff')}?q={game.key[:5]}")
    assert at("staff_table", game) not in page(desk, f"{at('staff')}?q={game.key}")


def test_staff_get_no_view_of_tables_where_they_sit(desk: Client, mia: User, alice: User, bob: User) -> None:
    own, other = begun([alice, mia], name="Ours"), begun([alice, bob], name="Theirs")
    Act.objects.create(kind="table_renamed", game=own, facts={"before": "Former", "after": "Ours"}, at=own.created_at)
    text = page(desk, at("staff_person", alice))
    assert at("staff_table", other) in text
    assert at("staff_table", own) not in text
    assert "1 more table isn’t shown" in text
    mails = Notice.objects.filter(recipient=alice)
    assert mails.filter(game=own).exists()
    assert text.count("row-at") == mails.exclude(game=own).count()
    for query in ("?q=Ours", f"?q={own.key[:4]}", ""):
        assert "Ours" not in page(desk, at("staff") + query).replace('value="Ours"', "")
    assert "Former" not in page(desk, at("staff_acts"))
    assert desk.get(at("staff_table", own)).status_code == 404
    assert desk.post(at("staff_table", own), {"name": "X", "reason": "x"}).status_code == 404
    own.refresh_from_db()
    assert own.name == "Ours"


def test_mails_are_listed_by_kind_time_and_outcome(desk: Client, alice: User) -> None:
    notices.owe(Notice.Kind.TEST, alice, key="test:1")
    assert "waiting" in page(desk, at("staff_person", alice))
    post()
    text = page(desk, at("staff_person", alice))
    assert re.search(r"<b>A test</b>\s*<small>\s*sent\s*</small>", text)


def test_the_forms_of_a_page_share_no_ids(desk: Client, alice: User, bob: User) -> None:
    over = begun([alice, bob], "duel")
    play.resign(over, bob)
    suspend(desk, bob)
    for address in (at("staff_person", bob), at("staff_table", over)):
        found = re.findall(r' id="([^"]+)"', page(desk, address))
        assert sorted(found) == sorted(set(found))


# --- acts ---


def test_a_person_gets_another_name(desk: Client, mia: User, alice: User, mailoutbox: list[Any]) -> None:
    for bad in ("ab", "admin", "mia", "two words", "alice"):
        assert rename(desk, alice, bad).status_code == 422
    assert rename(desk, alice, "Flower", reason="").status_code == 422
    assert not Act.objects.exists()
    assert rename(desk, alice, "Flower").status_code == 302
    assert rename(desk, alice, "Flower").status_code == 422
    alice.refresh_from_db()
    assert (alice.username, alice.name_key) == ("Flower", "flower")
    act = Act.objects.get()
    assert (act.staff, act.kind, act.user, act.reason) == (mia, "renamed", alice, "Offensive")
    assert act.facts == {"before": "alice", "after": "Flower"}
    post()
    assert "from alice to Flower" in mailoutbox[-1].body


def test_a_table_gets_another_name_or_none(desk: Client, mia: User, alice: User, bob: User) -> None:
    game = begun([alice, bob], name="Rude words")
    for bad in ("https://example.org", "Cabochon", "x" * 41):
        assert desk.post(at("staff_table", game), {"name": bad, "reason": "Rude"}).status_code == 422
    version = game.version
    assert desk.post(at("staff_table", game), {"name": "", "reason": "Rude"}).status_code == 302
    game.refresh_from_db()
    assert (game.name, game.version) == ("", version + 1)
    act = Act.objects.get()
    assert (act.staff, act.kind, act.game, act.reason) == (mia, "table_renamed", game, "Rude")
    assert act.facts == {"before": "Rude words", "after": ""}


def test_acts_are_shown_and_noted_in_the_security_log(
    desk: Client, mia: User, alice: User, caplog: pytest.LogCaptureFixture, django_capture_on_commit_callbacks: Any
) -> None:
    logger = logging.getLogger("security")
    logger.addHandler(caplog.handler)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            suspend(desk, alice)
            lift(desk, alice)
    finally:
        logger.removeHandler(caplog.handler)
    who = f"user={mia.pk} network=127.0.0.1 person={alice.pk}"
    said = [record.getMessage() for record in caplog.records if record.name == "security"]
    assert said == [f"staff: suspended {who}", f"staff: lifted {who}"]
    for address in (at("staff"), at("staff_acts"), at("staff_person", alice)):
        text = page(desk, address)
        assert text.count("by mia") == 2
        for words in ("insults or harassment", "Be kind.", "They apologized"):
            assert words in text


def test_acts_are_written_once(desk: Client, alice: User) -> None:
    suspend(desk, alice)
    act = Act.objects.get()
    for change in (act.save, act.delete, Act.objects.all().delete, lambda: Act.objects.update(reason="")):
        with pytest.raises(NotImplementedError):
            change()
    assert Act.objects.get().reason == "Be kind."


def test_staff_moderate_neither_each_other_nor_guests(desk: Client, mia: User) -> None:
    other, guest = member("otto"), User.objects.create_user("guest-1234", is_guest=True)
    for user in (mia, other):
        assert {action for action, _ in forms(desk, at("staff_person", user))} == set()
    for user in (mia, other, guest):
        assert rename(desk, user, "Flower").status_code == 404
        assert suspend(desk, user).status_code == 404
        assert lift(desk, user).status_code == 404
    assert not Act.objects.exists()


def test_a_suspension_has_a_reason_and_an_end(desk: Client, alice: User) -> None:
    for fields in (
        {"days": ""},
        {"days": 0},
        {"days": 10**6},
        {"offence": ""},
        {"offence": "none"},
        {"note": "x" * 301},
    ):
        assert suspend(desk, alice, **fields).status_code == 422
    alice.refresh_from_db()
    assert not alice.is_suspended


def test_texts_are_escaped(desk: Client, alice: User) -> None:
    suspend(desk, alice, note="<script>alert(1)</script>")
    for address in (at("staff"), at("staff_person", alice)):
        text = page(desk, address)
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert" in text


def test_positions_have_no_page() -> None:
    """No address of staff takes anything but the number of a person or a table."""
    assert {arguments for name in ADDRESSES for arguments in routes()[name]} == {"pk"}
    assert Position not in {Act._meta.get_field(name).related_model for name in ("staff", "user", "game")}


def test_the_queries_for_a_person_do_not_grow(desk: Client, alice: User) -> None:
    people = [alice, person("dora")]

    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            page(desk, at("staff_person", alice))
        return len(queries)

    begun(people)
    suspend(desk, alice)
    few = cost()
    for seed in range(3):
        lift(desk, alice)
        deal("duel", people, seed)
        suspend(desk, alice)
    assert cost() == few
