"""Thousands of hostile requests cause no error of ours and change no row of any game."""

import gc
from collections.abc import Callable
from random import Random
from time import thread_time
from typing import Any
from urllib.parse import quote_from_bytes, urlencode
from wsgiref.util import setup_testing_defaults

import pytest
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import Client

from accounts.models import Offence, User
from games.models import Act, Game, Incident, Invitation, Move, NeverAgain, Seat
from games.models.position import Position
from games.services.mailing import links
from games.services.outbox import opt_out
from splendor_site.wsgi import application
from tests.factories import acting, actor
from tests.outputs import path, routes
from tests.views.hostile import BYTES, FIELDS, FORM, GET_FIELDS, METHODS, TEXTS, World, body, headers, query, text

pytestmark = pytest.mark.django_db

LONG, SHORT = 5000, 166
"""The number of requests per seed; `make soak` sends the long form with 20 seeds."""
SLOW = 2
"""The seconds of work after which a request counts as slow."""
OTHERS = ("eve", "cara")
"""People who may change their own accounts, like guests."""


def everything() -> list[Any]:
    """Every row of every game, with its offers, and how its players log in."""
    models: list[Any] = [Game, Position, Seat, Move, Incident, Game.invited.through, Invitation, NeverAgain, Act]
    found: list[Any] = [list(model.objects.order_by("pk").values()) for model in models]
    kept = User.objects.exclude(username__in=OTHERS).exclude(is_guest=True).order_by("pk")
    return [*found, list(kept.values("username", "email", "password", "suspended_until"))]


SESSIONS = {Session, UserSession}


def rows_of_others(user: User) -> dict[str, list[Any]]:
    """Every row but those of that user and those of sessions. A row belongs to the first person whom it names."""
    found = {}
    for model in set(apps.get_models(include_auto_created=True)) - SESSIONS:
        owners = [field.name for field in model._meta.fields if field.related_model is User]
        owner = "pk" if model is User else next(iter(owners), None)
        rows = model._default_manager.order_by("pk")
        found[model.__name__] = [*(rows.exclude(**{owner: user.pk}) if owner else rows).values()]
    return found


# --- requests; each returns what it sent and the status of the answer ---

Request = tuple[str, int]


def send(client: Client, method: str, address: str, data: bytes = b"", kind: str = FORM, **extra: Any) -> Request:
    said = f"{method} {address!r} {kind!r} {data[:300]!r} {extra}"
    session = client.cookies["sessionid"].value if "sessionid" in client.cookies else ""
    # Collecting garbage is no work of the request's.
    gc.disable()
    began = thread_time()
    try:
        status = client.generic(method, address, data, kind, **extra).status_code
        assert thread_time() - began < SLOW, f"{status} after {thread_time() - began:.1f} s"
    except Exception as error:
        error.add_note(said)
        raise
    finally:
        gc.enable()
    # The answer to a broken cookie logs the user out; later requests must not be affected.
    client.cookies["sessionid"] = session
    return said, status


