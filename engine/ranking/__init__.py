"""One kernel for the ranking of hands: three, five and seven cards, jokers, many decks."""
