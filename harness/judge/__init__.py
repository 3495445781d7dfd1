"""From the journal to a verdict."""
