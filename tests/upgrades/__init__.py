"""Backups of sites of earlier versions, made by `python -m tests.upgrades COMMIT`, and a test that plays on in them."""
