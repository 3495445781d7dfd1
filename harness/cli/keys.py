"""`feltrig keys`: the key with which a laboratory signs."""

from pathlib import Path
from typing import Annotated

import typer

from feltrig.harness.cli.parameters import group
from feltrig.harness.judge import keys

app = group("Make and show the keys that sign certificates.")

Out = Annotated[Path, typer.Option(metavar="FILE", help="The private key; the public one goes to FILE.pub.")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="A public key, FILE.pub.")]


@app.command("new")
def new(out: Out = Path("feltrig.key")) -> None:
    """Make a key pair. The private key is readable by its owner only."""
    public = keys.new(out)
    print(f"{out}: private key, keep it to yourself\n{out}{keys.PUBLIC}: public key {keys.key_id(public)}")


@app.command("show")
def show(file: File) -> None:
    """Print the id by which certificates name a key."""
    print(keys.key_id(keys.public(file)))
