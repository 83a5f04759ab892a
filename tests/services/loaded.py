"""Loads the site once for all processes of a race; their fork server imports this first."""

import django

django.setup()

import games.services.play  # noqa: E402, F401 - once Django is set up
