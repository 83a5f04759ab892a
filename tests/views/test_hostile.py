"""Thousands of requests that nobody should send: never an error of ours, and no row of any game changes."""

from collections.abc import Callable
from random import Random
from typing import Any
from urllib.parse import quote_from_bytes, urlencode
from wsgiref.util import setup_testing_defaults

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from games.forms import Decision
from games.models import Game, Incident, Move, Position, Seat
from games.rules.base import Refusal
from games.services import play, tables
from splendor_site.wsgi import application
from tests.factories import actor, deal, person, play_on, ruleset, state

pytestmark = pytest.mark.django_db

POSTS = 500
"""For each seed."""
FORM = "application/x-www-form-urlencoded"


class World:
    """Games in every status, and who may do nothing more with them than they have done."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        names = ("alice", "bob", "dora", "eve")
        self.alice, self.bob, self.dora, self.eve = people = [person(name) for name in names]
        self.running = []
        for title, seats in (("splendor", 3), ("duel", 2), ("splendor", 2)):
            game = deal(title, people[:seats], rng.randrange(1000))
            play_on(game, rng.randrange(1000), 12)
            self.running.append(game)
        private = deal("duel", [self.bob, self.dora], rng.randrange(1000))
        play_on(private, 1, 8)
        Game.objects.filter(pk=private.pk).update(audience="seats")
        finished = deal("duel", [self.alice, self.bob], rng.randrange(1000))
        play_on(finished, 2, 5)
        play.resign(finished, self.alice)
        named = tables.Plan("splendor", 3, admission="named", invited=[self.dora])
        waiting = tables.create(self.bob, named)
        hidden = tables.create(self.bob, tables.Plan("duel", 2, admission="named", audience="seats"))
        cancelled = tables.create(self.alice, tables.Plan("duel", 2))
        tables.cancel(cancelled, self.alice)
        self.still = [private, finished, waiting, hidden, cancelled]
        self.games = [*self.running, *self.still]
        for game in self.games:
            game.refresh_from_db()
        self.clients = {user: self.client(user) for user in (*people, None)}
        self.untokened = {user: self.client(user, enforce_csrf_checks=True) for user in (*people, None)}
        self.legal = {game: [str(action) for action in play.look(game, actor(game)).legal] for game in self.running}
        self.position = {game: state(game) for game in self.games if game.is_active}
        self.past = {game: list(game.move_set.values_list("number", "notation")) for game in self.games}

    def client(self, user: User | None, **options: Any) -> Client:
        client = Client(**options)
        if user:
            client.force_login(user)
        return client

    def would_count(self, game: Game, data: dict[str, Any]) -> bool:
        """Whether who is to act may well play that."""
        form = Decision(
            {name: value[-1] if isinstance(value, list) and value else value for name, value in data.items()}
        )
        if game not in self.position or not form.is_valid() or form.cleaned_data["number"] != game.number:
            return False
        try:
            ruleset(game).apply_all(self.position[game], form.cleaned_data["moves"])
        except Refusal:
            return False
        return True


def everything() -> list[Any]:
    """Every row of every game."""
    found: list[Any] = [list(model.objects.order_by("pk").values()) for model in (Game, Position, Seat, Move, Incident)]
    return [*found, list(Game.invited.through.objects.order_by("pk").values())]


# --- nonsense ---

TEXTS = [
    "", " ", "\0", "\x00\x01\x02", "\r\n", "\x1b[2J", "é\u202e💎", "\ud7ff", "٣", "½", "NaN", "1e9", "-0",
    "0x0", "true", "None", "[]", "{}", "' OR 1=1 --", "<script>alert(1)</script>", "../../etc/passwd", "%00", "%s%n",
    "{{ 7 * 7 }}",
    "${jndi:ldap://x}", ";", ";;;;", "= ", "take", "take ", "reserve", "buy 3-blue-02 = -", "x" * 599, "9" * 4400,
    "take " + "w" * 590, ";".join(["pass"] * 100), "\u2028", "a\u0300" * 200, "buy", "noble", "return -", "steal p",
]  # fmt: skip
BYTES = [
    b"", b"\0", b"\xff\xfe", b"\xc3\x28", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"%ed%a0%80", b"%", b"%zz", b"&&&=",
    b"\x80" * 90,
]  # fmt: skip
# Charsets that are none of text do not come as far as here; a web server lets no NUL pass in a header.
CONTENT_TYPES = [
    FORM, "", "application/json", "text/plain", "multipart/form-data", "multipart/form-data; boundary=",
    "multipart/form-data; boundary=x", f"multipart/form-data; boundary={'b' * 300}", "multipart/form-data; boundary=é",
    f"{FORM}; charset=utf-16", f"{FORM}; charset=klingon", f"{FORM}; charset=latin1", f"{FORM}; charset=é",
    "multipart/form-data; boundary=x; charset=utf-16", "multipart/form-data; boundary=x; charset=utf-7", "a/b/c; ;;=",
]  # fmt: skip
METHODS = ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"]
HEADERS = {
    "HX-Request": ["true", "false", ""],
    "HX-Current-URL": ["http://[", "//", "é", "http://testserver/table/?draft=take%20w"],
    "HX-Target": ["table", "'"],
    "HX-Boosted": ["true"],
    "Accept-Language": ["tlh", "fr;q=x", "*", "," * 500, "en-" + "x" * 600],
    "Accept": ["", "text/plain", "*/*;q=nan", "image/png"],
    "X-Forwarded-For": ["", "::1", "no address", "1.2.3.4," * 50],
    "Cookie": ["sessionid=%00", "csrftoken=x", "=;=;", "a" * 5000],
    "Referer": ["", "http://[", "https://elsewhere.example/"],
    "If-None-Match": ["*", '"x"'],
    "Range": ["bytes=0-", "x"],
    "X-CSRFToken": ["x" * 32, "\xff"],
}
FIELDS = ["number", "moves", "csrfmiddlewaretoken", "version", "draft", "number[]", "", "title", "seats", "é", "\0"]
GET_FIELDS = ["draft", "at", "card", "ledger", "version", "seal", "q", "title", "page", "next", "", "at[]"]


def text(world: World, game: Game) -> str:
    """A value of any field: a decision of this or another game, in whole, in part or in disorder, or nonsense."""
    rng = world.rng
    notations = world.legal.get(game) or world.legal[world.running[0]]
    return rng.choice(
        [
            lambda: rng.choice(TEXTS),
            lambda: str(rng.choice([-1, 0, 1, game.number - 1, game.number, game.number + 1, 99_999, 100_001, 2**63])),
            lambda: rng.choice(notations),
            lambda: rng.choice(world.legal[rng.choice(world.running)]),
            lambda: rng.choice(world.past[game] or [(0, "pass")])[1],
            lambda: ";".join(rng.choices(notations, k=rng.randint(2, 9))),
            lambda: "".join(rng.sample(found := rng.choice(notations), len(found))),
            lambda: (found := rng.choice(notations))[: rng.randrange(len(found) + 1)],
            lambda: rng.choice(notations) + rng.choice(TEXTS),
            lambda: "".join(
                chr(rng.choice([rng.randrange(128), rng.randrange(0xD800)])) for _ in range(rng.randrange(40))
            ),
        ]
    )()


def query(world: World, game: Game) -> str:
    rng = world.rng
    if rng.random() < 0.5:
        return ""
    if rng.random() < 0.3:
        return "?" + quote_from_bytes(rng.choice([*BYTES, rng.randbytes(30)]), safe="%&=;")
    return "?" + urlencode([(rng.choice(GET_FIELDS), text(world, game)) for _ in range(rng.randint(1, 4))])


def headers(rng: Random) -> dict[str, str]:
    names = rng.sample(list(HEADERS), rng.choice([0, 0, 1, 2, 5]))
    return {name: rng.choice(HEADERS[name]) for name in names}


def body(world: World, game: Game) -> tuple[bytes, str]:
    """What is no decision at all, with its type."""
    rng, kind = world.rng, world.rng.choice(CONTENT_TYPES)
    parts = "multipart/form-data; boundary=x"
    part = b'--x\r\nContent-Disposition: form-data; name="moves"'
    return rng.choice(
        [
            lambda: (rng.randbytes(rng.choice([1, 40, 3000])), kind),
            lambda: (rng.choice(BYTES), kind),
            lambda: (b"number=%d&moves=%s" % (game.number, rng.choice(BYTES)), kind),
            lambda: (b"&".join([b"moves=pass"] * rng.choice([2, 1001])), FORM),
            lambda: (b'{"number": %d, "moves": ["pass"]}' % game.number, "application/json"),
            lambda: (part + b'; filename="\0.png"\r\n\r\nx\r\n--x--', parts),
            lambda: (part + b"\r\n\r\npass", parts),
            lambda: (
                part + b"\r\nContent-Transfer-Encoding: base64\r\n\r\n%\xff\r\n--x--",
                "multipart/form-data; boundary=x",
            ),
            lambda: (part[:-2] + b"\r\n" * 2000 + b"--x--", parts),
            lambda: (part + b"\r\n\r\n\xff\xfe\r\n--x--", rng.choice(CONTENT_TYPES)),
        ]
    )()


# --- requests; each returns what it sent and the status of the answer ---

Request = tuple[str, int]


def send(client: Client, method: str, address: str, data: bytes = b"", kind: str = FORM, **extra: Any) -> Request:
    said = f"{method} {address!r} {kind!r} {data[:300]!r} {extra}"
    session = client.cookies["sessionid"].value if "sessionid" in client.cookies else ""
    try:
        status = client.generic(method, address, data, kind, **extra).status_code
    except Exception as error:
        error.add_note(said)
        raise
    # Who sends a broken cookie is logged out by the answer; not so the next one.
    client.cookies["sessionid"] = session
    return said, status


def refused_decision(world: World) -> Request:
    """A post to the table, well formed or not, by anybody; who is to act never sends one that counts."""
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
    """Bytes to any address that takes a post."""
    rng, game = world.rng, world.rng.choice(world.games)
    data, kind = body(world, game)
    others = ["/tables/new/", "/settings/", "/settings/time-zone/", "/games/"]
    address = rng.choice([f"/table/{game.key}/", f"/table/{game.key}/", f"/table/{game.key}/poll/", *others])
    user = rng.choice([*world.clients])
    return send(world.clients[user], "POST", address + query(world, game), data, kind, headers=headers(rng))


def elsewhere(world: World) -> Request:
    """What somebody may not do with somebody else's table, or any more with their own."""
    rng = world.rng
    private, finished, waiting, hidden, cancelled = world.still
    game, user, names = rng.choice(
        [
            (rng.choice(world.games), world.eve, ["join", "leave", "cancel", "resign"]),
            (rng.choice(world.games), None, ["join", "leave", "cancel", "resign"]),
            (rng.choice([private, waiting, hidden]), world.alice, ["join", "leave", "cancel", "resign"]),
            (rng.choice([*world.running, finished]), world.bob, ["join", "leave", "cancel"]),
            (waiting, world.bob, ["join", "leave", "resign"]),
            (rng.choice([finished, cancelled]), world.alice, ["join", "leave", "cancel", "resign"]),
            (waiting, world.dora, ["leave", "cancel", "resign"]),
        ]
    )
    address = f"/table/{game.key}/{rng.choice(names)}/{query(world, game)}"
    return send(
        world.clients[user], "POST", address, urlencode({"x": text(world, game)}).encode(), headers=headers(rng)
    )


