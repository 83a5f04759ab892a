"""Another game for the same people."""

from games.models import Game, Seat
from games.services import tables
from games.services.tables import Plan


def deal_again(game: Game, absent: Seat) -> Game:
    """A new table with a new seed for the people of a game that one of them never began: the others sit down at once,
    that one is invited. Within the caller's transaction."""
    seats = list(Seat.objects.filter(game=game).select_related("user").order_by("pk"))
    others = [seat.user for seat in seats if seat.user and seat.pk != absent.pk]
    maker = game.created_by if game.created_by in others or not others else others[0]
    assert maker is not None
    plan = Plan(
        game.title,
        game.seats,
        bots=[seat.bot for seat in seats if seat.bot],
        invited=[seat.user for seat in seats if seat.user and seat.user != maker],
        pace=game.pace,
        audience=game.audience,
        admission=game.admission,
    )
    again = tables.create(maker, plan)
    for user in others:
        if user != maker:
            tables.join(again, user)
    Game.objects.filter(pk=again.pk).update(follows=game)
    return again
