"""Three Card Poker: New Jersey 19:47-20."""
