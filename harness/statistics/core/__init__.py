"""What all sorts of samples share: rows of a table of tests, decisions, exact tails. None of it knows cards or dice."""
