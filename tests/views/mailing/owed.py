"""Addresses of the pages about mails, and mails for them to show."""

from accounts.models import User
from games.models import Notice
from games.services.clocks.moment import now
from games.services.mailing import deliveries
from games.services.outbox import notices, site

Kind = Notice.Kind
EVERYTHING = {
    "mails": "",
    "acting": ["turn", "unfinished", "reminder", "vacation"],
    "tables": ["started", "absence", "finished", "closed"],
    "offers": ["invited", "rematch"],
    "hour": "18",
    "delay": "3",
    "reminders": ["50", "25", "2h"],
    "more": ["links"],
}
"""The form of a user who never changed anything."""
SETTINGS = "/settings/mail/"
LIST = "/settings/mail/deliveries/"
BANNER = "Our emails aren’t reaching you"
GONE = "550 5.1.1 no such mailbox here"


def path(url: str) -> str:
    return url.removeprefix(site.url(""))


def owe_test(user: User) -> None:
    """Deliver a test mail to the user now."""
    notices.owe(Kind.TEST, user, key=f"test:{now().isoformat()}")
    for notice in Notice.objects.due(now()).filter(recipient=user):
        deliveries.deliver(notice.pk)
