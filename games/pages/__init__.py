"""Gathers from the services what pages draw: access, rows of lists, the table, refusals in words."""
