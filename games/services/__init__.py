"""All writes, and the only access to positions; the layers above get observations."""
