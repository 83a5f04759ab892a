"""The bots: each chooses an action from what its seat may know."""
