"""The references of four pages, made from the tables by which the program reads what they describe."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import inf

from feltrig.emulators.control.table import ROUTES
from feltrig.emulators.models import fault_types
from feltrig.emulators.relays.noise import NOISES, NoiseType
from feltrig.engine.games import GAMES
from feltrig.engine.questions import Field, Question, plain
from feltrig.harness.rig.keys import rig_table, wires_with
from feltrig.harness.rig.shapes import NamedOrTable
from feltrig.harness.table.prompts import PROMPTS
from feltrig.protocols.profiles.keys import PROFILE
from feltrig.protocols.schema import REQUIRED, Key, Named, Rows, Table, shown


def rig_file() -> str:
    """The reference of the rig file, in Markdown."""
    lines = [*reference(rig_table()), "### Faults of emulated devices", ""]
    lines += ["| kind | fault | strikes | what happens |", "|---|---|---|---|"]
    lines += [
        f"| {kind} | `{what}` | {fault.operation} | {fault.effect}{_usually(fault.seconds)} |"
        for kind, known in fault_types().items()
        for what, fault in known.items()
    ]
    lines += ["", "### Noise on wires", "", "| noise | wires | what happens | without `seconds` |", "|---|---|---|---|"]
    lines += [
        f"| `{what}` | {', '.join(wires_with(noise))} | {noise.effect} | {_lasting(noise)} |"
        for what, noise in NOISES.items()
    ]
    return "\n".join(lines) + "\n"


def control_api() -> str:
    """The reference of the control interface, in Markdown."""
    lines = []
    for route in ROUTES:
        lines += [f"### `{route.title}`", "", f"{route.doc[0].upper()}{route.doc[1:]}.", ""]
        if route.keys:
            lines += list(reference(Table(dict, route.keys)))[2:]  # its own heading is that of a file
    return "\n".join(lines[:-1]) + "\n"


def prompts() -> str:
    """Every prompt of an operator, in Markdown."""
    lines = ["| `what` | text | answer | what follows |", "|---|---|---|---|"]
    for what, wording in PROMPTS.items():
        answers = wording.asks or ("`done` or `cannot`" if wording.optional else "`done`")
        lines.append(f"| `{what}` | {wording.text} | {answers} | {wording.then} |")
    return "\n".join(lines) + "\n"


def profiles() -> str:
    """The reference of the profile file, in Markdown."""
    return "\n".join(reference(PROFILE))


def oracle() -> str:
    """Every question about every game, with its fields and options, as the page on the oracle has it."""
    return "\n".join(
        f"### {game}\n\n| question | input | options |\n|---|---|---|\n"
        + "".join(f"| `{op}` | {_inputs(asked)} | {_options(asked)} |\n" for op, asked in GAMES[game].questions.items())
        for game in GAMES
    )


def _inputs(asked: Question) -> str:
    return ", ".join(
        f"[`{name}`]" if isinstance(field, Field) and field.default is not ... else f"`{name}`"
        for name, field in asked.fields.items()
    )


def _options(asked: Question) -> str:
    return "; ".join(
        f"`{choice.name}`{f' ({choice.decision})' if choice.decision else ''}: "
        + ", ".join(f"`{json.dumps(plain(value))}`" for value in choice.values)
        for choice in asked.choices
    )


def reference(table: Table, heading: str = "") -> Iterator[str]:
    """The lines of the user's reference: one Markdown table for each TOML table with known keys, outer tables first."""
    nested: list[tuple[str, Table]] = []
    yield from (f"### {f'`[{heading}]`' if heading else 'The file itself'}", "")
    yield from ("| key | value | default | meaning |", "|---|---|---|---|")
    for key in _merged(table.keys):
        inner = f"{heading}.{key.name}" if heading else key.name
        match key.shape:
            case Table() as inside:
                nested.append((inner, inside))
            case NamedOrTable(table=inside):
                nested.append((inner, inside))
            case Named(table=named):
                nested.append((f"{inner}.NAME", named))
            case Rows(table=row):
                nested.append((f"[{inner}]", row))
        yield f"| `{key.name}` | {key.shape.expected} | {_default(key)} | {_condition(key)}{key.doc} |"
    yield ""
    for name, inner_table in nested:
        if inner_table.keys:
            yield from reference(inner_table, name)


def _merged(keys: Iterable[Key]) -> list[Key]:
    """The keys, those in one that differ only in the value of one condition."""
    found: list[Key] = []
    for key in keys:
        for number, other in enumerate(found):
            same = (key.name, key.shape, key.doc, key.default) == (other.name, other.shape, other.doc, other.default)
            apart = [tag for tag in key.when if key.when[tag] != other.when.get(tag)]
            if same and key.when.keys() == other.when.keys() and len(apart) == 1:
                values = (*other.when[apart[0]], *key.when[apart[0]])
                found[number] = replace(other, when={**other.when, apart[0]: values})
                break
        else:
            found.append(key)
    return found


def _usually(seconds: float | None) -> str:
    return "" if seconds is None else f"; without `seconds`, {seconds:g}"


def _lasting(noise: NoiseType) -> str:
    if "seconds" not in noise.effect:
        return ""
    return "for ever" if noise.seconds == inf else f"{noise.seconds:g} s"


def _default(key: Key) -> str:
    if key.default is REQUIRED:
        return "required"
    match key.default:
        case bool() | int() | float():
            return f"`{shown(key.default)}`"
        case str() | tuple() | list() if key.default:
            return f"`{json.dumps(key.default)}`"
    return "optional"


def _condition(key: Key) -> str:
    return "".join(f"{tag} {', '.join(f'`{value}`' for value in values)}: " for tag, values in key.when.items())
