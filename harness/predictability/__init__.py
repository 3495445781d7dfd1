"""Can the next deck be foretold? Looks for the generator behind samples of a machine. docs/predictability.md."""
