"""A hardware-in-the-loop rig that certifies the machines on casino tables, or emulates them."""

from pathlib import Path

_HERE = Path(__file__).parent
if not (_HERE / "engine").is_dir():  # in a checkout the folders lie beside this one; installed, inside it
    __path__.append(str(_HERE.parent))
