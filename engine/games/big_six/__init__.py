"""Big Six: New Jersey 19:47-5.5 to 5.6."""
