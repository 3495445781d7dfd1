"""What a device's faults do to the answers that its station sends."""

from feltrig.emulators.models.board import Board
from feltrig.emulators.models.faults import ANSWER


class Misbehaviour:
    """A `Misbehave`: spoils the answers of a device that has a fault of the wire, and sends none without power."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._random = board.stream("wire")
        self._answers = 0

    def __call__(self, answer: bytes) -> bytes | None:
        """The bytes to send instead of an answer; None for silence. Raises ConnectionAbortedError to drop the line."""
        self._answers += 1
        if self._board.off:
            return None
        struck = self._board.struck(ANSWER)
        if not struck:
            return answer
        if "line_drop" in struck:
            raise ConnectionAbortedError(f"line dropped at answer {self._answers}")
        return None if "silent" in struck else self._noise(answer)

    def _noise(self, answer: bytes) -> bytes:
        noise = answer
        while noise == answer:
            noise = self._random.randbytes(max(1, len(answer)))
        return noise
