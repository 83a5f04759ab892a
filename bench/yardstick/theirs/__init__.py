"""What runs in the yardstick's own environment, beside its code and outside this project: it makes a player of it."""
