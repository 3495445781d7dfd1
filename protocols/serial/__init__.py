"""The open serial protocol: frames, codec, channel, sniffer and malformed messages."""
