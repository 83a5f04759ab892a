"""Whether the recipient of a notice still wants its mail. `letters.write` checks whether it is still true."""

from games.models import Notice, Seat
from games.services.mailing import caps
from games.services.outbox import opt_out, preferences
from games.services.versions import polls

Kind, Outcome = Notice.Kind, Notice.Outcome


def needless(notice: Notice) -> Notice.Outcome | None:
    """The reason why the notice must not be sent; `None` if it may be. It must have been read with its recipient and
    game."""
    return unwanted(notice) or (Outcome.CAPPED if caps.reached(notice) else None)


def unwanted(notice: Notice) -> Notice.Outcome | None:
    """The same without the limits on mails."""
    user, kind, game = notice.recipient, Kind(notice.kind), notice.game
    if kind in preferences.ALWAYS_SENT:
        return None
    if user is None:
        return Outcome.UNWANTED if opt_out.is_refused(notice.address) else None
    seat = Seat.objects.filter(game=game, user=user).first()
    if not user.is_active or not notice.wishes.wants(kind) or (seat and seat.muted):
        return Outcome.UNWANTED
    if kind == Kind.TURN and not notice.wishes.always and game and seat and polls.is_looking(game, seat):
        return Outcome.SEEN
    return None
