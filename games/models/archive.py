"""The data that people take along."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class Archive(models.Model):
    """A copy of a person's data, to download. A person has one at most."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+")
    claimed_until = models.DateTimeField(null=True, blank=True)
    """No other worker makes the archive before this instant."""
    made_at = models.DateTimeField(null=True, blank=True)
    content = models.BinaryField(null=True)
    """The bytes of a ZIP file; `None` until a worker has made it."""

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(made_at=None, content=None) | Q(made_at__isnull=False, content__isnull=False),
                name="an_archive_that_is_made_has_content",
            ),
        )

    def __str__(self) -> str:
        return f"the archive of {self.user_id}"
