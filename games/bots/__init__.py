"""Who plays without a human: from what a seat may know to an action of it."""
