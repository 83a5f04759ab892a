"""The site, loaded once for all processes of a race: what its fork server imports first."""

import django

django.setup()

import games.services.play  # noqa: E402, F401 - once Django is set up
