"""Another game for the same people. The host can invite others to the seat of a player who declines."""

from django.db import transaction

from accounts.models import User
from games.models import Block, Game, Notice, Seat
from games.services.ratings import counting
from games.services.tables import tables
from games.services.tables.tables import TableRefusal, TableSpec
from games.services.versions import writing


def offer(game: Game, user: User) -> Game:
    """The table of the rematch. The user, who must have played the game, gets a seat if there is still room. The first
    player to ask creates the table, and the others can accept within a week. Raises `TableRefusal`."""

    def open_table() -> Game:
        seats = list(Seat.objects.filter(game=game).in_turn_order())
        people = [seat.user for seat in seats if seat.user]
        if user not in people:
            raise TableRefusal("not_played")
        made = Game.objects.filter(follows=game).first()
        if made:
            return made
        if game.status != Game.Status.FINISHED:
            raise TableRefusal("not_over")
        with transaction.atomic():
            writing.change(game)
            table = tables.create(user, _spec(game, seats))
            if table.status == Game.Status.OPEN:
                others = [person for person in people if person != user and person.is_active]
                tables.ask(table, user, others, kind=Notice.Kind.REMATCH)
            return table

    table = writing.attempt(game, open_table)

    def sit_down() -> None:
        if table.status == Game.Status.OPEN and not Seat.objects.filter(game=table, user=user).exists():
            if Block.objects.filter(by=user, blocked=table.host_id).exists():
                raise TableRefusal("blocked")
            if not table.expects(user):
                raise TableRefusal("not_invited")
            with transaction.atomic():
                tables.take_seat(table, user)

    writing.attempt(table, sit_down)
    return table


def deal_again(game: Game, absent: Seat) -> Game | None:
    """A new table with a new seed, for a game in which a player never made a first move. The others get their seats at
    once; the absent player, those who resigned and those who are suspended are invited. `None` if nobody is left. Runs
    in the caller's transaction."""
    seats = list(Seat.objects.filter(game=game).in_turn_order())
    gone = [seat for seat in seats if seat.pk == absent.pk or seat.out or seat.caretaker or _is_suspended(seat)]
    here = [seat.user for seat in seats if seat.user and seat not in gone]
    if not here:
        return None
    host = game.host if game.host in here else here[0]
    assert host is not None
    table = tables.lay(host, _spec(game, seats, seated=[user for user in here if user != host]))
    tables.ask(table, host, [seat.user for seat in gone if seat.user and seat.user.is_active])
    return table


def _is_suspended(seat: Seat) -> bool:
    return seat.user is not None and seat.user.is_suspended


def _spec(game: Game, seats: list[Seat], seated: list[User] | None = None) -> TableSpec:
    """The settings of that game for another table."""
    return TableSpec(
        game.title,
        game.seats,
        bots=[seat.bot for seat in seats if seat.bot],
        seated=seated or (),
        pace=game.pace,
        days=game.days,
        at_zero=game.at_zero,
        vacations=game.vacations,
        audience=game.audience,
        admission=Game.Admission.NAMED,
        name=game.name,
        rated=game.rated or not counting.can_be_rated(game, seats),
        follows=game,
    )
