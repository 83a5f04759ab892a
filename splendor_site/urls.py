from django.conf import settings
from django.urls import include, path

from splendor_site import webhooks

handler400 = "splendor_site.requests.bad_request"

urlpatterns = [
    path("", include("accounts.urls")),
    path("", include("games.urls")),
]
if settings.ANYMAIL_WEBHOOK_SECRET:
    # Without a secret, anybody could report that somebody's mails do not arrive.
    urlpatterns += [path("anymail/", include(([*webhooks.configured()], "anymail")))]
