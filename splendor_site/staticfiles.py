"""Static files are minified when they are collected."""

from pathlib import PurePath
from typing import Any

from django.core.files.base import ContentFile
from rcssmin import cssmin
from rjsmin import jsmin
from whitenoise.storage import CompressedManifestStaticFilesStorage

OURS = ("accounts/", "games/")
MINIFY = {".css": cssmin, ".js": jsmin}
"""The minifier for each file suffix."""


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Minifies our own files; files of libraries are served as they come."""

    def _save(self, name: str, content: Any) -> str:
        minify = MINIFY.get(PurePath(name).suffix)
        if minify and name.startswith(OURS):
            content = ContentFile(minify(b"".join(content.chunks()).decode()).encode())
        saved: str = super()._save(name, content)
        return saved
