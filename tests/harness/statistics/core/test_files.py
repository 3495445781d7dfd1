"""Samples in files."""

import json

import pytest

from feltrig.engine import cards
from feltrig.harness.statistics.core.files import BadSample
from feltrig.harness.statistics.shuffles.recorded import decks
from feltrig.harness.statistics.streams import dice, numbers

DECK = list(cards.names(cards.deck()))


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "sample"
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize(
    "text",
    [
        "1\n7\n3\n",
        "number\n1\n7\n3\n",
        "time,Number\n12:00,1\n12:01,7\n12:02,3\n",
        "# from the display\n1, 7\n\n3\n",
        "[1, 7]\n[3]\n",
        '{"number": 1}\n{"number": 7, "at": 3}\n{"number": 3}\n',
        "\ufeffnumber\r\n1\r\n7\r\n3\r\n",
    ],
)
def test_numbers_are_read(file, text):
    assert numbers.read(file(text)).tolist() == [1, 7, 3]


@pytest.mark.parametrize(
    "text",
    ["1,2,3\n4,5,6\n", "die1,die2,die3\n1,2,3\n4,5,6\n", "dice\n1 2 3\n4 5 6\n", '{"dice": [1, 2, 3]}\n[4, 5, 6]\n'],
)
def test_rolls_are_read(file, text):
    assert dice.read(file(text)).tolist() == [[1, 2, 3], [4, 5, 6]]


def test_decks_are_read_as_names_or_numbers(file):
    back = DECK[::-1]
    by_name = f"{','.join(DECK)}\n{','.join(back)}\n"
    by_number = "\n".join(json.dumps(row) for row in (list(range(52)), list(range(51, -1, -1))))
    for text in (by_name, by_number, f"deck\n{' '.join(DECK)}\n{' '.join(back)}\n"):
        read = decks(file(text))
        assert read.before is None
        assert read.after[:, 0].tolist() == [0, 51]


@pytest.mark.parametrize("form", ["csv", "json"])
def test_the_loaded_order_is_read_beside_the_shuffled_one(file, form):
    if form == "csv":
        text = "before,after\n2c 3c 4c,3c 2c 4c\n4c 3c 2c,2c 3c 4c\n"
    else:
        text = '{"before": ["2c", "3c", "4c"], "after": ["3c", "2c", "4c"]}\n{"loaded": [2, 1, 0], "deck": [0, 1, 2]}\n'
    read = decks(file(text))
    assert read.before.tolist() == [[0, 1, 2], [2, 1, 0]]
    assert read.after.tolist() == [[1, 0, 2], [0, 1, 2]]


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (numbers.read, "1\n8\n", "line 2: '8' is not a number from 1 to 7"),
        (numbers.read, "1\nx\n", "line 2: 'x' is not a number from 1 to 7"),
        (numbers.read, "[1.5]\n", "line 1: '1.5' is not a number from 1 to 7"),
        (numbers.read, "[true]\n", "line 1: 'true' is not a number"),
        (numbers.read, '{"n": 3}\n', "expected a column number or value"),
        (numbers.read, "\n", "holds no draws"),
        (numbers.read, '{"number": 1}\n{"number": 2\n', "line 2: .* is not JSON"),
        (numbers.read, "time,number\n1,2\n3\n", "line 3: 1 of 2 cells"),
        (dice.read, "1,2\n", "is not a roll of 3 dice"),
        (dice.read, "1,2,7\n", "line 1: '7' is not a face from 1 to 6"),
        (decks, "2c,3c,4c\n2c,3c\n", "line 2: a deck of 2 cards; expected 3, as on the first line"),
        (decks, "2c,3c,4c\n2c,3c,9x\n", "line 2: '9x' is not a card such as Td"),
        (decks, "2c,3c,4c\n2c,3c,5c\n", "line 2: the deck is not made of the same cards as the first one"),
        (decks, "2c\n", "a deck of 1 card; expected two or more"),
        (
            decks,
            "before,after\n2c 3c 4c,2c 3c 5c\n",
            "line 2: the shuffled deck is not made of the cards",
        ),
        (
            decks,
            '{"before": [0, 1, 2], "after": [0, 1, 2]}\n{"after": [0, 1, 2]}\n',
            "line 2: the order in which the deck was loaded must be on every line",
        ),
        (
            decks,
            '{"after": [0, 1, 2]}\n{"before": [0, 1, 2], "after": [0, 1, 2]}\n',
            "line 2: the order in which the deck was loaded must be on every line",
        ),
    ],
)
def test_a_bad_file_is_named_with_line_value_and_what_was_expected(file, read, text, message):
    path = file(text)
    with pytest.raises(BadSample, match=message) as error:
        read(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(BadSample, match=r"nothing\.csv: cannot be read: No such file"):
        numbers.read(tmp_path / "nothing.csv")
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadSample, match="is not UTF-8 text"):
        numbers.read(binary)
