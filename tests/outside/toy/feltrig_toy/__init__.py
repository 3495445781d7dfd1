"""A package of somebody else's: a drum that draws balls, a wire, a game, a jurisdiction and a check."""
