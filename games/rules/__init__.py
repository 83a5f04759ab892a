"""The rules of every title: pure functions on frozen values. No Django, no clock, no I/O but the card data."""
