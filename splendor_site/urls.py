from django.conf import settings
from django.urls import include, path

from accounts import addresses
from games.urls import in_each_language
from splendor_site import webhooks

handler400 = "splendor_site.requests.bad_request"

urlpatterns = [
    path("", include("accounts.urls")),
    path("", include("games.urls")),
    path("", include((addresses.with_language(in_each_language), addresses.SPACE))),
]
if settings.ANYMAIL_WEBHOOK_SECRET:
    # Without a secret, anybody could report that somebody's mails do not arrive.
    urlpatterns += [path("anymail/", include(([*webhooks.configured()], "anymail")))]
