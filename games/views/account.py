"""Deleting an account."""

from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import security_log
from games.models import Game
from games.pages.access import user_of
from games.services.privacy import deletion


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def delete(request: HttpRequest) -> HttpResponse:
    """Say what is deleted and what stays, and delete the account on a post."""
    user = user_of(request)
    if request.method == "POST":
        security_log.note("account deleted", request, user)
        deletion.delete(user)
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
