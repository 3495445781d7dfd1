"""Protocol conformance of a device."""