def untokened(world: World) -> Request:
    """What would count if the site itself had asked for it."""
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
    """A page with an odd query."""
    rng, game = world.rng, world.rng.choice(world.games)
    user = actor(game) if game in world.running else rng.choice([*world.clients])
    asked = [(rng.choice(GET_FIELDS), text(world, game)) for _ in range(rng.randint(1, 4))]
    address = rng.choice([f"/table/{game.key}/", f"/table/{game.key}/", f"/table/{game.key}/poll/", "/games/"])
    return send(world.clients[user], "GET", f"{address}?{urlencode(asked)}", headers=headers(rng))


def odd_address(world: World) -> Request:
    rng, game = world.rng, world.rng.choice(world.games)
    keys = [game.key.lower(), game.key[:-1], f"{game.key}A", "0", "-", "_", "A" * 12, "x" * 3000, "../..", str(game.pk)]
    key = rng.choice([*map(quote_from_bytes, [*BYTES, rng.randbytes(12)]), *keys, game.key])
    name = rng.choice(["", "/", "/poll/", "/join/", "/resign/", "/moves/", "//", "/%00/", "/poll/../join/"])
    name = name if key != game.key or "join" not in name else "/"
    data = urlencode({"number": game.number + 1, "moves": text(world, game)}).encode()
    user = rng.choice([*world.clients])
    return send(world.clients[user], rng.choice(["GET", "POST"]), f"/table/{key}{name}", data, headers=headers(rng))