def refused_decision(world: World) -> Request:
    """A post to the table by any user, well formed or not; the player to act never sends a valid one."""
    rng, game = world.rng, world.rng.choice([*world.running * 3, *world.games])
    user = rng.choice([*world.clients])
    if game in world.running and rng.random() < 0.6:
        user = actor(game)
    number = rng.choice([game.number, game.number, game.number - 1, game.number + 1, text(world, game)])
    data: dict[str, Any] = {"number": number, "moves": text(world, game)}
    if rng.random() < 0.2:
        data[rng.choice(list(data))] = [text(world, game) for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.2:
        data |= {rng.choice(FIELDS): text(world, game) for _ in range(3)}
    if rng.random() < 0.1:
        data.pop(rng.choice(list(data)))
    if user and game.is_active and user == actor(game) and world.would_count(game, data):
        data["number"] = game.number + 1
    sent = urlencode(data, doseq=True).encode()
    return send(world.clients[user], "POST", f"/table/{game.key}/{query(world, game)}", sent, headers=headers(rng))


def garbage(world: World) -> Request:
    """Post random bytes to any address that takes a post."""
    rng, game = world.rng, world.rng.choice(world.games)
    data, kind = body(world, game)
    others = ["/tables/new/", "/settings/", "/settings/time-zone/", "/games/"]
    address = rng.choice([f"/table/{game.key}/", f"/table/{game.key}/", f"/table/{game.key}/poll/", *others])
    user = rng.choice([*world.clients])
    return send(world.clients[user], "POST", address + query(world, game), data, kind, headers=headers(rng))


OF_TABLES = [name for name, arguments in routes().items() if arguments == ("key",)]
"""The addresses of a table that take posts, and its pages."""
OF_PLAY = ["resign", "pause", "resume", "withdraw_pause", "more_time", "come_back"]
OF_HOSTS = ["cancel", "rename", "invite", "revoke"]


def elsewhere(world: World) -> Request:
    """Forbidden actions at other people's tables, or impossible ones at the user's own."""
    rng = world.rng
    private, finished, waiting, hidden, cancelled = world.still
    game, user, names = rng.choice(
        [
            (rng.choice(world.games), world.eve, OF_TABLES),
            (rng.choice(world.games), None, OF_TABLES),
            (rng.choice(world.running), rng.choice([world.cara, world.guest]), OF_TABLES),
            (rng.choice([private, waiting, hidden]), world.alice, OF_TABLES),
            (rng.choice([*world.running, finished]), world.bob, ["join", "leave", "decline", *OF_HOSTS]),
            (waiting, world.bob, ["join", "leave", "rematch", "note", *OF_PLAY]),
            (finished, world.alice, ["join", "leave", "decline", *OF_HOSTS, *OF_PLAY]),
            (cancelled, world.alice, ["join", "leave", "decline", "rematch", "note", *OF_HOSTS, *OF_PLAY]),
            (waiting, world.dora, ["leave", "rematch", "note", *OF_HOSTS, *OF_PLAY]),
        ]
    )
    address = path(rng.choice(names), game) + query(world, game)
    fields = {rng.choice(FIELDS): text(world, game), "guests": "dora", "guest": "dora", "note": "x"}
    return send(world.clients[user], "POST", address, urlencode(fields).encode(), headers=headers(rng))


def token(world: World, game: Game) -> str:
    """A void token: nonsense, a changed one, or one for something else."""
    rng = world.rng
    good = rng.choice([links.issue(game, acting(game)), opt_out.never_again_url("dora@example.org")]).split("/")[-2]
    wrong = [rng.choice(TEXTS).replace("/", ""), good[:-1], f"{good}=", good.swapcase(), good.split(".")[0], "A" * 5000]
    return rng.choice(wrong) or "x"


def anywhere(world: World) -> Request:
    """Post anything to any address: as a stranger, anonymously, or from another site in the browser of a player. Links
    of turns are valid, but the posts to them are not."""
    rng, game = world.rng, world.rng.choice(world.games)
    name = rng.choice([*routes()])
    facts = {"pk": rng.choice([0, 1, 2, 3, 2**63, 2**70]), "number": rng.choice([0, 10**30]), "file": rng.choice("a-_")}
    if name == "play_bot":
        facts["title"] = "none"  # everybody may play a bot
    if name == "link":
        game = rng.choice(world.running)
        facts["token"] = rng.choice([token(world, game), links.issue(game, acting(game)).split("/")[-2]])
    elif "token" in routes()[name]:
        facts["token"] = token(world, rng.choice(world.running))
    data, kind = body(world, game)
    if rng.random() < 0.5:
        names = rng.choices([*FIELDS, "guests", "guest", "muted", "back", "again", "note", "days", "mails"], k=4)
        data, kind = urlencode([(name, text(world, game)) for name in names if name != "number"]).encode(), FORM
    user = rng.choice([rng.choice([world.eve, world.cara]), None, rng.choice([world.alice, world.bob, world.mia])])
    if user in (world.eve, world.cara):
        client = world.client(user)  # Whatever Eve does to her account is undone for the next request.
    else:
        client = world.untokened[user] if user else world.clients[None]
    return send(client, "POST", path(name, game, **facts) + query(world, game), data, kind, headers=headers(rng))


OF_STAFF = [name for name in routes() if name.startswith("staff") or name == "accounts:staff_enter"]


def act(world: World) -> Request:
    """Post an act of staff without a reason; or a whole one, as anybody else."""
    rng, game = world.rng, world.rng.choice(world.games)
    user = rng.choice([world.mia, *world.clients])
    data = {name: text(world, game) for name in ("name", "offence", "note", "days")}
    if user != world.mia:
        data = {"name": "Rude", "reason": "Rude", "offence": rng.choice(Offence.values), "note": "", "days": "3"}
    pk = rng.choice([game.pk, *(each.pk for each in world.clients if each), 0, 2**63])
    sent = urlencode(data).encode()
    return send(world.clients[user], "POST", path(rng.choice(OF_STAFF), game, pk=pk), sent, headers=headers(rng))


def untokened(world: World) -> Request:
    """A post that would be valid from the site's own form."""
    rng, game = world.rng, world.rng.choice(world.running)
    user = actor(game)
    token = rng.choice(["", "x" * 32, "x" * 64, "\0", "é"])
    data = {"number": game.number, "moves": rng.choice(world.legal[game]), "csrfmiddlewaretoken": token}
    name = rng.choice(["", "", "resign/", "join/"])
    said, status = send(
        world.untokened[user], "POST", f"/table/{game.key}/{name}", urlencode(data).encode(), headers=headers(rng)
    )
    assert status == 403, said
    return said, status


def wrong_method(world: World) -> Request:
    rng, game = world.rng, world.rng.choice(world.games)
    name = rng.choice(["", "poll/", "join/", "leave/", "cancel/", "resign/"])
    address = rng.choice([f"/table/{game.key}/{name}", "/tables/new/", "/games/", "/settings/"])
    user = rng.choice([*world.clients])
    return send(world.clients[user], rng.choice(METHODS), address + query(world, game), headers=headers(rng))


def look(world: World) -> Request:
    """Request a page with an odd query."""
    rng, game = world.rng, world.rng.choice(world.games)
    user = actor(game) if game in world.running else rng.choice([*world.clients])
    if rng.random() < 0.2:
        pages = ["", "acts/", "enter/", *(f"{kind}/{rng.randint(0, 9)}/" for kind in ("people", "tables", "reports"))]
        odd = urlencode([(rng.choice(GET_FIELDS), text(world, game))])
        return send(world.clients[world.mia], "GET", f"/staff/{rng.choice(pages)}?{odd}", headers=headers(rng))
    asked = [(rng.choice(GET_FIELDS), text(world, game)) for _ in range(rng.randint(1, 4))]
    address = rng.choice([f"/table/{game.key}/", f"/table/{game.key}/", f"/table/{game.key}/poll/", "/games/"])
    return send(world.clients[user], "GET", f"{address}?{urlencode(asked)}", headers=headers(rng))


def odd_address(world: World) -> Request:
    rng, game = world.rng, world.rng.choice(world.games)
    keys = [game.key.lower(), game.key[:-1], f"{game.key}A", "0", "-", "_", "A" * 12, "x" * 3000, "../..", str(game.pk)]
    key = rng.choice([*map(quote_from_bytes, [*BYTES, rng.randbytes(12)]), *keys, game.key])
    name = rng.choice(["", "/", "/poll/", "/join/", "/resign/", "/moves/", "//", "/%00/", "/poll/../join/"])
    # Players of the table may do this.
    name = "/" if key == game.key and name in ("/join/", "/resign/", "/poll/../join/") else name
    data = urlencode({"number": game.number + 1, "moves": text(world, game)}).encode()
    user = rng.choice([*world.clients])
    return send(world.clients[user], rng.choice(["GET", "POST"]), f"/table/{key}{name}", data, headers=headers(rng))


def new_table(world: World) -> Request:
    """Post an impossible table; at least its title does not exist."""
    rng, game = world.rng, world.running[0]
    names = ["seats", "bots", "strength", "admission", "invited", "audience", "pace"]
    data: dict[str, Any] = {name: rng.choice([text(world, game), "2", "link"]) for name in rng.sample(names, 5)}
    data["title"] = rng.choice([[], ["duel", "chess"], rng.choice(TEXTS)])
    return send(
        world.clients[world.alice], "POST", "/tables/new/", urlencode(data, doseq=True).encode(), headers=headers(rng)
    )


def account(world: World) -> Request:
    rng, game = world.rng, world.running[0]
    address = rng.choice(
        ["/settings/", "/settings/time-zone/", "/settings/sessions/9/end/", "/account/login/", "/account/signup/"]
    )
    names = ["language", "time_zone", "next", "login", "password", "username", "email", "password1", "pk", "avatar"]
    data = {name: text(world, game) for name in rng.sample(names, 4)}
    user = rng.choice([world.eve, None])
    return send(world.clients[user], "POST", address, urlencode(data).encode(), headers=headers(rng))


def large(world: World) -> Request:
    rng, game = world.rng, world.rng.choice(world.games)
    data = rng.choice([b"moves=" + b"w" * 3_000_000, b"number=1&moves=" + b"pass;" * 200_000, b"\0" * 2_600_000])
    return send(world.clients[rng.choice([*world.clients])], "POST", f"/table/{game.key}/", data)


KINDS: dict[Callable[[World], Request], int] = {
    refused_decision: 25,
    garbage: 10,
    elsewhere: 12,
    act: 8,
    anywhere: 15,
    untokened: 6,
    look: 10,
    wrong_method: 8,
    odd_address: 8,
    new_table: 5,
    account: 5,
    large: 1,
}
"""The kinds of request, each with its weight."""


def statuses(seed: int, number: int) -> list[int]:
    """Send that many requests of the seed, and count the statuses. No request fails or changes a row."""
    world = World(Random(seed))
    cache.clear()
    # Opening a finished game marks its result as seen; only this may change.
    Seat.objects.update(seen_end=True)
    before, versions, answers = everything(), dict(Game.objects.values_list("pk", "version")), []
    for kind in world.rng.choices(list(KINDS), weights=list(KINDS.values()), k=number):
        said, status = kind(world)
        assert status < 500, f"seed {seed}: {said}"
        assert dict(Game.objects.values_list("pk", "version")) == versions, f"seed {seed}: {status} for {said}"
        answers.append(status)
    assert everything() == before
    return answers


@pytest.mark.slow
@pytest.mark.repeated(20)
def test_hostile_requests_are_refused_and_change_nothing(
    request: pytest.FixtureRequest, seed: int, record_property: Callable[[str, int], None]
) -> None:
    found = statuses(seed, LONG if request.config.option.long else SHORT)
    assert {200, 302, 403, 404, 405, 409, 422} <= set(found)
    record_property("hostile requests", len(found))


def test_no_address_accepts_posts_of_strangers() -> None:
    """The test posts to every address in turn."""
    world = World(Random(1))
    Seat.objects.update(seen_end=True)
    before, of_others, [game, *_] = everything(), rows_of_others(world.eve), world.running
    others = [world.clients[None], world.untokened[actor(game)]]
    for name, arguments in routes().items():
        facts = {"token": token(world, game)} if "token" in arguments else {}
        facts |= {"title": "none"} if name == "play_bot" else {}  # everybody may play a bot
        for table in [game, world.still[2]][: 1 + ("key" in arguments)]:
            for client in [*others, world.client(world.eve)]:
                for data in (
                    b"",
                    b"number=13&moves=pass&guests=dora&guest=dora&answer=yes&username=eve&note=x&muted=1"
                    b"&theme=dark&language=fr&time_zone=Asia/Tokyo",
                ):
                    said, status = send(client, "POST", path(name, table, **facts), data)
                    assert status < 500, said
        assert everything() == before, name
    assert rows_of_others(world.eve) == of_others


def test_no_address_takes_another_method() -> None:
    """Every address knows GET, HEAD and POST at most."""
    world = World(Random(1))
    before, game = everything(), world.running[0]
    for name, arguments in routes().items():
        facts = {"token": token(world, game)} if "token" in arguments else {}
        for method in ("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"):
            answer = world.clients[actor(game)].generic(method, path(name, game, **facts))
            assert (answer.status_code, answer.get("Allow")) == (405, "GET, HEAD, POST"), (method, name)
    assert everything() == before


def test_hostile_requests_meet_the_limits(settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"decide": "3/m/user", "new": "3/h/user", "seat": "3/m/user"}
    assert statuses(99, 200).count(429) > 20


@pytest.mark.parametrize(
    ("charset", "answer"), [("utf-8", "200 OK"), ("base64", "400 Bad Request"), ("rot13", "400 Bad Request")]
)
def test_a_charset_that_is_not_for_text_is_refused(charset: str, answer: str) -> None:
    answers: list[tuple[str, str | None]] = []
    environ = {"HTTP_HOST": "testserver", "QUERY_STRING": "q=%ff", "CONTENT_TYPE": f"text/plain; charset={charset}"}
    setup_testing_defaults(environ)
    list(application(environ, lambda *start: answers.append((start[0], dict(start[1]).get("X-Content-Type-Options")))))
    assert answers == [(answer, "nosniff")]
