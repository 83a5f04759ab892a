"""Code that runs in the yardstick's own environment and makes an external bot of it."""
