"""The one round machine: every game of the engine is played on it.

From the outside in:

* `table` opens one round after the other and keeps what lasts: decks, rotations, devices, a marker.
* `round` is one round: it asks, is told, verifies, and returns the orders that follow.
* `script` says how a game writes its round as a generator, and how orders end it or start it again.
* `steps`, `dealing`, `starting`, `setting` are the steps that games share.
* `irregular` is the table of what goes wrong and what is ordered; `places` says where cards really went.
* `interjections` may be told at any moment.
* `play` is the state, and `Procedure` the game's part: cards, clauses, script, remedies and hooks.
* `house`, `ways`, `wagers` are choices and bets as data; `result`, `commission` are how wagers end.
"""
