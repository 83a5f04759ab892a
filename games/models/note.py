"""What users write down about other people, for themselves."""

from django.conf import settings
from django.db import models


class PersonNote(models.Model):
    """A user's private note about a person. Nobody else ever sees it."""

    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    """The user who wrote it."""
    about = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    text = models.CharField(max_length=500)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("by", "about"), name="one_note_about_each_person"),)

    def __str__(self) -> str:
        return f"{self.by_id} about {self.about_id}"
