"""Does this machine produce chance? Batteries for numbers, dice and shuffles, with one decision per device."""
