"""Supreme Pai Gow: New Jersey 19:47-34 and the Massachusetts rules of the same text."""
