"""Plans: what a certification of one kind of device consists of, under one jurisdiction's profile."""
