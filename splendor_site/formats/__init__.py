"""The forms of dates and times in each language, where they differ from Django’s."""
