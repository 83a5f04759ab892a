"""What a page draws, gathered from the services: access, the rows of lists, the table, words of refusal."""
