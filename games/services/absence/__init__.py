"""Players who run out of time, pauses, and vacations."""
