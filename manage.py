#!/usr/bin/env python
import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "splendor_site.settings")
    name, *words = sys.argv[1:] or [""]
    # Django's own server is for development, if nobody else can reach it.
    if name == "runserver" and all(
        word.isdigit() or word.startswith(("-", "127.0.0.1:", "localhost:")) for word in words
    ):
        os.environ.setdefault("DEBUG", "1")
    execute_from_command_line(sys.argv)
