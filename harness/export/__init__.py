"""What a run's journal holds, in the forms of other programs."""
