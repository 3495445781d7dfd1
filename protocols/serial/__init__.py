"""The open serial profile."""
