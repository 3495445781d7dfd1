"""The record of a run."""
