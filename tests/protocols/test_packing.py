"""Fields as bytes: golden pairs both ways, and refusals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.protocols.messages import Value
from feltrig.protocols.modbus.register_map import REGISTERS
from feltrig.protocols.packing import LARGEST, OCTETS, Packing
from feltrig.protocols.vocabulary import Field, Type

EVERY_TYPE = tuple(Field(t.value, t, "") for t in Type)
VALUES = {"u8": 0x12, "u16": 0x1234, "u32": 0x12345678, "bool": True, "bytes": (1, 2, 255), "text": "é!"}

GOLDEN = [
    (OCTETS, "12 1234 12345678 01 03 0102ff 03 c3a921"),
    (REGISTERS, "0012 1234 12345678 0001 0003 0102ff00 0003 c3a92100"),
]


@pytest.mark.parametrize(("layout", "golden"), GOLDEN, ids=["octets", "registers"])
def test_every_type_has_the_bytes_written_down_by_hand(layout, golden):
    packing = Packing(EVERY_TYPE, layout)
    assert packing.pack(VALUES) == bytes.fromhex(golden)
    assert packing.unpack(bytes.fromhex(golden)) == VALUES


@pytest.mark.parametrize(("layout", "golden"), GOLDEN, ids=["octets", "registers"])
def test_every_truncation_and_every_surplus_byte_is_refused(layout, golden):
    packing, whole = Packing(EVERY_TYPE, layout), bytes.fromhex(golden)
    for size in range(len(whole)):
        with pytest.raises(ValueError, match=r"expected|length|follow"):
            packing.unpack(whole[:size])
    with pytest.raises(ValueError, match="1 bytes too many"):
        packing.unpack(whole + b"\0")


@pytest.mark.parametrize("layout", [OCTETS, REGISTERS], ids=["octets", "registers"])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("u8", 256),
        ("u8", -1),
        ("u8", "1"),
        ("u16", 65536),
        ("u32", 1 << 32),
        ("bool", 2),
        ("bytes", (256,)),
        ("bytes", ("a",)),
        ("bytes", "ab"),
        ("bytes", (0,) * 256),
        ("text", (1,)),
        ("text", "x" * 256),
    ],
)
def test_a_value_that_a_field_cannot_hold_is_refused_by_name(layout, name, value):
    with pytest.raises(ValueError, match=f"^{name}: "):
        Packing(EVERY_TYPE, layout).pack({**VALUES, name: value})


@pytest.mark.parametrize("values", [{}, {"u8": 1, "more": 2}, {"other": 1}])
def test_missing_and_surplus_fields_are_refused(values):
    with pytest.raises(ValueError, match="expected the fields"):
        Packing(EVERY_TYPE[:1]).pack(values)


@pytest.mark.parametrize(
    ("layout", "data"),
    [
        (OCTETS, "02"),
        (REGISTERS, "0002"),
        (REGISTERS, "0100"),
    ],
)
def test_a_truth_is_nothing_but_zero_or_one(layout, data):
    with pytest.raises(ValueError, match=r"bool: \d+ is not 0\.\.1"):
        Packing((Field("bool", Type.BOOL, ""),), layout).unpack(bytes.fromhex(data))


def test_a_register_above_255_is_no_u8():
    with pytest.raises(ValueError, match=r"u8: 256 is not 0\.\.255"):
        Packing(EVERY_TYPE[:1], REGISTERS).unpack(b"\x01\x00")


def test_text_that_is_not_utf8_and_padding_that_is_not_zero_are_refused():
    text = (Field("text", Type.TEXT, ""),)
    with pytest.raises(ValueError, match="utf-8"):
        Packing(text).unpack(b"\x01\xff")
    with pytest.raises(ValueError, match="other bytes than zero"):
        Packing(text, REGISTERS).unpack(b"\0\x01ab")


def test_unpacking_from_an_offset_says_where_it_ended():
    packing = Packing(EVERY_TYPE[:2])
    assert packing.unpack_from(b"??\x01\x02\x03!", 2) == ({"u8": 1, "u16": 0x203}, 5)


def fields_and_values() -> st.SearchStrategy[tuple[list[Field], dict[str, Value]]]:
    def value(kind: Type) -> st.SearchStrategy[Value]:
        if kind is Type.BOOL:
            return st.booleans()
        if kind is Type.TEXT:
            return st.text(max_size=60)
        if kind is Type.BYTES:
            return st.lists(st.integers(0, 255), max_size=255).map(tuple)
        return st.integers(0, LARGEST[kind])

    typed = st.sampled_from(list(Type)).flatmap(lambda kind: st.tuples(st.just(kind), value(kind)))
    return st.lists(typed, max_size=6).map(
        lambda pairs: (
            [Field(f"f{n}", kind, "") for n, (kind, _) in enumerate(pairs)],
            {f"f{n}": v for n, (_, v) in enumerate(pairs)},
        )
    )


@given(fields_and_values(), st.sampled_from([OCTETS, REGISTERS]))
def test_what_is_packed_is_unpacked_and_a_register_layout_fills_whole_registers(case, layout):
    fields, values = case
    packing = Packing(fields, layout)
    data = packing.pack(values)
    assert packing.unpack(data) == values
    assert len(data) % layout.unit == 0
    assert len(data) >= packing.smallest
    assert not packing.fixed or len(data) == packing.smallest


@given(st.binary(max_size=80), st.sampled_from([OCTETS, REGISTERS]))
def test_any_bytes_are_either_refused_or_exactly_what_packing_gives_back(data, layout):
    packing = Packing(EVERY_TYPE, layout)
    try:
        values = packing.unpack(data)
    except ValueError:
        return
    assert packing.pack(values) == data
