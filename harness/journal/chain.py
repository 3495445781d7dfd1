"""A line of the journal: the canonical JSON of a record, chained to the line before it by SHA-256.

Canonical means sorted keys, no spaces, ASCII. The `hash` of a line is the SHA-256 of the same line without that member;
`prev` is the hash of the line before. Whoever changes a byte breaks the chain.
"""

import hashlib
import json

GENESIS = "0" * 64
"""The `prev` of the first record."""

text = json.encoder.encode_basestring_ascii
canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode


def sealed(data: str, kind: str, elapsed: float, prev: str, seq: int, when: str) -> tuple[bytes, str]:
    """A line without its end, and its hash. The members are put together in the order that sorting gives."""
    head = f'{{"data":{data}'
    tail = f',"kind":{text(kind)},"m":{elapsed!r},"prev":{text(prev)},"seq":{seq},"t":{text(when)}}}'
    digest = hashlib.sha256((head + tail).encode()).hexdigest()
    return f'{head},"hash":"{digest}"{tail}'.encode(), digest
