"""The views, which are thin: access, form, service, render."""
