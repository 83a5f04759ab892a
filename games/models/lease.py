"""The right to sweep."""

from django.db import models


class SweepLease(models.Model):
    """One machine at a time sweeps. There is at most one row."""

    until = models.DateTimeField()
    """No other sweep begins before this instant."""

    def __str__(self) -> str:
        return f"until {self.until:%Y-%m-%d %H:%M:%S}"
