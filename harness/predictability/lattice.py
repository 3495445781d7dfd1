"""Congruential generators of any size by lattice reduction: each draw tells about how large the state was."""

from collections.abc import Sequence
from functools import cache

import numpy as np

Basis = tuple[tuple[int, ...], ...]


def reduced(rows: Sequence[Sequence[int]]) -> Basis:
    """A short basis of the same lattice: Lenstra, Lenstra and Lovász, in whole numbers (Cohen, algorithm 2.6.7)."""
    basis = [list(row) for row in rows]
    size = len(basis)
    lam = [[0] * size for _ in range(size)]
    d = [1] + [0] * size
    """d[i + 1] is the determinant of the first i + 1 rows; lam[k][j] is d[j + 1] times the Gram-Schmidt factor."""
    d[1] = _dot(basis[0], basis[0])
    k, done = 1, 0
    while k < size:
        if k > done:
            done = k
            for j in range(k + 1):
                u = _dot(basis[k], basis[j])
                for i in range(j):
                    u = (d[i + 1] * u - lam[k][i] * lam[j][i]) // d[i]
                if j < k:
                    lam[k][j] = u
                else:
                    d[k + 1] = u
        _shorten(basis, lam, d, k, k - 1)
        if 4 * d[k + 1] * d[k - 1] < 3 * d[k] * d[k] - 4 * lam[k][k - 1] ** 2:
            _exchange(basis, lam, d, k, done)
            k = max(1, k - 1)
        else:
            for j in range(k - 2, -1, -1):
                _shorten(basis, lam, d, k, j)
            k += 1
    return tuple(map(tuple, basis))


def _dot(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _shorten(basis: list[list[int]], lam: list[list[int]], d: list[int], k: int, j: int) -> None:
    if 2 * abs(lam[k][j]) <= d[j + 1]:
        return
    q = (2 * lam[k][j] + d[j + 1]) // (2 * d[j + 1])
    basis[k] = [a - q * b for a, b in zip(basis[k], basis[j], strict=True)]
    lam[k][j] -= q * d[j + 1]
    for i in range(j):
        lam[k][i] -= q * lam[j][i]


def _exchange(basis: list[list[int]], lam: list[list[int]], d: list[int], k: int, done: int) -> None:
    basis[k], basis[k - 1] = basis[k - 1], basis[k]
    for j in range(k - 1):
        lam[k][j], lam[k - 1][j] = lam[k - 1][j], lam[k][j]
    factor = lam[k][k - 1]
    new = (d[k - 1] * d[k + 1] + factor * factor) // d[k]
    for i in range(k + 1, done + 1):
        held = lam[i][k]
        lam[i][k] = (d[k + 1] * lam[i][k - 1] - factor * held) // d[k]
        lam[i][k - 1] = (new * held + factor * lam[i][k]) // d[k + 1]
    d[k] = new


def nearest(basis: Basis, target: Sequence[int]) -> list[int]:
    """A vector of the lattice near the target (Babai's nearest plane)."""
    floats = np.array(basis, dtype=float)
    upright = np.linalg.qr(floats.T)[0].T
    lengths = np.einsum("ij,ij->i", upright, floats)
    rest = list(target)
    for row in range(len(basis) - 1, -1, -1):
        times = round(float(np.array(rest, dtype=float) @ upright[row] / lengths[row]))
        rest = [a - times * b for a, b in zip(rest, basis[row], strict=True)]
    return [a - b for a, b in zip(target, rest, strict=True)]


@cache
def _known_increment(a: int, m: int, size: int) -> Basis:
    powers = [pow(a, i, m) for i in range(size)]
    return reduced([powers, *([m * (i == j) for j in range(size)] for i in range(1, size))])


@cache
def _any_increment(a: int, m: int, size: int) -> Basis:
    powers = [pow(a, i, m) for i in range(size)]
    sums = [sum(powers[:i]) % m for i in range(size)]
    return reduced([powers, sums, *([m * (i == j) for j in range(size)] for i in range(2, size))])


def states_by_size(
    a: int, c: int | None, m: int, draws: Sequence[int], bounds: Sequence[int], size: int
) -> tuple[int, int]:
    """The state at the first draw, and the increment, of x → a x + c mod m, if each draw is `x * bound // m`. Whether
    the draws follow must be tried: there is always an answer. Without `c` the increment is found as well."""
    middle = [(2 * draw + 1) * m // (2 * bound) for draw, bound in zip(draws[:size], bounds[:size], strict=True)]
    if c is None:
        found = nearest(_any_increment(a, m, size), middle)
        return found[0] % m, (found[1] - a * found[0]) % m
    shift, offsets = 0, []
    for _ in range(size):
        offsets.append(shift)
        shift = (a * shift + c) % m
    found = nearest(_known_increment(a, m, size), [mid - off for mid, off in zip(middle, offsets, strict=True)])
    return found[0] % m, c
