"""French dates and times, where they differ from Django’s."""

DATETIME_FORMAT = "j F Y à H:i"