def new_table(world: World) -> Request:
    """A table that cannot be: at least the title is none."""
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
    refused_decision: 35,
    garbage: 15,
    elsewhere: 12,
    untokened: 6,
    look: 10,
    wrong_method: 8,
    odd_address: 8,
    new_table: 5,
    account: 5,
    large: 1,
}
"""With how often each is drawn."""


def statuses(seed: int, number: int) -> list[int]:
    """What so many requests of that seed are answered; none is an error of ours, none changes a row."""
    world = World(Random(seed))
    cache.clear()
    # Who opens a finished table has seen it: that alone is kept.
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
def test_hostile_requests_are_refused_and_change_nothing(seed: int) -> None:
    assert {200, 302, 403, 404, 405, 409, 422} <= set(statuses(seed, POSTS))


def test_hostile_requests_in_a_hurry(settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"decide": "3/m/user", "new": "3/h/user", "seat": "3/m/user"}
    assert statuses(99, 200).count(429) > 20


@pytest.mark.parametrize(
    ("charset", "answer"), [("utf-8", "200 OK"), ("base64", "400 Bad Request"), ("rot13", "400 Bad Request")]
)
def test_a_charset_that_is_none_of_text_is_refused(charset: str, answer: str) -> None:
    answers: list[str] = []
    environ = {"HTTP_HOST": "testserver", "QUERY_STRING": "q=%ff", "CONTENT_TYPE": f"text/plain; charset={charset}"}
    setup_testing_defaults(environ)
    list(application(environ, lambda status, headers: answers.append(status)))
    assert answers == [answer]
