"""Thin: access, form, service, render."""
