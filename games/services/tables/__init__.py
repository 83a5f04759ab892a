"""Tables before the start of their game: creating, inviting, joining, rematches."""
