"""The start of a game: the turn order, the first clock, and the notices about them."""

from accounts.models import User
from games.catalogue import TITLES
from games.models import Game, Notice, Seat
from games.models.position import Position
from games.rules import chance
from games.services.clocks import running
from games.services.clocks.moment import now
from games.services.outbox import notices
from games.services.ratings import counting
from games.services.versions import writing


def start_if_full(game: Game, last: User) -> None:
    """If the table is full, draw the turn order (`docs/chance.md`) and start the game. The last to join sees this; the
    others are told. Runs in the caller's transaction."""
    players = list(Seat.objects.filter(game=game).select_related("user").order_by("pk"))
    if len(players) < game.seats:
        return
    state = TITLES[game.title].ruleset.load(Position.objects.get(game=game).state)
    at, pace = now(), running.pace(game)
    order = _turn_order(game, state.seed, players)
    for index, seat in enumerate(order):
        seat.index, seat.bank = index, pace.bank if pace and seat.user else None
    Seat.objects.bulk_update(order, ["index", "bank"])
    first = order[state.to_act]
    turn = running.begin(game, first, game.number, at)
    rated = counting.is_rated(game, order)
    times = {"started_at": at, "changed_at": at, "expires_at": None}
    writing.change(game, status=Game.Status.ACTIVE, to_act=state.to_act, rated=rated, **times, **turn)
    writing.record(game, "started")
    notices.turn_begins(game, first)
    others = [seat.user for seat in order if seat.user and seat is not first and seat.user != last]
    notices.owe_all(Notice.Kind.STARTED, game, others, f"started:{game.pk}")
    writing.tend_soon(game)


def _turn_order(game: Game, seed: bytes, players: list[Seat]) -> list[Seat]:
    """The turn order that follows from the seed, unless the host begins. In a game that follows another one, everyone
    moves up one seat, and new players fill the gaps in the order in which they joined."""
    if game.host_begins:
        return players
    if game.follows_id is None:
        return list(chance.shuffle(seed, "seats", 0, players))
    first, *before = Seat.objects.filter(game=game.follows_id).order_by("index")
    places: list[Seat | None] = []
    free = list(players)
    for old in (*before, first):
        same = next((seat for seat in free if (seat.user_id, seat.bot) == (old.user_id, old.bot)), None)
        if same:
            free.remove(same)
        places.append(same)
    return [seat or free.pop(0) for seat in places]
