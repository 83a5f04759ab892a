"""Turning notices into mails: content, links, delivery and bounces."""
