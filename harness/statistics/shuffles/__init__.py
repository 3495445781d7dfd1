"""Is this shuffler fair? Shuffles are judged relative to the order in which the deck was loaded."""
