"""What is on the wire: the vocabulary of the devices, the codecs (pure), and the links (real ports and sockets)."""
