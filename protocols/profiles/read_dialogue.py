"""From the tables of a profile file to a Dialogue: every name is checked against the vocabulary of the kind."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, TypeVar

from feltrig.protocols.messages import Value
from feltrig.protocols.profiles.codecs import Codec, at_work
from feltrig.protocols.profiles.dialogue import CommandForm, Dialogue, MessageForm, Poll, Saying
from feltrig.protocols.profiles.fields import (
    CLOCK,
    ERROR,
    FAULT,
    LABEL,
    NTH,
    SEQ,
    STATE,
    TOKEN,
    Span,
    check_meaning,
    reported_field,
    span,
    value_of,
)
from feltrig.protocols.profiles.shape import JsonShape
from feltrig.protocols.profiles.template import Pattern, Tables, Template
from feltrig.protocols.schema import Choice, Mismatch, path
from feltrig.protocols.vocabulary import Command, EventType, FaultCode, Field, Kind, State

T = TypeVar("T")


def read_dialogue(kind: Kind, values: Mapping[str, Any], tables: Tables, codec: Codec | None) -> Dialogue:
    """The messages of a profile. Raises Mismatch."""
    return _Reader(kind, values, tables, codec).dialogue()


class _Reader:
    def __init__(self, kind: Kind, values: Mapping[str, Any], tables: Tables, codec: Codec | None) -> None:
        self._kind = kind
        self._values = values
        self._tables = tables
        self._codec = codec
        topics = values.get("mqtt", {"hears": "", "says": ""})
        self._hears, self._says = topics["hears"], topics["says"]

    def dialogue(self) -> Dialogue:
        commands = {name: self._command(name, raw) for name, raw in self._values["commands"].items()}
        says = tuple(self._saying(raw, f"says[{number}]") for number, raw in enumerate(self._values["says"], 1))
        reports = self._values["reports"]
        numbered = any(SEQ in saying.message.pattern.names for saying in says)
        if numbered and reports["modulus"] is None:
            raise Mismatch("reports.modulus", "is missing; expected a whole number, since messages carry {seq}")
        if reports["repeats"] > 1 and not numbered:
            raise Mismatch("reports.repeats", f"{reports['repeats']} needs {{seq}} in the messages, to tell repeats")
        return Dialogue(
            commands,
            says,
            reports["modulus"] or 0,
            reports["repeats"],
            reports["apart"],
            self._plain(reports["acknowledge"], self._hears, "reports.acknowledge", {SEQ}),
            self._poll(reports, says),
        )

    def _poll(self, reports: Mapping[str, Any], says: tuple[Saying, ...]) -> Poll | None:
        message = self._plain(reports["poll"], self._hears, "reports.poll")
        nothing = self._plain(reports["nothing"], self._says, "reports.nothing")
        if message is None:
            if nothing is not None:
                raise Mismatch("reports.poll", "is missing; expected text, since there is nothing")
            return None
        if nothing is None and not any(saying.status for saying in says):
            reason = "is missing; expected what a polled device says without news, since no message reports its state"
            raise Mismatch("reports.nothing", reason)
        for number, saying in enumerate(says, 1):
            if saying.every:
                raise Mismatch(
                    f"says[{number}].every", "does not go with reports.poll: a polled device waits to be asked"
                )
        return Poll(message, nothing, reports["poll_every"])

    def _plain(self, text: object, topic: str, key: str, allowed: Iterable[str] = ()) -> MessageForm | None:
        return None if text is None else self._message(text, None, topic, key, allowed, ())

    def _command(self, name: str, raw: Mapping[str, Any]) -> CommandForm:
        key = f"commands.{name}"
        command = self._kind.commands.get(name)
        if command is None or name == "events":
            known = tuple(each for each in self._kind.commands if each != "events")
            Choice(known).read(name, "commands", {})
        assert command is not None
        values = {arg: self._value(command.args, arg, given, f"{key}.values") for arg, given in raw["values"].items()}
        remembered = {field: self._source(command, field, name, key) for field, name in raw["remembered"].items()}
        if raw["message"] is None:
            self._check_local(command, raw, remembered, key)
            return CommandForm(remembered=remembered)
        args = {field.name for field in command.args}
        message = self._message(
            raw["message"], raw.get("topic"), self._hears, f"{key}.message", {*args, TOKEN}, command.args
        )
        _complete(args, message.pattern.names | set(values), f"{key}.message", "the message, or in values")
        answer, refused = self._answers(command, raw, key)
        if raw["answered_by"] is not None:
            self._check_answered_by(command, raw, key)
            return CommandForm(message, None, refused, values, remembered, raw["answered_by"])
        self._check_reply(command, answer, remembered, key)
        return CommandForm(message, answer, refused, values, remembered)

    def _check_answered_by(self, command: Command, raw: Mapping[str, Any], key: str) -> None:
        told = tuple(dict.fromkeys(saying["event"] for saying in self._values["says"] if saying["event"] is not None))
        if not told:
            raise Mismatch(f"{key}.answered_by", "there is no message in says that reports an event")
        Choice(told).read(raw["answered_by"], f"{key}.answered_by", {})
        if raw["unanswered"] or raw["answer"] is not None:
            raise Mismatch(f"{key}.answered_by", "does not go with answer or unanswered: the event is the answer")
        if command.reply:
            raise Mismatch(f"{key}.answered_by", f"{command.name} has a reply; expected it in an answer, or remembered")

    def _check_local(self, command: Command, raw: Mapping[str, Any], remembered: Mapping[str, str], key: str) -> None:
        if raw["answer"] is not None or raw["refused"] is not None:
            raise Mismatch(f"{key}.message", "is missing; expected text, since there is an answer")
        if not remembered:
            raise Mismatch(key, "has neither a message nor anything remembered; expected one of them")
        _complete({field.name for field in command.reply}, set(remembered), f"{key}.remembered", "remembered")

    def _answers(
        self, command: Command, raw: Mapping[str, Any], key: str
    ) -> tuple[MessageForm | None, MessageForm | None]:
        if raw["unanswered"]:
            return None, None
        common = self._values["answers"]
        echoed = {TOKEN, *(field.name for field in command.args)}
        answer = refused = None
        if (text := raw["answer"] if raw["answer"] is not None else common["done"]) is not None:
            allowed = echoed | {field.name for field in command.reply[: 2 if command.name == "status" else None]}
            where = f"{key}.answer" if raw["answer"] is not None else "answers.done"
            fields = (*command.args, *command.reply)
            answer = self._message(text, raw.get("answer_topic"), self._says, where, allowed, fields)
        if (text := raw["refused"] if raw["refused"] is not None else common["refused"]) is not None:
            where = f"{key}.refused" if raw["refused"] is not None else "answers.refused"
            fields = (*command.args, ERROR)
            refused = self._message(text, raw.get("answer_topic"), self._says, where, echoed | {ERROR.name}, fields)
        return answer, refused

    def _check_reply(
        self, command: Command, answer: MessageForm | None, remembered: Mapping[str, str], key: str
    ) -> None:
        """Every field of a reply comes from somewhere. Who a device is may be known by its label instead."""
        carried = set(remembered) | (set() if answer is None else set(answer.pattern.names))
        known = {"identify": {"kind", *LABEL}, "status": {"fault", "oldest", "latest"}}.get(command.name, set())
        fields = {field.name for field in command.reply}
        _complete(fields - known, carried, f"{key}.answer", "the answer, or remembered")
        if command.name == "status" and answer is not None:
            self._check_faultless(answer.pattern, key)

    def _check_faultless(self, pattern: Pattern, key: str) -> None:
        """A device that is asked how it stands has no fault most of the time: without a word for that it is silent."""
        table = pattern.tables.get("fault") if isinstance(pattern, Template | JsonShape) else None
        if table is not None and FaultCode.NONE not in self._tables[table].values():
            reason = f"{{fault:{table}}} has no word for no fault; expected a row that means 'none' in"
            raise Mismatch(f"{key}.answer", f"{reason} {path('tables', table)}")

    def _saying(self, raw: Mapping[str, Any], key: str) -> Saying:
        event = self._event(raw, key)
        own = () if event is None else event.fields
        reported = {SEQ, TOKEN, *CLOCK, STATE, FAULT, *(f"{e}.{f}" for e in self._kind.events for f in self._names(e))}
        allowed = reported | {field.name for field in own}
        message = self._message(raw["message"], raw.get("topic"), self._says, f"{key}.message", allowed, own, raw)
        names = message.pattern.names
        if raw["status"]:
            self._check_report(raw, names, key)
        assumed = {
            name: self._assumed(
                name if raw["status"] else f"{raw['event']}.{name}", given, path(f"{key}.assumed", name)
            )
            for name, given in raw["assumed"].items()
        }
        values = {name: self._value(own, name, given, f"{key}.values") for name, given in raw["values"].items()}
        if event is not None:
            _complete({f.name for f in own}, names | set(values) | set(assumed), key, "message, values or assumed")
        return Saying(
            message,
            raw["event"],
            raw["status"],
            {name: self._span(own, name, given, f"{key}.when") for name, given in raw["when"].items()},
            values,
            assumed,
            None if raw["state"] is None else State[raw["state"].upper()],
            raw["modulus"] or 0,
            raw["every"] or 0.0,
            raw["on_change"],
        )

    def _event(self, raw: Mapping[str, Any], key: str) -> EventType | None:
        if raw["event"] is None:
            return None
        if raw["status"]:
            raise Mismatch(f"{key}.status", "true does not go with event: a message reports one or the other")
        Choice(tuple(self._kind.events)).read(raw["event"], f"{key}.event", {})
        return self._kind.events[raw["event"]]

    def _names(self, event: str) -> list[str]:
        return [NTH, *(field.name for field in self._kind.events[event].fields)]

    def _check_report(self, raw: Mapping[str, Any], names: frozenset[str], key: str) -> None:
        counted = [name.removesuffix(f".{NTH}") for name in names if name.endswith(f".{NTH}")]
        if counted and raw["modulus"] is None:
            raise Mismatch(
                f"{key}.modulus", f"is missing; expected a whole number, since {{{counted[0]}.nth}} is counted"
            )
        for event in counted:
            fields = {f"{event}.{field.name}" for field in self._kind.events[event].fields}
            _complete(fields, names | set(raw["assumed"]), key, "message or assumed")

    def _message(
        self,
        text: object,
        topic: str | None,
        usual: str,
        key: str,
        allowed: Iterable[str],
        fields: Iterable[Field],
        saying: Mapping[str, Any] | None = None,
    ) -> MessageForm:
        pattern = sensible(lambda: self._pattern(text), key)
        known = sorted(allowed)
        for name in sorted(pattern.names):
            if name not in known:
                own = ", ".join(each for each in known if "." not in each) or "no value"
                raise Mismatch(key, f"{{{name}}} cannot be used in this message; it can carry {own}")
        if isinstance(pattern, Template | JsonShape):
            self._check_meanings(pattern.tables, {field.name: field for field in fields})
        return MessageForm(pattern, usual if topic is None else topic, bool(saying and saying.get("retain")))

    def _check_meanings(self, used: Mapping[str, str], fields: Mapping[str, Field]) -> None:
        """Every row of a table must mean something for what it stands for."""
        for name, table in used.items():
            field = fields.get(name) or reported_field(self._kind, name)
            if field is None:
                continue
            for wire, value in self._tables[table].items():
                sensible(partial(check_meaning, field, value), path(path("tables", table), wire))

    def _pattern(self, text: object) -> Pattern:
        if not isinstance(text, str):
            return JsonShape(text, self._tables)
        if self._codec is None:
            return Template(text, self._tables)
        with at_work(self._codec):
            return self._codec.pattern(text, self._tables)

    def _value(self, fields: Iterable[Field], name: str, given: object, key: str) -> Value:
        return sensible(lambda: value_of(_field(fields, name, key), given), path(key, name))

    def _span(self, fields: Iterable[Field], name: str, given: object, key: str) -> Span:
        _field(fields, name, key)
        return sensible(lambda: span(given), path(key, name))

    def _assumed(self, name: str, given: object, key: str) -> Value:
        return read_assumed(self._kind, name, given, key)

    def _source(self, command: Command, field: str, name: object, key: str) -> str:
        _field(command.reply, field, f"{key}.remembered")
        if not isinstance(name, str) or reported_field(self._kind, name) is None:
            raise Mismatch(path(f"{key}.remembered", field), f"{name!r} is not something that the device reports")
        return name


def read_assumed(kind: Kind, name: str, given: object, key: str) -> Value:
    """What is assumed of a field: a value of it, or `command.argument`. Raises Mismatch."""
    field = reported_field(kind, name)
    if field is None:
        raise Mismatch(key, f"{name} is not a field of an event")
    if isinstance(given, str) and "." in given:
        command, _, argument = given.partition(".")
        known = kind.commands.get(command)
        if known is not None and any(arg.name == argument for arg in known.args):
            return given
        raise Mismatch(key, f"{given!r} is not an argument of a command")
    return sensible(lambda: value_of(field, given), key)


def _field(fields: Iterable[Field], name: str, key: str) -> Field:
    by_name = {field.name: field for field in fields}
    if name not in by_name:
        raise Mismatch(path(key, name), f"no such field here; there are {', '.join(by_name) or 'none'}")
    return by_name[name]


def _complete(needed: Iterable[str], given: Iterable[str], key: str, where: str) -> None:
    missing = sorted(set(needed) - set(given))
    if missing:
        raise Mismatch(key, f"no value for {missing[0]}; expected it in {where}")


def sensible(make: Callable[[], T], key: str) -> T:
    """What was made; whatever made no sense is a Mismatch at its key."""
    try:
        return make()
    except ValueError as error:
        raise Mismatch(key, str(error)) from error
