"""The acts of staff, each with its record, and the announcement on every page."""
