"""Tables before the game: opened, filled, offered again."""
