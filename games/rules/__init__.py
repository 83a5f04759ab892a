"""The rules of every title: pure functions on frozen values. No Django, no clock, and no I/O except the card data."""
