"""What people are owed by mail, which mails they want, and how they opt out."""
