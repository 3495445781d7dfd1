"""Pack's Poker: New Jersey 13:69F-43."""
