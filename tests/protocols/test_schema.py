from dataclasses import dataclass
from datetime import date

import pytest
from references import reference

from feltrig.protocols.schema import (
    Choice,
    Flag,
    Key,
    Mismatch,
    Named,
    Number,
    Rows,
    Several,
    Shape,
    Table,
    Text,
    Whole,
    either,
    key,
    keys_of,
    path,
    shown,
    table_of,
)

WORD = Text(r"[a-z]+", "a word of small letters")
SECRET = Text(r"[a-z]+", "a word of small letters", secret=True)
COLOUR = Choice(("red", "green", "blue"))
LAMP = Table(
    dict,
    (
        Key("kind", Choice(("bulb", "strip", "laser")), "what it is"),
        Key("length", Whole(1, 50), "metres", 5, {"kind": ("strip",)}),
        Key("length", Number(0.1, 0.9), "metres", 0.3, {"kind": ("bulb",)}),
        Key("colour", COLOUR, "its light", "red"),
        Key("note", WORD, "anything", None),
    ),
)

GOOD: list[tuple[Shape, object, object]] = [
    (Whole(0, 9), 9, 9),
    (Whole(0), 10**30, 10**30),
    (Number(0, 1), 1, 1.0),
    (Number(0, 1), 0.5, 0.5),
    (WORD, "abc", "abc"),
    (Flag(), False, False),
    (COLOUR, "blue", "blue"),
    (Choice((1, 2)), 2, 2),
    (Several(COLOUR), "red", ("red",)),
    (Several(COLOUR), ["blue", "red"], ("blue", "red")),
    (LAMP, {"kind": "strip"}, {"kind": "strip", "length": 5, "colour": "red", "note": None}),
    (LAMP, {"kind": "bulb"}, {"kind": "bulb", "length": 0.3, "colour": "red", "note": None}),
    (LAMP, {"note": "x", "kind": "laser"}, {"kind": "laser", "colour": "red", "note": "x"}),
    (Rows(LAMP), [{"kind": "laser"}], ({"kind": "laser", "colour": "red", "note": None},)),
]

BAD: list[tuple[Shape, object, str]] = [
    (Whole(0, 9), "fast", "k: 'fast' is not a whole number"),
    (Whole(0, 9), True, "k: true is not a whole number"),
    (Whole(0, 9), 1.0, "k: 1.0 is not a whole number"),
    (Whole(0, 9), 10, "k: 10 is not a whole number from 0 to 9"),
    (Whole(1), 0, "k: 0 is not a whole number from 1 up"),
    (Number(0, 1), "1", "k: '1' is not a number"),
    (Number(0, 1), float("nan"), "k: nan is not a number from 0 to 1"),
    (Number(0, 1), float("inf"), "k: inf is not a number from 0 to 1"),
    (Number(0, 1), 16**5000, f"k: 0x1{'0' * 74}... is not a number from 0 to 1"),
    (WORD, "Abc", "k: 'Abc' is not a word of small letters"),
    (WORD, "abc\n", "k: 'abc\\n' is not a word of small letters"),
    (WORD, 3, "k: 3 is not a word of small letters"),
    (SECRET, 1234, "k: the value is not a word of small letters"),
    (Flag(), "yes", "k: 'yes' is not true or false"),
    (COLOUR, "gren", "k: 'gren' is not 'red', 'green' or 'blue'; did you mean green?"),
    (COLOUR, date(2026, 1, 2), "k: 2026-01-02 is not 'red', 'green' or 'blue'"),
    (Choice((1, 2)), True, "k: true is not 1 or 2"),
    (Several(COLOUR), [], "k: [] is not one or more of 'red', 'green', 'blue'"),
    (Several(COLOUR), ["red", "red"], "k: 'red' is given twice"),
    (Several(COLOUR), ["red", 7], "k: 7 is not 'red', 'green' or 'blue'"),
    (LAMP, 7, "k: 7 is not a table"),
    (LAMP, {}, "k.kind: is missing; expected 'bulb', 'strip' or 'laser'"),
    (LAMP, {"kind": "bulb", "length": 5}, "k.length: 5 is not a number from 0.1 to 0.9"),
    (LAMP, {"color": "red"}, "k.color: unknown key; did you mean colour?; known here: kind, length, colour, note"),
    (LAMP, {"a b": 1}, 'k."a b": unknown key; known here: kind, length, colour, note'),
    (
        LAMP,
        {"kind": "laser", "length": 5},
        "k.length: is only for kind 'strip' or 'bulb', and this is kind 'laser'",
    ),
    (Rows(LAMP), {}, "k: a table is not an array of tables"),
    (Rows(LAMP), [{"kind": "laser"}, 3], "k[2]: 3 is not a table"),
    (Named(WORD, LAMP), {"X": {}}, "k: 'X' is not a word of small letters"),
    (Named(WORD, LAMP), {"x": []}, "k.x: an array is not a table"),
]


@pytest.mark.parametrize(("shape", "value", "expected"), GOOD)
def test_a_good_value_takes_its_final_form(shape: Shape, value: object, expected: object) -> None:
    assert shape.read(value, "k", {}) == expected


@pytest.mark.parametrize(("shape", "value", "line"), BAD, ids=[line for *_, line in BAD])
def test_a_bad_value_is_named_with_what_was_expected(shape: Shape, value: object, line: str) -> None:
    with pytest.raises(Mismatch) as caught:
        shape.read(value, "k", {})
    assert str(caught.value) == line


