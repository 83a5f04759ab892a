"""Keep this game: a guest gives a name and an address, and enters the code that was sent there. Until then, only the
session knows the address, so typing it blocks nobody's sign-up."""

import time
from dataclasses import asdict, dataclass, replace
from typing import Self

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from django.conf import settings
from django.db.models import Exists, OuterRef
from django.http import HttpRequest

from accounts import services as accounts
from accounts.models import User
from games.models import Game, Seat

SESSION_KEY = "keep"
LATER_KEY = "keep_later"


@dataclass(frozen=True)
class PendingAccount:
    """The account that a guest has asked for."""

    username: str
    email: str
    time_zone: str
    back: str
    """The page to return to."""
    code: str = ""
    """Empty if the address has an account: then no code is right."""
    at: float = 0
    attempts: int = 0

    @classmethod
    def of(cls, request: HttpRequest) -> Self | None:
        """The account that the guest has asked for, unless the code is too old."""
        found = request.session.get(SESSION_KEY)
        pending = cls(**found) if found else None
        limit: int = app_settings.EMAIL_VERIFICATION_BY_CODE_TIMEOUT
        return pending if pending and time.time() - pending.at <= limit else None

    def send(self, request: HttpRequest) -> None:
        """Send a code; if the address has an account, send a mail that says so instead. Pages do not reveal which."""
        adapter, code = get_adapter(), ""
        if accounts.owner(self.email):
            adapter.send_account_already_exists_mail(self.email)
        else:
            code = adapter.generate_email_verification_code()
            facts = {"code": code, "name": self.username}
            adapter.send_mail("account/email/email_confirmation_signup", self.email, facts)
        request.session[SESSION_KEY] = asdict(replace(self, code=code, at=time.time(), attempts=0))

    def missed(self, request: HttpRequest) -> bool:
        """Count a wrong code; return whether there may be another attempt."""
        missed = replace(self, attempts=self.attempts + 1)
        if missed.attempts >= app_settings.EMAIL_VERIFICATION_BY_CODE_MAX_ATTEMPTS:
            end(request)
            return False
        request.session[SESSION_KEY] = asdict(missed)
        return True


def end(request: HttpRequest) -> None:
    request.session.pop(SESSION_KEY, None)


def may_keep(guest: User) -> bool:
    """Whether the guest may have an account. If the site is open by invitation only, a seat at a person's table counts
    as an invitation."""
    if settings.SIGN_UP != "invitation":
        return bool(settings.SIGN_UP == "open")
    people = User.objects.filter(pk=OuterRef("host"), is_guest=False)
    return Game.objects.of(guest).filter(Exists(people)).exists()


def is_offered(request: HttpRequest, game: Game, seat: Seat) -> bool:
    """Whether the table offers to keep the game: after the guest's first move until they put it off, and at the end."""
    if not seat.user or not seat.user.is_guest or not (seat.seen_number or game.status == Game.Status.FINISHED):
        return False
    put_off = game.is_active and request.session.get(LATER_KEY)
    is_invited = settings.SIGN_UP == "invitation" and game.host_id != seat.user_id
    return not put_off and (settings.SIGN_UP == "open" or is_invited)
