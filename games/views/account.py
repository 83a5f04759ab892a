"""A copy of one's data, the deletion of one's account, and the page about privacy."""

from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_http_methods, require_safe

from accounts import security_log
from accounts.models import User
from games.models import Game
from games.pages.access import user_of
from games.services.clocks.moment import now
from games.services.outbox import notices
from games.services.privacy import archives, deletion
from games.services.tables import invitations, reports


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def delete(request: HttpRequest) -> HttpResponse:
    """Say what is deleted and what stays, and delete the account on a post."""
    user = user_of(request)
    if request.method == "POST":
        number = user.pk
        deletion.delete(user)
        # The log must not name an account that is still there.
        security_log.note("account deleted", request, User(pk=number))
        logout(request)
        return redirect("account_deleted")
    games = Game.objects.of(user)
    context = {
        "running": games.filter(status=Game.Status.ACTIVE).count(),
        "hosted": games.filter(status=Game.Status.OPEN, host=user).count(),
        "log_days": settings.LOG_DAYS,
        "backup_days": settings.BACKUP_DAYS,
    }
    return render(request, "games/delete_account.html", context)


@require_safe
def deleted(request: HttpRequest) -> HttpResponse:
    return render(request, "games/account_deleted.html")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def archive(request: HttpRequest) -> HttpResponse:
    """Say how far the user's archive is; a post asks for one."""
    user = user_of(request)
    if request.method == "POST":
        archives.ask(user)
        return redirect("archive")
    found = archives.of(user)
    made_at = found.made_at if found else None
    context = {
        "is_coming": found is not None and made_at is None,
        "until": made_at + archives.LIFETIME if made_at else None,
        "may_ask": found is None or (made_at is not None and made_at <= now() - archives.PAUSE),
        "days": archives.LIFETIME.days,
    }
    return render(request, "games/archive.html", context)


@require_safe
@login_required
def archive_file(request: HttpRequest) -> HttpResponse:
    """The user's archive."""
    found = archives.of(user_of(request))
    if found is None or found.made_at is None:
        raise Http404
    security_log.note("data downloaded", request, user_of(request))
    name = f"{settings.SITE_NAME.lower()}-{found.made_at:%Y-%m-%d}.zip"
    headers = {"Content-Disposition": str(content_disposition_header(True, name))}
    return HttpResponse(bytes(found.content or b""), content_type="application/zip", headers=headers)


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Say what the site stores about people, and for how long; the numbers are those that the services go by."""
    context = {
        "session_days": settings.SESSION_COOKIE_AGE // (24 * 3600),
        "notice_days": notices.LIFETIME.days,
        "invitation_days": invitations.LIFETIME.days,
        "report_days": reports.LIFETIME.days,
        "guest_days": deletion.GUEST_LIFETIME.days if settings.GUESTS else 0,
        "archive_days": archives.LIFETIME.days,
        "log_days": settings.LOG_DAYS,
        "backup_days": settings.BACKUP_DAYS,
    }
    return render(request, "games/privacy.html", context)