def test_named_tables_are_built_with_their_names() -> None:
    @dataclass
    class Lamp:
        name: str
        watts: int

    lamps = Named(WORD, Table(Lamp, (Key("watts", Whole(1), "power"),))).read({"hall": {"watts": 9}}, "k", {})

    assert lamps == {"hall": Lamp("hall", 9)}


def test_a_condition_sees_the_keys_of_the_table_around_it() -> None:
    inner = Table(dict, (Key("beam", Flag(), "", True, {"kind": ("laser",)}),))
    outer = Table(dict, (Key("kind", Choice(("laser", "bulb")), ""), Key("inner", inner, "", {})))

    assert outer.read({"kind": "laser"}, "", {}) == {"kind": "laser", "inner": {"beam": True}}
    with pytest.raises(Mismatch, match=r"^inner\.beam: is only for kind 'laser', and this is kind 'bulb'$"):
        outer.read({"kind": "bulb", "inner": {"beam": True}}, "", {})


def test_the_reference_has_a_row_for_each_key_and_a_section_for_each_table() -> None:
    house = Table(dict, (Key("lamps", Named(WORD, LAMP), "all lamps"), Key("list", Rows(LAMP), "in order", [])))

    lines = list(reference(house))

    assert [line for line in lines if line.startswith("#")] == [
        "### The file itself",
        "### `[lamps.NAME]`",
        "### `[[list]]`",
    ]
    assert "| `lamps` | tables, each under a name | required | all lamps |" in lines
    assert "| `length` | a whole number from 1 to 50 | `5` | kind `strip`: metres |" in lines
    assert "| `colour` | 'red', 'green' or 'blue' | `\"red\"` | its light |" in lines
    assert "| `note` | a word of small letters | optional | anything |" in lines


def test_values_are_shown_on_one_short_line() -> None:
    assert shown("a\nb") == r"'a\nb'"
    assert len(shown("x" * 1000)) == len(shown(1 << 100_000)) == 80
    assert path("a", "b\nc") == r'a."b\nc"'
    assert either(["a"]) == "a"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bulb:
    name: str = "no key"
    watts: int = key(Whole(1), "power")
    colours: tuple[str, ...] = key(Several(COLOUR), "its lights", ("red",))
    tags: tuple[str, ...] = key(Several(COLOUR), "tags", default_factory=tuple)
    lumens: int = key(Whole(1), "brightness", computed=lambda scope: 10 * int(str(scope["watts"])))
    beam: bool = key(Flag(), "narrow", False, when={"shade": ("cone",)})


def test_a_dataclass_states_its_keys_once() -> None:
    assert [k.name for k in keys_of(Bulb)] == ["watts", "colours", "tags", "lumens", "beam"]
    assert table_of(Bulb).read({"watts": 3}, "k", {"shade": "cone"}) == Bulb(watts=3, lumens=30)
    given = {"watts": 3, "lumens": 5, "colours": "blue", "beam": True}
    assert table_of(Bulb).read(given, "k", {"shade": "cone"}) == Bulb(watts=3, lumens=5, colours=("blue",), beam=True)
    with pytest.raises(Mismatch, match=r"k\.watts: is missing; expected a whole number from 1 up"):
        table_of(Bulb).read({}, "k", {"shade": "cone"})


def test_a_default_is_computed_from_keys_that_stand_after_it() -> None:
    late = Table(dict, (Key("a", Whole(1), "", None, computed=lambda scope: scope["b"]), Key("b", Whole(1), "", 7)))

    assert late.read({}, "k", {}) == {"a": 7, "b": 7}
    assert late.read({"b": 8}, "k", {}) == {"a": 8, "b": 8}
    assert late.read({"a": 1}, "k", {}) == {"a": 1, "b": 7}


def test_keys_that_differ_in_one_condition_share_a_row_of_the_reference() -> None:
    keys = (*keys_of(Bulb, {"socket": ("E14",)}), *keys_of(Bulb, {"socket": ("E27",)}))

    rows = [row for row in reference(Table(dict, keys)) if "`beam`" in row or "`watts`" in row or "`colours`" in row]

    assert rows == [
        "| `watts` | a whole number from 1 up | required | socket `E14`, `E27`: power |",
        "| `colours` | one or more of 'red', 'green', 'blue' | `[\"red\"]` | socket `E14`, `E27`: its lights |",
        "| `beam` | true or false | `false` | socket `E14`, `E27`: shade `cone`: narrow |",
    ]


def test_a_stray_key_is_told_by_the_condition_that_is_nearest() -> None:
    keys = (*keys_of(Bulb, {"socket": ("E14",)}), *keys_of(Bulb, {"socket": ("E27",)}))
    table = Table(dict, (Key("socket", Choice(("E14", "E27", "G9")), ""), Key("shade", WORD, ""), *keys))

    def told(**values: object) -> str:
        with pytest.raises(Mismatch) as caught:
            table.read(values, "", {})
        return str(caught.value)

    assert told(socket="G9", shade="cone", beam=True).endswith(
        "is only for socket 'E14' or 'E27', and this is socket 'G9'"
    )
    assert told(socket="E27", shade="flat", watts=1, beam=True).endswith(
        "is only for shade 'cone', and this is shade 'flat'"
    )
