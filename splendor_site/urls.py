from django.conf import settings
from django.contrib.sitemaps.views import sitemap
from django.urls import include, path

from accounts import addresses
from games.urls import in_each_language
from splendor_site import found, state, webhooks

handler400 = "splendor_site.requests.bad_request"
handler500 = "splendor_site.outages.failed"

urlpatterns = [
    path("", include("accounts.urls")),
    path("", include("games.urls")),
    path("", include((addresses.with_language(in_each_language), addresses.SPACE))),
    path("staff/state/", state.state, name="staff_state"),
    path("sitemap.xml", sitemap, {"sitemaps": {"pages": found.Pages}}, name="sitemap"),
    path("robots.txt", found.robots, name="robots"),
    path(".well-known/security.txt", found.security, name="security"),
    path("manifest.webmanifest", found.manifest, name="manifest"),
]
if settings.ANYMAIL_WEBHOOK_SECRET:
    # Without a secret, anybody could report that somebody's mails do not arrive.
    urlpatterns += [path("anymail/", include(([*webhooks.configured()], "anymail")))]
