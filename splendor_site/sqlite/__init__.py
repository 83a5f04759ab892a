"""The database engine of a site without PostgreSQL: Django's for SQLite, in which writers stand in line."""
