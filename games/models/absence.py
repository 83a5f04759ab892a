"""Time away."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Vacation(models.Model):
    """Time in which a user's clocks stop."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    begins_at = models.DateTimeField()
    ends_at = models.DateTimeField()

    class Meta:
        constraints = (models.CheckConstraint(condition=Q(ends_at__gte=F("begins_at")), name="a_vacation_ends"),)
        indexes = (models.Index(fields=("user", "ends_at"), name="vacation_user_ends"),)

    def __str__(self) -> str:
        return f"{self.user}: {self.begins_at:%Y-%m-%d} – {self.ends_at:%Y-%m-%d}"
