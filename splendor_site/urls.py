from django.conf import settings
from django.urls import include, path

urlpatterns = [
    path("", include("accounts.urls")),
    path("", include("games.urls")),
]
if settings.ANYMAIL_WEBHOOK_SECRET:
    # Without one, anybody could say that somebody's mails do not arrive.
    urlpatterns += [path("anymail/", include("anymail.urls"))]
