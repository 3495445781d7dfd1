"""Bytes in and out: terminals, sockets, TLS, RFC 2217."""
