"""What values of a rig file may look like, for keys that several tables have."""

from feltrig.protocols.schema import Text, Whole, key

NAME = Text(r"[A-Za-z0-9_-]{1,64}", "a name of letters, digits, - and _")
WORDS = Text(r"[^\x00-\x1f\x7f]{1,200}", "text on one line")
HOST = Text(r"[^\s/\x00-\x1f]{1,253}", "a host name or address")
FILE = Text(r"[^\x00-\x1f\x7f]{1,4096}", "the path of a file, from the folder of the rig file")
TCP_PORT = Whole(1, 65535)
SEED = Whole(0)

PRIVATE_KEY = key(FILE, "PEM file of its private key, if that is not in the same file")
