"""Bad machines that a certification must refuse, and good ones that it must not; each has a name for rig files."""
