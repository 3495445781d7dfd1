"""The salted challenge, by which a device shows that it holds a firmware image without sending it.

The rig draws a nonce of 16 to 32 bytes. The proof is HMAC-SHA-256 (RFC 2104) with the nonce as the key and the whole
firmware image, the very bytes of which `identify` gives the SHA-256, as the message. The key goes through the hash
before the image does, so nothing computed in advance can stand in for the image. What a proof shows is that the image
is at hand, not that it is what runs: a device could keep the true image beside another.
"""

import hmac

NONCE_SIZES = range(16, 33)
"""Bytes of a nonce that every device takes; another length is a bad argument. 32 still fit a Modbus command block."""
PROOF_SIZE = 32


def proof(image: bytes, nonce: bytes) -> bytes:
    """What a device that holds the image answers to the nonce."""
    return hmac.digest(nonce, image, "sha256")
