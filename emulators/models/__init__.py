"""The models of the machines: pure, with the time passed in."""
