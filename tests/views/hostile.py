"""The parts of hostile requests: games in every status, their people, and nonsense for every field."""

from random import Random
from typing import Any
from urllib.parse import quote_from_bytes, urlencode

from django.test import Client

from accounts import services as accounts
from accounts.models import User
from games.forms import DecisionForm
from games.models import Game, Invitation
from games.rules.base import Refusal
from games.services import play
from games.services.clocks.moment import now
from games.services.tables import blocks, tables
from tests.factories import actor, deal, person, play_on, ruleset, state
from tests.staff import member, used_passkey

FORM = "application/x-www-form-urlencoded"


class World:
    """Games in every status, and the users who send requests about them."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        names = ("alice", "bob", "dora", "eve", "cara")
        self.alice, self.bob, self.dora, self.eve, self.cara = people = [person(name) for name in names]
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
        named = tables.TableSpec("splendor", 3, admission="named", invited=[self.dora])
        waiting = tables.create(self.bob, named)
        hidden = tables.create(self.bob, tables.TableSpec("duel", 2, admission="named", audience="seats"))
        cancelled = tables.create(self.alice, tables.TableSpec("duel", 2))
        tables.cancel(cancelled, self.alice)
        Invitation.objects.create(game=waiting, address="ann@example.net", invited_by=self.bob, at=now())
        self.still = [private, finished, waiting, hidden, cancelled]
        self.games = [*self.running, *self.still]
        for game in self.games:
            game.refresh_from_db()
        self.mia = member("mia")
        self.guest = accounts.create_guest()
        for host in (self.alice, self.bob):
            blocks.block(host, self.cara)
        everybody = (*people, self.mia, self.guest, None)
        self.clients = {user: self.client(user) for user in everybody}
        self.untokened = {user: self.client(user, enforce_csrf_checks=True) for user in everybody}
        self.legal = {game: [str(action) for action in play.look(game, actor(game)).legal] for game in self.running}
        self.position = {game: state(game) for game in self.games if game.is_active}
        self.past = {game: list(game.move_set.values_list("number", "notation")) for game in self.games}

    def client(self, user: User | None, **options: Any) -> Client:
        client = Client(**options)
        if user and user.is_staff:
            return used_passkey(client, user)
        if user:
            client.force_login(user)
        return client

    def would_count(self, game: Game, data: dict[str, Any]) -> bool:
        """Whether the player to act could legally play this."""
        form = DecisionForm(
            {name: value[-1] if isinstance(value, list) and value else value for name, value in data.items()}
        )
        if game not in self.position or not form.is_valid() or form.cleaned_data["number"] != game.number:
            return False
        try:
            ruleset(game).apply_all(self.position[game], form.cleaned_data["moves"])
        except Refusal:
            return False
        return True


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
# `wsgi` refuses charsets that are not for text, and the web server refuses NUL in headers.
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
GET_FIELDS = ["draft", "at", "card", "ledger", "prices", "version", "seal", "q", "title", "page", "next", "", "at[]"]


def text(world: World, game: Game) -> str:
    """A value for any field: a decision of this or another game, complete, cut or scrambled, or nonsense."""
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
    """A body that is not a decision, with its content type."""
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
