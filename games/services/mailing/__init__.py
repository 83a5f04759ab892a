"""Notices become mails: what they say, the links in them, how they are delivered, and what comes back."""
