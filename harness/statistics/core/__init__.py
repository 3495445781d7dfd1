"""What all sorts of samples share: rows of a table of tests, decisions, exact tails. It knows no cards and no dice."""
