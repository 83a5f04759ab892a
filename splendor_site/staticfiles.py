"""Styles and scripts as they are served: without their comments, which are for who reads the source."""

import re
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

OURS = ("accounts/", "games/")
COMMENTS = {".css": r"(?s)/\*.*?\*/\n?", ".js": r"(?m)^ *//.*\n"}
"""By the end of a file's name."""


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Files of our own lose their comments on the way to where they are served from."""

    def _save(self, name: str, content: Any) -> str:
        pattern = next((COMMENTS[end] for end in COMMENTS if name.startswith(OURS) and name.endswith(end)), None)
        if pattern:
            text = b"".join(content.chunks()).decode()
            content = ContentFile(re.sub(pattern, "", text).encode())
        saved: str = super()._save(name, content)
        return saved
