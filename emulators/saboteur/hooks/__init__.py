"""What a mutant can change in an emulated device, each in a few lines: replies, events, bytes, registers, publications,
moving parts."""
