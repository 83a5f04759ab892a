"""Personal data: what becomes of it when an account is deleted, and what its owner may take along."""
