"""Notices as mails. (Being written: for now a plain text.)"""

from django.core.mail import EmailMultiAlternatives

from games.models import Notice


def write(notice: Notice) -> EmailMultiAlternatives | None:
    to = notice.recipient.email if notice.recipient else notice.address
    return EmailMultiAlternatives(notice.get_kind_display(), notice.key, to=[to])
