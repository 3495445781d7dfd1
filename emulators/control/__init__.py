"""The control interface of emulated devices."""
